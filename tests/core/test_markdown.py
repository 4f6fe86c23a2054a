from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.markdown import directive, split


def fenced(xml: str, before: str = "", fence: str = "```") -> str:
    return f"{before}{fence}xml\n{xml}\n{fence}\n"


class TestFrontmatter:
    def test_it_is_split_from_the_body(self) -> None:
        page = split("---\ntitle: x\ntags: [a]\n---\n# Body\n---\nmore\n")
        assert page.frontmatter is not None
        assert page.frontmatter.value == {"title": "x", "tags": ["a"]}
        assert page.body == "# Body\n---\nmore\n"
        assert page.problems == []

    def test_its_places_are_those_of_the_file(self) -> None:
        page = split("---\ntitle: x\nn: 017\n---\n")
        assert page.frontmatter is not None
        assert page.frontmatter.values[("title",)].line == 2
        assert [(p.code, p.line) for p in page.frontmatter.problems] == [("ambiguous_number", 3)]

    @pytest.mark.parametrize("text", ["# Body", "", "text\n---\na: b\n---\n", "----\na: b\n---\n"])
    def test_a_page_may_have_none(self, text: str) -> None:
        page = split(text)
        assert (page.frontmatter, page.body, page.problems) == (None, text, [])

    def test_windows_line_ends_and_dots_end_it_too(self) -> None:
        for text in ("---\r\na: 1\r\n---\r\nbody", "---\na: 1\n...\nbody"):
            page = split(text)
            assert page.frontmatter is not None
            assert (page.frontmatter.value, page.body) == ({"a": 1}, "body")

    def test_one_that_does_not_end_is_a_problem(self) -> None:
        assert [p.code for p in split("---\na: 1\n").problems] == ["frontmatter"]

    @pytest.mark.parametrize("content", ["- a", "text", ""])
    def test_one_that_is_no_mapping_is_a_problem(self, content: str) -> None:
        page = split(f"---\n{content}\n---\nbody")
        assert page.frontmatter is not None
        assert [p.code for p in page.frontmatter.problems] == ["frontmatter"]


class TestDirective:
    def test_the_fenced_element_is_read_with_its_lines(self) -> None:
        text = fenced(
            '<directive name="a">\n  <x k="v">one\n two</x>\n  <y/>\n</directive>', "# T\n"
        )
        element, problems = directive(text)
        assert element is not None
        assert problems == []
        assert (element.tag, element.attributes, element.line) == ("directive", {"name": "a"}, 3)
        x = element.find("x")
        assert x is not None
        assert (x.attributes, x.line, x.column) == ({"k": "v"}, 4, 3)
        assert element.child_text("x") == "one two"
        assert element.child_text("gone") == ""
        assert [child.line for child in element.all("y")] == [6]

    def test_the_fence_with_the_directive_is_found_among_others(self) -> None:
        text = "```py\n<no>\n```\n~~~~\n~~~\n<no>\n~~~~\n" + fenced("<directive/>", fence="~~~")
        element, problems = directive(text)
        assert element is not None
        assert (element.line, problems) == (9, [])

    def test_a_longer_fence_may_hold_a_shorter_one(self) -> None:
        element, _ = directive(fenced("<directive>\n```\ncode\n```\n</directive>", fence="````"))
        assert element is not None
        assert "code" in element.text

    @pytest.mark.parametrize("text", ["", "# T\n", "<directive/>", "```xml\n<other/>\n```\n"])
    def test_markdown_without_one_has_none(self, text: str) -> None:
        assert directive(text) == (None, [])

    def test_predefined_entities_and_cdata_are_text(self) -> None:
        element, _ = directive(fenced("<directive>a &lt; b &amp;<![CDATA[ <c> ]]></directive>"))
        assert element is not None
        assert element.text == "a < b & <c> "

    @pytest.mark.parametrize(
        "xml",
        [
            "<directive>",
            "<directive></other>",
            "<directive>&unknown;</directive>",
            "<directive>a & b</directive>",
            "<directive a=b/>",
            "<directive/><more/>",
            "<directive>&#xD800;</directive>",
            "<directive>\x00</directive>",
            "<directive>" * 100 + "</directive>" * 100,
            "<directive>" * 50_000,
        ],
    )
    def test_what_is_not_well_formed_is_a_problem_with_a_place(self, xml: str) -> None:
        element, (problem,) = directive(fenced(xml, "# T\n"))
        assert element is None
        assert problem.code == "directive_xml"
        assert problem.line is not None
        assert problem.line >= 3

    def test_a_billion_laughs_are_refused_unread(self) -> None:
        entities = '<!ENTITY a0 "ha">' + "".join(
            f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
        )
        xml = f"<!DOCTYPE directive [{entities}]>\n<directive>&a9;</directive>"
        element, (problem,) = directive(fenced(xml))
        assert (element, problem.code, problem.line) == (None, "directive_entities", 2)

    def test_a_document_type_fetches_nothing(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.setblocking(False)
            place = f"http://127.0.0.1:{server.getsockname()[1]}/x.dtd"
            for kind in (f'SYSTEM "{place}"', f'[<!ENTITY x SYSTEM "{place}">]'):
                xml = f"<?xml version='1.0'?>\n<!DOCTYPE directive {kind}>\n<directive/>"
                _, (problem,) = directive(fenced(xml))
                assert problem.code == "directive_entities"
            with pytest.raises(BlockingIOError):
                server.accept()

    @given(st.text(alphabet="<>/&;directive x='\"`~\n![]?-", max_size=80))
    def test_any_content_can_be_read(self, content: str) -> None:
        element, problems = directive(fenced("<directive>" + content))
        assert (element is None) == bool(problems)
