"""What the tables themselves refuse, whoever writes."""

from __future__ import annotations

import apsw
import pytest

from workbench.core.tool import ToolFile
from workbench.store.tools import ToolStore

from .conftest import SPACES, MakeDraft


@pytest.fixture
async def filled(store: ToolStore, raw: apsw.Connection, draft: MakeDraft) -> apsw.Connection:
    await store.save([draft(files=(ToolFile("main.py", b"x = 1\n"),)), draft(version="1.1.0")])
    return raw


@pytest.mark.parametrize(
    "change",
    [
        "tool_id = 'Upper'",
        "tool_id = '_first'",
        "tool_id = ''",
        "tool_id = 'a/b'",
        "tool_id = 'é'",
        "tool_id = 'a' || char(0) || 'b'",
        "tool_id = printf('%.*c', 129, 'a')",
        "namespace = 'elsewhere'",
        "namespace = 'project:'",
        "tool_type = 'python'",
        "executor_id = NULL",
        "tool_type = 'knowledge'",
        "tags = '{}'",
        "tags = 'no json'",
        "visibility = 'secret'",
        "download_count = -1",
        "quality_score = 1.5",
        "effect = 'explodes'",
        "is_official = 2",
        "is_builtin = 2",
    ],
)
async def test_a_tool_row_that_is_wrong_is_refused(filled: apsw.Connection, change: str) -> None:
    with pytest.raises(apsw.ConstraintError):
        filled.execute(f"UPDATE tools SET {change}")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("content_hash", "short"),
        ("manifest", "{no json"),
        ("manifest_file", "main.py"),
        ("manifest_yaml", None),
        ("effect", "explodes"),
        ("version", "1.0.0"),
        ("is_latest", 1),
        ("is_latest", 2),
        ("tool_id", "no such tool"),
    ],
)
async def test_a_version_row_that_is_wrong_is_refused(
    filled: apsw.Connection, column: str, value: object
) -> None:
    [cells] = filled.execute("SELECT * FROM tool_versions WHERE is_latest")
    names = [name for _, name, *_ in filled.execute("PRAGMA table_info(tool_versions)")]
    fresh = dict(zip(names, cells, strict=True)) | {"id": "x", "version": "9.9.9", "is_latest": 0}
    insert = f"INSERT INTO tool_versions ({', '.join(names)}) VALUES (:{', :'.join(names)})"
    filled.execute(insert, fresh)
    with pytest.raises(apsw.ConstraintError):
        filled.execute(insert, fresh | {"id": "y", "version": "9.9.10", column: value})


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("path", ""),
        ("path", "/etc/passwd"),
        ("path", ".."),
        ("path", "a/../b"),
        ("path", "../a"),
        ("path", "a\\b"),
        ("path", "a\0b"),
        ("path", "main.py"),
        ("storage_key", "ab"),
        ("content_text", None),
        ("sha256", "short"),
        ("size_bytes", -1),
        ("is_entrypoint", 2),
        ("tool_version_id", "no such version"),
    ],
)
async def test_a_file_row_that_is_wrong_is_refused(
    filled: apsw.Connection, column: str, value: object
) -> None:
    [cells] = filled.execute("SELECT * FROM tool_version_files")
    names = [name for _, name, *_ in filled.execute("PRAGMA table_info(tool_version_files)")]
    fresh = dict(zip(names, cells, strict=True)) | {"id": "x", "path": "a..b/c..d"}
    insert = f"INSERT INTO tool_version_files ({', '.join(names)}) VALUES (:{', :'.join(names)})"
    filled.execute(insert, fresh)
    with pytest.raises(apsw.ConstraintError):
        filled.execute(insert, fresh | {"id": "y", "path": "other", column: value})


@pytest.mark.parametrize(
    "update",
    [
        "tool_versions SET manifest = '{}'",
        "tool_versions SET manifest_yaml = 'x'",
        "tool_versions SET content_hash = hex(randomblob(32))",
        "tool_versions SET version = '2.0.0' WHERE is_latest",
        "tool_versions SET effect = 'reads'",
        "tool_version_files SET content_text = 'y = 2'",
        "tool_version_files SET path = 'other.py'",
    ],
)
async def test_what_was_published_cannot_be_changed(filled: apsw.Connection, update: str) -> None:
    with pytest.raises(apsw.ConstraintError, match="immutable"):
        filled.execute(f"UPDATE {update}")


async def test_deleting_a_tool_takes_everything_of_it_along(
    filled: apsw.Connection, store: ToolStore
) -> None:
    filled.execute("DELETE FROM tools")
    for table in ("tool_versions", "tool_version_files"):
        assert list(filled.execute(f"SELECT count(*) FROM {table}")) == [(0,)]
    assert await store.count() == 0
    assert (await store.search("mailer", SPACES)).total == 0
