"""A registry with what ships, opened once, for everything that only looks things up in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

import pytest

from tests.tool_types.cases import Case
from workbench import paths, seeding
from workbench.core.dialects import read
from workbench.core.problems import Problem
from workbench.core.reading import Reading
from workbench.core.tool import ToolFile
from workbench.dialect_names import load_names
from workbench.intake import Intake
from workbench.store import open_store
from workbench.store.tools import ToolStore


class Registry:
    """Checks tools as the facade does, from tests that are not coroutines."""

    def __init__(self, runner: asyncio.Runner, store: ToolStore) -> None:
        self._runner = runner
        self._intake = Intake(store, load_names(paths.seeds()))

    def read(self, manifest: str, files: dict[str, bytes]) -> Reading:
        others = [ToolFile(path, data) for path, data in files.items() if path != manifest]
        return read(manifest, files[manifest], others, self._intake.names)

    def check(self, reading: Reading, others: Iterable[Reading] = ()) -> list[Problem]:
        batch = {
            str(one.manifest["tool_id"]): one
            for one in (*others, reading)
            if "tool_id" in one.manifest
        }
        return self._runner.run(self._intake.check(reading, batch))

    def check_case(self, case: Case) -> list[Problem]:
        others = [self.read(name, {name: data}) for name, data in case.neighbours.items()]
        return self.check(self.read(case.manifest, case.files), others)


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    home = tmp_path_factory.mktemp("registry")
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        store = runner.run(open_store(home))
        runner.run(seeding.seed(store, paths.seeds()))
        yield Registry(runner, store)
        runner.run(store.close())
