"""A new tool never lands where it would hide others or not be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunCli


@pytest.fixture
def project(run_cli: RunCli, tmp_path: Path) -> Path:
    """A project with one tool on the shelf where templates put theirs."""
    (tmp_path / "p/.ai").mkdir(parents=True)
    assert run_cli("new", "script", "greeter", cwd=tmp_path / "p").code == 0
    return tmp_path / "p"


def test_a_tool_whose_file_would_be_called_like_a_manifest_gets_a_folder(
    run_cli: RunCli, project: Path
) -> None:
    assert run_cli("new", "api", "tool", cwd=project).code == 0
    for tool_id in ("tool", "greeter"):
        assert run_cli("show", tool_id, cwd=project).code == 0


@pytest.mark.parametrize("tool_id", ["tool.yaml", "tool.yml", "outputs", "node_modules"])
def test_an_id_that_no_folder_can_have_is_refused(
    run_cli: RunCli, project: Path, tool_id: str
) -> None:
    refused = run_cli("new", "script", tool_id, cwd=project)
    assert refused.code == 4
    assert "is no place for a tool" in refused.err
    assert run_cli("show", "greeter", cwd=project).code == 0
