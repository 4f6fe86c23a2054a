"""Count what is in a text file."""

from collections import Counter
from pathlib import Path

from words import words_of


def main(path, top=5):
    counts = Counter(words_of(Path(path).read_text(encoding="utf-8")))
    return {"words": counts.total(), "top": counts.most_common(top)}
