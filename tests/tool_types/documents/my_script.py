#!/usr/bin/env python3
"""
tool_id: my_script
tool_type: script
version: 1.0.0
executor: python_runtime
"""


def main(text: str = "") -> dict[str, int]:
    return {"length": len(text)}
