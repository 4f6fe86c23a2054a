"""Workbench: everything an AI agent can use, in one local registry."""

__version__ = "0.1.0"
