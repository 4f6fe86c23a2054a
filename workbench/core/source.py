"""YAML read once, safely, with the place of every key and value.

The parser's events are consumed one by one, without recursion, so depth, aliases and size are
counted before anything is built. Scalars follow YAML 1.2; what other YAML readers would
understand differently (`no`, `0o17`, a bare date) is remembered or refused, never guessed.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from workbench.core import scalars
from workbench.core.codes import problem_at
from workbench.core.document import Document, Mark
from workbench.core.problems import Edit, Fix, Path, Problem, line_starts

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 64
MAX_ALIASES = 100
MAX_NODES = 100_000

_TAG = "tag:yaml.org,2002:"


class _FatalError(Exception):
    """Reading cannot go on."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def decode(data: bytes) -> tuple[str, Problem | None]:
    """UTF-8 text, a leading byte order mark dropped. Never raises."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; a manifest may have {MAX_BYTES:,}"
        return "", problem_at("too_large", message, hint="move data into a file of the tool")
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        line, column = _line_column(before, len(before))
        message = f"byte 0x{data[error.start]:02x} is not valid UTF-8"
        return "", problem_at("not_utf8", message, line=line, column=column, hint="save as UTF-8")


def read_yaml(text: str) -> Document:
    """The document in `text`. Never raises: what is wrong is in its `problems`."""
    try:
        _check_text(text)
        return _Builder(text).build()
    except _FatalError as fatal:
        return Document(problems=[fatal.problem])


def _check_text(text: str) -> None:
    if len(text) > MAX_BYTES:
        message = f"the text has {len(text):,} characters; a manifest may have {MAX_BYTES:,}"
        hint = "move data into a file of the tool"
        raise _FatalError(problem_at("too_large", message, hint=hint))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        line, column = _line_column(text, error.start)
        message = f"the lone surrogate U+{ord(text[error.start]):04X} is not text"
        raise _FatalError(problem_at("lone_surrogate", message, line=line, column=column)) from None


def _line_column(text: str, offset: int) -> tuple[int, int]:
    line = text.count("\n", 0, offset) + 1
    return line, offset - (text.rfind("\n", 0, offset) + 1) + 1


class _Place(NamedTuple):
    """A place as the parser counts, from 0."""

    line: int
    column: int


class _Frame:
    """A collection that is being read."""

    __slots__ = ("anchor", "container", "key", "key_mark", "merges", "nodes", "path", "start")

    def __init__(self, container: Any, path: Path, start: Any, anchor: str | None) -> None:
        self.container = container
        self.path = path
        self.start = start
        self.anchor = anchor
        self.key: str | None = None
        self.key_mark: Any = None
        self.nodes = 1
        self.merges: list[Any] = []


class _Builder:
    """Builds one Document from the parser's events."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.document = Document()
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open_anchors: set[str] = set()
        self.aliases = 0
        self.nodes = 0
        self.roots = 0

    def build(self) -> Document:
        handlers = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._start,
            yaml.SequenceStartEvent: self._start,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.AliasEvent: self._alias,
        }
        for event in self._events():
            if handler := handlers.get(type(event)):
                handler(event)
        return self.document

    def _events(self) -> Iterator[Any]:
        try:
            yield from yaml.parse(self.text, _Loader)
        except yaml.reader.ReaderError as error:
            # The first such character; the position may count bytes.
            line, column = _line_column(self.text, self.text.find(chr(error.character)))
            message = f"the character U+{error.character:04X} is not allowed in YAML"
            raise _FatalError(
                problem_at("control_character", message, line=line, column=column)
            ) from None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            if error.context == "while scanning a simple key" and error.context_mark:
                mark = error.context_mark  # where the key stands, not where it was missed
            message = " ".join(
                part for part in (error.context, error.problem or "not valid YAML") if part
            )
            if mark and self._character(mark) == "\t":
                message = "a tab stands here; YAML is indented with spaces"
            elif "could not find expected ':'" in message:
                message = "a key stands here without a colon"
            surrogate = "invalid Unicode character escape" in message
            raise _FatalError(
                problem_at(
                    "lone_surrogate" if surrogate else "yaml_syntax",
                    message,
                    line=mark.line + 1 if mark else 1,
                    column=mark.column + 1 if mark else 1,
                    hint="" if surrogate else "check indentation, quotes and colons here",
                )
            ) from None

    def _character(self, mark: Any) -> str:
        lines = self.text.split("\n")
        line = lines[mark.line] if mark.line < len(lines) else ""
        return line[mark.column : mark.column + 1]

    def _fatal(self, code: str, event: Any, message: str, hint: str = "") -> _FatalError:
        mark = event.start_mark
        return _FatalError(
            problem_at(code, message, line=mark.line + 1, column=mark.column + 1, hint=hint)
        )

    def _start(self, event: Any) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise self._fatal("too_deep", event, f"nested deeper than {MAX_DEPTH} levels")
        container: Any = {} if type(event) is yaml.MappingStartEvent else []
        kind = "map" if isinstance(container, dict) else "seq"
        if event.tag not in (None, "!", _TAG + kind):
            raise self._fatal("tag_refused", event, f"the tag {event.tag} is not read")
        if self._wants_key():
            raise self._fatal("complex_key", event, "a key must be plain text")
        self.stack.append(_Frame(container, self._next_path(), event.start_mark, event.anchor))
        if event.anchor:
            self.open_anchors.add(event.anchor)

    def _end(self, event: Any) -> None:
        frame = self.stack.pop()
        for merged in frame.merges:
            for key, value in merged.items():
                frame.container.setdefault(key, value)
        if frame.anchor:
            self.open_anchors.discard(frame.anchor)
        self._place(frame.container, frame.path, frame.start, event.end_mark, frame.nodes)
        if frame.anchor:
            self.anchors[frame.anchor] = (frame.container, frame.nodes)

    def _alias(self, event: Any) -> None:
        self.aliases += 1
        if self.aliases > MAX_ALIASES:
            raise self._fatal("too_many_aliases", event, f"more than {MAX_ALIASES} aliases")
        if event.anchor in self.open_anchors:
            raise self._fatal("recursive_alias", event, f"*{event.anchor} contains itself")
        if event.anchor not in self.anchors:
            raise self._fatal("unknown_alias", event, f"*{event.anchor} is not defined above")
        if self._wants_key():
            raise self._fatal("complex_key", event, "a key must be plain text, not an alias")
        value, nodes = self.anchors[event.anchor]
        self._count(nodes, event)
        self._place(value, self._next_path(), event.start_mark, event.end_mark, nodes)

    def _scalar(self, event: Any) -> None:
        if self._wants_key():
            self._key(self.stack[-1], event)
            return
        self._count(1, event)
        path = self._next_path()
        value = self._resolve(event, path)
        end = self._block_end(event) if event.style in ("|", ">") else event.end_mark
        self._place(value, path, event.start_mark, end, 1)
        if event.anchor:
            self.anchors[event.anchor] = (value, 1)

    def _wants_key(self) -> bool:
        frame = self.stack[-1] if self.stack else None
        return frame is not None and frame.key is None and isinstance(frame.container, dict)

    def _block_end(self, event: Any) -> _Place:
        """The end of the last line of a block scalar; its event ends where the next line begins."""
        start, end = event.start_mark, event.end_mark
        if end.column or end.line == start.line:
            return _Place(end.line, end.column)
        last = self.text[: self._starts[end.line]].rstrip()
        line = max(bisect.bisect_right(self._starts, len(last)) - 1, start.line)
        return _Place(line, len(last) - self._starts[line])

    @functools.cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.text)

    def _key(self, frame: _Frame, event: Any) -> None:
        """Keys are text as written: `on:` is the key "on"."""
        key = event.value
        path = (*frame.path, key)
        if key == "<<" and event.implicit[0]:
            path = (*frame.path, f"<<{len(frame.merges)}")
        elif first := self.document.keys.get(path):
            self.document.problems.append(
                problem_at(
                    "duplicate_key",
                    f"the key {key!r} stands here a second time",
                    path=path,
                    line=event.start_mark.line + 1,
                    column=event.start_mark.column + 1,
                    hint=f"the first is on line {first.line}; keep one of them",
                )
            )
        frame.key, frame.key_mark = key, event
        mark = _mark(event.start_mark, event.end_mark)
        self.document.keys.setdefault(path, mark)
        if event.anchor:
            self.anchors[event.anchor] = (key, 1)

    def _next_path(self) -> Path:
        if not self.stack:
            return ()
        frame = self.stack[-1]
        if isinstance(frame.container, dict):
            return (*frame.path, frame.key or "")
        return (*frame.path, len(frame.container))

    def _count(self, nodes: int, event: Any) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = f"more than {MAX_NODES:,} values, aliases counted in full"
            raise self._fatal("too_many_values", event, message)

    def _place(self, value: Any, path: Path, start: Any, end: Any, nodes: int) -> None:
        self.document.values.setdefault(path, _mark(start, end))
        if not self.stack:
            self._root(value, start)
            return
        frame = self.stack[-1]
        frame.nodes += nodes
        if isinstance(frame.container, list):
            frame.container.append(value)
        elif frame.key == "<<" and frame.key_mark.implicit[0]:
            frame.key = None
            self._merge(frame, value, start)
        else:
            frame.container.setdefault(frame.key, value)
            frame.key = None

    def _merge(self, frame: _Frame, value: Any, start: Any) -> None:
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            message = "`<<` takes a mapping or a list of mappings"
            raise _FatalError(
                problem_at("yaml_syntax", message, line=start.line + 1, column=start.column + 1)
            )
        frame.merges.extend(sources)

    def _root(self, value: Any, start: Any) -> None:
        """A file may end in `---`; a second document with content is a mistake."""
        self.roots += 1
        if self.roots == 1:
            self.document.value = value
        elif value is not None:
            message = "a second document begins here; a manifest is one document"
            raise _FatalError(
                problem_at(
                    "several_documents", message, line=start.line + 1, column=start.column + 1
                )
            )

    def _resolve(self, event: Any, path: Path) -> Any:
        text: str = event.value
        tag = event.tag
        if tag is not None:
            if tag in ("!", _TAG + "str"):
                return text
            if tag not in (_TAG + name for name in ("int", "float", "bool", "null")):
                raise self._fatal("tag_refused", event, f"the tag {tag} is not read")
        elif not event.implicit[0]:
            return text
        if scalars.is_plain_text(text):
            return text
        return self._plain(text, path, event)

    def _plain(self, text: str, path: Path, event: Any) -> Any:
        """An unquoted scalar as YAML 1.2 reads it, remembered when it is not simply text."""
        value = scalars.plain_value(text)
        if value is not text:
            self.document.plain[path] = text
            if isinstance(value, int) and not -(2**63) <= value < 2**64:
                self._odd("integer_range", event, path, f"{text[:40]} does not fit in 64 bits")
                return 0
        elif scalars.is_ambiguous_number(text):
            self.document.plain[path] = text
            message = f"{text} is a different number to different YAML readers"
            self._odd("ambiguous_number", event, path, message)
        elif scalars.is_not_finite(text):
            self._odd("not_finite", event, path, f"{text[:40]} is not a finite number")
            return 0
        elif scalars.is_date(text):
            self.document.plain[path] = text
            if path and path[-1] not in ("created_at", "updated_at"):
                message = f"{text[:40]} without quotes is a date to other YAML readers"
                self._odd("unquoted_date", event, path, message)
        return value

    def _odd(self, code: str, event: Any, path: Path, message: str) -> None:
        mark = _mark(event.start_mark, event.end_mark)
        quote = code in ("ambiguous_number", "unquoted_date", "integer_range")
        fix = (
            Fix(f'Write "{event.value}"', (Edit(*mark, f'"{event.value}"'),))
            if quote and len(event.value) < 200
            else None
        )
        self.document.problems.append(
            problem_at(
                code,
                message,
                path=path,
                line=mark.line,
                column=mark.column,
                hint="put it in quotes if it is text" if quote else "",
                fix=fix,
            )
        )


def _mark(start: Any, end: Any) -> Mark:
    return Mark(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
