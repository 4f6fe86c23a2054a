"""Every form in which a tool is written, and what it becomes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.dialects import Names, read, reread
from workbench.core.integrity import content_hash
from workbench.core.reading import Reading
from workbench.core.tool import ToolFile

NAMES = {"python": "python_runtime", "bash": "bash_runtime", "docker": "command_runtime",
         "api": "http_client", "directive": "llm_runtime"}  # fmt: skip


def manifest(name: str, text: str, names: Names = NAMES) -> dict[str, Any]:
    reading = read(name, text.encode(), (), names)
    assert not reading.document.problems
    return reading.manifest


def yaml_of(text: str) -> dict[str, Any]:
    return manifest("t.yaml", 'tool_id: t\nversion: "1.0.0"\n' + text)


class TestYaml:
    def test_a_python_executor(self) -> None:
        found = yaml_of(
            "tool_type: python\nexecutor:\n  type: python\n  entrypoint: main.py\n"
            "  dependencies: [requests]\n  lib_imports: [http]\n  mutates_state: true\n"
            "  legacy: true\n"
        )
        assert found == {
            "tool_id": "t",
            "version": "1.0.0",
            "tool_type": "script",
            "executor": "python_runtime",
            "config": {"requires": ["requests"], "entrypoint": "main.py"},
            "lib_imports": ["http"],
            "mutates_state": True,
        }

    def test_a_bash_executor(self) -> None:
        found = yaml_of(
            "executor: {type: bash, entrypoint: x.sh, shell: /bin/bash, requires: {commands: [jq]}}"
        )
        assert found["tool_type"] == "script"
        assert found["executor"] == "bash_runtime"
        assert found["requires"] == {"commands": ["jq"]}
        assert found["config"] == {"entrypoint": "x.sh", "shell": "/bin/bash"}

    @pytest.mark.parametrize(
        ("kind", "key"),
        [("bearer", "token_env"), ("basic", "password_env"), ("api_key", "key_env")],
    )
    def test_an_api_executor(self, kind: str, key: str) -> None:
        found = yaml_of(
            "executor: {type: api, method: POST, endpoint: https://a.b, body: {x: y},"
            f" auth: {{type: {kind}, env_var: KEY}}, timeout: 30}}"
        )
        assert found["tool_type"] == "api"
        assert found["executor"] == "http_client"
        assert found["config"] == {
            "method": "POST",
            "url": "https://a.b",
            "body_template": {"x": "y"},
            "auth": {"type": kind, key: "KEY"},
            "timeout": 30,
        }

    def test_a_docker_executor_runs_docker(self) -> None:
        found = yaml_of(
            "executor: {type: docker, image: 'i:1', network: none, command: [a, 1],"
            " volumes: [{source: ./d, target: /d}, './e:/e:ro']}"
        )
        assert found["executor"] == "command_runtime"
        assert found["config"]["command"] == "docker"
        assert found["config"]["args"] == [
            *("run", "--rm", "-i", "-v", "./d:/d", "-v", "./e:/e:ro", "--network", "none"),
            *("i:1", "a", "1"),
        ]

    def test_an_mcp_executor_is_a_server_or_a_tool_of_one(self) -> None:
        local = yaml_of("executor: {type: mcp, command: npx, args: [x]}")
        assert (local["tool_type"], local["executor"]) == ("mcp_server", "subprocess")
        assert local["config"] == {"transport": "stdio", "command": "npx", "args": ["x"]}
        remote = yaml_of("executor: {type: mcp, url: https://a.b}")
        assert (remote["tool_type"], remote["executor"]) == ("mcp_server", "http_client")
        tool = yaml_of("executor: {type: mcp, server: github_mcp, tool: create_issue}")
        assert (tool["tool_type"], tool["executor"]) == ("mcp_tool", "github_mcp")
        assert tool["config"] == {"mcp_tool_name": "create_issue"}

    def test_types_that_are_other_words_for_the_ten(self) -> None:
        python = yaml_of("tool_type: python\n")
        assert (python["tool_type"], python["executor"]) == ("script", "python_runtime")
        own = yaml_of("tool_type: bash\nexecutor: my_bash\n")
        assert (own["tool_type"], own["executor"]) == ("script", "my_bash")
        assert yaml_of("tool_type: mcp\nexecutor: x\n")["tool_type"] == "mcp_tool"
        server = yaml_of("tool_type: mcp\nexecutor: subprocess\nconfig: {transport: stdio}\n")
        assert server["tool_type"] == "mcp_server"

    def test_which_runtime_a_word_means_is_data(self) -> None:
        text = "tool_id: t\ntool_type: python\n"
        assert manifest("t.yaml", text, {"python": "mine"})["executor"] == "mine"

    def test_a_problem_stands_where_the_older_form_wrote_it(self) -> None:
        text = "tool_id: t\nexecutor:\n  type: python\n  dependencies: [a]\n"
        reading = read("t.yaml", text.encode(), (), NAMES)
        assert reading.problem("bad_requirement", ("config", "requires", 0), "").line == 4
        assert reading.problem("executor_type", ("executor",), "").line == 3

    def test_the_text_is_kept_byte_for_byte(self) -> None:
        for text in (
            "---\n# é\ntool_id:   t\r\ntags: [ a,b ]\n---\n",
            "\ufefftool_id: t\n",
            "tool_id: t",
        ):
            reading = read("t.yaml", text.encode(), (), NAMES)
            assert reading.text == text
            assert reading.manifest["tool_id"] == "t"
            assert reread(reading.manifest, reading.text, None, (), NAMES).document.value

    def test_the_entrypoint_among_the_files_is_marked(self) -> None:
        files = [ToolFile("a.py", b""), ToolFile("b.py", b"")]
        reading = read("tool.yaml", b"tool_id: t\nconfig: {entrypoint: b.py}\n", files, NAMES)
        assert [(file.path, file.is_entrypoint) for file in reading.files] == [
            ("a.py", False),
            ("b.py", True),
        ]


class TestPython:
    def test_dunder_names(self) -> None:
        found = manifest(
            "my_tool.py",
            '__version__ = "1.2.0"\n__tool_type__ = "python"\n__executor_id__ = "python_runtime"\n'
            '__category__: str = "utility"\n__tags__ = ("a", "b")\n__other__ = 5\n'
            '__requirements__ = ["httpx"]\nversion = "9"\n'
            'def main(text: str):\n    """Says it."""\n',
        )
        assert found == {
            "tool_id": "my_tool",
            "version": "1.2.0",
            "tool_type": "script",
            "executor": "python_runtime",
            "category": "utility",
            "tags": ["a", "b"],
            "description": "Says it.",
            "parameters": [{"name": "text", "type": "string", "required": True}],
            "config": {"requires": ["httpx"], "entrypoint": "my_tool.py"},
        }

    @pytest.mark.parametrize(
        "docstring",
        [
            "\ntool_id: x\ntool_type: script\nversion: 1.0.0\nexecutor: python_runtime\n",
            "\n---\ntool_id: x\ntool_type: script\nversion: 1.0.0\nexecutor: python_runtime\n---\n"
            "Prose: and more.\n",
            "tool_id: x\ntool_type: script\nversion: 1.0.0\nexecutor: python_runtime\n",
            "\n    tool_id: x\n    tool_type: script\n    version: 1.0.0\n"
            "    executor: python_runtime\n",
            "---\ntool_id: x\ntool_type: script\nversion: 1.0.0\nexecutor: python_runtime\n---",
        ],
    )
    def test_front_matter_in_the_docstring(self, docstring: str) -> None:
        found = manifest("file.py", f'#!/usr/bin/env python3\n"""{docstring}"""\n')
        assert found == {
            "tool_id": "x",
            "tool_type": "script",
            "version": "1.0.0",
            "executor": "python_runtime",
            "config": {"entrypoint": "file.py"},
        }

    def test_front_matter_has_the_places_of_the_file(self) -> None:
        text = '#!/bin/x\n"""\n---\ntool_id: x\nversion: 1.10\n---\n"""\n'
        reading = read("t.py", text.encode(), (), NAMES)
        assert reading.document.values[("version",)][:2] == (5, 10)

    def test_a_legacy_script_is_assumed_to_write_and_says_so(self) -> None:
        reading = read(
            "Word Count.py", b'"""Counts words.\n\nMore."""\ndef main(): ...\n', (), NAMES
        )
        assert [problem.code for problem in reading.problems] == ["dialect_assumed"]
        assert reading.manifest == {
            "tool_id": "word_count",
            "tool_type": "script",
            "version": "1.0.0",
            "executor": "python_runtime",
            "mutates_state": True,
            "description": "Counts words.",
            "parameters": [],
            "config": {"entrypoint": "Word Count.py"},
        }

    @pytest.mark.parametrize(
        ("argument", "parameter"),
        [
            ("a", {"required": True}),
            ("a: str", {"type": "string", "required": True}),
            ("a: 'int' = 3", {"type": "integer", "default": 3}),
            ("a: float = -0.5", {"type": "number", "default": -0.5}),
            ("a: bool = False", {"type": "boolean", "default": False}),
            ("a: Optional[str] = None", {"type": "string"}),
            ("a: typing.Optional[int] = 5", {"type": "integer", "default": 5}),
            ("a: str | None = None", {"type": "string"}),
            ("a: str | int = 'x'", {"default": "x"}),
            ("a: list[str] = []", {"type": "array", "items": {"type": "string"}, "default": []}),
            ("a: List[int]", {"type": "array", "items": {"type": "integer"}, "required": True}),
            ("a: dict[str, int]", {"type": "object", "required": True}),
            ("a: pathlib.Path", {"type": "string", "required": True}),
            ("a: Literal['x', 'y'] = 'x'", {"type": "string", "enum": ["x", "y"], "default": "x"}),
            ("a: Literal[1]", {"enum": [1], "required": True}),
            ("a: Literal[b'x']", {"required": True}),
            ("*, a: int = 2", {"type": "integer", "default": 2}),
            ("a: int, /", {"type": "integer", "required": True}),
            ("a=os.getcwd()", {}),
            ("a=b'bytes'", {}),
            ("a=1e999", {}),
            ("a=(1, 2)", {"default": [1, 2]}),
            ("a={1: 2}", {}),
            ("a='\\ud800'", {}),
            ("a: Unknown", {"required": True}),
        ],
    )
    @pytest.mark.parametrize("kind", ["def", "async def"])
    def test_parameters_come_from_the_signature_of_main(
        self, kind: str, argument: str, parameter: dict[str, Any]
    ) -> None:
        found = manifest("t.py", f"{kind} main({argument}): ...\n")
        assert found["parameters"] == [{"name": "a", **parameter}]

    def test_main_comes_before_other_entry_functions(self) -> None:
        text = (
            "def execute(c): ...\ndef run(b): ...\ndef main(a): ...\nclass X:\n  def main(z): ...\n"
        )
        assert manifest("t.py", text)["parameters"] == [{"name": "a", "required": True}]
        assert manifest("t.py", "def run(b): ...\n")["parameters"][0]["name"] == "b"

    def test_inline_script_metadata_names_the_packages(self) -> None:
        text = '# /// script\n# dependencies = ["httpx>=0.24"]\n# ///\ndef main(): ...\n'
        assert manifest("t.py", text)["config"]["requires"] == ["httpx>=0.24"]
        broken = "# /// script\n# dependencies = [\n# ///\ndef main(): ...\n"
        assert "requires" not in manifest("t.py", broken)["config"]

    def test_nothing_of_it_is_executed(self, tmp_path: Path) -> None:
        mark = tmp_path / "executed"
        text = (
            f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n"
            f"__version__ = str(pathlib.Path({str(mark)!r}).touch())\n"
            f"def main(a=pathlib.Path({str(mark)!r}).touch()): ...\n"
        )
        reading = read("t.py", text.encode(), (), NAMES)
        assert "metadata_not_literal" in [problem.code for problem in reading.problems]
        assert not mark.exists()

    @pytest.mark.parametrize(
        "text",
        ["def (", "x = " + "-" * 100_000 + "1", "(" * 100_000, "x = [" + "[" * 5_000, "\0"],
    )
    def test_what_does_not_parse_is_a_problem(self, text: str) -> None:
        reading = read("t.py", text.encode(), (), NAMES)
        assert [problem.code for problem in reading.problems] == ["python_syntax"]
        assert reading.manifest == {}

    def test_the_file_is_kept_byte_for_byte(self) -> None:
        data = b"\xef\xbb\xbf# caf\xc3\xa9\r\ndef main(): ...\r\n"
        reading = read("t.py", data, (), NAMES)
        assert [(file.path, file.data) for file in reading.files] == [("t.py", data)]
        assert (reading.text, reading.manifest_file) == (None, "t.py")


class TestMarkdown:
    def test_a_directive(self) -> None:
        text = """# T
```xml
<directive name="check" version="1.2.0">
  <metadata>
    <description>Looks
      closely</description>
    <category>core</category>
    <model tier="fast" />
    <limits max_tokens="5000" max_turns="3" />
    <git_checkpoint mode="auto" />
    <permissions><read resource="files" path="src/**" /></permissions>
  </metadata>
  <inputs>
    <input name="deep" type="bool" default="True">How deep</input>
    <input name="n" type="int" required="true" default="5" />
    <input name="ratio" type="number" default="0.5" />
  </inputs>
</directive>
```
"""
        assert manifest("x.md", text) == {
            "tool_id": "check",
            "tool_type": "directive",
            "version": "1.2.0",
            "executor": "llm_runtime",
            "description": "Looks closely",
            "category": "core",
            "git_checkpoint": "auto",
            "config": {
                "model_tier": "fast",
                "max_tokens": 5000,
                "max_turns": 3,
                "permissions": [{"action": "read", "resource": "files", "path": "src/**"}],
            },
            "parameters": [
                {"name": "deep", "type": "boolean", "description": "How deep", "default": True},
                {"name": "n", "type": "integer", "required": True, "default": 5},
                {"name": "ratio", "type": "number", "default": 0.5},
            ],
        }

    def test_knowledge_by_its_frontmatter(self) -> None:
        text = (
            "---\ntitle: A Guide\nsummary: How to\ntags: [a]\nentry_type: pattern\n"
            "source_url: https://a.b\nunknown: 5\n---\n# Heading\n"
        )
        assert manifest("My Guide.md", text) == {
            "tool_id": "my_guide",
            "tool_type": "knowledge",
            "version": "1.0.0",
            "name": "A Guide",
            "description": "How to",
            "tags": ["a"],
            "config": {"entry_type": "pattern", "source_url": "https://a.b"},
        }

    def test_knowledge_is_named_by_its_heading_where_it_says_no_name(self) -> None:
        found = manifest("x.md", '---\nid: other\nversion: "2.0.0"\n---\n\n# The heading \ntext\n')
        assert (found["tool_id"], found["version"], found["name"]) == (
            "other",
            "2.0.0",
            "The heading",
        )

    def test_a_skill_folder(self) -> None:
        text = (
            "---\nname: PDF Tools\ndescription: Fills forms\nallowed-tools: Read, Bash(git:*)\n"
            "metadata:\n  version: '1.2.0'\n  author: someone\n---\n# How\n"
        )
        script = ToolFile("scripts/fill.py", b"print(1)\n")
        reading = read("SKILL.md", text.encode(), [script], NAMES)
        assert reading.manifest == {
            "tool_id": "pdf_tools",
            "name": "PDF Tools",
            "tool_type": "directive",
            "version": "1.2.0",
            "executor": "llm_runtime",
            "description": "Fills forms",
            "author": "someone",
            "tags": ["skill"],
            "config": {
                "entrypoint": "SKILL.md",
                "permissions": {"tools": ["Read", "Bash(git:*)"]},
            },
        }
        assert [file.path for file in reading.files] == ["SKILL.md", "scripts/fill.py"]
        assert reading.files[0].data == text.encode()

    def test_the_file_is_kept_byte_for_byte(self) -> None:
        data = b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\nText\r\n"
        reading = read("x.md", data, (), NAMES)
        assert reading.manifest["name"] == "x"
        assert [(file.path, file.data) for file in reading.files] == [("content.md", data)]


class TestAnything:
    def test_a_stored_version_is_read_again_with_its_places(self) -> None:
        data = b'__version__ = "1.0.0"\ndef main(): ...\n'
        first = read("t.py", data, (), NAMES)
        again = reread(first.manifest, None, "t.py", first.files, NAMES)
        assert again.manifest == first.manifest
        assert again.files == first.files
        assert again.document.values == first.document.values

    def test_a_file_of_another_kind_is_no_tool(self) -> None:
        for name in ("t.txt", "t", "t.yaml.bak", ".yaml~"):
            reading = read(name, b"tool_id: t", (), NAMES)
            assert [problem.code for problem in reading.problems] == ["no_manifest"]

    @given(
        st.sampled_from(["t.yaml", "t.py", "t.md", "SKILL.md", "t.json", "t.txt"]),
        st.binary(max_size=60)
        | st.text(max_size=60).map(lambda text: text.encode(errors="replace")),
    )
    def test_reading_never_raises(self, name: str, data: bytes) -> None:
        assert isinstance(read(name, data, (), NAMES), Reading)

    @given(
        st.dictionaries(
            st.sampled_from(
                [
                    *("type", "image", "volumes", "network", "command", "args", "auth", "env_var"),
                    *("endpoint", "dependencies", "requires", "server", "tool", "transport"),
                    *("url", "build_context", "mutates_state", "lib_imports", "body"),
                ]
            ),
            st.sampled_from(["python", "bash", "api", "docker", "mcp"])
            | st.none()
            | st.integers(-5, 5)
            | st.lists(st.integers(0, 3) | st.just({"source": 5}), max_size=2)
            | st.just({"type": "basic", "env_var": 5}),
            max_size=5,
        ),
        st.sampled_from(["python", "mcp", "api", "script", "5", "[a]"]),
        st.sampled_from(["null", "{}", "[a]", "text", "{transport: 5}"]),
    )
    def test_an_executor_of_any_shape_is_read(
        self, executor: dict[str, Any], tool_type: str, config: str
    ) -> None:
        text = f"tool_id: t\ntool_type: {tool_type}\nconfig: {config}\nexecutor: "
        reading = read("t.yaml", (text + json.dumps(executor)).encode(), (), NAMES)
        assert reading.manifest["tool_id"] == "t"
        content_hash(reading.manifest)

    @given(st.text(alphabet="abc_=(){}[]'\"\\ud80:1, b", max_size=30))
    def test_metadata_of_any_shape_can_be_hashed(self, literal: str) -> None:
        text = f'__version__ = "1.0.0"\n__config__ = {literal}\ndef main(a={literal}): ...\n'
        reading = read("t.py", text.encode(), (), NAMES)
        content_hash(reading.manifest, reading.files)
