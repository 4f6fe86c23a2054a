"""Words are runs of letters."""

import re


def words_of(text):
    return re.findall(r"[^\W\d_]+", text.lower())
