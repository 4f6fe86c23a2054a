"""Append one task to the to-do list."""

from datetime import date
from pathlib import Path

TODO = Path("notes/todo.md")


def main(task, due=None):
    text = " ".join(task.split())
    if not text:
        raise ValueError("task is empty")
    line = f"- [ ] {text}"
    if due:
        line += f" (due {date.fromisoformat(due).isoformat()})"
    before = TODO.read_text(encoding="utf-8") if TODO.exists() else "# To do\n\n"
    if not before.endswith("\n"):
        before += "\n"
    TODO.parent.mkdir(exist_ok=True)
    TODO.write_text(f"{before}{line}\n", encoding="utf-8")
    return {"path": TODO.as_posix(), "line": line, "tasks": before.count("- [") + 1}
