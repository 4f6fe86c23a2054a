"""Large input made to be slow: each of these took minutes where something was quadratic."""

from __future__ import annotations

import pytest

from workbench.core.dialects import read
from workbench.tool_types.validation import validate

API = (
    "tool_id: t\ntool_type: api\nversion: '1.0.0'\nexecutor: http_client\n"
    "config: {method: GET, url: '%s'}\n"
)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.yaml", API % ("https://x.example/" + "{" * 400_000), ""),
        ("a.yaml", API % ("https://x.example/" + "${A:-" * 100_000), "bad_template"),
        (
            "a.yaml",
            API % "https://x.example/{p}"
            + "parameters:\n  - name: p\n    enum: ["
            + ",".join(f"e{n}" for n in range(80_000))
            + "]\n",
            "",
        ),
        ("a.md", "```" * 300_000, "no_manifest"),
        ("a.md", "```\n" * 200_000, "no_manifest"),
        (
            "a.yaml",
            "tool_id: t\ntool_type: composite\nversion: '1.0.0'\nconfig:\n  steps:\n"
            + "".join(f"    - {{id: s{n}, tool: x, needs: [s{n + 1}]}}\n" for n in range(15_000)),
            "out_of_range",
        ),
        ("a.yaml", "tool_id: t\n" + "x" * 900_000 + ": 1\n", "yaml_syntax"),
        ("a.yaml", "".join(f"k{n}: 1\n" for n in range(60_000)), "missing_field"),
    ],
    ids=["braces", "variables", "choices", "fence", "fences", "steps", "key", "keys"],
)
def test_nothing_takes_longer_than_its_size_explains(name: str, text: str, code: str) -> None:
    reading = read(name, text.encode(), (), {})
    codes = {problem.code for problem in validate(reading)}
    assert codes if code else not codes
    assert not code or code in codes
