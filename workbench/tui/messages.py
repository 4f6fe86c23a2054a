"""News that crosses from workers and the app to screens. Past facts, small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from workbench.core.tool import ToolRow, Trust
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.core.diff import Difference
    from workbench.tui.amiss import AmissFile
    from workbench.tui.browsing import Survey
    from workbench.tui.details import Details
    from workbench.tui.outline import Node, Outline
    from workbench.tui.searching import Found
    from workbench.workbench import Workbench


@dataclass
class WorkbenchOpened(Message):
    workbench: Workbench


@dataclass
class OpeningFailed(Message):
    error: WorkbenchError


@dataclass
class RegistryFailed(Message):
    """A call to the facade failed while the app was running."""

    error: WorkbenchError


@dataclass
class OutlineLoaded(Message):
    outline: Outline
    survey: Survey


@dataclass
class ChildrenLoaded(Message):
    node: Node
    rows: Sequence[ToolRow]


@dataclass
class ChildrenFailed(Message):
    node: Node
    error: WorkbenchError


@dataclass
class RegistrySurveyed(Message):
    """The registry changed; this is what the shown part of the tree is now."""

    survey: Survey
    outline: Outline


@dataclass
class AmissLoaded(Message):
    """More of the files with problems are wanted in the tree; these are all."""

    node: Node
    files: Sequence[AmissFile]


@dataclass
class FilesRead(Message):
    """A sync goes on: so many changed tools were read, of so many."""

    done: int
    total: int

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, FilesRead)


@dataclass
class FilesSynced(Message):
    """The registry is up to date with the files in sight."""

    is_first: bool = False


@dataclass
class FollowingFailed(Message):
    """Changes of files will not be noticed any more."""

    error: WorkbenchError


@dataclass
class DetailsLoaded(Message):
    details: Details


@dataclass
class DiffWanted(Message):
    """The difference between two versions of the tool that is shown."""

    before: str
    after: str


@dataclass
class DiffLoaded(Message):
    before: str
    after: str
    difference: Difference


@dataclass
class SearchFinished(Message):
    found: Found


@dataclass
class ToolLocated(Message):
    """A tool was looked for in the tree: its key, with everything above it loaded, or None."""

    tool_id: str
    key: tuple[str, ...] | None


@dataclass
class TrustWanted(Message):
    """Which of these versions of the tool that is shown are signed."""

    versions: Sequence[str]


@dataclass
class TrustLoaded(Message):
    space: str
    tool_id: str
    trust: Mapping[str, Trust]
