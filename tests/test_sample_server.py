"""The MCP server of the samples, line by line as a client sees it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from workbench import paths
from workbench.core import schema
from workbench.core.reading import Reading
from workbench.dialect_names import load_names
from workbench.sources.reader import read_tools

SAMPLES = ROOT / "sample_tools"


class Server:
    """The server as its manifest starts it, in a copy of the project."""

    def __init__(self, config: Any, project: Path) -> None:
        arguments = [one.replace("${SAMPLE_NOTES:-notes}", "notes") for one in config["args"]]
        self.project = project
        self.process = subprocess.Popen(
            [config["command"], *arguments],
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.last = 0

    def tell(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, method: str, **params: Any) -> Any:
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.tell(json.dumps(request).encode())
        answer = self.hear()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.last)
        return answer.get("result") or answer["error"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """What a tool returned; the text of its refusal if it refused."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        (content,) = result["content"]
        if result["isError"]:
            return content["text"]
        assert json.loads(content["text"]) == result["structuredContent"]
        return result["structuredContent"]


@pytest.fixture(scope="module")
def samples() -> dict[str, Reading]:
    readings = read_tools(SAMPLES / ".ai", load_names(paths.seeds()))
    return {str(reading.manifest["tool_id"]): reading for reading in readings}


@pytest.fixture
def server(samples: dict[str, Reading], tmp_path: Path) -> Iterator[Server]:
    ignored = shutil.ignore_patterns("__pycache__")
    project = Path(shutil.copytree(SAMPLES, tmp_path / "project", ignore=ignored))
    started = Server(samples["notes_mcp"].config, project)
    yield started
    rest, said = started.process.communicate(timeout=10)  # closes its input
    assert (started.process.returncode, rest, said) == (0, b"", b"")


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        *((known, known) for known in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")),
        ("1999-01-01", "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_it_speaks_the_version_of_its_client_if_it_knows_it(
    server: Server, asked: str | None, answered: str
) -> None:
    result = server.ask("initialize", protocolVersion=asked, capabilities={}, clientInfo={})
    assert result["protocolVersion"] == answered
    assert "tools" in result["capabilities"]
    assert result["serverInfo"]["name"] == "notes"


def test_notifications_and_answers_are_not_answered(server: Server) -> None:
    server.tell(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
    server.tell(b'{"jsonrpc": "2.0", "method": "no/such/notification"}')
    server.tell(b'{"jsonrpc": "2.0", "id": 7, "result": {}}')
    server.tell(b"")
    server.tell(b'{"jsonrpc": "2.0", "id": "x", "method": "ping"}')
    assert server.hear() == {"jsonrpc": "2.0", "id": "x", "result": {}}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', -32700),
        (b"[" * 100_000, -32700),
        (b'"' + b"x" * 5_000_000 + b'"', -32700),
        (b"5", -32600),
        (b"[]", -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "2"}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x"}}', -32602),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else None,
)
def test_what_is_wrong_gets_its_code_and_the_server_goes_on(
    server: Server, line: bytes, code: int
) -> None:
    server.tell(line)
    assert server.hear()["error"]["code"] == code
    assert server.ask("tools/list")["tools"]


def test_a_batch_is_answered_as_one(server: Server) -> None:
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    server.tell(json.dumps([ping, told, {**ping, "id": 2}]).encode())
    assert [answer["id"] for answer in server.hear()] == [1, 2]


def test_the_mcp_samples_are_what_the_server_reports(
    server: Server, samples: dict[str, Reading]
) -> None:
    reported = {tool["name"]: tool for tool in server.ask("tools/list")["tools"]}
    offered = [
        reading.manifest
        for reading in samples.values()
        if reading.manifest["tool_type"] == "mcp_tool"
    ]
    assert len(offered) == 3
    assert {manifest["mutates_state"] for manifest in offered} == {True, False}
    for manifest in offered:
        assert manifest["executor"] == "notes_mcp"
        tool = reported.pop(manifest["config"]["mcp_tool_name"])
        assert manifest["parameters"] == tool["inputSchema"]
        assert manifest["outputs"] == tool["outputSchema"]
        assert manifest["description"] == tool["description"]
        assert manifest["mutates_state"] is not tool["annotations"]["readOnlyHint"]
    assert set(reported) == {"delete_note"}


def test_a_note_is_written_found_read_and_deleted(
    server: Server, samples: dict[str, Reading]
) -> None:
    saved = server.call("write_note", title="Größe & Maß", text="Zwei Ellen.\n")
    assert saved == {"name": "grosse-mass", "path": "notes/grosse-mass.md"}
    file = server.project / "notes" / "grosse-mass.md"
    assert file.read_text("utf-8") == "# Größe & Maß\n\nZwei Ellen.\n"

    found = server.call("search_notes", query="ellen zwei")
    assert [(note["name"], note["line"]) for note in found["notes"]] == [
        ("grosse-mass", "Zwei Ellen.")
    ]
    note = server.call("read_note", name="grosse-mass")
    assert (note["title"], note["text"]) == ("Größe & Maß", file.read_text("utf-8"))
    for name, result in (("search_notes", found), ("read_note", note), ("write_note", saved)):
        assert schema.errors(samples[name].manifest["outputs"], result) == []

    assert "already" in server.call("write_note", title="Größe & Maß", text="Drei.")
    assert "Zwei" in file.read_text("utf-8")
    assert server.call("write_note", title="Größe & Maß", text="Drei.", replace=True) == saved
    assert "Drei" in file.read_text("utf-8")
    assert server.call("delete_note", name="grosse-mass") == saved
    assert not file.exists()
    assert "no note" in server.call("read_note", name="grosse-mass")


def test_all_notes_are_listed_newest_first_up_to_the_limit(server: Server) -> None:
    server.call("write_note", title="Newest", text="")
    found = server.call("search_notes", limit=2)
    assert found["total"] == len(list((server.project / "notes").glob("*.md"))) == 3
    assert found["notes"][0]["name"] == "newest"
    assert len(found["notes"]) == 2


def test_arguments_that_do_not_fit_are_refused_all_at_once(server: Server) -> None:
    refused = server.call("write_note", title="", replace="yes", colour="red")
    for reason in ("text is missing", "title", "replace must be true or false", "colour"):
        assert reason in refused
    assert "limit" in server.call("search_notes", limit=0)
    assert "limit" in server.call("search_notes", limit=True)
    assert "letter" in server.call("write_note", title="§§", text="x")
    assert "character" in server.call("write_note", title="half", text="\ud800")


@pytest.mark.parametrize("name", ["../README", "/etc/passwd", "a/b", "", "Todo", "x\n", "." * 3])
def test_no_name_leads_out_of_the_folder(server: Server, name: str) -> None:
    assert "match" in server.call("read_note", name=name)
    assert "match" in server.call("delete_note", name=name)


def test_a_link_in_the_folder_is_no_note(server: Server) -> None:
    (server.project / "notes" / "linked.md").symlink_to(server.project / "README.md")
    assert "no note" in server.call("read_note", name="linked")
    assert "linked" not in json.dumps(server.call("search_notes"))
    server.call("write_note", title="Linked", text="mine", replace=True)
    assert (server.project / "README.md").read_text("utf-8").startswith("# Sample tools")


def test_a_folder_that_is_none_is_a_refusal(server: Server) -> None:
    shutil.rmtree(server.project / "notes")
    (server.project / "notes").write_text("a file")
    assert "notes" in server.call("write_note", title="x", text="y")
    assert server.call("search_notes") == {"notes": [], "total": 0}
