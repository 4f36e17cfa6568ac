"""Which elements does an XML text hold? Nothing in it can make a reader do more.

A document type and entities are refused, wherever they stand, before anything of them
is expanded or fetched. The text is Unicode already, so that no declaration of another
encoding can make it mean something else.
"""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn
from xml.parsers import expat

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import (
    MOST_BYTES,
    Fault,
    TooLarge,
    Unreadable,
    shortened,
)

MOST_DEPTH = 20
MOST_ELEMENTS = 20_000
_UNICODE = frozenset(("utf-8", "utf8", "us-ascii"))


class Element(NamedTuple):
    """An element: the names that lead to it from the root, attributes, text, line."""

    path: tuple[str, ...]
    attributes: dict[str, str]
    text: str
    line: int


def read_elements(text: str) -> list[Element]:
    """The elements of an XML text in the order of their beginnings.

    Raises :class:`Unreadable` with the line and column of what cannot be read.
    """
    if len(text) > MOST_BYTES:
        long = _("The text is too large.")
        raise TooLarge(Fault("", long, _("at most 1,048,576 characters")))
    return _Reader().read(text)


class _Reader:
    """The elements found so far, and the ones still open."""

    def __init__(self) -> None:
        self.found: list[Element | None] = []
        self.open: list[tuple[int, str, dict[str, str], list[str], int]] = []
        self.parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declared
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        parser.UnparsedEntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = self._refuse
        parser.SkippedEntityHandler = self._refuse

    def read(self, text: str) -> list[Element]:
        try:
            self.parser.Parse(text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            message = _("This is not XML: {found}.")
            found = expat.ErrorString(error.code) or ""
            raise Unreadable(
                Fault("", message, "XML", found, error.lineno, error.offset + 1)
            ) from None
        return [each for each in self.found if each is not None]

    def _declared(self, _version: str, encoding: str | None, _alone: int) -> None:
        if encoding is not None and encoding.lower() not in _UNICODE:
            message = _("The text says that its encoding is {found}.")
            self._fail(message, "UTF-8", encoding)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MOST_DEPTH:
            self._fail(_("This is nested too deeply."), _("a deck"))
        if len(self.found) >= MOST_ELEMENTS:
            self._fail(_("These are too many elements."), _("at most 20,000 elements"))
        line = self.parser.CurrentLineNumber
        self.open.append((len(self.found), name, attributes, [], line))
        self.found.append(None)

    def _end(self, name: str) -> None:
        place, _name, attributes, texts, line = self.open.pop()
        path = (*(each[1] for each in self.open), name)
        self.found[place] = Element(path, attributes, "".join(texts), line)

    def _text(self, text: str) -> None:
        self.open[-1][3].append(text)

    def _refuse(self, *_told: Any) -> NoReturn:
        self._fail(
            _("A document type or an entity of its own is no part of a deck."),
            _("elements and text alone"),
        )

    def _fail(self, message: str, expected: str, found: str = "") -> NoReturn:
        parser = self.parser
        raise Unreadable(
            Fault(
                "",
                message,
                expected,
                shortened(found),
                parser.CurrentLineNumber,
                parser.CurrentColumnNumber + 1,
            )
        )
