"""Knowledge: text to be read, not run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import Field

from workbench.core import markdown
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.shape import Shape
from workbench.tool_types.base import ToolType, check_url, reads

DEFAULT_FILE = "content.md"


class Config(Shape):
    entrypoint: str = Field(default=DEFAULT_FILE, description="the markdown file")
    entry_type: str | None = Field(default=None, description="pattern, note, reference …")
    source_type: str | None = Field(default=None, description="where it comes from")
    source_url: str | None = Field(default=None, description="the page it comes from")


def _check(reading: Reading) -> Iterator[Problem]:
    config = Config.model_validate(reading.config)
    if config.source_url:
        yield from check_url(reading, ("config", "source_url"), config.source_url)
    file = reading.file(config.entrypoint)
    if file is None:
        yield reading.problem(
            "files_missing",
            ("config", "entrypoint"),
            f"knowledge has its text in {config.entrypoint}, which is not there",
            hint=f"put {config.entrypoint} beside tool.yaml",
            on_key=True,
        )
        return
    page = markdown.split(file.text or "")
    if reading.manifest_file != file.path:  # else the dialect has said so already
        problems = [*page.problems, *(page.frontmatter.problems if page.frontmatter else [])]
        for problem in problems:
            yield replace(problem, file=file.path)
    if not page.body.strip():
        problem = reading.problem("empty_content", (), f"{file.path} has no text")
        yield replace(problem, file=file.path, line=1, column=1)


TYPE = ToolType(
    name="knowledge",
    summary="Text to be read, with its source",
    config=Config,
    files="required",
    check=_check,
    effect=reads,
)
