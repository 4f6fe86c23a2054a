"""`execute`: run, sign, create, update or delete one tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.contract.checks import Given
from workbench.contract.items import (
    check_project,
    find,
    item_type,
    located,
    location,
    seen_from,
)
from workbench.core.tool import ToolVersion
from workbench.errors import NotFoundError, UnavailableError, WorkbenchError
from workbench.workbench import Workbench

PARAMETERS = ("item_type", "action", "item_id", "parameters", "project_path")
ACTIONS = ("run", "sign", "create", "update", "delete")


@dataclass(frozen=True, slots=True)
class Request:
    """One call of `execute`, checked as far as all actions are alike."""

    here: Workbench
    kind: str
    given: Given
    parameters: Mapping[str, Any]
    confirm: Callable[[str], None] | None

    @property
    def item_id(self) -> str:
        """The tool it is about; in any action but run, parameters may say so too."""
        return self.given.required("item_id", example="tool_name")

    def reference(self, own: Given) -> str:
        """The tool that `own`, the parameters of the action, narrows down to a location."""
        item_id = self.given.text("item_id") or own.text("tool_id") or self.item_id
        return located(own, item_id, "location", location(own))


async def execute(
    workbench: Workbench,
    arguments: Mapping[str, Any],
    confirm: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    given = Given(arguments, PARAMETERS)
    project = check_project(arguments)
    kind = item_type(given)
    action = given.required("action", choices=ACTIONS)
    parameters = given.mapping("parameters")
    here = await seen_from(workbench, project)
    return await _ACTIONS[action](Request(here, kind, given, parameters, confirm))


async def _run(request: Request) -> dict[str, Any]:
    """All that comes before a run. The run itself comes with a later version."""
    tool = await find(request.here, request.item_id, request.kind)
    chain = await request.here.chain(tool)
    if chain.fault is not None:
        raise WorkbenchError(
            chain.fault.message,
            code="chain_broken",
            tool_id=tool.tool_id,
            suggestion=chain.fault.hint,
        )
    for link in chain.links:
        assert isinstance(link, ToolVersion)  # noqa: S101 - the chain of a stored tool
        await request.here.require_unaltered(link)
    raise UnavailableError(
        f"{tool.tool_id} {tool.version} is sound, but this version of Workbench runs no tools yet",
        error="Execution failed",
        code="run_unavailable",
        tool_id=tool.tool_id,
        suggestion="load shows what it does; running comes with a later version",
    )


async def _is_in(here: Workbench, tool: ToolVersion, category: str) -> bool:
    """Whether a tool is of a category: by its manifest, or by the folders it lies in. One that
    says nothing of a category may be of any."""
    has = tool.manifest.get("category")
    path = await here.path_of(tool)
    return not has or category == has or (path is not None and category in path.parts)


async def _sign(request: Request) -> dict[str, Any]:
    own = Given(request.parameters, ("location", "category", "tool_id"), "parameters.")
    category = own.text("category")
    reference = request.reference(own)
    tool = await find(request.here, reference, request.kind)
    has = str(tool.manifest.get("category") or "")
    if category is not None and not await _is_in(request.here, tool, category):
        raise NotFoundError(
            f"there is no {tool.tool_id} in the category {category[:60]}; it is in {has or 'none'}",
            tool_id=tool.tool_id,
            suggestion=f'pass "category": "{has}", or leave it out',
        )
    signed = await request.here.sign(reference)
    return {
        "tool_id": tool.tool_id,
        "action": "sign",
        "status": "signed",
        "message": "Tool signed successfully",
        "signature": signed.line,
        "hash": signed.tool.content_hash,
    }


async def _delete(request: Request) -> dict[str, Any]:
    own = Given(request.parameters, ("force", "location", "tool_id"), "parameters.")
    force = own.flag("force")
    reference = request.reference(own)
    tool = await find(request.here, reference, request.kind)
    await request.here.deletable(reference, force=force)
    if request.confirm is not None:
        request.confirm(f"Delete {tool.tool_id} {tool.version}?")
    await request.here.delete(reference, force=force)
    return {
        "tool_id": tool.tool_id,
        "action": "delete",
        "status": "deleted",
        "message": "Tool deleted; its versions are kept and "
        f"`workbench restore {tool.tool_id}` brings it back",
    }


async def _create(request: Request) -> dict[str, Any]:
    from workbench.contract import making

    return await making.create(request.here, request.kind, _form(request))


async def _update(request: Request) -> dict[str, Any]:
    from workbench.contract import making

    return await making.update(request.here, request.kind, _form(request))


def _form(request: Request) -> Any:
    from workbench.contract import forms

    return forms.read(request.given.text("item_id"), request.parameters)


_ACTIONS: Mapping[str, Callable[[Request], Awaitable[dict[str, Any]]]] = {
    "run": _run,
    "sign": _sign,
    "create": _create,
    "update": _update,
    "delete": _delete,
}
