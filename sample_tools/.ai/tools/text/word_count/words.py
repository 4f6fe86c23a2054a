"""What counts as a word: letters and digits, with apostrophes and hyphens inside."""

import re

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def words_of(text):
    return (match.group().casefold().replace("’", "'") for match in _WORD.finditer(text))
