"""MCP tools: one tool of one server."""

from __future__ import annotations

from pydantic import Field

from workbench.core.shape import Shape
from workbench.tool_types.base import ToolType


class Config(Shape):
    mcp_tool_name: str = Field(min_length=1, description="the tool's name on its server")


TYPE = ToolType(
    name="mcp_tool",
    summary="A tool that an MCP server offers",
    config=Config,
    executors=("mcp_server",),
)
