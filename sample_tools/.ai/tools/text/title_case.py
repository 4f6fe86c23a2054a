#!/usr/bin/env python3
"""
tool_id: title_case
tool_type: script
version: "1.0.0"
executor: python_runtime
name: Title case
description: Write a line as a headline, small words small.
category: text
tags: [text, title, headline]
mutates_state: false
parameters:
  - name: text
    type: string
    required: true
    description: The line.
"""

_SMALL = {"a", "an", "and", "as", "at", "but", "by", "for", "in", "of", "on", "or", "the", "to"}


def main(text: str) -> dict:
    words = text.split()
    last = len(words) - 1
    return {"title": " ".join(_word(word, n in (0, last)) for n, word in enumerate(words))}


def _word(word, at_an_end):
    if word.lower() in _SMALL and not at_an_end:
        return word.lower()
    # Words that carry capitals inside, such as macOS, know best themselves.
    return word if word[1:] != word[1:].lower() else word[:1].upper() + word[1:]
