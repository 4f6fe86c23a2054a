"""A small MCP server that keeps notes as Markdown files in one folder.

It speaks JSON-RPC 2.0 over stdin and stdout, one message a line, and needs nothing but the
standard library. Start it with `python3 server/notes_mcp.py [FOLDER]`; it ends with its input.
"""

import json
import sys
from pathlib import Path

from note_tools import TOOLS, ArgumentsError, NoteError, Notes, check

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MAX_LINE_BYTES = 4 * 1024 * 1024
PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602


class RpcError(Exception):
    """An answer that is an error of the protocol, not of a tool."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Server:
    """Answers messages; knows nothing of how they travel."""

    def __init__(self, notes):
        self.notes = notes
        self.methods = {
            "initialize": self.initialize,
            "ping": lambda params: {},
            "tools/list": self.list_tools,
            "tools/call": self.call_tool,
        }

    def answer_line(self, line):
        """The answer to one line, or None where there is nothing to say."""
        try:
            message = json.loads(line.decode("utf-8"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            return _error(None, PARSE_ERROR, f"not JSON: {error}")
        if isinstance(message, list) and message:  # a batch, as 2025-03-26 has them
            answers = [answer for one in message if (answer := self.answer(one)) is not None]
            return answers or None
        return self.answer(message)

    def answer(self, message):
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _error(None, INVALID_REQUEST, "a message is an object of JSON-RPC 2.0")
        if "method" not in message and ("result" in message or "error" in message):
            return None  # an answer, and nothing was asked
        if "id" not in message:
            return None  # a notification, such as notifications/initialized
        identity, method = message["id"], message.get("method")
        params = message.get("params", {})
        try:
            if isinstance(identity, bool) or not isinstance(identity, (str, int, float)):
                identity = None
                raise RpcError(INVALID_REQUEST, "id must be text or a number")
            if not isinstance(method, str):
                raise RpcError(INVALID_REQUEST, "method must be text")
            if method not in self.methods:
                raise RpcError(UNKNOWN_METHOD, f"unknown method: {method}")
            if not isinstance(params, dict):
                raise RpcError(INVALID_PARAMS, "params must be an object")
            result = self.methods[method](params)
        except RpcError as error:
            return _error(identity, error.code, str(error))
        return {"jsonrpc": "2.0", "id": identity, "result": result}

    def initialize(self, params):
        wanted = params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[-1],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": {"name": "notes", "version": "1.0.0"},
            "instructions": "Keeps short notes. Search before you write a new one.",
        }

    def list_tools(self, params):
        if params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "there is one page only")
        return {"tools": [tool.described() for tool in TOOLS.values()]}

    def call_tool(self, params):
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or name not in TOOLS:
            raise RpcError(INVALID_PARAMS, f"unknown tool: {name}")
        if arguments is None:
            arguments = {}
        if not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "arguments must be an object")
        try:
            check(arguments, TOOLS[name].takes)
            result = getattr(self.notes, name)(**arguments)
        except (ArgumentsError, NoteError, OSError) as error:
            # A result, so that the model that called can read it and do better.
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
        text = json.dumps(result, ensure_ascii=False, indent=1)
        content = [{"type": "text", "text": text}]
        return {"content": content, "structuredContent": result, "isError": False}


def _refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def _error(identity, code, message):
    error = {"code": code, "message": message[:300]}
    return {"jsonrpc": "2.0", "id": identity, "error": error}


def serve(server, source, target):
    """One line in, at most one line out, until the input ends."""
    while line := source.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE_BYTES)
            answer = _error(None, PARSE_ERROR, f"a line has at most {MAX_LINE_BYTES} bytes")
        else:
            answer = server.answer_line(line) if line.strip() else None
        if answer is not None:
            target.write(json.dumps(answer).encode("ascii") + b"\n")
            target.flush()


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "notes")
    target = sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print must not end up between the messages
    try:
        serve(Server(Notes(folder)), sys.stdin.buffer, target)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.stderr.close()


if __name__ == "__main__":
    main()
