"""Primitives: the two capabilities that are code. Everything else is data above them."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import ToolType

IMPLEMENTED = ("subprocess", "http_client")


class Config(Shape):
    capabilities: list[str] = Field(default=[], description="what the code behind it can do")


def _check(reading: Reading) -> Iterator[Problem]:
    if reading.manifest.get("tool_id") not in IMPLEMENTED:
        yield reading.problem(
            "not_one_of",
            ("tool_id",),
            f"there are two primitives, {' and '.join(IMPLEMENTED)}; others would need code",
            hint="make a runtime on one of them instead",
        )


TYPE = ToolType(
    name="primitive",
    summary="A capability in code, at the bottom of every chain",
    config=Config,
    check=_check,
)
