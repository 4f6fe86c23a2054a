"""The app in a real terminal, through a pty: what arrives there, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte

from tests.conftest import ROOT


class Terminal:
    """A child on a pty, and the screen its bytes make."""

    def __init__(
        self, home: Path, columns: int = 120, rows: int = 36, cwd: Path | None = None
    ) -> None:
        environ = {**os.environ, "WORKBENCH_HOME": str(home), "TERM": "xterm-256color"}
        environ |= {"PYTHONPATH": str(ROOT)}
        environ |= {"COLORTERM": "truecolor", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            ["-m", "workbench.tui.app"],
            env=environ,
            dimensions=(rows, columns),
            timeout=20,
            cwd=cwd,
        )
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.received = b""

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    def wait_for(self, text: str) -> None:
        """Reads until the screen shows the text."""
        self.wait_until(lambda shown: text in shown)

    def wait_until(self, condition: Callable[[str], bool]) -> None:
        for _ in range(400):
            if condition(self.text):
                return
            self._read()
        raise AssertionError(f"it never came true:\n{self.text}")

    def send(self, keys: str) -> None:
        self.child.send(keys)

    def end(self) -> int | None:
        while not self.child.flag_eof:
            self._read()
        self.child.close()
        return self.child.exitstatus

    def _read(self) -> None:
        try:
            data = self.child.read_nonblocking(65_536, timeout=20)
        except pexpect.EOF:
            return
        assert isinstance(data, bytes)
        self.received += data
        self._stream.feed(_without_answers(data))


def _without_answers(data: bytes) -> bytes:
    """Leaves out what pyte does not know: keyboard protocol and mode queries."""
    return re.sub(rb"\x1b\[[<>=?]?[0-9;]*(?:u|\$p)", b"", data)


def test_it_runs_in_a_terminal_and_lets_no_control_through(home: Path) -> None:
    terminal = Terminal(home)
    terminal.wait_for("python_runtime")
    terminal.wait_for("subprocess  1.0.0")
    terminal.send("/hostile")
    terminal.wait_for("1 of ")
    terminal.wait_for("[/bad]")
    terminal.send("\x1b[B")
    terminal.wait_for("space fold")
    terminal.send("]")
    terminal.wait_for("tool_id: hostile")
    terminal.send("\x11")
    assert terminal.end() == 0
    assert b"\x1b]52" not in terminal.received
    assert b"aGVsbG8=\x07" not in terminal.received
    assert "\u202e".encode() not in terminal.received
    assert b"Traceback" not in terminal.received


def test_it_follows_the_project_it_was_started_in_and_ends_at_once(
    team_home: Path, project: Path
) -> None:
    terminal = Terminal(team_home, cwd=project)
    terminal.wait_for("/ acme ")
    terminal.wait_for("csv_summary")
    shutil.rmtree(project / ".ai/tools/data")
    terminal.wait_until(lambda text: "csv_summary" not in text)
    terminal.send("\x11")
    assert terminal.end() == 0
    assert b"Traceback" not in terminal.received
