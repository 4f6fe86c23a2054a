"""A program in a real pseudo-terminal, with a clock beside it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence

import psutil


class Terminal:
    """Starts a program on a pty and measures what comes out of it."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        columns, rows = size
        self.started = time.perf_counter()
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], list(command), dict(environment))  # noqa: S606
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.seen = b""

    def read(self, seconds: float) -> bytes:
        """What arrives within `seconds`; b"" if nothing does."""
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return b""
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            return b""
        self.seen += data
        return data

    def wait_for(self, text: bytes, seconds: float = 30.0) -> float:
        """Seconds from the start until `text` has been written."""
        deadline = time.perf_counter() + seconds
        while text not in self.seen:
            if time.perf_counter() > deadline:
                message = f"{text!r} did not appear in {seconds} s: {self.seen[-2000:]!r}"
                raise TimeoutError(message)
            self.read(0.05)
        return time.perf_counter() - self.started

    def settle(self, quiet: float = 0.15) -> None:
        """Reads until nothing has come for `quiet` seconds."""
        while self.read(quiet):
            pass

    def press(self, key: bytes, quiet: float = 0.12, gap: float = 0.01) -> tuple[float, float]:
        """Seconds from a key until the last byte of the first frame it caused, and until the
        last byte of all. Frames are `gap` seconds apart or more."""
        pressed = last = time.perf_counter()
        first = 0.0
        os.write(self.descriptor, key)
        while self.read(quiet):
            now = time.perf_counter()
            if first == 0.0 and last != pressed and now - last > gap:
                first = last - pressed
            last = now
        return first or last - pressed, last - pressed

    def memory(self) -> int:
        """Resident bytes of the program."""
        return int(psutil.Process(self.pid).memory_info().rss)

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.descriptor)
