"""What all tests share: a machine of their own, and the program as a person runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DRILL_SCALE = int(os.environ.get("WORKBENCH_DRILL_SCALE", "1"))
"""1 in `make check`, which does a twentieth of what `make drill` does."""

_OF_THE_MACHINE = (
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "LC_ALL",
    "LC_CTYPE",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "EDITOR",
    "VISUAL",
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "drill: counts are cut to a twentieth outside `make drill`")


@pytest.fixture(autouse=True)
def own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Home, configuration, registry and terminal of the developer are out of sight."""
    machine = tmp_path / "machine"
    for name in list(os.environ):
        theirs = name.startswith(("WORKBENCH_", "XDG_", "TEXTUAL"))
        if name in _OF_THE_MACHINE or (theirs and name != "TEXTUAL_SNAPSHOT_TEMPDIR"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(machine))
    monkeypatch.setenv("USERPROFILE", str(machine))
    for name, place in (
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_DATA_HOME", "data"),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CACHE_HOME", "cache"),
        ("XDG_RUNTIME_DIR", "run"),
        ("WORKBENCH_HOME", "workbench"),
    ):
        monkeypatch.setenv(name, str(machine / place))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    return machine


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def has_traceback(self) -> bool:
        return "Traceback" in self.out + self.err


RunCli = Callable[..., Finished]


@pytest.fixture(scope="session")
def seeded_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry with what ships and nothing else, to be copied."""
    home = tmp_path_factory.mktemp("seeded")
    home.chmod(0o700)
    environment = {**os.environ, "WORKBENCH_HOME": str(home), "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-m", "workbench", "list"],
        env=environment,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return home


@pytest.fixture
def seeded_home(seeded_template: Path, own_machine: Path) -> Path:
    """WORKBENCH_HOME of this test, with what ships in it."""
    home = own_machine / "workbench"
    shutil.copytree(seeded_template, home)
    return home


def cli_environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **changes}


@pytest.fixture
def run_cli(seeded_home: Path, tmp_path: Path) -> RunCli:
    """Runs the program as a process of its own, in tmp_path, without a terminal."""

    def run(
        *arguments: str | bytes | Path,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> Finished:
        finished = subprocess.run(
            [sys.executable, "-m", "workbench", *arguments],
            env=cli_environment(**(environment or {})),
            cwd=cwd or tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return Finished(
            finished.returncode,
            finished.stdout.decode("utf-8", "surrogateescape"),
            finished.stderr.decode("utf-8", "surrogateescape"),
        )

    return run
