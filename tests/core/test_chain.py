from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workbench.core.chain import MAX_LINKS, Chain, merge, resolve


@dataclass(frozen=True)
class Tool:
    manifest: dict[str, Any]
    space: str = "public"


def tool(tool_id: str, executor: Any = None, tool_type: str = "runtime", **config: Any) -> Tool:
    return Tool(
        {"tool_id": tool_id, "tool_type": tool_type, "executor": executor, "config": config}
    )


class Shelf:
    """Finds tools by id and counts how often it was asked."""

    def __init__(self, *tools: Tool) -> None:
        self.tools = {str(one.manifest["tool_id"]): one for one in tools}
        self.asked: list[str] = []

    async def find(self, reference: str, space: str) -> Tool | None:
        self.asked.append(reference)
        return self.tools.get(reference)

    async def resolve(self, leaf: Tool) -> Chain:
        return await resolve(leaf, self.find)


async def test_a_chain_ends_at_its_primitive() -> None:
    shelf = Shelf(tool("python", "subprocess"), tool("subprocess", tool_type="primitive"))
    chain = await shelf.resolve(tool("leaf", "python", "script"))
    assert chain.ids == ("leaf", "python", "subprocess")
    assert chain.primitive == "subprocess"
    assert chain.executor is shelf.tools["python"]
    assert chain.fault is None


async def test_a_tool_that_nothing_carries_is_a_chain_of_its_own() -> None:
    chain = await Shelf().resolve(tool("note", tool_type="knowledge"))
    assert (chain.ids, chain.primitive, chain.executor) == (("note",), None, None)


async def test_a_circle_is_named_and_ends() -> None:
    shelf = Shelf(tool("a", "b"), tool("b", "c"), tool("c", "a"))
    chain = await shelf.resolve(tool("leaf", "a"))
    assert chain.fault is not None
    assert chain.fault.code == "circular_chain"
    assert "a → b → c → a" in chain.fault.message
    assert len(shelf.asked) == 4


async def test_a_tool_that_carries_itself_is_a_circle() -> None:
    leaf = tool("a", "a")
    chain = await Shelf(leaf).resolve(leaf)
    assert chain.fault is not None
    assert "a → a" in chain.fault.message


async def test_an_id_of_another_space_is_another_tool() -> None:
    shelf = Shelf(Tool(tool("a", "p").manifest, "user"), tool("p", tool_type="primitive"))
    chain = await shelf.resolve(tool("a", "a"))
    assert chain.fault is None
    assert chain.ids == ("a", "a", "p")


async def test_a_missing_link_is_named_with_its_user() -> None:
    chain = await Shelf(tool("a", "gone")).resolve(tool("leaf", "a"))
    assert chain.fault is not None
    assert (chain.fault.code, chain.fault.at) == ("executor_not_found", 1)
    assert "a names the executor 'gone'" in chain.fault.message
    assert chain.primitive is None


async def test_an_executor_that_is_no_text_is_missing_and_not_looked_up() -> None:
    shelf = Shelf()
    for executor in (5, ["a"], {"type": "python"}):
        chain = await shelf.resolve(tool("leaf", executor))
        assert chain.fault is not None
        assert chain.fault.code == "executor_not_found"
    assert shelf.asked == []


async def test_ten_thousand_links_are_refused_after_a_few() -> None:
    shelf = Shelf(*(tool(f"t{n}", f"t{n + 1}") for n in range(10_000)))
    chain = await shelf.resolve(tool("leaf", "t0"))
    assert chain.fault is not None
    assert chain.fault.code == "chain_too_long"
    assert len(shelf.asked) <= 17
    assert len(chain.links) <= MAX_LINKS + 1


async def test_the_longest_chain_that_is_allowed_is_allowed() -> None:
    links = [tool(f"t{n}", f"t{n + 1}") for n in range(MAX_LINKS - 1)]
    shelf = Shelf(*links, tool(f"t{MAX_LINKS - 1}", tool_type="primitive"))
    chain = await shelf.resolve(tool("leaf", "t0"))
    assert chain.fault is None
    assert len(chain.links) == MAX_LINKS + 1


async def test_the_leaf_wins_mappings_merge_deeply_and_lists_are_replaced() -> None:
    shelf = Shelf(
        tool("r", "p", command="python3", args=["-u"], env={"A": "1", "B": "1"}, timeout=5),
        tool("p", tool_type="primitive", timeout=1, capabilities=["spawn"]),
    )
    leaf = tool("leaf", "r", "script", args=["x", "y"], env={"B": "2"}, command=None)
    assert (await shelf.resolve(leaf)).config() == {
        "command": None,
        "args": ["x", "y"],
        "env": {"A": "1", "B": "2"},
        "timeout": 5,
        "capabilities": ["spawn"],
    }
    assert shelf.tools["r"].manifest["config"]["env"] == {"A": "1", "B": "1"}


_mappings = st.recursive(
    st.integers() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
).filter(lambda value: isinstance(value, dict))


@given(_mappings, _mappings)
def test_what_lies_on_top_wins_and_nothing_else_is_lost(
    base: dict[str, Any], over: dict[str, Any]
) -> None:
    assert merge({}, base) == merge(base, {}) == merge(base, base) == base
    merged = merge(base, over)
    assert merged.keys() == base.keys() | over.keys()
    for key, value in merged.items():
        if key not in over:
            assert value == base[key]
        elif isinstance(over[key], dict) and isinstance(base.get(key), dict):
            assert value == merge(base[key], over[key])
        else:
            assert value == over[key]
