"""Writing into a tree: whole or not at all, and never through a link."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from tests.projects import api, script, write
from workbench.core.tool import ToolFile
from workbench.errors import UnavailableError
from workbench.sources import opening, writing
from workbench.sources.writing import (
    create_file,
    create_folder,
    remove_file,
    remove_folder,
    write_file,
)
from workbench.workbench import open_workbench

STEPS = ("open", "mkdir", "fdopen", "fsync", "fchmod", "rename", "link", "unlink", "rmdir")
OLD, NEW = b"old", b"new and longer"
FOLDER = {"tool.yaml": b"manifest", "main.py": b"code", "in/side/data.bin": bytes(range(256))}


def _content(root: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


class Faults:
    """Stands for the module os: counts what is asked of the system, and fails one call."""

    def __init__(self, at: int, code: int) -> None:
        self._at = at
        self._code = code
        self._calls = 0
        self.failed = ""

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in STEPS:
            return real

        def call(*arguments: Any, **named: Any) -> Any:
            if name != "fdopen" or arguments[1] == "wb":
                self._check(name)
            return real(*arguments, **named)

        return call

    def _check(self, name: str) -> None:
        self._calls += 1
        if self._calls == self._at:
            self.failed = name
            raise OSError(self._code, os.strerror(self._code))


def _fail_everywhere(
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    prepare: Callable[[int], Path],
    act: Callable[[Path], None],
    judge: Callable[[Path, bool], None],
) -> set[str]:
    """Does the same again and again, with each call to the system failing in turn."""
    failed: set[str] = set()
    for at in range(1, 500):
        root = prepare(at)
        with monkeypatch.context() as patched:
            faults = Faults(at, code)
            patched.setattr(writing, "os", faults)
            patched.setattr(opening, "os", faults)
            try:
                act(root)
                done = True
            except OSError as error:
                assert error.errno == code
                done = False
        judge(root, done)
        if done and not faults.failed:
            return failed
        failed.add(faults.failed)
    raise AssertionError("it never ends")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_replaced_file_is_the_old_or_the_new_one_whatever_fails(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(at: int) -> Path:
        root = tmp_path / str(at)
        (root / "tools").mkdir(parents=True)
        (root / "tools" / "a.yaml").write_bytes(OLD)
        return root

    def judge(root: Path, done: bool) -> None:
        assert _content(root) in ({"tools/a.yaml": NEW}, *([] if done else [{"tools/a.yaml": OLD}]))

    act = lambda root: write_file(root, "tools/a.yaml", NEW)  # noqa: E731
    failed = _fail_everywhere(monkeypatch, code, prepare, act, judge)
    assert failed >= {"open", "fdopen", "fsync", "fchmod", "rename"}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_new_file_is_there_or_not_whatever_fails(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def judge(root: Path, done: bool) -> None:
        whole = {"tools/shelf/a.yaml": NEW}
        assert _content(root) in ((whole,) if done else (whole, {}))

    act = lambda root: create_file(root, "tools/shelf/a.yaml", NEW)  # noqa: E731
    failed = _fail_everywhere(monkeypatch, code, lambda at: tmp_path / str(at), act, judge)
    assert failed >= {"open", "mkdir", "fdopen", "fsync", "link", "unlink"}


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_new_folder_is_there_whole_or_not_whatever_fails(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {f"tools/t/{name}": data for name, data in FOLDER.items()}

    def judge(root: Path, done: bool) -> None:
        assert _content(root) in ((whole,) if done else (whole, {}))
        assert not list(root.rglob(".*"))

    act = lambda root: create_folder(root, "tools/t", FOLDER)  # noqa: E731
    failed = _fail_everywhere(monkeypatch, code, lambda at: tmp_path / str(at), act, judge)
    assert failed >= {"open", "mkdir", "fdopen", "fsync", "rename"}


def test_the_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    for mode in (0o600, 0o755, 0o664):
        path.write_bytes(OLD)
        path.chmod(mode)
        write_file(tmp_path, "a.py", NEW)
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert path.read_bytes() == NEW


def test_a_secret_file_is_at_no_moment_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_bytes(OLD)
    (tmp_path / "a.py").chmod(0o600)
    seen: list[int] = []
    rename = os.rename

    def looking(source: str, *rest: Any, **named: Any) -> None:
        (hidden,) = tmp_path.glob(".a.py.*")
        seen.append(stat.S_IMODE(hidden.stat().st_mode))
        rename(source, *rest, **named)

    monkeypatch.setattr("workbench.sources.writing.os.rename", looking)
    write_file(tmp_path, "a.py", NEW)
    assert seen == [0o600]


@pytest.mark.parametrize("place", ["tools", "tools/shelf"])
def test_no_folder_on_the_way_may_be_a_link(place: str, tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    (outside / "shelf").mkdir(parents=True)
    (outside / "a.yaml").write_bytes(OLD)
    (outside / "shelf" / "a.yaml").write_bytes(OLD)
    (root / place).parent.mkdir(parents=True)
    (root / place).symlink_to(outside if place == "tools" else outside / "shelf")
    before = _content(outside)
    acts: list[Callable[[], None]] = [
        lambda: write_file(root, "tools/shelf/a.yaml", NEW),
        lambda: create_file(root, "tools/shelf/b.yaml", NEW),
        lambda: create_folder(root, "tools/shelf/t", FOLDER),
        lambda: remove_file(root, "tools/shelf/a.yaml"),
        lambda: remove_folder(root, "tools/shelf", ["a.yaml"]),
    ]
    for act in acts:
        with pytest.raises(OSError):
            act()
        assert _content(outside) == before


def test_what_is_not_a_plain_file_is_not_replaced(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(OLD)
    (tmp_path / "link.yaml").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    for name in ("link.yaml", "pipe.yaml", "folder.yaml"):
        with pytest.raises(OSError, match="not a plain file"):
            write_file(tmp_path, name, NEW)
        with pytest.raises(FileExistsError):
            create_file(tmp_path, name, NEW)
        with pytest.raises(FileExistsError):
            create_folder(tmp_path, name, FOLDER)
    assert secret.read_bytes() == OLD
    assert (tmp_path / "link.yaml").is_symlink()
    assert not list(tmp_path.glob(".*"))


def test_the_longest_name_there_can_be_is_written(tmp_path: Path) -> None:
    name = "字" * 83 + ".yaml"
    assert len(name.encode()) == 254
    create_file(tmp_path, name, OLD)
    write_file(tmp_path, name, NEW)
    create_folder(tmp_path, "字" * 85, FOLDER)
    assert (tmp_path / name).read_bytes() == NEW


@pytest.mark.parametrize("form", ["file", "folder"])
def test_of_many_who_make_the_same_one_does(form: str, tmp_path: Path) -> None:
    count = 8
    gate = Barrier(count)

    def make(number: int) -> bool:
        gate.wait()
        data = str(number).encode()
        try:
            if form == "file":
                create_file(tmp_path, "tools/deep/x.yaml", data)
            else:
                create_folder(tmp_path, "tools/deep/x", {"tool.yaml": data, "main.py": data})
        except FileExistsError:
            return False
        return True

    for _ in range(10):
        with ThreadPoolExecutor(count) as pool:
            made = list(pool.map(make, range(count)))
        winner = str(made.index(True)).encode()
        assert sum(made) == 1
        assert set(_content(tmp_path).values()) == {winner}
        remove_file(tmp_path, "tools/deep/x.yaml")
        remove_folder(tmp_path, "tools/deep/x", ["tool.yaml", "main.py"])


def test_a_folder_that_lost_the_race_says_that_another_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def racing(source: str, target: str, **named: Any) -> None:
        if target == "t":
            (tmp_path / "t").mkdir()
            (tmp_path / "t" / "tool.yaml").write_bytes(OLD)
        rename(source, target, **named)

    with monkeypatch.context() as patched:
        patched.setattr("workbench.sources.writing.os.rename", racing)
        with pytest.raises(FileExistsError):
            create_folder(tmp_path, "t", FOLDER)
    assert _content(tmp_path) == {"t/tool.yaml": OLD}


def test_a_removed_folder_keeps_what_is_not_the_tools(tmp_path: Path) -> None:
    create_folder(tmp_path, "tools/t", FOLDER)
    (tmp_path / "tools" / "t" / ".env").write_bytes(b"mine")
    remove_folder(tmp_path, "tools/t", list(FOLDER))
    assert _content(tmp_path) == {"tools/t/.env": b"mine"}
    create_folder(tmp_path, "tools/u", FOLDER)
    remove_folder(tmp_path, "tools/u", list(FOLDER))
    remove_folder(tmp_path, "tools/u", list(FOLDER))
    assert not (tmp_path / "tools" / "u").exists()


async def test_a_tool_that_cannot_be_written_whole_stays_as_it_was(
    seeded_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write(
        tmp_path / "p",
        {
            "tools/t/tool.yaml": script("t"),
            "tools/t/main.py": "print(1)\n",
            "tools/t/data.txt": "1",
            "tools/a.yaml": api("a"),
        },
    )
    async with open_workbench(seeded_home, project=project) as workbench:
        tool = await workbench.get("t")
        reading = workbench.reading(
            "tool.yaml",
            script("t", version="1.1.0").encode(),
            [ToolFile("main.py", b"print(2)\n"), ToolFile("new.txt", b"2")],
        )
        reading.space = tool.space
        acts = (lambda: workbench.save(reading), lambda: workbench.delete("t"))
        for act in acts:
            before = _content(project)
            for at in range(1, 500):
                faults = Faults(at, errno.ENOSPC)
                with monkeypatch.context() as patched:
                    patched.setattr(writing, "os", faults)
                    try:
                        await act()
                        break
                    except UnavailableError as error:
                        assert error.code == "path_unwritable"
                assert _content(project) == before, faults.failed
            assert at >= 5
        assert _content(project) == {".ai/tools/a.yaml": api("a").encode()}
        history = await workbench.versions("t", tool.space)
        assert [row.version for row in history] == ["1.1.0", "1.0.0"]
