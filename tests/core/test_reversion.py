"""An earlier version under a new number: nothing else of its text changes."""

from __future__ import annotations

import pytest

from workbench.core.dialects import Names, read
from workbench.core.reversion import as_version

LOG = "Restores 1.0.0."


def restored(names: Names, name: str, text: str) -> str:
    """The text of the file as version 1.0.1, having checked that it reads as that."""
    reading = read(name, text.encode(), (), names)
    assert not reading.problems
    assert not reading.document.problems
    turned = as_version(reading, "1.0.1", LOG)
    assert turned.manifest["version"] == "1.0.1"
    data = turned.files[0].data if turned.text is None else turned.text.encode()
    again = read(name, data, (), names)
    assert not again.document.problems
    assert again.manifest["version"] == "1.0.1"
    if turned.text is not None:
        assert again.manifest["changelog"] == turned.manifest["changelog"] == LOG
    same = {"version", "changelog"}
    assert {k: v for k, v in again.manifest.items() if k not in same} == {
        k: v for k, v in reading.manifest.items() if k not in same
    }
    return data.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'tool_id: t   # why\nversion: "1.0.0"  # here\n\nname:   x\n',
            'tool_id: t   # why\nchangelog: "Restores 1.0.0."\n'
            'version: "1.0.1"  # here\n\nname:   x\n',
        ),
        (
            "version: '1.0.0'\nchangelog: First.\ntool_id: t\n",
            'version: "1.0.1"\nchangelog: "Restores 1.0.0."\ntool_id: t\n',
        ),
        (
            'tool_id: t\nchangelog: |\n  First.\n\n  And more.\n\nversion: "1.0.0"\n',
            'tool_id: t\nchangelog: "Restores 1.0.0."\n\nversion: "1.0.1"\n',
        ),
        (
            "version: >-\n  1.0.0\ntool_id: t\n",
            'changelog: "Restores 1.0.0."\nversion: "1.0.1"\ntool_id: t\n',
        ),
        (
            'tool_id: t\r\nversion: "1.0.0"\r\nname: é\r\n',
            'tool_id: t\r\nchangelog: "Restores 1.0.0."\nversion: "1.0.1"\r\nname: é\r\n',
        ),
        (
            '\ufeffversion: "1.0.0"\ntool_id: t\n',
            '\ufeffchangelog: "Restores 1.0.0."\nversion: "1.0.1"\ntool_id: t\n',
        ),
        (
            '{tool_id: t, version: "1.0.0", name: x}\n',
            '{tool_id: t, changelog: "Restores 1.0.0.", version: "1.0.1", name: x}\n',
        ),
        (
            '{\n  tool_id: t,\n  version: "1.0.0"\n}\n',
            '{\n  tool_id: t,\n  changelog: "Restores 1.0.0.", version: "1.0.1"\n}\n',
        ),
        (
            '---\n  tool_id: t\n  version: "1.0.0"\n---\n',
            '---\n  tool_id: t\n  changelog: "Restores 1.0.0."\n  version: "1.0.1"\n---\n',
        ),
    ],
)
def test_only_the_version_and_the_changelog_change(names: Names, before: str, after: str) -> None:
    assert restored(names, "t.yaml", before) == after


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.py", '__version__ = "1.0.0"  # é\r\n__tool_type__ = "python"\r\ndef main(): ...\r\n'),
        ("t.py", '\ufeff__version__ = "1.0.0"\n'),
        ("t.py", 'é = "ü"; __version__ = "1.0.0"\n'),
        ("t.py", 'x = 1\n\x0c\n__version__ = "1.0.0"\n'),
        ("t.py", '"""\ntool_id: x\nversion: "1.0.0"\ntool_type: script\n"""\n'),
        ("t.py", '#!/bin/x\n"""\n---\n  tool_id: x\n  version: "1.0.0"\n---\nProse.\n"""\n'),
        ("t.py", '"""version: "1.0.0"\n   tool_id: x\n   tool_type: script\n"""\n'),
        ("note.md", '---\ntitle: x\nversion: "1.0.0"\n---\nText 1.0.0.\n'),
        ("SKILL.md", '---\nname: x\nmetadata:\n  version: "1.0.0"\n---\nText 1.0.0.\n'),
    ],
)
def test_a_file_that_carries_its_manifest_changes_in_its_version_only(
    names: Names, name: str, text: str
) -> None:
    assert restored(names, name, text) == text.replace('"1.0.0"', '"1.0.1"')


def test_a_script_that_does_not_say_its_version_stays_as_it_is(names: Names) -> None:
    data = b"def main(): ...\n"
    turned = as_version(read("t.py", data, (), names), "1.0.1", LOG)
    assert turned.manifest["version"] == "1.0.1"
    assert turned.files[0].data == data


def test_a_directive_says_its_new_version_in_its_xml() -> None:
    text = '# Title\n\n```xml\n<directive name="d"\n    version="1.0.0">\n</directive>\n```\n'
    reading = read("d.md", text.encode(), (), {"directive": "some_runtime"})
    changed = as_version(reading, "1.0.1", "Restores 1.0.0.")
    assert changed.files[0].text == text.replace("1.0.0", "1.0.1")
    assert changed.manifest["version"] == "1.0.1"
