"""`list`, `show` and `tree`."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from workbench.cli.options import command
from workbench.cli.output import Exit, Output
from workbench.core.chain import Chain
from workbench.core.spaces import PUBLIC, label
from workbench.core.tool import TOOL_TYPES, ToolRow, ToolVersion, Trust
from workbench.errors import UsageError
from workbench.showing import row_dict, show_dict
from workbench.workbench import Workbench


@click.command("list")
@click.option("--type", "tool_type", type=click.Choice(TOOL_TYPES), help="Only this type.")
@click.option("--category", help="Only this category.")
@click.option("--limit", default=50, type=click.IntRange(1, 100_000), help="At most this many.")
@click.option("--after", metavar="TOOL_ID", help="Begin after this id.")
@command
async def list_tools(
    workbench: Workbench,
    output: Output,
    tool_type: str | None,
    category: str | None,
    limit: int,
    after: str | None,
) -> None:
    """List tools by id."""
    rows = await workbench.rows(
        tool_types=(tool_type,) if tool_type else (),
        category=category,
        after=(after, "\U0010ffff") if after else None,
        limit=limit + 1,
    )
    more, rows = len(rows) > limit, rows[:limit]
    if output.as_json:
        total = await _total(workbench, tool_type, category)
        amiss = [str(path) for path, _ in await workbench.amiss()]
        shape = {"tools": [row_dict(row) for row in rows], "total": total, "more": more}
        output.json({**shape, "amiss": amiss})
        return
    if not rows:
        asked = after or category or tool_type
        output.note("nothing fits" if asked else "no tools; `workbench add PATH` adds some", "")
        return
    _print_rows(output, rows)
    if more:
        output.note(f"{len(rows)} shown; more with --after {rows[-1].tool_id} or --limit")
    await _note_amiss(workbench, output)


def _print_rows(output: Output, rows: list[ToolRow]) -> None:
    """A table. Where all are public, nobody asks for the space."""
    head = ["tool_id", "type", "version", "space", "signature", "effect", "description"]
    table = [
        [r.tool_id, r.tool_type, r.version, _where(r), r.trust, r.effect, r.description]
        for r in rows
    ]
    if all(row.space == PUBLIC for row in rows):
        head.remove("space")
        table = [[*cells[:3], *cells[4:]] for cells in table]
    output.table(table, head)


def _where(row: ToolRow) -> str:
    own = label(row.space)
    return f"{own}, shadowed" if row.shadowed_by else own


async def _note_amiss(workbench: Workbench, output: Output) -> None:
    """Says that files of a tree are not in the list, or not as they should be."""
    amiss = await workbench.amiss()
    if not amiss:
        return
    files = f"{len(amiss)} files have" if len(amiss) > 1 else f"{amiss[0][0]} has"
    folder = amiss[0][0] if len(amiss) == 1 else workbench.trees[0].root
    output.note(f"{files} problems; `workbench validate {folder}` lists them", "yellow")


async def _total(workbench: Workbench, tool_type: str | None, category: str | None) -> int:
    """How many tools there are of this type and category, on all pages."""
    if category is not None:
        types = (tool_type,) if tool_type else ()
        return len(await workbench.rows(tool_types=types, category=category, limit=sys.maxsize))
    counts = await workbench.counts()
    return counts.get(tool_type, 0) if tool_type else sum(counts.values())


@click.command()
@click.argument("reference")
@click.option("--manifest", is_flag=True, help="Print the manifest as it was written.")
@click.option("--file", "file", metavar="PATH", help="Print one of its files.")
@command
async def show(
    workbench: Workbench, output: Output, reference: str, manifest: bool, file: str | None
) -> None:
    """Show one tool: its manifest, chain, files and versions."""
    tool = await workbench.get(reference, files=True)
    if manifest or file:
        _print_file(output, tool, file)
        return
    chain = await workbench.chain(tool)
    history = await workbench.versions(tool.tool_id, tool.space)
    row = await workbench.row(f"{tool.space}/{tool.tool_id}")
    path = await workbench.path_of(tool)
    if output.as_json:
        output.json(show_dict(tool, chain, history, row, path))
        return
    output.line(f"{tool.tool_id} {tool.version}", "bold")
    if description := tool.manifest.get("description"):
        output.line(description)
    output.line()
    arrow = " → ".join(chain.ids)
    facts = [
        ("type", tool.tool_type),
        ("chain", f"{arrow} ✗ {chain.fault.message}" if chain.fault else arrow),
        ("space", _space_line(row)),
        ("path", str(path) if path is not None else ""),
        ("signature", _signature_line(tool, chain)),
        ("effect", str(tool.effect)),
        ("category", tool.manifest.get("category", "")),
        ("tags", ", ".join(tool.manifest.get("tags", []))),
        ("hash", tool.content_hash),
        ("versions", ", ".join(row.version for row in history[:8])),
        ("files", ", ".join(f.path for f in tool.files)),
        ("presets", ", ".join(tool.manifest.get("presets", {}))),
    ]
    for name, value in facts:
        if value:
            output.line(f"{name:<10}{value}")
    _print_parameters(output, tool)
    if tool.config:
        output.line()
        output.line("config", "dim")
        output.block(json.dumps(tool.config, indent=2, ensure_ascii=False))


def _space_line(row: ToolRow) -> str:
    if row.shadowed_by:
        return f"{label(row.space)}, shadowed by the one in {label(row.shadowed_by)}"
    if row.shadows:
        return f"{label(row.space)}, shadows the one in {', '.join(map(label, row.shadows))}"
    return label(row.space)


def _signature_line(tool: ToolVersion, chain: Chain) -> str:
    if tool.trust is Trust.ALTERED:
        return f"altered since signing; `workbench sign {tool.tool_id}` shows what changed"
    weak = [
        str(link.manifest["tool_id"])
        for link in chain.links[1:]
        if getattr(link, "trust", None) is not Trust.SIGNED
    ]
    return f"{tool.trust}, its chain not: {', '.join(weak)}" if weak else str(tool.trust)


def _print_file(output: Output, tool: ToolVersion, path: str | None) -> None:
    if path is None and tool.text is not None:
        text: str | None = tool.text
    else:
        wanted = path or tool.manifest_file
        found = next((file for file in tool.files if file.path == wanted), None)
        if found is None:
            names = ", ".join(file.path for file in tool.files) or "none"
            raise UsageError(
                f"{tool.tool_id} has no file {path!r}",
                code="file_not_found",
                suggestion=f"its files: {names}",
            )
        text = found.text
    if text is None:
        raise UsageError(f"{path} is not text", code="binary_file", tool_id=tool.tool_id)
    if output.as_json:
        output.json({"tool_id": tool.tool_id, "path": path, "content": text})
    else:
        output.original(text)


def _print_parameters(output: Output, tool: ToolVersion) -> None:
    from workbench.core.parameters import to_schema

    schema = to_schema(tool.manifest.get("parameters"))
    properties = schema.get("properties") or {}
    if not properties:
        return
    required = schema.get("required") or []
    rows = []
    for name, inner in properties.items():
        inner = inner if isinstance(inner, dict) else {}
        default = json.dumps(inner["default"]) if "default" in inner else ""
        mark = "*" if name in required else " "
        kind = inner.get("type", "any")
        kind = " or ".join(kind) if isinstance(kind, list) else str(kind)
        rows.append((f"{mark} {name}", kind, default, str(inner.get("description", ""))))
    output.line()
    output.table(rows, ("  parameter", "type", "default", "description"))


@click.command()
@click.argument("reference", required=False)
@click.option("--limit", default=20, type=click.IntRange(1, 10_000), help="Per node.")
@click.option("--depth", default=3, type=click.IntRange(1, 16), help="Levels.")
@command
async def tree(
    workbench: Workbench, output: Output, reference: str | None, limit: int, depth: int
) -> int:
    """Show which tools are carried by which, from the primitives up."""
    if reference is not None:
        rows = [await workbench.row(reference)]
    else:
        rows = await workbench.children(None, tool_types=("primitive",))
    nodes = [await _node(workbench, row, limit, depth) for row in rows]
    if reference is None:
        nodes += [await _group(workbench, kind, limit) for kind in ("composite", "knowledge")]
        nodes += [
            await _orphans(workbench, executor, tools, limit)
            for executor, tools in await workbench.missing_executors()
        ]
    nodes = [node for node in nodes if node["children"] or "tool_id" in node]
    if output.as_json:
        output.json({"tree": nodes})
        return Exit.DONE
    for node in nodes:
        _print_node(output, node, "", "")
    return Exit.DONE


async def _node(workbench: Workbench, row: ToolRow, limit: int, depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {
        "tool_id": row.tool_id,
        "tool_type": row.tool_type,
        "version": row.version,
        "space": label(row.space),
        "tools": row.children,
        "children": [],
    }
    if row.children and depth > 1:
        rows = await workbench.children(row.tool_id, row.space, limit=limit)
        node["children"] = [await _node(workbench, child, limit, depth - 1) for child in rows]
    return node


async def _group(workbench: Workbench, kind: str, limit: int) -> dict[str, Any]:
    rows = await workbench.children(None, tool_types=(kind,), limit=limit)
    counts = await workbench.counts()
    children = [await _node(workbench, row, limit, 1) for row in rows]
    return {"group": kind, "tools": counts.get(kind, 0), "children": children}


async def _orphans(workbench: Workbench, executor: str, tools: int, limit: int) -> dict[str, Any]:
    rows = await workbench.children(executor, None, limit=limit)
    children = [await _node(workbench, row, limit, 1) for row in rows]
    return {"group": f"missing {executor}", "tools": tools, "children": children}


def _print_node(output: Output, node: dict[str, Any], lead: str, branch: str) -> None:
    name = node.get("tool_id") or f"({node['group']})"
    version = f" {node['version']}" if "version" in node else ""
    count = f"  {node['tools']:,}" if node["tools"] else ""
    kind = f"  {node['tool_type']}" if "tool_type" in node else ""
    if node.get("space") not in (None, PUBLIC):
        kind += f"  {node['space']}"
    output.line(f"{lead}{branch}{name}{version}{kind}{count}")
    below = lead + {"├─ ": "│  ", "└─ ": "   ", "": ""}[branch]
    hidden = node["tools"] - len(node["children"]) if node["children"] else 0
    for index, child in enumerate(node["children"]):
        last = index == len(node["children"]) - 1 and not hidden
        _print_node(output, child, below, "└─ " if last else "├─ ")
    if hidden > 0:
        output.line(f"{below}└─ … {hidden:,} more")
