"""What ships: stored once, whole, and again only when it changed."""

from __future__ import annotations

import shutil
from pathlib import Path

from workbench import paths, seeding
from workbench.store import open_store
from workbench.workbench import open_workbench


async def test_a_shipped_tool_carries_the_modules_it_shares(seeded_home: Path) -> None:
    async with open_workbench(seeded_home) as workbench:
        tool = await workbench.get("search_files", files=True)
    library = paths.seeds() / "tools" / "lib"
    carried = {file.path: file.data for file in tool.files}
    for name in tool.manifest["lib_imports"]:
        assert carried[f"{name}.py"] == (library / f"{name}.py").read_bytes()


async def test_every_shipped_tool_is_official_and_valid(seeded_home: Path) -> None:
    async with open_workbench(seeded_home) as workbench:
        rows = await workbench.rows(limit=1000)
        assert rows
        for row in rows:
            assert row.is_official
            _, problems = await workbench.validate_stored(row.tool_id)
            assert problems == [], row.tool_id


async def test_seeding_is_done_once_and_again_when_the_files_changed(tmp_path: Path) -> None:
    seeds = Path(shutil.copytree(paths.seeds(), tmp_path / "seeds"))
    store = await open_store(tmp_path / "home")
    try:
        assert await seeding.seed(store, seeds)
        assert not await seeding.seed(store, seeds)
        manifest = seeds / "tools" / "read_file" / "tool.yaml"
        manifest.write_text(manifest.read_text("utf-8").replace('"1.0.0"', '"1.0.1"'), "utf-8")
        assert await seeding.seed(store, seeds)
        found = await store.find("read_file", ["public"])
        assert found is not None
        assert found.version == "1.0.1"
    finally:
        await store.close()


async def test_a_shipped_module_that_changes_makes_another_version_of_its_tools(
    tmp_path: Path,
) -> None:
    seeds = Path(shutil.copytree(paths.seeds(), tmp_path / "seeds"))
    store = await open_store(tmp_path / "home")
    try:
        await seeding.seed(store, seeds)
        module = seeds / "tools" / "lib" / "git_command.py"
        module.write_text(module.read_text("utf-8") + "\n# changed\n", "utf-8")
        assert await seeding.seed(store, seeds)
        versions = [row.version for row in await store.versions("public", "git_status")]
    finally:
        await store.close()
    assert len(versions) == 2
    assert versions[0].startswith("1.0.0+shipped.")
