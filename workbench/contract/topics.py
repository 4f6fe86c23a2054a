"""What `help` says: a text for each topic, and calls that work once their names fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Example = tuple[str, Mapping[str, Any]]

_HERE = {"project_path": "/absolute/path/to/project"}
_TOOL = {"item_type": "tool"}


def _execute(action: str, item_id: str, parameters: Mapping[str, Any] | None = None) -> Example:
    sent = {**_TOOL, "action": action, "item_id": item_id}
    return "execute", {**sent, "parameters": dict(parameters or {}), **_HERE}


_FIND: Example = ("search", {**_TOOL, "query": "count words", **_HERE})
_READ: Example = ("load", {**_TOOL, "item_id": "word_count", "source": "project", **_HERE})
_SIGN = _execute("sign", "word_count", {"location": "project"})
_MAKE = _execute(
    "create",
    "example_status",
    {
        "tool_type": "api",
        "executor": "http_client",
        "manifest": {
            "version": "1.0.0",
            "description": "Ask the example server how it is.",
            "config": {"method": "GET", "url": "https://example.com/status"},
        },
    },
)

_TOOLS = """\
A tool is anything an agent can use: a script, an HTTP request, a tool of an MCP server, a text
that instructs or informs. Each has an id, a version and, unless nothing has to carry it, an
executor: another tool that knows how to run it, down to a primitive.

The usual way:
1. search finds tools by words. Look at description and tool_type.
2. load gives you the whole text of one: its parameters, and what it does.
3. execute runs it, signs it, or creates, updates and deletes tools.
4. help explains each of these; ask for the topic search, load, execute, errors, signing or spaces.

Every call but help names item_type and project_path. item_type is "tool" for all of them;
"directive", "knowledge" and "script" mean only tools of that type. project_path is the absolute
path of the folder you work in: it decides which tools are in sight.
"""

_SEARCH = """\
search finds tools by the words in their id, description, tags, parameters and content.

item_type     required: tool, directive, knowledge or script
query         required: a few words, or an id or a part of one
project_path  required: absolute path of the project
source        local (default) or all; nothing here is remote, so both look at the same tools
limit         1 to 100, default 10
sort_by       score (default), date (changed last first) or name

You get results, total, query and source. Each result has name (the id that load and execute
take), description, source (project, user or public), path ("" if it lives only in the registry),
score (0 to 1, comparable within one answer) and tool_type. total counts all matches up to 1,000;
if it is larger than what you got, use more telling words before you raise limit.
"""

_LOAD = """\
load gives the text of a tool as it was written, and can copy it to another space.

item_type     required: tool, directive, knowledge or script
item_id       required: the name that search gave; id@version for an earlier version
source        required: project, user or public, as search said
project_path  required: absolute path of the project
destination   optional: project, user or public; if it is not the source, the tool is copied there

You get name, path, content, source and metadata (name, description, version, tool_type,
executor_id, category). content is the file that holds the manifest: tool.yaml, a Python file or
markdown. After a copy, path is that of the copy, and destination and message are there too.
A copy needs a free id in the destination. A tool that changed since it was signed is not copied.
"""

_EXECUTE = """\
execute does something with one tool.

item_type     required: tool, directive, knowledge or script
action        required: run, sign, create, update or delete
item_id       the tool; may be left out where parameters has tool_id, except for run
parameters    an object, by default {}; what it holds depends on the action
project_path  required: absolute path of the project

run     parameters are the tool's own. Running comes with a later version of this program; what
        comes before it is done now: the tool is found, its executors too, and nothing of it may
        have changed since it was signed.
sign    location (project, user or public) and category narrow down which tool is meant.
create  tool_id, tool_type, executor, manifest (version, description, config, parameters …) and
        files (path: text); or all keys of the manifest directly in parameters. location says
        where it goes; without it, to the project's folder .ai if there is one, else to the
        registry. The id must be free.
update  the same, for a tool that exists. Keys and files that you leave out stay, null takes one
        away. Without a version, the next patch version is taken. Versions do not change: other
        content under a version that exists is refused.
delete  force (true or false): also if other tools use it. Its versions are kept.

create and update answer with version, path and hash; sign with signature and hash.
"""

_HELP = """\
help explains the operations. topic is optional: tools (default), search, load, execute, help,
errors, signing or spaces. You get help (this text), topic and examples. Each example has an
operation and its arguments; put in your own project_path and ids.
"""

_ERRORS = """\
What went wrong comes as one object: error (a fixed text), code (stable; decide by this one),
item_type, tool_id and action where they are known, message (what and where) and suggestion (what
to do about it).

Tool not found            no tool of that id, type, space or version. The suggestion has near names;
                          else search.
Content hash mismatch     its files changed after it was signed; changes shows the lines. Have them
                          looked at, then sign it again.
Invalid metadata          the tool has errors; problems lists them, with path, message and hint.
Execution failed          it could not be run. The message says what stopped it.
project_path is required  add "project_path" with an absolute path.
Invalid call              a parameter is unknown, missing or of the wrong type.
Refused                   it exists, but this may not be done: an id is taken, a version exists.
Unavailable               a part is missing, locked or damaged. Trying again may help.
"""

_SIGNING = """\
A signature says that the owner looked a tool over. The action sign checks the tool, records its
hash with the owner's key and writes a line into the file that holds its manifest:

    kiwi-mcp:validated:<time>Z:<hash>

The hash covers the manifest and all files of the tool, not that line. If one byte changes
afterwards, the tool is refused with "Content hash mismatch" until it is signed again. A line that
nobody's key stands behind proves nothing. A tool that you create or update is not signed: a new
version is a new text. Signing twice leaves one line.
"""

_SPACES = """\
Tools live in three spaces. Where two have a tool of the same id, the first one is meant:

project  the folder .ai of the project, found from project_path upwards
user     the folder .ai in the home folder, for all projects
public   what ships with the program, and what lives only in the registry

item_id may name the space: user/word_count. It may name a version, too: word_count@1.0.0. load
has source for it, the actions of execute have location. Tools of a project see those of the user
and the public ones, never the other way round. load with destination copies from one space to
another. The ids of the primitives and runtimes that ship cannot be taken.
"""

TOPICS: Mapping[str, tuple[str, Sequence[Example]]] = {
    "tools": (_TOOLS, (_FIND, _READ, ("help", {"topic": "execute"}))),
    "search": (
        _SEARCH,
        (
            _FIND,
            ("search", {**_TOOL, "query": "text", "limit": 5, "sort_by": "date", **_HERE}),
            ("search", {"item_type": "knowledge", "query": "words", "source": "all", **_HERE}),
        ),
    ),
    "load": (_LOAD, (_READ, ("load", {**_READ[1], "destination": "user"}))),
    "execute": (
        _EXECUTE,
        (
            _execute("run", "word_count", {"path": "README.md"}),
            _SIGN,
            _MAKE,
            _execute("update", "example_status", {"description": "Ask how the server is."}),
            _execute("delete", "example_status"),
        ),
    ),
    "help": (_HELP, (("help", {}), ("help", {"topic": "tool"}))),
    "errors": (_ERRORS, (("help", {"topic": "signing"}),)),
    "signing": (_SIGNING, (_SIGN,)),
    "spaces": (
        _SPACES,
        (
            _READ,
            ("load", {**_TOOL, "item_id": "read_file", "source": "public", **_HERE}),
            _execute("sign", "project/word_count"),
        ),
    ),
}
