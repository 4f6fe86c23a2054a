"""A project on disk and the contract as a program calls it: a process, JSON in, JSON out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, RunCli

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a call left behind."""

    code: int
    shape: Json
    err: str

    def __getitem__(self, key: str) -> Any:
        return self.shape[key]


Call = Callable[..., Answer]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the sample project."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(ROOT / "sample_tools", tmp_path / "project", ignore=ignored))


@pytest.fixture
def plain_folder(tmp_path: Path) -> Path:
    """A folder that is no project: it has no .ai."""
    folder = tmp_path / "plain"
    folder.mkdir()
    return folder


@pytest.fixture
def send(run_cli: RunCli) -> Call:
    """`workbench call OPERATION JSON`, as a process of its own. Nothing is added to the JSON."""

    def run(operation: str, arguments: Any = None, *options: str) -> Answer:
        sent = [] if arguments is None else [_json(arguments)]
        done = run_cli("call", operation, *sent, *options)
        assert not done.has_traceback, done.err
        return Answer(done.code, json.loads(done.out), done.err)

    return run


def _json(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


@pytest.fixture
def call(send: Call, project: Path) -> Call:
    """The same for a tool of the sample project, unless the arguments say otherwise."""

    def run(operation: str, *options: str, **arguments: Any) -> Answer:
        given = {"item_type": "tool", "project_path": str(project), **arguments}
        return send(operation, given, *options)

    return run


@pytest.fixture
def act(call: Call) -> Call:
    """`execute` with an action on a tool."""

    def run(
        action: str, item_id: str | None, parameters: Mapping[str, Any] | None = None, *options: str
    ) -> Answer:
        named = {} if item_id is None else {"item_id": item_id}
        return call("execute", *options, action=action, parameters=parameters or {}, **named)

    return run
