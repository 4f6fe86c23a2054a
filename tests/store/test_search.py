"""Finding tools by words and by parts of ids."""

from __future__ import annotations

import pytest

from workbench.store import search as search_module
from workbench.store.tools import ToolStore
from workbench.store.words import telling, words

from .conftest import SPACES, MakeDraft


async def _ids(store: ToolStore, query: str, **options: list[str]) -> list[str]:
    return [hit.row.tool_id for hit in (await store.search(query, SPACES, **options)).hits]  # type: ignore[arg-type]


@pytest.fixture
async def filled(store: ToolStore, draft: MakeDraft) -> ToolStore:
    await store.save(
        [
            draft("send_email", description="Sends a message", tags=["smtp"]),
            draft("send_email_later", description="Schedules a message"),
            draft("gmail.search", description="Looks through mail", tool_type="api"),
            draft("resize", name="imageResizer", description="Changes the size of pictures"),
            draft(
                "weather",
                description="Forecast",
                parameters=[
                    {"name": "cityName", "type": "string", "description": "where to look"},
                    {"name": "options", "properties": {"altitude": {"description": "metres"}}},
                ],
            ),
            draft("hidden", visibility="unlisted", description="secret forecast"),
        ]
    )
    return store


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("send_email", "send_email"),
        ("Send Email", "send_email"),
        ("send_email_l", "send_email_later"),
        ("mail.sea", "gmail.search"),
        ("messages scheduled", "send_email_later"),
        ("resizer", "resize"),
        ("pict", "resize"),
        ("smtp", "send_email"),
        ("city", "weather"),
        ("altitude", "weather"),
        ("what is the forecast", "weather"),
        ("getForecast", "weather"),
        ("hidden", "hidden"),
    ],
)
async def test_the_tool_meant_comes_first(filled: ToolStore, query: str, first: str) -> None:
    assert (await _ids(filled, query))[0] == first


async def test_an_id_that_is_starts_with_or_contains_the_query_beats_words(
    filled: ToolStore, draft: MakeDraft
) -> None:
    await filled.save([draft("email", description="x")])
    assert await _ids(filled, "email") == ["email", "send_email", "send_email_later"]
    page = await filled.search("email", SPACES)
    assert [hit.score for hit in page.hits] == sorted((h.score for h in page.hits), reverse=True)


async def test_unlisted_tools_are_found_by_their_exact_id_only(filled: ToolStore) -> None:
    assert "hidden" not in await _ids(filled, "hidde")
    assert "hidden" not in await _ids(filled, "secret")


async def test_totals_are_exact_and_by_type(filled: ToolStore, draft: MakeDraft) -> None:
    page = await filled.search("mail message", SPACES, limit=1)
    assert len(page.hits) == 1
    assert (page.total, page.by_type, page.capped) == (3, {"script": 2, "api": 1}, False)
    assert await _ids(filled, "mail", tool_types=["api"]) == ["gmail.search"]
    await filled.save([draft(f"w{n}", description="common") for n in range(1_100)])
    page = await filled.search("common", SPACES)
    assert (page.total, page.capped, sum(page.by_type.values())) == (1_000, True, 1_000)


async def test_a_new_version_is_found_by_its_words_and_the_old_ones_are_forgotten(
    filled: ToolStore, draft: MakeDraft
) -> None:
    await filled.save([draft("weather", "2.0.0", description="barometer")])
    assert await _ids(filled, "barometer") == ["weather"]
    assert await _ids(filled, "altitude") == []


async def test_what_is_known_is_found_in_its_text(store: ToolStore, draft: MakeDraft) -> None:
    from workbench.core.tool import ToolFile

    content = (ToolFile("content.md", b"about photosynthesis"),)
    fields = {"tool_type": "knowledge", "executor": None}
    await store.save([draft("plants", files=content, **fields)])
    assert await _ids(store, "photosynthesis") == ["plants"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        '""',
        "'",
        "NEAR(",
        "NEAR(a b, 2)",
        "*",
        "a*",
        "a OR",
        "AND NOT",
        "name : x",
        "-name : x",
        "{name} : x",
        "^send",
        "a + b",
        "\0",
        "send\0email",
        "x" * 10_000,
        "word " * 2_000,
        "🙂",
        "日本語",
        "e\u0301mail",
        "\ue000script",
        "%_",
        "send_email'; DROP TABLE tools; --",
        "../..",
        "\u202etxt",
    ],
)
async def test_no_query_is_an_error_or_syntax(filled: ToolStore, query: str) -> None:
    page = await filled.search(query, SPACES)
    assert page.total >= len(page.hits)
    assert await filled.count() == 6


async def test_words_too_common_are_dropped_in_large_registries(
    store: ToolStore, draft: MakeDraft
) -> None:
    many = [draft(f"bulk{n}", description="common filler", tool_type="api") for n in range(5_001)]
    await store.save([*many, draft("needle", description="common rarity", category="x")])
    assert await _ids(store, "common rarity") == ["needle"]
    page = await store.search("common", SPACES)
    assert (len(page.hits), page.capped) == (50, True)
    assert await _ids(store, "common", tool_types=["script"]) == ["needle"]
    assert await _ids(store, "filler", tool_types=["script"]) == []
    assert len(await _ids(store, "bulk", tool_types=["api"])) == 50
    assert page.total == search_module.COUNT_CAP


def test_identifiers_are_split_into_words() -> None:
    assert words("getUserName") == ["getusername", "get", "user", "name"]
    assert words("HTTPServer-v2.list_all") == ["httpserver", "http", "server", "v2", "list", "all"]
    assert telling(["how", "to", "send"]) == ["send"]
    assert telling(["how", "to"]) == ["how", "to"]
