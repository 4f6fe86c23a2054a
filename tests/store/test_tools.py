"""Saving, finding, listing and counting tools."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from workbench.core.tool import Effect, Outcome, ToolFile
from workbench.errors import RefusedError
from workbench.store import listing, open_store
from workbench.store.driver import Cursor
from workbench.store.saving import new_id
from workbench.store.tools import ToolStore

from .conftest import SPACES, MakeDraft


async def test_what_was_saved_is_found_whole(store: ToolStore, draft: MakeDraft) -> None:
    files = (ToolFile("lib/a.py", b"a = 1\n"), ToolFile("main.py", b"import lib.a\n", True))
    wanted = draft(
        files=files,
        name="Mailer",
        description="Sends mail",
        category="mail",
        tags=["smtp", "é"],
        config={"entrypoint": "main.py"},
    )
    [saved] = await store.save([wanted])
    assert saved.outcome is Outcome.CREATED
    found = await store.find("mailer", ["public"], files=True)
    assert found is not None
    assert found.manifest == wanted.manifest
    assert (found.text, found.content_hash, found.files) == (
        wanted.text,
        wanted.content_hash,
        files,
    )
    assert (found.effect, found.is_builtin, found.is_absent) == (Effect.WRITES, False, False)
    bare = await store.find("mailer", ["public"])
    assert bare is not None
    assert bare.files == ()
    [row] = await store.rows(SPACES)
    assert (row.name, row.description, row.category, row.version, row.executor) == (
        "Mailer",
        "Sends mail",
        "mail",
        "1.0.0",
        "python_runtime",
    )


async def test_a_manifest_may_live_in_a_file(store: ToolStore, draft: MakeDraft) -> None:
    file = ToolFile("main.py", b"'''tool'''")
    await store.save([replace(draft(files=(file,)), text=None, manifest_file="main.py")])
    found = await store.find("mailer", ["public"])
    assert found is not None
    assert (found.text, found.manifest_file) == (None, "main.py")


async def test_the_first_space_that_has_the_tool_wins(store: ToolStore, draft: MakeDraft) -> None:
    await store.save([draft(space="public", version="2.0.0"), draft(space="user")])
    for spaces, version in ((["project:x", "user", "public"], "1.0.0"), (["public"], "2.0.0")):
        found = await store.find("mailer", spaces)
        assert found is not None
        assert found.version == version
    assert await store.find("mailer", ["project:x"]) is None
    assert await store.find("mailer", ["user", "public"], "2.0.0") is None
    assert await store.find("other", ["public"]) is None


async def test_latest_is_the_greatest_release_whatever_the_order_of_saving(
    store: ToolStore, draft: MakeDraft
) -> None:
    for version, latest in (
        ("1.0.0-beta.1", "1.0.0-beta.1"),
        ("1.9.0", "1.9.0"),
        ("1.10.0", "1.10.0"),
        ("1.2.0", "1.10.0"),
        ("2.0.0-rc.1", "1.10.0"),
        ("1.10.0+local.1", "1.10.0+local.1"),
    ):
        fields = {"description": version, "effect": Effect.READS}
        await store.save([draft(version=version, **fields)])
        found = await store.find("mailer", ["public"])
        assert found is not None
        assert found.version == latest
        [row] = await store.rows(SPACES)
        assert (row.version, row.description) == (latest, latest)
        assert (await store.search(f'"{version}"', SPACES)).total == 1
    history = await store.versions("public", "mailer")
    assert [row.version for row in history] == [
        "2.0.0-rc.1",
        "1.10.0+local.1",
        "1.10.0",
        "1.9.0",
        "1.2.0",
        "1.0.0-beta.1",
    ]
    assert [row.version for row in history if row.is_latest] == ["1.10.0+local.1"]
    assert await store.versions("public", "unknown") == []


async def test_each_version_keeps_its_own_effect_and_files(
    store: ToolStore, draft: MakeDraft
) -> None:
    old = draft(effect=Effect.DESTROYS, files=(ToolFile("a.sh", b"rm -r x"),), changelog="first")
    await store.save([old, draft(version="1.1.0", effect=Effect.READS)])
    found = await store.find("mailer", ["public"], "1.0.0", files=True)
    assert found is not None
    assert (found.effect, len(found.files)) == (Effect.DESTROYS, 1)
    assert (await store.rows(SPACES))[0].effect is Effect.READS
    history = await store.versions("public", "mailer")
    assert [(row.files, row.changelog) for row in history] == [(0, ""), (1, "first")]


async def test_the_same_content_again_changes_nothing(
    store: ToolStore, draft: MakeDraft, raw: apsw.Connection
) -> None:
    await store.save([draft()])
    before = list(raw.execute("SELECT * FROM tools, tool_versions"))
    [saved] = await store.save([draft()])
    assert saved.outcome is Outcome.UNCHANGED
    assert list(raw.execute("SELECT * FROM tools, tool_versions")) == before


async def test_other_content_under_a_known_version_is_refused_with_the_bump(
    store: ToolStore, draft: MakeDraft
) -> None:
    await store.save([draft(), draft(version="1.0.1")])
    with pytest.raises(RefusedError) as refused:
        await store.save([draft("innocent"), draft(description="changed")])
    assert refused.value.code == "version_exists"
    assert refused.value.tool_id == "mailer"
    assert "1.0.0" in refused.value.message
    assert "1.0.2" in refused.value.suggestion
    assert await store.find("innocent", ["public"]) is None


async def test_shipped_content_under_a_taken_version_is_kept_beside_it(
    store: ToolStore, draft: MakeDraft
) -> None:
    await store.save([draft(space="public")])
    shipped = draft(space="public", description="shipped")
    for outcome in (Outcome.VERSIONED, Outcome.UNCHANGED):
        [saved] = await store.save([shipped], shipped=True)
        assert saved.version == f"1.0.0+shipped.{shipped.content_hash[:8]}"
        assert saved.outcome is outcome
    found = await store.find("mailer", ["public"])
    assert found is not None
    assert found.version == saved.version
    assert (found.is_official, found.is_builtin) == (True, False)


async def test_ids_of_shipped_runtimes_are_taken_in_every_space(
    store: ToolStore, draft: MakeDraft
) -> None:
    runtime = draft("python_runtime", space="public", tool_type="runtime", executor="subprocess")
    await store.save([runtime, draft("plain", space="public")], shipped=True)
    await store.set_absent("public", "python_runtime", True)
    for space in ("user", "public", "project:x"):
        with pytest.raises(RefusedError) as refused:
            await store.save([draft("python_runtime", "9.0.0", space=space)])
        assert refused.value.code == "reserved_id"
        assert refused.value.tool_id == "python_runtime"
    await store.save([draft("plain", space="user")])


async def test_a_tool_may_change_its_type(store: ToolStore, draft: MakeDraft) -> None:
    await store.save([draft()])
    await store.save([draft(version="2.0.0", tool_type="knowledge", executor=None)])
    assert await store.counts_by_type(SPACES) == {"knowledge": 1}
    assert await store.children(SPACES, "python_runtime", None) == []
    assert [row.tool_id for row in await store.children(SPACES, None)] == ["mailer"]


async def test_data_the_schema_refuses_leaves_nothing(store: ToolStore, draft: MakeDraft) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        await store.save([draft("good"), draft("Bad Id")])
    with pytest.raises(sqlite3.IntegrityError):
        await store.save([draft("good", files=(ToolFile("../x", b""),))])
    assert await store.count() == 0


async def test_absent_tools_are_nowhere_until_they_come_back(
    store: ToolStore, draft: MakeDraft
) -> None:
    server = draft("server", tool_type="mcp_server", executor="subprocess")
    await store.save([server, draft("tool", tool_type="mcp_tool", executor="server")])
    assert await store.set_absent("public", "tool", True)
    assert not await store.set_absent("public", "tool", True)
    assert not await store.set_absent("public", "unknown", True)
    assert await store.count() == 1
    assert await store.find("tool", ["public"]) is None
    gone = await store.find("tool", ["public"], absent=True)
    assert gone is not None
    assert gone.is_absent
    assert await store.children(SPACES, "server", "public") == []
    assert (await store.rows(SPACES))[0].children == 0
    assert (await store.search("tool", SPACES)).total == 0

    assert await store.set_absent("public", "tool", False)
    assert (await store.search("tool", SPACES)).total == 1
    assert (await store.children(SPACES, "subprocess", None))[0].children == 1

    await store.set_absent("public", "tool", True)
    [saved] = await store.save([draft("tool", tool_type="mcp_tool", executor="server")])
    assert saved.outcome is Outcome.RESTORED
    assert (await store.search("tool", SPACES)).total == 1
    assert await store.counts_by_type(SPACES) == {"mcp_server": 1, "mcp_tool": 1}


async def test_counts_follow_every_kind_of_change(
    store: ToolStore, raw: apsw.Connection, draft: MakeDraft
) -> None:
    await store.save([draft(f"t{n}", executor=f"e{n % 2}") for n in range(6)])
    await store.set_absent("public", "t0", True)
    await store.save([draft("t1", "2.0.0", executor="e0")])
    raw.execute("DELETE FROM tools WHERE tool_id IN ('t0', 't2')")
    counted = dict(raw.execute("SELECT executor_id, sum(present) FROM executor_counts GROUP BY 1"))
    really = dict(raw.execute("SELECT executor_id, count(*) FROM tools GROUP BY 1"))
    assert counted == really == {"e0": 2, "e1": 2}
    assert await store.count() == 4


async def test_descendants_are_counted_through_executors(
    store: ToolStore, draft: MakeDraft
) -> None:
    drafts = [
        draft("subprocess", tool_type="primitive", executor=None),
        draft("node", tool_type="runtime", executor="subprocess"),
        draft("server", tool_type="mcp_server", executor="subprocess"),
        draft("loop_a", tool_type="runtime", executor="loop_b"),
        draft("loop_b", tool_type="runtime", executor="loop_a"),
    ]
    drafts += [draft(f"s{n}", executor="node") for n in range(3)]
    drafts += [draft(f"m{n}", tool_type="mcp_tool", executor="server") for n in range(4)]
    await store.save(drafts)
    assert await store.descendants("subprocess", SPACES) == 9
    assert await store.descendants("server", SPACES) == 4
    assert await store.descendants("s0", SPACES) == 0
    assert await store.descendants("loop_a", SPACES) == 2
    assert [row.tool_id for row in await store.dependants("subprocess", "public")] == [
        "node",
        "server",
    ]
    assert len(await store.dependants("server", "public", limit=2)) == 2


@pytest.fixture
async def mixed(store: ToolStore, draft: MakeDraft) -> ToolStore:
    await store.save(
        [
            draft(
                f"t{n * 7 % 60:02}",
                space=space,
                tool_type=("script", "runtime", "mcp_server", "api")[n % 4],
                executor="x",
                category=f"c{n % 2}",
            )
            for n in range(60)
            for space in ("public", "user", "project:x")[: 1 + n % 3]
        ]
    )
    return store


@pytest.mark.parametrize("limit", [1, 7, 200])
async def test_pages_of_children_are_exact(mixed: ToolStore, limit: int) -> None:
    seen: list[tuple[bool, str, str]] = []
    after = None
    while page := await mixed.children(SPACES, "x", None, after=after, limit=limit):
        seen += [
            (row.tool_type not in listing.EXECUTOR_TYPES, row.tool_id, row.space) for row in page
        ]
        after = (page[-1].tool_type, page[-1].tool_id, page[-1].space)
    assert len(seen) == 120
    assert seen == sorted(set(seen))


@pytest.mark.parametrize("limit", [1, 7, 200])
@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"spaces": SPACES}, 120),
        ({"spaces": ["user", "project:x"]}, 60),
        ({"tool_types": ["api", "script"], "spaces": SPACES}, 60),
        ({"category": "c1", "spaces": SPACES}, 60),
        ({"category": "c1", "tool_types": ["api"], "spaces": ["public"]}, 15),
        ({"tool_types": ["api"], "spaces": ["nowhere"]}, 0),
    ],
)
async def test_pages_of_lists_are_exact(
    mixed: ToolStore, limit: int, filters: dict[str, Any], count: int
) -> None:
    seen: list[tuple[str, str]] = []
    after = None
    while page := await mixed.rows(after=after, limit=limit, **filters):
        seen += [(row.tool_id, row.space) for row in page]
        after = seen[-1]
    assert len(seen) == count
    assert seen == sorted(set(seen))


async def test_children_can_be_limited_to_types(mixed: ToolStore) -> None:
    rows = await mixed.children(SPACES, "x", None, tool_types=["api", "runtime"])
    assert {row.tool_type for row in rows} == {"api", "runtime"}
    assert await mixed.children(SPACES, "x", None, tool_types=["knowledge"]) == []
    assert await mixed.children(SPACES, None) == []


class _Plans(Cursor):
    """A cursor that asks how instead of asking."""

    plans: list[str]

    def execute(self, sql: str, parameters: object = ()) -> Cursor:
        if "FROM tools" in sql or "RECURSIVE" in sql:
            plan = super().execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()  # type: ignore[arg-type]
            self.plans += [row[3] for row in plan]
        return super().execute(sql, parameters)  # type: ignore[arg-type]


async def test_no_list_scans_or_sorts(mixed: ToolStore) -> None:
    def plans(cursor: Cursor) -> list[str]:
        asking = _Plans(cursor.connection)
        asking.plans = []
        for after in (None, ("t10", "user")):
            for filters in (
                {"tool_types": (), "category": None, "spaces": SPACES},
                {"tool_types": ("api", "script"), "category": None, "spaces": ("user",)},
                {"tool_types": (), "category": "c1", "spaces": SPACES},
                {"tool_types": (), "category": None, "spaces": ("user", "public")},
            ):
                listing.page(asking, after=after, limit=5, **filters)
        for last in (None, ("script", "t10", "user"), ("runtime", "t10", "user")):
            listing.children(asking, SPACES, "x", None, tool_types=(), after=last, limit=500)
            listing.children(asking, SPACES, None, None, tool_types=(), after=last, limit=500)
        listing.dependants(asking, "x", "public", 500)
        listing.descendants(asking, "x", SPACES)
        listing.missing_executors(asking, SPACES)
        listing.row(asking, "t10", SPACES, SPACES)
        return asking.plans

    found = await mixed._database.read(plans)
    assert len(found) > 20
    assert not [step for step in found if "SCAN tools" in step or "TEMP B-TREE" in step]


def test_ids_are_uuids_in_order_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now)
    first = new_id()
    monkeypatch.setattr(time, "time_ns", lambda: now + 1_000_000)
    second = new_id()
    assert first < second
    assert (len(first), first[14]) == (36, "7")
    assert first[19] in "89ab"


async def test_a_store_keeps_what_it_has_when_opened_again(home: Path, draft: MakeDraft) -> None:
    store = await open_store(home)
    await store.save([draft()])
    await store.close()
    store = await open_store(home)
    assert await store.count() == 1
    await store.close()


async def test_a_tool_hangs_under_the_id_that_its_executor_reference_names(
    store: ToolStore, draft: MakeDraft
) -> None:
    await store.save([draft("leaf", executor="public/carrier@1.2.0")])
    assert [row.tool_id for row in await store.children(SPACES, "carrier", None)] == ["leaf"]


async def test_a_shipped_tool_that_was_deleted_stays_deleted_when_it_ships_again(
    store: ToolStore, draft: MakeDraft
) -> None:
    await store.save([draft("tool")], shipped=True)
    await store.set_absent("public", "tool", absent=True)
    await store.save([draft("tool"), draft("tool", version="2.0.0")], shipped=True)
    assert await store.find("tool", ["public"]) is None
    await store.save([draft("tool", version="2.0.0")])
    found = await store.find("tool", ["public"])
    assert found is not None and found.version == "2.0.0"
