"""YAML manifests: the canonical form, and the older one whose `executor` is a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workbench.core.codes import problem_at
from workbench.core.dialects.names import SCRIPT_WORDS, Names
from workbench.core.problems import BYTE_ORDER_MARK, Path, Problem
from workbench.core.reading import Reading
from workbench.core.source import read_yaml
from workbench.core.tool import ToolFile


def from_yaml(text: str, files: Sequence[ToolFile], names: Names) -> Reading:
    document = read_yaml(text.removeprefix(BYTE_ORDER_MARK))
    reading = Reading({}, document, text=text, files=tuple(files))
    if not isinstance(document.value, dict):
        if not document.problems:
            message = "a manifest is a mapping of keys to values"
            if document.value is None:
                message = "there is nothing in this file"
            reading.problems.append(
                problem_at("not_a_mapping", message, line=1, column=1, hint="begin with tool_id:")
            )
        return reading
    canonical(reading, document.value, names)
    entrypoint = reading.config.get("entrypoint")
    reading.files = tuple(
        ToolFile(file.path, file.data, is_entrypoint=file.path == entrypoint) for file in files
    )
    return reading


def canonical(reading: Reading, value: dict[str, Any], names: Names) -> None:
    """Fills the reading's manifest from `value`, whatever form it is in."""
    converter = _Converter(reading, dict(value), names)
    converter.convert()
    reading.manifest = {key: item for key, item in converter.manifest.items() if item is not None}


class _Converter:
    """Rewrites one manifest; remembers where what it moves was written."""

    def __init__(self, reading: Reading, manifest: dict[str, Any], names: Names) -> None:
        self.reading = reading
        self.manifest = manifest
        self.names = names

    def convert(self) -> None:
        self._executor_id()
        if isinstance(self.manifest.get("executor"), dict):
            self._executor_mapping(self.manifest.pop("executor"))
        else:
            self._type_alias()
        if self.manifest.get("tool_type") == "primitive" and "capabilities" in self.manifest:
            self._move(("capabilities",), ("config", "capabilities"))

    def _executor_id(self) -> None:
        if "executor_id" not in self.manifest:
            return
        if "executor" in self.manifest:
            message = "executor and executor_id say the same; keep executor"
            self._problem("duplicate_key", ("executor_id",), message)
            del self.manifest["executor_id"]
        else:
            self._move(("executor_id",), ("executor",))

    def _type_alias(self) -> None:
        word = self.manifest.get("tool_type")
        if word in SCRIPT_WORDS:
            self.manifest["tool_type"] = "script"
            if self.manifest.get("executor") is None and word in self.names:
                self.manifest["executor"] = self.names[word]
                self.reading.origin[("executor",)] = ("tool_type",)
        elif word == "mcp":
            config = self.manifest.get("config")
            connects = isinstance(config, dict) and "transport" in config
            self.manifest["tool_type"] = "mcp_server" if connects else "mcp_tool"

    def _executor_mapping(self, executor: dict[str, Any]) -> None:
        kind = executor.pop("type", self.manifest.get("tool_type")) if executor else None
        convert = {
            "python": self._script,
            "bash": self._script,
            "node": self._script,
            "api": self._api,
            "docker": self._docker,
            "mcp": self._mcp,
        }.get(kind if isinstance(kind, str) else "")
        if convert is None:
            message = f"an executor of the type {kind!r} is not known"
            hint = "python, bash, node, api, docker or mcp; or name a tool as the executor"
            self._problem("dialect_unsupported", ("executor", "type"), message, hint)
            return
        self.reading.origin[("executor",)] = ("executor", "type")
        if "mutates_state" in executor:
            self._lift(executor, "mutates_state", ("mutates_state",))
        convert(executor, str(kind))

    def _script(self, executor: dict[str, Any], kind: str) -> None:
        self.manifest["tool_type"] = "script"
        self.manifest["executor"] = self.names.get(kind, kind)
        executor.pop("legacy", None)
        self._lift(executor, "dependencies", ("config", "requires"))
        self._lift(executor, "lib_imports", ("lib_imports",))
        self._lift(executor, "requires", ("requires",))
        self._rest(executor)

    def _api(self, executor: dict[str, Any], kind: str) -> None:
        self.manifest["tool_type"] = "api"
        self.manifest["executor"] = self.names.get(kind, kind)
        self._lift(executor, "endpoint", ("config", "url"))
        self._lift(executor, "body", ("config", "body_template"))
        auth = executor.get("auth")
        if isinstance(auth, dict) and "env_var" in auth:
            secret = {"basic": "password_env", "api_key": "key_env"}.get(
                str(auth.get("type")), "token_env"
            )
            executor["auth"] = {
                (secret if key == "env_var" else key): value for key, value in auth.items()
            }
            self.reading.origin[("config", "auth", secret)] = ("executor", "auth", "env_var")
        self._rest(executor)

    def _docker(self, executor: dict[str, Any], kind: str) -> None:
        """`docker run` through the runtime that wraps programs of the host."""
        self.manifest["tool_type"] = "script"
        self.manifest["executor"] = self.names.get(kind, kind)
        arguments = ["run", "--rm", "-i"]
        for volume in self._volumes(executor.pop("volumes", None)):
            arguments += ["-v", volume]
        if network := executor.pop("network", None):
            arguments += ["--network", str(network)]
        image = executor.pop("image", None)
        if "build_context" in executor:
            message = "an image is not built here; name one that exists"
            code = "field_unused" if image else "dialect_unsupported"
            self._problem(code, ("executor", "build_context"), message)
            del executor["build_context"]
        if not isinstance(image, str):
            message = "a docker executor needs an image"
            self._problem("missing_field", ("executor", "image"), message)
            image = ""
        command = executor.pop("command", None) or executor.pop("args", None) or []
        words = command if isinstance(command, list) else [command]
        self._config()["command"] = "docker"
        self._config()["args"] = [*arguments, image, *(str(word) for word in words)]
        self._rest(executor)

    def _volumes(self, volumes: Any) -> Iterator[str]:
        for volume in volumes if isinstance(volumes, list) else [volumes]:
            if isinstance(volume, dict):
                yield f"{volume.get('source', '')}:{volume.get('target', '')}"
            elif isinstance(volume, str):
                yield volume
            elif volume is not None:
                message = "volumes is a list of mappings with source and target"
                self._problem("wrong_type", ("executor", "volumes"), message)

    def _mcp(self, executor: dict[str, Any], kind: str) -> None:
        if "transport" in executor or "command" in executor or "url" in executor:
            self.manifest["tool_type"] = "mcp_server"
            transport = executor.setdefault(
                "transport", "stdio" if "command" in executor else "sse"
            )
            self.manifest["executor"] = "subprocess" if transport == "stdio" else "http_client"
        else:
            self.manifest["tool_type"] = "mcp_tool"
            self._lift(executor, "server", ("executor",))
            self._lift(executor, "tool", ("config", "mcp_tool_name"))
        self._rest(executor)

    def _config(self) -> dict[str, Any]:
        config = self.manifest.get("config")
        if not isinstance(config, dict):
            config = self.manifest["config"] = {}
        return config

    def _rest(self, executor: dict[str, Any]) -> None:
        """What keeps its name: `entrypoint`, `shell`, `timeout` … belong to config."""
        for key, value in executor.items():
            self._config()[key] = value
            self.reading.origin[("config", key)] = ("executor", key)

    def _lift(self, executor: dict[str, Any], key: str, to: Path) -> None:
        if key in executor:
            value = executor.pop(key)
            target = self._config() if len(to) > 1 else self.manifest
            target[str(to[-1])] = value
            self.reading.origin[to] = ("executor", key)

    def _move(self, key: Path, to: Path) -> None:
        value = self.manifest.pop(str(key[0]))
        target = self._config() if len(to) > 1 else self.manifest
        target[str(to[-1])] = value
        self.reading.origin[to] = key

    def _problem(self, code: str, path: Path, message: str, hint: str = "") -> None:
        mark = self.reading.document.key(path)
        problem: Problem = problem_at(
            code,
            message,
            path=path,
            line=mark.line if mark else None,
            column=mark.column if mark else None,
            hint=hint,
        )
        self.reading.problems.append(problem)
