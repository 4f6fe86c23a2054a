"""Contents too large or too binary for a table, in files named by their SHA-256."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from workbench.core.tool import ToolFile
from workbench.errors import UnavailableError
from workbench.store.durable import sync

INLINE_BELOW = 65_536


def inline_text(file: ToolFile) -> str | None:
    """The text to keep in the table, or None if the content belongs in a blob."""
    return file.text if len(file.data) < INLINE_BELOW else None


class Blobs:
    """The blob folder. Its methods block; call them in a thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, key: str) -> Path:
        return self._folder / key[:2] / key

    def write(self, file: ToolFile) -> str:
        """Keep the content for good and return its key. Durable when this returns, so that
        a transaction that commits afterwards never refers to nothing."""
        key = file.sha256
        target = self.path(key)
        try:
            if _size(target) != len(file.data):
                self._place(target, file.data)
        except OSError as error:
            raise UnavailableError(
                f"The content of {file.path} could not be written to {target}: {error}",
                code="blob_unwritable",
                suggestion=f"Make room on that disk and check that {self._folder} is yours.",
            ) from error
        return key

    def read(self, key: str, *, tool_id: str, file: str) -> bytes:
        """The content, checked against its hash."""
        path = self.path(key)
        again = f"Save {tool_id} again from its source, or restore {path} from a backup."
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UnavailableError(
                f"The content of {file} of {tool_id} is missing: {error}",
                code="blob_missing",
                suggestion=again,
                tool_id=tool_id,
            ) from error
        if hashlib.sha256(data).hexdigest() != key:
            raise UnavailableError(
                f"The content of {file} of {tool_id} is damaged: {path} does not have its hash",
                code="blob_damaged",
                suggestion=f"Remove {path}. {again}",
                tool_id=tool_id,
            )
        return data

    def _place(self, target: Path, data: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".new-")  # is 0600
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).replace(target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
            raise
        for folder in (target.parent, self._folder):
            sync(folder)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None
