"""Who is believed: only what the owner's key signed, as it was signed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw
import pytest

from tests.conftest import RunCli
from tests.projects import api, write
from workbench.core.tool import Trust
from workbench.gate import keys
from workbench.gate.trust import _message
from workbench.store.attestations import Attestation
from workbench.workbench import open_workbench


@pytest.fixture
async def signed(seeded_home: Path, tmp_path: Path) -> Path:
    """A project with a signed tool and another that is not."""
    project = write(tmp_path / "project", {"tools/a.yaml": api("a"), "tools/b.yaml": api("b")})
    async with open_workbench(seeded_home, project=project) as workbench:
        await workbench.sign("a")
        assert (await workbench.get("a")).trust is Trust.SIGNED
    return project


async def _trust(home: Path, project: Path, tool_id: str = "a") -> Trust:
    """How a process that starts now sees it."""
    async with open_workbench(home, project=project) as workbench:
        tool = await workbench.get(tool_id)
        assert (await workbench.row(tool_id)).trust is tool.trust
        return tool.trust


def _change(home: Path, statement: str, *values: object) -> None:
    connection = apsw.Connection(str(home / "registry.db"))
    connection.execute(statement, values)
    assert connection.changes()
    connection.close()


@pytest.mark.parametrize(
    "change",
    [
        "key_id = '0123456789abcdef'",
        "tool_id = 'b'",
        "version = '2.0.0'",
        "signed_at = '2020-01-01T00:00:00Z'",
        "signature = zeroblob(64)",
        "signature = x''",
        "signature = CAST(signature || x'00' AS BLOB)",
        "content_hash = upper(content_hash)",
    ],
)
async def test_an_attestation_that_was_edited_holds_for_nothing(
    change: str, seeded_home: Path, signed: Path
) -> None:
    _change(seeded_home, f"UPDATE attestations SET {change}")
    assert await _trust(seeded_home, signed) is Trust.UNSIGNED


async def test_an_attestation_cannot_be_moved_to_another_content(
    seeded_home: Path, signed: Path
) -> None:
    async with open_workbench(seeded_home, project=signed) as workbench:
        other = (await workbench.get("b")).content_hash
    _change(seeded_home, "UPDATE attestations SET content_hash = ?", other)
    assert await _trust(seeded_home, signed, "a") is Trust.UNSIGNED
    assert await _trust(seeded_home, signed, "b") is Trust.UNSIGNED


async def test_the_word_of_another_key_counts_for_nothing(
    seeded_home: Path, signed: Path, tmp_path: Path
) -> None:
    stranger, owner = keys.load_or_make(tmp_path / "stranger"), keys.load(seeded_home)
    assert owner is not None
    async with open_workbench(seeded_home, project=signed) as workbench:
        content_hash = (await workbench.get("b")).content_hash
    for key_id in (stranger.key_id, owner.key_id):  # honest, and pretending to be the owner
        claim = Attestation(content_hash, key_id, "b", "1.0.0", "2025-01-01T00:00:00Z", b"")
        _change(
            seeded_home,
            "INSERT INTO attestations VALUES (?, ?, 'b', '1.0.0', '2025-01-01T00:00:00Z', ?)",
            content_hash,
            key_id,
            stranger.sign(_message(claim)),
        )
        assert await _trust(seeded_home, signed, "b") is Trust.UNSIGNED


async def test_without_the_key_that_signed_nothing_is_signed(
    seeded_home: Path, signed: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    shutil.move(seeded_home / "keys", kept)
    assert await _trust(seeded_home, signed) is Trust.UNSIGNED
    keys.load_or_make(seeded_home)  # another one in its place
    assert await _trust(seeded_home, signed) is Trust.UNSIGNED
    shutil.rmtree(seeded_home / "keys")
    shutil.move(kept, seeded_home / "keys")
    assert await _trust(seeded_home, signed) is Trust.SIGNED


async def test_a_forged_line_is_an_alteration_and_a_line_alone_is_nothing(
    seeded_home: Path, signed: Path
) -> None:
    async with open_workbench(seeded_home, project=signed) as workbench:
        content_hash = (await workbench.get("b")).content_hash
    place = signed / ".ai" / "tools" / "b.yaml"
    for claimed, expected in (("0" * 64, Trust.ALTERED), (content_hash, Trust.UNSIGNED)):
        line = f"# kiwi-mcp:validated:2025-01-01T00:00:00Z:{claimed}\n"
        place.write_text(line + api("b"))
        assert await _trust(seeded_home, signed, "b") is expected
    own = signed / ".ai" / "tools" / "a.yaml"
    own.write_text(own.read_text().replace("kiwi-mcp:validated:2", "kiwi-mcp:validated:1"))
    assert await _trust(seeded_home, signed) is Trust.SIGNED  # the time in it is no one's word


@pytest.mark.parametrize("spoil", ["chmod", "truncate"])
def test_a_spoilt_key_signs_nothing_and_says_what_to_do(
    spoil: str, run_cli: RunCli, seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "project", {"tools/a.yaml": api("a"), "tools/b.yaml": api("b")})
    assert run_cli("sign", "a", cwd=project).code == 0
    key = seeded_home / "keys" / "owner.ed25519"
    if spoil == "chmod":
        key.chmod(0o604)
    else:
        os.truncate(key, 5)
    before = (project / ".ai" / "tools" / "b.yaml").read_bytes()
    done = run_cli("sign", "b", cwd=project)
    assert (done.code, done.has_traceback) == (6, False)
    assert str(key) in done.err
    assert ("chmod 600" if spoil == "chmod" else "backup") in done.err
    assert (project / ".ai" / "tools" / "b.yaml").read_bytes() == before
    shown = run_cli("show", "a", cwd=project)
    assert not shown.has_traceback
    assert " signed" not in shown.out


async def test_a_key_that_goes_or_spoils_while_we_run_takes_its_word_along(
    seeded_home: Path, tmp_path: Path
) -> None:
    project = write(tmp_path / "p", {"tools/a.yaml": api("a")})
    key = seeded_home / "keys/owner.ed25519"
    async with open_workbench(seeded_home, project=project) as workbench:
        await workbench.sign("a")
        assert (await workbench.get("a")).trust is Trust.SIGNED
        secret = key.read_bytes()
        for spoilt in (b"", secret[:31], b"\0" * 32):
            key.write_bytes(spoilt)
            assert (await workbench.get("a")).trust is Trust.UNSIGNED
        key.unlink()
        assert (await workbench.get("a")).trust is Trust.UNSIGNED
        key.write_bytes(secret)
        key.chmod(0o600)
        assert (await workbench.get("a")).trust is Trust.SIGNED
