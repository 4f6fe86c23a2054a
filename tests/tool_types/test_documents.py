"""Every manifest that the design documents print is a tool here, and ends where they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tool_types.conftest import Registry
from workbench import paths
from workbench.core.problems import has_errors
from workbench.core.reading import Reading
from workbench.dialect_names import load_names
from workbench.sources.reader import read_tools

DOCUMENTS = Path(__file__).parent / "documents"

CHAINS: dict[str, str] = {
    # Document 000
    "subprocess.yaml": "subprocess",
    "http_client.yaml": "http_client",
    "python_runtime.yaml": "python_runtime → subprocess",
    "bash_runtime.yaml": "bash_runtime → subprocess",
    "node_runtime.yaml": "node_runtime → subprocess",
    "deno_runtime.yaml": "deno_runtime → subprocess",
    "rust_runtime.yaml": "rust_runtime → subprocess",
    "llm_runtime.yaml": "llm_runtime → http_client",
    "supabase_mcp.yaml": "supabase_mcp → subprocess",
    "github_mcp.yaml": "github_mcp → subprocess",
    "filesystem_mcp.yaml": "filesystem_mcp → subprocess",
    "remote_llm_mcp.yaml": "remote_llm_mcp → http_client",
    "hosted_tools_mcp.yaml": "hosted_tools_mcp → http_client",
    "notion_mcp.yaml": "notion_mcp → subprocess",
    "supabase_execute_sql.yaml": "supabase_execute_sql → supabase_mcp → subprocess",
    "github_create_pr.yaml": "github_create_pr → github_mcp → subprocess",
    "email_enricher": "email_enricher → python_runtime → subprocess",
    "analyze_sentiment": "analyze_sentiment → python_runtime → subprocess",
    "weather_forecast.yaml": "weather_forecast → http_client",
    "slack_webhook.yaml": "slack_webhook → http_client",
    "translate_text.yaml": "translate_text → http_client",
    "research_topic": "research_topic → llm_runtime → http_client",
    "research_thread.yaml": "research_thread → llm_runtime → http_client",
    "research_thread_with_limits.yaml": "research_thread → llm_runtime → http_client",
    "api_design_patterns": "api_design_patterns",
    # Document 001
    "google_maps_scraper": "google_maps_scraper → python_runtime → subprocess",
    "google_maps_scraper_bash": "google_maps_scraper → bash_runtime → subprocess",
    "google_maps_scraper_api.yaml": "google_maps_scraper → http_client",
    "google_maps_scraper_docker.yaml": ("google_maps_scraper → command_runtime → subprocess"),
    "my_bash_tool": "my_bash_tool → bash_runtime → subprocess",
    "git_checkpoint.md": "git_checkpoint → llm_runtime → http_client",
    "git_checkpoint_auto.md": "git_checkpoint_auto → llm_runtime → http_client",
    # Document 002
    "my_tool.py": "my_tool → python_runtime → subprocess",
    "my_tool_with_kwargs.py": "my_tool_with_kwargs → python_runtime → subprocess",
    # Document 004
    "my_script.py": "my_script → python_runtime → subprocess",
    "github_mcp_with_timeout.yaml": "github_mcp → subprocess",
}

WARNINGS = {
    # The image is used as it is; nothing is built here.
    "google_maps_scraper_docker.yaml": ["field_unused"],
}
PRIMITIVES = ("subprocess", "http_client")


def read(name: str) -> Reading:
    (reading,) = read_tools(DOCUMENTS / name, load_names(paths.seeds()))
    return reading


@pytest.fixture(scope="module")
def batch() -> list[Reading]:
    """All of them, so that they can refer to each other."""
    return [read(name) for name in CHAINS]


def test_every_file_is_listed() -> None:
    assert {path.name for path in DOCUMENTS.iterdir()} == set(CHAINS)


@pytest.mark.parametrize("name", CHAINS)
def test_a_manifest_of_the_documents_has_no_errors_and_the_listed_warnings_only(
    registry: Registry, batch: list[Reading], name: str
) -> None:
    problems = registry.check(read(name), batch)
    assert not has_errors(problems), [problem.message for problem in problems]
    assert [problem.code for problem in problems] == WARNINGS.get(name, [])


@pytest.mark.parametrize("name", CHAINS)
def test_its_chain_ends_where_the_documents_say(
    registry: Registry, batch: list[Reading], name: str
) -> None:
    reading = read(name)
    registry.check(reading, batch)
    assert reading.chain is not None
    assert reading.chain.fault is None
    assert " → ".join(reading.chain.ids) == CHAINS[name]
    last = CHAINS[name].split(" → ")[-1]
    assert reading.chain.primitive == (last if last in PRIMITIVES else None)


def test_the_scraper_keeps_what_its_executor_said() -> None:
    reading = read("google_maps_scraper")
    assert reading.manifest["tool_type"] == "script"
    assert reading.manifest["executor"] == "python_runtime"
    assert reading.manifest["lib_imports"] == ["http_session", "proxy_pool"]
    assert reading.manifest["mutates_state"] is False
    assert reading.manifest["created_at"] == "2026-01-15"
    assert reading.config == {
        "requires": ["requests>=2.31.0", "beautifulsoup4>=4.12.0"],
        "entrypoint": "main.py",
        "venv": True,
    }


def test_the_variants_of_the_scraper_become_what_they_mean() -> None:
    bash = read("google_maps_scraper_bash")
    assert bash.manifest["requires"] == {"commands": ["jq", "curl"], "environment": ["API_KEY"]}
    assert bash.config == {"entrypoint": "script.sh", "shell": "/bin/bash"}
    api = read("google_maps_scraper_api.yaml")
    assert api.config == {
        "method": "POST",
        "url": "https://api.example.com/process",
        "auth": {"type": "bearer", "token_env": "API_TOKEN"},
        "timeout": 30,
    }
    docker = read("google_maps_scraper_docker.yaml")
    assert docker.config["command"] == "docker"
    assert docker.config["args"] == [
        *("run", "--rm", "-i", "-v", "./data:/app/data", "--network", "host"),
        "python:3.11-slim",
    ]


def test_the_checkpoint_says_what_its_xml_says() -> None:
    manifest = read("git_checkpoint.md").manifest
    assert manifest["tool_id"] == "git_checkpoint"
    assert manifest["version"] == "1.0.0"
    assert manifest["author"] == "kiwi-mcp"
    assert manifest["config"] == {
        "model_tier": "fast",
        "permissions": [
            {"action": "execute", "resource": "shell", "commands": "git"},
            {"action": "write", "resource": "filesystem", "path": ".git/**"},
        ],
    }
    assert [parameter["name"] for parameter in manifest["parameters"]] == [
        "operation",
        "caller_directive",
    ]
    assert manifest["parameters"][0]["required"] is True
    assert "required" not in manifest["parameters"][1]
    assert read("git_checkpoint_auto.md").manifest["git_checkpoint"] == "auto"


def test_the_parameters_of_a_python_file_are_those_of_main() -> None:
    assert read("my_tool.py").manifest["parameters"] == [
        {"name": "input_text", "type": "string", "required": True},
        {"name": "count", "type": "integer", "default": 1},
    ]
    assert read("my_tool_with_kwargs.py").manifest["parameters"] == []
