"""Large and binary contents live in files that are checked when read."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from workbench.core.tool import ToolFile
from workbench.errors import UnavailableError
from workbench.store.blobs import INLINE_BELOW, Blobs
from workbench.store.tools import ToolStore

from .conftest import MakeDraft


@pytest.mark.parametrize(
    ("data", "in_blob"),
    [
        (b"a" * (INLINE_BELOW - 1), False),
        (b"a" * INLINE_BELOW, True),
        ("é".encode() * (INLINE_BELOW // 2), True),
        (b"\0", True),
        (b"\xff\xfe", True),
        (b"", False),
        ("\ufeffline\r\n".encode(), False),
    ],
)
async def test_only_small_text_stays_in_the_table(
    store: ToolStore, raw: apsw.Connection, draft: MakeDraft, data: bytes, in_blob: bool
) -> None:
    file = ToolFile("data.bin", data, is_entrypoint=True)
    await store.save([draft(files=(file,))])
    [(key,)] = raw.execute("SELECT storage_key FROM tool_version_files")
    assert (key is not None) == in_blob
    found = await store.find("mailer", ["public"], files=True)
    assert found is not None
    assert found.files == (file,)


def test_a_blob_is_private_and_written_once(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path / "blobs")
    key = blobs.write(ToolFile("a", b"content"))
    path = blobs.path(key)
    assert path == tmp_path / "blobs" / key[:2] / key
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    first = path.stat()
    blobs.write(ToolFile("b", b"content"))
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    assert list(path.parent.iterdir()) == [path]


def test_a_blob_cut_short_is_written_again(tmp_path: Path) -> None:
    blobs = Blobs(tmp_path)
    key = blobs.write(ToolFile("a", b"content"))
    blobs.path(key).write_bytes(b"con")
    blobs.write(ToolFile("a", b"content"))
    assert blobs.read(key, tool_id="t", file="a") == b"content"


@pytest.mark.parametrize("fault", ["missing", "damaged"])
async def test_a_lost_blob_is_named_with_what_to_do(
    store: ToolStore, home: Path, draft: MakeDraft, fault: str
) -> None:
    file = ToolFile("big.bin", b"\0" * 100)
    await store.save([draft(files=(file,))])
    path = Blobs(home / "blobs").path(file.sha256)
    if fault == "missing":
        path.unlink()
    else:
        path.write_bytes(b"\1" * 100)
    with pytest.raises(UnavailableError) as raised:
        await store.find("mailer", ["public"], files=True)
    assert raised.value.code == f"blob_{fault}"
    assert raised.value.tool_id == "mailer"
    assert "big.bin" in raised.value.message
    assert raised.value.suggestion
    assert await store.find("mailer", ["public"]) is not None


async def test_saving_again_heals_a_missing_blob(
    store: ToolStore, home: Path, draft: MakeDraft
) -> None:
    file = ToolFile("big.bin", b"\0" * 100)
    await store.save([draft(files=(file,))])
    Blobs(home / "blobs").path(file.sha256).unlink()
    await store.save([draft(files=(file,))])
    found = await store.find("mailer", ["public"], files=True)
    assert found is not None
    assert found.files[0].data == file.data


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("a file where the folder should be")
    with pytest.raises(UnavailableError) as raised:
        Blobs(tmp_path / "blobs").write(ToolFile("a", b"content"))
    assert raised.value.code == "blob_unwritable"
