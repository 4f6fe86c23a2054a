"""The owner's key: made once, for the owner alone, and unusable ones say what to do."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import cli_environment
from workbench.errors import UnavailableError
from workbench.gate import keys

MAKE = (
    "import sys; from pathlib import Path; from workbench.gate import keys\n"
    "sys.stdin.readline()\nprint(keys.load_or_make(Path(sys.argv[1])).key_id)"
)


def _path(home: Path) -> Path:
    return home / "keys" / "owner.ed25519"


def test_a_key_is_made_when_it_is_needed_and_for_its_owner_alone(tmp_path: Path) -> None:
    assert keys.load(tmp_path) is None
    assert not _path(tmp_path).exists()
    before = os.umask(0)
    try:
        made = keys.load_or_make(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(_path(tmp_path).stat().st_mode) == 0o600
    assert stat.S_IMODE(_path(tmp_path).parent.stat().st_mode) == 0o700
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["owner.ed25519"]
    again = keys.load_or_make(tmp_path)
    assert (again.key_id, again.public) == (made.key_id, made.public)
    assert keys.verify(again.public, made.sign(b"word"), b"word")


def test_only_what_the_key_signed_holds(tmp_path: Path) -> None:
    key, other = keys.load_or_make(tmp_path / "a"), keys.load_or_make(tmp_path / "b")
    signature = key.sign(b"word")
    assert key.key_id != other.key_id
    assert not keys.verify(other.public, signature, b"word")
    assert not keys.verify(key.public, signature, b"other word")
    for wrong in (b"", signature[:-1], signature + b"\0", bytes(64)):
        assert not keys.verify(key.public, wrong, b"word")
    assert not keys.verify(b"no key", signature, b"word")


def test_processes_that_make_it_at_once_end_with_one_key(tmp_path: Path) -> None:
    makers = [
        subprocess.Popen(
            [sys.executable, "-c", MAKE, str(tmp_path)],
            env=cli_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for maker in makers:
        assert maker.stdin is not None
        maker.stdin.write("go\n")
        maker.stdin.flush()
    made = {maker.communicate()[0].strip() for maker in makers}
    key = keys.load(tmp_path)
    assert key is not None
    assert made == {key.key_id}
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["owner.ed25519"]


def test_what_a_killed_process_left_is_not_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    for name in (f".owner.ed25519.{os.getpid()}", ".owner.ed25519.0123456789abcdef"):
        (tmp_path / "keys" / name).write_bytes(b"half")
    assert keys.load_or_make(tmp_path).key_id


def _too_open(path: Path) -> None:
    path.chmod(0o644)


def _truncated(path: Path) -> None:
    os.truncate(path, 31)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _too_long(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


@pytest.mark.parametrize("spoil", [_too_open, _truncated, _empty, _too_long, _folder, _pipe, _loop])
def test_a_spoilt_key_is_neither_used_nor_replaced(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    keys.load_or_make(tmp_path)
    spoil(_path(tmp_path))
    before = _path(tmp_path).lstat()
    for use in (keys.load, keys.load_or_make):
        with pytest.raises(UnavailableError) as raised:
            use(tmp_path)
        assert raised.value.code == "key_unusable"
        assert str(_path(tmp_path)) in raised.value.message
        assert raised.value.suggestion
    after = _path(tmp_path).lstat()
    assert (before.st_ino, before.st_size) == (after.st_ino, after.st_size)


def test_advice_for_a_key_that_is_too_open_can_be_followed(tmp_path: Path) -> None:
    made = keys.load_or_make(tmp_path)
    _too_open(_path(tmp_path))
    with pytest.raises(UnavailableError) as raised:
        keys.load(tmp_path)
    program, *arguments = raised.value.suggestion.split(" ", 2)
    assert program == "chmod"
    subprocess.run([program, *arguments], check=True)
    found = keys.load(tmp_path)
    assert found is not None and found.key_id == made.key_id


@pytest.mark.parametrize("step", ["mkdir", "open", "fsync", "link"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES])
def test_a_key_that_cannot_be_made_is_said_and_leaves_nothing(
    step: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(f"workbench.gate.keys.os.{step}", refuse)
        with pytest.raises(UnavailableError) as raised:
            keys.load_or_make(tmp_path)
    assert raised.value.code == "key_unusable"
    assert os.strerror(code) in raised.value.message
    folder = tmp_path / "keys"
    assert not folder.exists() or not list(folder.iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_key_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    keys.load_or_make(tmp_path)
    _path(tmp_path).chmod(0o000)
    with pytest.raises(UnavailableError) as raised:
        keys.load_or_make(tmp_path)
    assert raised.value.code == "key_unusable"
