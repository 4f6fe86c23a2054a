"""Markdown with something for machines in it: frontmatter, or a fenced `<directive>`."""

from __future__ import annotations

import re
import xml.sax.handler
import xml.sax.xmlreader
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import StringIO

import defusedxml.sax
from defusedxml.common import DefusedXmlException

from workbench.core.codes import problem_at
from workbench.core.document import Document
from workbench.core.problems import Problem
from workbench.core.source import read_yaml

_FENCE = re.compile(r"^(?P<fence>`{3,}+|~{3,}+)[^\n]*+(?:\n|\Z)", re.MULTILINE)


@dataclass
class Markdown:
    """A markdown text, its frontmatter if it has one, and the body after it."""

    frontmatter: Document | None
    body: str
    problems: list[Problem] = field(default_factory=list)


def split(text: str) -> Markdown:
    """Frontmatter and body. The frontmatter's marks are those of the whole text."""
    match = re.match(r"---[ \t]*\r?\n", text)
    if match is None:
        return Markdown(None, text)
    end = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE).search(text, match.end())
    if end is None:
        message = "the frontmatter that begins here has no closing ---"
        return Markdown(None, text, [problem_at("frontmatter", message, line=1, column=1)])
    document = read_yaml(text[match.end() : end.start()]).shifted(1)
    if not document.problems and not isinstance(document.value, dict):
        message = "the frontmatter must be a mapping of keys to values"
        document.problems.append(problem_at("frontmatter", message, line=2, column=1))
    return Markdown(document, text[end.end() :])


@dataclass
class Element:
    """An XML element with the line it begins on."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def find(self, tag: str) -> Element | None:
        return next((child for child in self.children if child.tag == tag), None)

    def all(self, tag: str) -> Iterator[Element]:
        return (child for child in self.children if child.tag == tag)

    def child_text(self, tag: str) -> str:
        child = self.find(tag)
        return " ".join(child.text.split()) if child is not None else ""


def directive(text: str) -> tuple[Element | None, list[Problem]]:
    """The fenced `<directive>` of a markdown text, if there is one."""
    fence = _directive_fence(text)
    if fence is None:
        return None, []
    start, end = fence
    first = text.count("\n", 0, start)
    handler = _Handler(first)
    parser = defusedxml.sax.make_parser()
    parser.forbid_dtd = True
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    parser.setContentHandler(handler)
    try:
        parser.parse(StringIO(text[start:end]))
    except DefusedXmlException:
        message = "the directive's XML declares a document type or entities, which is refused"
        return None, [problem_at("directive_entities", message, line=first + 1, column=1)]
    except xml.sax.SAXParseException as error:
        line, column = error.getLineNumber(), error.getColumnNumber()
        return None, [
            problem_at(
                "directive_xml",
                f"the directive's XML is not well-formed: {error.getMessage()}",
                line=first + (line or 1),
                column=(column or 0) + 1,
                hint="write &lt; for < and &amp; for & in text",
            )
        ]
    except _TooDeepError:
        message = "the directive's XML is nested too deeply"
        return None, [problem_at("directive_xml", message, line=first + 1, column=1)]
    return handler.root, []


def _directive_fence(text: str) -> tuple[int, int] | None:
    """Where the content of the fence with a `<directive>` begins and ends."""
    position = 0
    while match := _FENCE.search(text, position):
        close = re.compile(
            rf"^{match['fence'][0]}{{{len(match['fence'])},}}[ \t]*$", re.MULTILINE
        ).search(text, match.end())
        end = close.start() if close else len(text)
        if text[match.end() : end].lstrip().startswith(("<directive", "<?xml", "<!DOCTYPE")):
            return match.end(), end
        position = close.end() if close else len(text)
    return None


class _TooDeepError(Exception):
    """Elements nested beyond any directive's need."""


class _Handler(xml.sax.handler.ContentHandler):
    """Builds `Element`s; lines count from the start of the markdown."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.locator: xml.sax.xmlreader.Locator | None = None

    def setDocumentLocator(self, locator: xml.sax.xmlreader.Locator) -> None:  # noqa: N802
        self.locator = locator

    def startElement(self, name: str, attrs: xml.sax.xmlreader.AttributesImpl) -> None:  # noqa: N802
        if len(self.stack) > 64:
            raise _TooDeepError
        line = self.locator.getLineNumber() if self.locator else 1
        column = self.locator.getColumnNumber() if self.locator else 0
        element = Element(name, dict(attrs.items()), self.first + (line or 1), (column or 0) + 1)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def endElement(self, name: str) -> None:  # noqa: N802
        self.stack.pop()

    def characters(self, content: str) -> None:
        if self.stack:
            self.stack[-1].text += content
