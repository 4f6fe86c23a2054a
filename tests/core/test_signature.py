"""The signature line: one, in its place, and no part of what it signs."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import markdown, signature
from workbench.core.integrity import content_hash
from workbench.core.tool import ToolFile

LINE = signature.line("2026-01-28T12:00:00Z", "ab" * 32)
OTHER = signature.line("2027-01-28T12:00:00Z", "cd" * 32)
COMMENT = f"# {LINE}\n"


@pytest.mark.parametrize(
    ("name", "text", "signed"),
    [
        ("tool.yaml", "tool_id: x\n", f"{COMMENT}tool_id: x\n"),
        ("tool.yaml", "---\ntool_id: x\n---\n", f"{COMMENT}---\ntool_id: x\n---\n"),
        ("tool.yaml", "# first\ntool_id: x\n", f"{COMMENT}# first\ntool_id: x\n"),
        ("x.yml", "a: 1\r\nb: 2\r\n", f"# {LINE}\r\na: 1\r\nb: 2\r\n"),
        ("x.py", "print(1)\n", f"{COMMENT}print(1)\n"),
        ("x.py", "#!/usr/bin/env python3\nx = 1\n", f"#!/usr/bin/env python3\n{COMMENT}x = 1\n"),
        ("x.py", '"""Doc."""\n', f'{COMMENT}"""Doc."""\n'),
        ("SKILL.md", "---\nname: x\n---\nDo.\n", f"---\n{COMMENT}name: x\n---\nDo.\n"),
        ("content.md", "---  \ntitle: x\n---\n", f"---  \n{COMMENT}title: x\n---\n"),
        ("directive.md", "# Title\n", f"<!-- {LINE} -->\n# Title\n"),
        ("x.yaml", "\ufefftool_id: x\n", f"\ufeff{COMMENT}tool_id: x\n"),
        ("x.py", "", COMMENT),
    ],
)
def test_the_line_stands_where_its_syntax_lets_it(name: str, text: str, signed: str) -> None:
    assert signature.signed(name, text, LINE) == signed
    assert signature.signed(name, signed, LINE) == signed
    assert signature.without(name, signed) == text
    found = signature.find(name, signed)
    assert found is not None and found.content_hash == "ab" * 32


def test_signing_again_replaces_the_line() -> None:
    once = signature.signed("x.py", "#!/bin/python\nx = 1\n", LINE)
    twice = signature.signed("x.py", once, OTHER)
    assert twice == f"#!/bin/python\n# {OTHER}\nx = 1\n"
    assert twice.count("kiwi-mcp") == 1


def test_a_shebang_without_an_end_of_line_gets_one() -> None:
    signed = signature.signed("x.py", "#!/bin/python", LINE)
    assert signed == f"#!/bin/python\n{COMMENT}"
    assert signature.signed("x.py", signature.without("x.py", signed), LINE) == signed


@pytest.mark.parametrize(
    "text",
    [
        f"tool_id: x\n{COMMENT}",
        f"x: '{COMMENT}'\n",
        f"# see kiwi-mcp:validated:2026-01-28T12:00:00Z:{'ab' * 32}\n",
        f"# kiwi-mcp:validated:2026-01-28T12:00:00Z:{'ab' * 31}\n",
        f"# kiwi-mcp:validated:2026-01-28T12:00:00Z:{'AB' * 32}\n",
        f"# {LINE} and more\n",
        f"<!-- {LINE}\n",
    ],
)
def test_what_only_looks_like_a_line_is_content(text: str) -> None:
    assert signature.find("tool.yaml", text) is None
    assert signature.without("tool.yaml", text) == text


def test_other_readers_still_understand_signed_files() -> None:
    manifest = signature.signed("tool.yaml", "tool_id: x\ntags: [a]\n", LINE)
    assert yaml.safe_load(manifest) == {"tool_id": "x", "tags": ["a"]}
    skill = signature.signed("SKILL.md", "---\nname: x\ndescription: y\n---\nDo.\n", LINE)
    head, body = skill.removeprefix("---\n").split("\n---\n")
    assert yaml.safe_load(head) == {"name": "x", "description": "y"}
    page = markdown.split(skill)
    assert page.frontmatter is not None
    assert page.frontmatter.value == {"name": "x", "description": "y"}
    assert page.body.strip() == body.strip() == "Do."
    compile(signature.signed("x.py", "from __future__ import annotations\n", LINE), "x.py", "exec")


@given(st.text(max_size=200), st.sampled_from(["a.yaml", "a.py", "a.md", "SKILL.md"]))
def test_any_text_can_be_signed_and_its_hash_stays(text: str, name: str) -> None:
    once = signature.signed(name, text, LINE)
    bare = signature.without(name, once)
    assert signature.find(name, once) is not None
    assert signature.without(name, signature.signed(name, once, OTHER)) == bare
    assert signature.signed(name, bare, LINE) == once


def test_only_the_line_of_the_manifests_own_file_is_left_out_of_the_hash() -> None:
    manifest = {"tool_id": "x"}
    bare = [ToolFile("x.py", b"x = 1\n"), ToolFile("lib.py", b"y = 1\n")]
    signed = [ToolFile("x.py", f"{COMMENT}x = 1\n".encode()), bare[1]]
    other = [bare[0], ToolFile("lib.py", f"{COMMENT}y = 1\n".encode())]
    assert content_hash(manifest, signed, "x.py") == content_hash(manifest, bare, "x.py")
    assert content_hash(manifest, signed) != content_hash(manifest, bare)
    assert content_hash(manifest, other, "x.py") != content_hash(manifest, bare, "x.py")
