"""Several real processes on one registry, and processes that die."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import apsw
import pytest

from workbench.store import open_store

# The full count is for `make drill`, which sets the scale to 20.
VERSIONS = 50 * int(os.environ.get("WORKBENCH_DRILL_SCALE", "1"))

_WRITER = """
import asyncio, hashlib, pathlib, sys
from workbench.core.tool import Draft, Effect
from workbench.store import open_store

def draft(tool_id, version):
    manifest = {"tool_id": tool_id, "tool_type": "script", "version": version,
                "executor": "python_runtime", "description": "some words " * 20}
    digest = hashlib.sha256(repr(manifest).encode()).hexdigest()
    return Draft("public", manifest, digest, Effect.READS, Effect.READS, text="x")

async def main(home, name, count):
    store = await open_store(pathlib.Path(home))
    if name == "bulk":
        for batch in range(int(count)):
            await store.save([draft(f"b{batch}_{n}", "1.0.0") for n in range(100)])
            print(batch, flush=True)
    else:
        for n in range(int(count)):
            await store.save([draft("shared", f"{name}.0.{n + 1}")])
    await store.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def _start(home: Path, name: str, count: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _WRITER,
        str(home),
        name,
        str(count),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.drill
async def test_two_processes_write_one_tool_and_every_version_is_there(home: Path) -> None:
    writers = [await _start(home, name, VERSIONS) for name in ("1", "2")]
    for writer in writers:
        _, errors = await writer.communicate()
        assert errors == b""
        assert writer.returncode == 0
    store = await open_store(home)
    history = await store.versions("public", "shared")
    found = await store.find("shared", ["public"])
    assert await store.integrity() == []
    await store.close()
    wanted = {f"{name}.0.{n + 1}" for name in "12" for n in range(VERSIONS)}
    assert {row.version for row in history} == wanted
    assert [row.version for row in history if row.is_latest] == [f"2.0.{VERSIONS}"]
    assert found is not None
    assert found.version == f"2.0.{VERSIONS}"


async def test_what_was_acknowledged_survives_a_kill(home: Path) -> None:
    writer = await _start(home, "bulk", 10_000)
    assert writer.stdout is not None
    acknowledged = -1
    while acknowledged < 5:
        acknowledged = int(await writer.stdout.readline())
    writer.kill()
    rest, _ = await writer.communicate()
    acknowledged = max([acknowledged, *map(int, rest.split())])

    connection = apsw.Connection(str(home / "registry.db"))
    assert connection.pragma("integrity_check") == "ok"
    counts = dict(
        connection.execute(
            "SELECT substr(tool_id, 2, instr(tool_id, '_') - 2), count(*) FROM tools GROUP BY 1"
        )
    )
    connection.close()
    # Every batch is there as a whole: the acknowledged ones, and at most one more.
    assert set(counts.values()) == {100}
    assert {str(batch) for batch in range(acknowledged + 1)} <= set(counts)
    assert len(counts) <= acknowledged + 2
    store = await open_store(home)
    assert await store.count() == 100 * len(counts)
    assert (await store.search("b0_7", ["public"])).hits[0].row.tool_id == "b0_7"
    await store.close()
