"""What the notes server offers: four tools over a folder of Markdown files."""

import contextlib
import os
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timezone

MAX_NOTE_BYTES = 256 * 1024
NAME = {
    "type": "string",
    "pattern": "^[a-z0-9][a-z0-9-]{0,63}$",
    "description": "The note's name, as search_notes and write_note give it.",
}
SAVED = {
    "type": "object",
    "required": ["name", "path"],
    "properties": {"name": {"type": "string"}, "path": {"type": "string"}},
}


class NoteError(Exception):
    """What keeps a tool from doing what it was asked for."""


class ArgumentsError(Exception):
    """Arguments that are not what the tool takes."""


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    takes: dict
    gives: dict
    hints: dict

    def described(self):
        """As tools/list shows it."""
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.takes,
            "outputSchema": self.gives,
            "annotations": self.hints,
        }


def _takes(required, **properties):
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


_ALL = (
    Tool(
        "search_notes",
        "Find notes that hold every word of a query, newest first. Without a query, all notes.",
        _takes(
            [],
            query={"type": "string", "description": "Words to look for.", "maxLength": 200},
            limit={
                "type": "integer",
                "description": "At most this many notes.",
                "default": 10,
                "minimum": 1,
                "maximum": 100,
            },
        ),
        {
            "type": "object",
            "required": ["notes", "total"],
            "properties": {
                "notes": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name", "title", "changed", "line"],
                        "properties": {
                            "name": {"type": "string"},
                            "title": {"type": "string"},
                            "changed": {"type": "string"},
                            "line": {"type": "string"},
                        },
                    },
                },
                "total": {"type": "integer"},
            },
        },
        {"readOnlyHint": True},
    ),
    Tool(
        "read_note",
        "Read one note whole.",
        _takes(["name"], name=NAME),
        {
            "type": "object",
            "required": ["name", "title", "text"],
            "properties": {
                "name": {"type": "string"},
                "title": {"type": "string"},
                "text": {"type": "string"},
            },
        },
        {"readOnlyHint": True},
    ),
    Tool(
        "write_note",
        "Save a note under a name made from its title. One that is there already is kept, unless"
        " replace is true.",
        _takes(
            ["title", "text"],
            title={
                "type": "string",
                "description": "What the note is called.",
                "minLength": 1,
                "maxLength": 100,
            },
            text={
                "type": "string",
                "description": "The note itself, as Markdown.",
                "maxLength": 50000,
            },
            replace={
                "type": "boolean",
                "description": "Write over a note of that name.",
                "default": False,
            },
        ),
        SAVED,
        {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False},
    ),
    Tool(
        "delete_note",
        "Delete one note for good.",
        _takes(["name"], name=NAME),
        SAVED,
        {"readOnlyHint": False, "destructiveHint": True},
    ),
)
TOOLS = {tool.name: tool for tool in _ALL}


class Notes:
    """The folder. Each method without an underscore is the tool of that name; an OSError of one
    is for its caller to tell."""

    def __init__(self, folder):
        self.folder = folder

    def search_notes(self, query="", limit=10):
        words = query.casefold().split()
        found = []
        for path in self._files():
            with contextlib.suppress(NoteError, OSError):  # not a note that can be read
                text = self._text(path)
                if all(word in text.casefold() for word in words):
                    found.append((path.stat().st_mtime, path.stem, text))
        found.sort(key=lambda note: (-note[0], note[1]))
        return {
            "notes": [
                {
                    "name": name,
                    "title": _title(text) or name,
                    "changed": _written(changed),
                    "line": _line(text, words),
                }
                for changed, name, text in found[:limit]
            ],
            "total": len(found),
        }

    def read_note(self, name):
        text = self._text(self._existing(name))
        return {"name": name, "title": _title(text) or name, "text": text}

    def write_note(self, title, text, replace=False):
        title = " ".join(title.split())
        name = _name(title)
        path = self.folder / f"{name}.md"
        self.folder.mkdir(parents=True, exist_ok=True)
        if not replace and os.path.lexists(path):
            raise NoteError(f"there is a note {name} already; replace: true writes over it")
        try:
            data = f"# {title}\n\n{text.strip()}\n".encode()
        except UnicodeEncodeError as error:
            raise NoteError(f"{name} holds a character that is none: {error}") from error
        # Written beside it and moved, so that nobody ever reads half a note.
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            with beside.open("xb") as file:
                file.write(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        return {"name": name, "path": path.as_posix()}

    def delete_note(self, name):
        path = self._existing(name)
        path.unlink()
        return {"name": name, "path": path.as_posix()}

    def _files(self):
        return [path for path in self.folder.glob("*.md") if _is_note(path)]

    def _existing(self, name):
        path = self.folder / f"{name}.md"
        if not _is_note(path):
            raise NoteError(f"there is no note {name}; search_notes lists them")
        return path

    def _text(self, path):
        if path.stat().st_size > MAX_NOTE_BYTES:
            raise NoteError(f"{path.stem} is larger than {MAX_NOTE_BYTES} bytes")
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise NoteError(f"{path.stem} is not UTF-8 text: {error}") from error


def _is_note(path):
    """A plain file of this folder; a link could lead anywhere."""
    name = re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", path.stem)
    return bool(name) and path.is_file() and not path.is_symlink()


def _name(title):
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss"))
    plain = plain.encode("ascii", "ignore").decode("ascii")
    name = "-".join(re.findall(r"[a-z0-9]+", plain.lower()))[:64].strip("-")
    if not name:
        raise NoteError("title needs a letter from a to z or a digit, to name the file by")
    return name


def _written(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")


def _title(text):
    heading = re.match(r"#\s+(.+)", text)
    return heading[1].strip() if heading else ""


def _line(text, words):
    """The first line of the note itself that has one of the words in it."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    hits = (line for line in lines if any(word in line.casefold() for word in words))
    return next(hits, lines[0] if lines else "")[:200]


_KINDS = {"string": (str, "text"), "integer": (int, "a number"), "boolean": (bool, "true or false")}


def check(arguments, schema):
    """Holds arguments against as much of JSON Schema as the tools above use."""
    properties = schema["properties"]
    wrong = [f"{name} is missing" for name in schema["required"] if name not in arguments]
    for name, value in arguments.items():
        if name not in properties:
            wrong.append(f"there is no argument {name}")
        else:
            wrong += _wrong(name, value, properties[name])
    if wrong:
        raise ArgumentsError("; ".join(wrong))


def _wrong(name, value, schema):
    kind, words = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        yield f"{name} must be {words}"
    elif kind is str:
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield f"{name} has a length that is not allowed"
        if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
            yield f"{name} does not match {schema['pattern']}"
    elif kind is int and not schema["minimum"] <= value <= schema["maximum"]:
        yield f"{name} must be from {schema['minimum']} to {schema['maximum']}"
