"""`help`: how the operations are called, for whoever has never seen them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.contract.checks import Given, did_you_mean
from workbench.contract.topics import TOPICS
from workbench.errors import UsageError

PARAMETERS = ("topic",)
_ALIASES = {"tool": "tools"}
_DEFAULT = "tools"


def answer(arguments: Mapping[str, Any]) -> dict[str, Any]:
    given = Given(arguments, PARAMETERS)
    asked = given.text("topic") or _DEFAULT
    topic = _ALIASES.get(asked, asked)
    if topic not in TOPICS:
        near = did_you_mean(asked, [*TOPICS, *_ALIASES])
        raise UsageError(
            f"there is no help on {asked[:60]!r}",
            code="unknown_topic",
            suggestion=f"did you mean {near}?" if near else f"one of {', '.join(TOPICS)}",
        )
    text, examples = TOPICS[topic]
    return {
        "help": text,
        "topic": topic,
        "examples": [{"operation": name, "arguments": dict(sent)} for name, sent in examples],
    }
