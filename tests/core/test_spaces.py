"""Which tools a tool can see."""

from __future__ import annotations

import pytest

from workbench.core import references, spaces

PROJECT = spaces.project_space("/a")


def test_two_projects_have_two_spaces_and_one_project_has_one() -> None:
    assert spaces.project_space("/a") == PROJECT
    assert spaces.project_space("/b") != PROJECT
    assert spaces.is_space(PROJECT)
    assert spaces.label(PROJECT) == "project"


def test_a_path_that_is_not_utf8_has_a_space_too() -> None:
    assert spaces.is_space(spaces.project_space("/caf\udce9"))


@pytest.mark.parametrize(
    ("own", "seen"),
    [
        (PROJECT, (PROJECT, "user", "public")),
        ("user", ("user", "public")),
        ("public", ("public",)),
    ],
)
def test_tools_see_outwards_and_never_inwards(own: str, seen: tuple[str, ...]) -> None:
    assert spaces.outward(own) == seen


@pytest.mark.parametrize(
    ("own", "present", "meant"),
    [
        (PROJECT, [PROJECT, "user", "public"], PROJECT),
        (PROJECT, ["user", "public"], "user"),
        ("user", [PROJECT, "public"], "public"),
        ("user", [PROJECT], None),
        ("public", ["user", PROJECT], None),
        (PROJECT, [spaces.project_space("/b")], None),
    ],
)
def test_an_id_means_the_nearest_tool_that_can_be_seen(
    own: str, present: list[str], meant: str | None
) -> None:
    assert spaces.carrier(own, present) == meant


def test_a_reference_may_name_a_space_by_its_label_or_as_it_is_stored() -> None:
    sight = spaces.outward(PROJECT)
    assert spaces.named(None, sight) == sight
    assert spaces.named("project", sight) == spaces.named(PROJECT, sight) == (PROJECT,)
    assert spaces.named("project", spaces.outward("user")) == ()
    assert references.parse(f"{PROJECT}/x@1.0.0").space == PROJECT


@pytest.mark.parametrize("text", ["project:", "project:xyz", "project:../x", "elsewhere", ""])
def test_no_other_text_is_a_space(text: str) -> None:
    assert not spaces.is_space(text)
    assert references.try_parse(f"{text}/tool") is None
