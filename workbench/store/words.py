"""Splitting names and questions into the words that search compares."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_COMMON = """a about all am an and any are as at be been but by can could did do does for from get
give had has have how i if in into is it its let like make may me might my need no not of
on one or our out please should show so some tell than that the their them then there these
they this to up us use want was we were what when where which who will with would you
your"""
STOPWORDS = frozenset(_COMMON.split())


def words(text: str) -> list[str]:
    """Lower-case words in order, each once: `getUserName` is getusername, get, user, name."""
    found: dict[str, None] = {}
    for run in _WORD.findall(text):
        found[run.lower()] = None
        for part in _HUMP.split(run):
            found[part.lower()] = None
    return list(found)


def telling(all_words: Iterable[str]) -> list[str]:
    """The words without stopwords, unless nothing else is there."""
    given = list(all_words)
    return [word for word in given if word not in STOPWORDS] or given
