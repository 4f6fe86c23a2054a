"""Count what is in a text file."""

from collections import Counter
from pathlib import Path

from words import words_of


def main(path, top=5, min_length=1):
    text = Path(path).read_text(encoding="utf-8")
    counts = Counter(words_of(text))
    listed = [(word, n) for word, n in counts.items() if len(word) >= min_length]
    # Most frequent first; of equals the one that comes first in the alphabet.
    listed.sort(key=lambda item: (-item[1], item[0]))
    return {
        "words": counts.total(),
        "unique_words": len(counts),
        "lines": text.count("\n") + (not text.endswith("\n") and text != ""),
        "characters": len(text),
        "top": [{"word": word, "count": n} for word, n in listed[:top]],
    }
