"""The docs say what the code does, no more and no less."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
from textual.widget import Widget

from workbench.cli.main import main
from workbench.core.codes import CODES
from workbench.core.manifest import KEYS
from workbench.core.tool import TOOL_TYPES
from workbench.tool_types import TYPES
from workbench.tui import widgets
from workbench.tui.app import WorkbenchApp
from workbench.tui.screens.library import LibraryScreen

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def first_cells(name: str) -> list[str]:
    """The code in the first cell of every table row of a page."""
    return re.findall(r"(?m)^\| `([^`]+)`", (DOCS / name).read_text("utf-8"))


def test_every_problem_code_is_documented_with_its_severity_and_no_other() -> None:
    rows = re.findall(
        r"(?m)^\| `(\w+)` \| (\w+) \| (.+?) \|", (DOCS / "problems.md").read_text("utf-8")
    )
    assert {code: (severity, meaning) for code, severity, meaning in rows} == {
        code: (str(severity), meaning) for code, (severity, meaning) in CODES.items()
    }


def test_every_error_code_is_documented_and_no_other() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "workbench").rglob("*.py"))
    raised = set(re.findall(r'\bcode="(\w+)"', source))
    raised |= set(re.findall(r'(?m)^    code(?:: str)? = "(\w+)"', source))
    raised |= set(re.findall(r'"((?:registry|blob)_\w+)"', source))
    listed = {cell for cell in first_cells("errors.md") if re.fullmatch(r"\w+", cell)}
    assert listed == raised


def test_every_command_and_option_is_documented_and_no_other() -> None:
    context = click.Context(main)
    assert isinstance(main, click.Group)
    page = (DOCS / "cli.md").read_text("utf-8")
    rows = dict(re.findall(r"(?m)^\| `workbench (\w+)[^`]*` \| (.*) \|$", page))
    assert list(rows) and set(rows) == set(main.list_commands(context))
    for name, row in rows.items():
        command = main.get_command(context, name)
        assert command is not None
        options = {option for p in command.params for option in p.opts if option.startswith("--")}
        assert set(re.findall(r"--[a-z][a-z-]*", row)) == options - {"--json", "--project"}, name


def test_every_manifest_key_and_type_is_documented() -> None:
    page = (DOCS / "manifests.md").read_text("utf-8")
    for key in KEYS:
        assert re.search(rf"\b{key}\b", page), key
    rows = dict(re.findall(r"(?m)^\| `(\w+)` \| .* \| .* \| (.*) \|$", page))
    assert tuple(rows) == TOOL_TYPES
    for name, row in rows.items():
        documented = set(re.findall(r"`(\w+)`", row))
        fields = TYPES[name].config.model_fields
        missing = {field.alias or key for key, field in fields.items()} - documented
        assert not missing, f"{name} does not document {missing}"


def test_every_key_is_documented_with_what_it_does_and_no_other() -> None:
    classes = [WorkbenchApp, LibraryScreen, *_widgets()]
    bound = {
        (binding.key, binding.id, binding.tooltip)
        for widget in classes
        for binding in widget.__dict__.get("BINDINGS", [])
    }
    rows = re.findall(
        r"(?m)^\| `([^`]+)` \| ([\w.-]+) \| (.*) \|$", (DOCS / "keys.md").read_text("utf-8")
    )
    assert bound
    assert set(rows) == bound


def _widgets() -> list[type[Widget]]:
    found: list[type[Widget]] = []
    for entry in pkgutil.iter_modules(widgets.__path__):
        module = importlib.import_module(f"{widgets.__name__}.{entry.name}")
        found += [
            each
            for each in vars(module).values()
            if inspect.isclass(each)
            and issubclass(each, Widget)
            and each.__module__ == module.__name__
        ]
    return found


def test_every_dependency_has_a_reason_and_no_other_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    runtime = {re.split(r"[\[><=]", entry)[0] for entry in project["dependencies"]}
    assert set(first_cells("dependencies.md")) == runtime
    page = (DOCS / "dependencies.md").read_text("utf-8")
    for entry in project["optional-dependencies"]["dev"]:
        assert f"`{re.split(r'[><=]', entry)[0]}`" in page


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in [*DOCS.glob("*.md"), ROOT / "README.md"]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name} → {target}"


def test_the_tour_of_the_readme_works_as_it_is_written(seeded_home: Path, tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", readme[readme.index("## A tour") :], re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) > 12
    shutil.copytree(ROOT / "sample_tools", tmp_path / "sample_tools")
    here = tmp_path
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = ""
    for line in lines:
        if line.startswith("export "):
            continue
        command = line.replace("workbench ", f"{sys.executable} -m workbench ", 1)
        done = subprocess.run(
            ["bash", "-c", command], cwd=here, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        expected = 1 if line.endswith("validate broken") else 0
        assert done.returncode == expected, f"{line}\n{done.stdout}{done.stderr}"
        said += done.stdout + done.stderr
        if "cd playground" in line:
            here = tmp_path / "playground"
    assert "altered since signing" in said
    assert "rarest" in said
    assert "hello@0.1.0 is now hello 0.2.1" in said
    assert "hello 0.2.1 is back" in said
