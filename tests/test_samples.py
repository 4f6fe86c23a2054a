"""The sample tools are valid, show every type, and really do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from jsonpath import JSONPathEnvironment
from packaging.requirements import Requirement

from tests.conftest import ROOT, RunCli
from workbench import paths
from workbench.core import schema
from workbench.core.parameters import check_values
from workbench.core.reading import Reading
from workbench.core.tool import TOOL_TYPES
from workbench.dialect_names import load_names
from workbench.sources.reader import read_tools

SAMPLES = ROOT / "sample_tools"
TREE = SAMPLES / ".ai"
BROKEN = SAMPLES / "broken"
CALL = """\
import json, sys
from {module} import main
print(json.dumps(main(**json.load(sys.stdin))))
"""


@pytest.fixture(scope="module")
def samples() -> dict[str, Reading]:
    readings = list(read_tools(TREE, load_names(paths.seeds())))
    found = {str(reading.manifest["tool_id"]): reading for reading in readings}
    assert len(found) == len(readings)
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy to work in; the samples themselves stay as they are."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(SAMPLES, tmp_path / "project", ignore=ignored))


# What they say


def test_every_sample_is_valid_and_none_deserves_a_warning(run_cli: RunCli) -> None:
    checked = run_cli("validate", TREE, "--json")
    assert checked.code == 0, checked.out
    tools = json.loads(checked.out)["tools"]
    said = [(tool["tool_id"], one["code"]) for tool in tools for one in tool["problems"]]
    assert said == [("days_between", "dialect_assumed")]  # a hint, and the point of that sample


def test_there_is_a_sample_of_every_type_that_people_make(samples: dict[str, Reading]) -> None:
    types = {reading.manifest["tool_type"] for reading in samples.values()}
    assert types == set(TOOL_TYPES) - {"primitive"}


def test_every_sample_says_what_it_is_for_and_what_it_takes(samples: dict[str, Reading]) -> None:
    for tool_id, reading in samples.items():
        manifest = reading.manifest
        assert len(manifest["description"]) > 15, tool_id
        if tool_id in ("days_between", "roman"):
            continue  # forms that cannot say more
        for name, inner in _properties(manifest).items():
            assert inner.get("description"), f"{tool_id}: {name}"
        if manifest["tool_type"] == "api" or reading.config.get("entrypoint") == "main.py":
            assert manifest.get("outputs"), tool_id
            assert manifest.get("effects"), tool_id


def _properties(manifest: dict[str, Any]) -> dict[str, Any]:
    given = manifest.get("parameters") or []
    if isinstance(given, dict):
        return dict(given["properties"])
    return {item["name"]: item for item in given}


def test_the_readme_lists_every_sample_with_its_type_and_no_other(
    samples: dict[str, Reading],
) -> None:
    listed: dict[str, str] = {}
    rows = re.findall(r"(?m)^\| (`.+?) \| (\w.*?) \|", (SAMPLES / "README.md").read_text("utf-8"))
    for cell, types in rows:
        ids, kinds = re.findall(r"`([^`]+)`", cell), types.split(", ")
        listed |= dict(zip(ids, kinds * len(ids) if len(kinds) == 1 else kinds, strict=False))
    assert listed == {key: reading.manifest["tool_type"] for key, reading in samples.items()}


def test_knowledge_links_to_knowledge_that_is_there() -> None:
    pages = {page.resolve(): page.read_text("utf-8") for page in TREE.glob("knowledge/**/*.md")}
    links = {
        page: {(page.parent / target).resolve() for target in re.findall(r"\]\((\S+?)\)", text)}
        for page, text in pages.items()
    }
    assert len(pages) >= 3
    assert all(links.values())
    assert set().union(*links.values()) == set(pages)


def test_saved_presets_fill_in_the_form(samples: dict[str, Reading]) -> None:
    for tool_id in ("word_count", "csv_table"):
        manifest = samples[tool_id].manifest
        assert len(manifest["presets"]) >= 2
        for values in manifest["presets"].values():
            whole = {"path": "data/essay.txt", **values}
            assert check_values(manifest["parameters"], whole) == []


def test_shared_modules_are_there_and_are_shared(samples: dict[str, Reading]) -> None:
    users: dict[str, list[str]] = {}
    for tool_id, reading in samples.items():
        for name in reading.manifest.get("lib_imports", ()):
            users.setdefault(name, []).append(tool_id)
    assert set(users) == {file.stem for file in (TREE / "tools" / "lib").glob("*.py")}
    assert all(len(tools) >= 2 for tools in users.values())


def test_a_dependency_names_the_range_that_it_was_tried_with(samples: dict[str, Reading]) -> None:
    needed = [r.config["requires"] for r in samples.values() if r.config.get("requires")]
    assert needed
    for text in (text for texts in needed for text in texts):
        operators = {one.operator for one in Requirement(text).specifier}
        assert operators == {">=", "<"}


# The broken ones


def test_every_broken_one_has_exactly_the_problem_that_its_first_line_names(
    run_cli: RunCli,
) -> None:
    checked = run_cli("validate", BROKEN, "--json")
    assert checked.code == 1
    found = {}
    for tool in json.loads(checked.out)["tools"]:
        name = Path(tool["name"]).relative_to(BROKEN).as_posix()
        found[name] = [problem["code"] for problem in tool["problems"]]
    assert found.pop("same_id/first.yaml") == []
    assert len(found) >= 10
    assert found == {name: [_named(BROKEN / name)] for name in found}


def _named(path: Path) -> str:
    first = path.read_text("utf-8").splitlines()[0]
    match = re.match(r"(?:#|<!--) Wrong here \((\w+)\): \S", first)
    assert match is not None, first
    return match[1]


# What they do, by hand as their runtimes would


def _run(
    command: list[str], project: Path, values: dict[str, Any] | None = None, code: int = 0
) -> Any:
    """What a command printed, from JSON if it is JSON. Values are on its stdin."""
    done = subprocess.run(
        command,
        input=json.dumps(values or {}),
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done.stdout


def _python(reading: Reading, project: Path, values: dict[str, Any], code: int = 0) -> Any:
    """Lays out the files with the modules they share, and calls `main`."""
    entrypoint = str(reading.config["entrypoint"])
    folder = project.parent / "laid-out"
    folder.mkdir(exist_ok=True)
    for file in reading.files:
        (folder / file.path).write_bytes(file.data)
    for name in reading.manifest.get("lib_imports", ()):
        shutil.copy(TREE / "tools" / "lib" / f"{name}.py", folder)
    caller = folder / "call_it.py"
    caller.write_text(CALL.format(module=entrypoint.removesuffix(".py")), "utf-8")
    result = _run([sys.executable, str(caller)], project, values, code)
    if code == 0:
        _fits(reading, result)
    return result


def _fits(reading: Reading, result: Any) -> None:
    outputs = reading.manifest.get("outputs", {})
    assert "format" in outputs or schema.errors(outputs, result) == []


def test_word_count_counts(samples: dict[str, Reading], project: Path) -> None:
    result = _python(samples["word_count"], project, {"path": "data/essay.txt", "top": 2})
    assert result["words"] == len((SAMPLES / "data" / "essay.txt").read_text("utf-8").split())
    assert [entry["word"] for entry in result["top"]] == ["that", "a"]


def test_csv_summary_filters_and_summarises(samples: dict[str, Reading], project: Path) -> None:
    result = _python(
        samples["csv_summary"],
        project,
        {
            "source": {"path": "data/sales.csv"},
            "columns": ["units"],
            "filters": [{"column": "product", "value": "lamp"}],
        },
    )
    assert (result["rows"], result["rows_skipped"]) == (3, 5)
    (units,) = result["columns"]
    assert (units["kind"], units["minimum"], units["maximum"]) == ("number", 7, 19)


def test_csv_table_draws_what_its_package_draws(samples: dict[str, Reading], project: Path) -> None:
    """The package is not there in the tests; a stand-in shows what it is handed."""
    reading = samples["csv_table"]
    compile(reading.files[0].data, "main.py", "exec")
    stand_in = "def tabulate(rows, **options):\n    return repr((rows, options['headers']))\n"
    (project.parent / "laid-out").mkdir()
    (project.parent / "laid-out" / "tabulate.py").write_text(stand_in, "utf-8")
    values = {"path": "data/sales.csv", "columns": ["product", "price"], "limit": 1}
    result = _python(reading, project, values)
    assert result == {"table": "([['lamp', '24.90']], ['product', 'price'])", "rows": 8, "shown": 1}


def test_todo_add_writes_the_one_file_it_says(samples: dict[str, Reading], project: Path) -> None:
    before = set(project.rglob("*"))
    values = {"task": "sharpen\nthe saw", "due": "2026-02-01"}
    assert _python(samples["todo_add"], project, values)["tasks"] == 1
    assert _python(samples["todo_add"], project, {"task": "rest"})["tasks"] == 2
    assert {path.relative_to(project).as_posix() for path in set(project.rglob("*")) - before} == {
        "notes/todo.md"
    }
    text = (project / "notes" / "todo.md").read_text("utf-8")
    assert text == "# To do\n\n- [ ] sharpen the saw (due 2026-02-01)\n- [ ] rest\n"


def test_the_older_python_forms_run(samples: dict[str, Reading], project: Path) -> None:
    assert _python(samples["roman"], project, {"number": 1994})["numeral"] == "MCMXCIV"
    titled = _python(samples["title_case"], project, {"text": "the state of the macOS port"})
    assert titled == {"title": "The State of the macOS Port"}
    dates = {"start": "2026-01-01", "end": "2026-01-15"}
    assert _python(samples["days_between"], project, dates) == {"days": 14, "weeks": 2.0}


def test_bash_gets_flags(samples: dict[str, Reading], project: Path) -> None:
    script = str(TREE / "tools" / "system" / "disk_report" / "report.sh")
    lines = _run(["bash", script, "--path=data", "--top=1"], project).splitlines()
    assert len(lines) == 1
    assert re.fullmatch(r"\d+\t\S+", lines[0])
    _run(["bash", script, "--path=../outside"], project, code=2)


def test_node_gets_json(samples: dict[str, Reading], project: Path) -> None:
    if (node := shutil.which("node")) is None:
        pytest.skip("Node.js is not installed, and the sample slugify is written for it")
    script = str(TREE / "tools" / "text" / "slugify" / "slugify.mjs")
    result = _run([node, script], project, {"text": "Größe, Straße & Café", "max_length": 13})
    assert result == {"slug": "grosse"}
    _fits(samples["slugify"], result)


def test_a_runtime_of_the_project_runs_perl(samples: dict[str, Reading], project: Path) -> None:
    runtime = samples["perl_runtime"].config
    if shutil.which(runtime["command"]) is None:
        pytest.skip("Perl is not installed, and the sample longest_lines is written in it")
    script = str(TREE / "tools" / "text" / "longest_lines" / "longest.pl")
    command = [runtime["command"], *(a.replace("{entrypoint}", script) for a in runtime["args"])]
    result = _run(command, project, {"path": "data/essay.txt", "top": 2})
    _fits(samples["longest_lines"], result)
    lengths = [len(line) for line in (project / "data/essay.txt").read_text("utf-8").splitlines()]
    assert [entry["length"] for entry in result["lines"]] == sorted(lengths, reverse=True)[:2]


def test_a_program_of_the_host_is_wrapped(samples: dict[str, Reading], project: Path) -> None:
    config = samples["line_count"].config
    arguments = [a.replace("{path}", "data/essay.txt") for a in config["args"]]
    assert _run([config["command"], *arguments], project).split() == ["10", "data/essay.txt"]


# The server of the API samples


@pytest.fixture
def echo(project: Path) -> Iterator[str]:
    """The address of the little server, on a port that was free."""
    command = [sys.executable, str(project / "server" / "echo_server.py"), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.terminate()


def _ask(reading: Reading, echo: str, values: dict[str, Any]) -> Any:
    """Sends what the manifest says, to the port that was free."""
    config = reading.config
    url = str(config.get("url") or config["url_template"]).replace("http://127.0.0.1:8787", echo)
    body = config.get("body_template")
    if body is not None:
        body = {key: values.get(value.strip("{}"), value) for key, value in body.items()}
    for name, value in values.items():
        url = url.replace(f"{{{name}}}", str(value))
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, config.get("headers", {}), method=config["method"])  # noqa: S310
    with urlopen(request, timeout=10) as response:  # noqa: S310 - loopback
        result = json.load(response)
    if path := config.get("response_transform"):
        result = JSONPathEnvironment(strict=True).findall(path, result)
    _fits(reading, result)
    return result


def test_the_echo_server_answers_what_the_api_samples_ask(
    samples: dict[str, Reading], echo: str
) -> None:
    assert _ask(samples["server_time"], echo, {})["utc"].endswith("+00:00")
    assert _ask(samples["list_items"], echo, {"limit": 2}) == ["item-001", "item-002"]
    echoed = _ask(samples["echo_message"], echo, {"message": "hello", "count": 3})
    assert echoed["method"] == "POST"
    assert (echoed["json"]["message"], echoed["json"]["count"]) == ("hello", 3)
    with pytest.raises(HTTPError) as refused:
        _ask(samples["list_items"], echo, {"limit": 1000})
    refused.value.close()
    assert refused.value.code == 400
