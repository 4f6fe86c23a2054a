"""Carries out one step of a migration on disk: whole, read back, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.reading import Reading
from workbench.errors import RefusedError, UnavailableError
from workbench.intake import hash_of
from workbench.migration.finding import Place
from workbench.sources import writing
from workbench.sources.names import MANIFESTS
from workbench.sources.opening import opened
from workbench.sources.scan import READ_ONLY

if TYPE_CHECKING:
    from workbench.core.dialects import Names

ALONE = ""
"""The name, among the files of a step, of the one that is the whole tool."""


@dataclass(frozen=True, slots=True)
class Step:
    """One tool, and what it becomes. Without a `source` it lies only in the registry, without a
    `target` it stays there."""

    original: Reading
    reading: Reading
    source: Place | None
    target: Place | None
    files: Mapping[str, bytes]
    """What is written, by its path in the target."""
    removes: bool = False
    """Whether the original goes."""
    notes: tuple[str, ...] = ()

    @property
    def tool_id(self) -> str:
        return str(self.reading.manifest["tool_id"])

    @property
    def before(self) -> str:
        return str(self.original.manifest["version"])

    @property
    def version(self) -> str:
        return str(self.reading.manifest["version"])

    @property
    def in_place(self) -> bool:
        """Whether only the manifest is replaced, where it is."""
        return self.source is not None and self.source == self.target

    @property
    def paths(self) -> list[Path]:
        """Where each file goes; none for the registry."""
        if self.target is None:
            return []
        full = self.target.full
        return [full / name if name else full for name in self.files]


def carry_out(step: Step, names: Names) -> None:
    """Writes the target, sees that it is what was planned, and takes the original away if that
    is part of the step. Whatever fails, the original stays."""
    assert step.target is not None  # noqa: S101 - the registry is not a file
    try:
        _require_unchanged(step, names)
        if step.in_place:
            _replace(step, step.target, names)
        else:
            _create(step, step.target, names)
    except FileExistsError as error:
        raise RefusedError(
            f"{step.target.full} exists already",
            code="path_exists",
            tool_id=step.tool_id,
            suggestion="move that away, or choose another place with --to",
        ) from error
    except OSError as error:
        raise UnavailableError(
            f"{step.target.full} cannot be written: {error.strerror or error}",
            code="path_unwritable",
            tool_id=step.tool_id,
            suggestion="check who may write there, and that no folder on the way is a link",
        ) from error


def _replace(step: Step, target: Place, names: Names) -> None:
    ((name, data),) = step.files.items()
    path = target.inner(name).path if name else target.path
    writing.write_file(target.root, path, data)
    try:
        _require_as_planned(step, target, names)
    except BaseException:
        writing.write_file(target.root, path, (step.original.text or "").encode("utf-8"))
        raise


def _create(step: Step, target: Place, names: Names) -> None:
    is_folder = ALONE not in step.files
    if is_folder:
        writing.create_folder(target.root, target.path, step.files)
    else:
        writing.create_file(target.root, target.path, step.files[ALONE])
    try:
        _keep_modes(step, target)
        _require_as_planned(step, target, names)
        _require_unchanged(step, names)
        if step.removes:
            _remove(step)
    except BaseException:
        # Unless the original is gone already: then what was written is all there is.
        if step.source is None or os.path.lexists(step.original.name):
            if is_folder:
                writing.remove_folder(target.root, target.path, step.files)
            else:
                writing.remove_file(target.root, target.path)
        raise


def _remove(step: Step) -> None:
    """Takes the original away, with the folders of the old area that are empty then."""
    source = step.source
    assert source is not None  # noqa: S101 - what is removed lies somewhere
    own = Path(step.original.name).name
    names = [own, *(file.path for file in step.original.files)] if own in MANIFESTS else [ALONE]
    if source.path.startswith(READ_ONLY):
        paths = [source.inner(name).path if name else source.path for name in names]
        inner = [path.removeprefix(READ_ONLY) for path in paths]
        writing.remove_folder(source.root, READ_ONLY.rstrip("/"), inner)
    elif own in MANIFESTS:
        writing.remove_folder(source.root, source.path, names)
    else:
        writing.remove_file(source.root, source.path)


def _keep_modes(step: Step, target: Place) -> None:
    """What only its owner could read, or anybody execute, is so again."""
    source = step.source
    if source is None:
        return
    for name in step.files:
        here = source.full if source.full.is_file() else source.full / name
        place = target.inner(name) if name else target
        if place.name in MANIFESTS:
            continue
        with suppress(FileNotFoundError), opened(target.root, place.above().path) as folder:
            os.chmod(place.name, stat.S_IMODE(here.lstat().st_mode) & 0o777, dir_fd=folder)


def _require_as_planned(step: Step, target: Place, names: Names) -> None:
    found = target.read(names)
    if found.text != step.reading.text or hash_of(found) != hash_of(step.reading):
        raise RefusedError(
            f"{target.full} was written, and something else was read there",
            code="file_changed",
            tool_id=step.tool_id,
            suggestion="see that no other program writes there, then repeat this",
        )


def _require_unchanged(step: Step, names: Names) -> None:
    if step.source is not None and not _is_same(step.original, step.source.read(names)):
        raise RefusedError(
            f"{step.source.full} changed while this was under way",
            code="file_changed",
            tool_id=step.tool_id,
            suggestion="look at it again, then repeat this",
        )


def _is_same(one: Reading, two: Reading) -> bool:
    return (one.text, one.files) == (two.text, two.files)
