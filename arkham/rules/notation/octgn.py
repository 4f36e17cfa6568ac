"""Reads and writes decks as OCTGN's ``.o8d`` files.

The file names cards by ids of OCTGN's own game definition, which are not part of the
card data; a table of them can be given. A card without an id gets one derived from its
code: OCTGN doesn't know it, but the file can be read again. When a file is read,
unknown ids are no problem, as every card also has its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn
from uuid import UUID, uuid5
from xml.parsers import expat

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.exchanged import Exchanged
from arkham.rules.notation.lines import LineKind, LineRead, ListRead
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import (
    MOST_BYTES,
    Fault,
    TooLarge,
    Unreadable,
    kind_of,
    read_json,
    shortened,
)
from arkham.rules.notation.text import read_entries
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType

MOST_DEPTH = 20
MOST_ELEMENTS = 20_000
_UNICODE = frozenset(("utf-8", "utf8", "us-ascii"))


class Element(NamedTuple):
    """An XML element: tag names from the root to it, attributes, text, line."""

    path: tuple[str, ...]
    attributes: dict[str, str]
    text: str
    line: int

    @property
    def kind(self) -> str:
        """Its own tag name, in lower case."""
        return self.path[-1].casefold()

    @property
    def around(self) -> tuple[str, ...]:
        """The tag names of the elements around it, in lower case."""
        return tuple(each.casefold() for each in self.path[:-1])


def read_elements(text: str) -> list[Element]:
    """The elements of an XML text, in the order in which they begin.

    Raises :class:`Unreadable` with the line and column of what can't be read.
    """
    if len(text) > MOST_BYTES:
        long = _("The text is too large.")
        raise TooLarge(Fault("", long, _("at most 1,048,576 characters")))
    return _Reader().read(text)


class _Reader:
    """Collects the elements found so far, and those still open."""

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
            message = _("The file names the encoding {found}.")
            self._fail(message, "UTF-8", encoding)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MOST_DEPTH:
            self._fail(_("This is nested too deeply."), _("a deck"))
        if len(self.found) >= MOST_ELEMENTS:
            self._fail(
                _("The file has too many elements."), _("at most 20,000 elements")
            )
        line = self.parser.CurrentLineNumber
        self.open.append((len(self.found), name, attributes, [], line))
        self.found.append(None)

    def _end(self, name: str) -> None:
        place, _name, attributes, texts, line = self.open.pop()
        path = (*(each[1] for each in self.open), name)
        self.found[place] = Element(path, attributes, "".join(texts), line)

    def _text(self, text: str) -> None:
        self.open[-1][3].append(text)

    def _refuse(self, *_details: Any) -> NoReturn:
        self._fail(
            _("A deck can’t have a document type or entities of its own."),
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


GAME = "a6d114c7-2e2a-4896-ad8c-0330605c90bf"
_OURS = UUID("6f726e65-0000-5000-8000-6172636b6861")
NO_IDS: Mapping[str, str] = MappingProxyType({})
INVESTIGATOR = "Investigator"
_SECTION, _CARD, _NOTES = "section", "card", "notes"
# Characters that XML can't represent.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SECTIONS = {CardType.EVENT: "Event", CardType.SKILL: "Skill"}
# Anything but events, skills and weaknesses is listed with the assets: a section says
# on which pile OCTGN puts a card, and this is the deck.
_ASSET, _WEAKNESS = "Asset", "Weakness"


def read_ids(text: str) -> Mapping[str, str]:
    """Read a table of OCTGN's ids by code from a JSON object. Raises Unreadable."""
    table = read_json(text)
    if not isinstance(table, dict):
        message = _("This is {found}.")
        raise Unreadable(
            Fault("", message, _("a {…} block: code → id"), kind_of(table))
        )
    faults = [
        Fault(token(code), _("This is {found}."), _("text"), kind_of(value))
        for code, value in table.items()
        if not isinstance(value, str)
    ]
    if faults:
        raise Unreadable(*faults)
    return MappingProxyType(table)


def write_octgn(
    value: Exchanged, pool: CardPool, ids: Mapping[str, str] = NO_IDS
) -> str:
    """Write the deck as an ``.o8d`` file; ``ids`` are OCTGN's, by code.

    An investigator may have two, for mini card and card, as ``"id:id"``.
    """
    deck = value.deck
    lines = [
        '<?xml version="1.0" encoding="utf-8" standalone="yes"?>',
        f'<deck game="{GAME}" sleeveid="0">',
        *_section(INVESTIGATOR, [(deck.investigator, 1)], pool, ids),
    ]
    entries = [*deck.entries.items()]
    for name in (_ASSET, *_SECTIONS.values(), _WEAKNESS):
        of_section = [each for each in entries if _place(each[0], pool) == name]
        lines += _section(name, of_section, pool, ids)
    lines += [f"  <notes>{_written(value.notes)}</notes>", "</deck>"]
    return "\n".join(lines) + "\n"


def _section(
    name: str, entries: list[tuple[str, int]], pool: CardPool, ids: Mapping[str, str]
) -> Iterator[str]:
    yield f'  <section name="{name}" shared="False">'
    for code, copies in entries:
        card = pool.get_card(code)
        title = _written(card.name if card else code)
        for each in _ids_of(code, ids):
            yield f'    <card qty="{copies}" id="{_written(each)}">{title}</card>'
    yield "  </section>"


def _place(code: str, pool: CardPool) -> str:
    card = pool.get_card(code)
    if card is None:
        return _ASSET
    if card.weakness is not None:
        return _WEAKNESS
    return _SECTIONS.get(card.type, _ASSET)


def _ids_of(code: str, ids: Mapping[str, str]) -> list[str]:
    known = ids.get(code)
    return known.split(":") if known else [_own_id(code)]


def _own_id(code: str) -> str:
    return str(uuid5(_OURS, code))


def _written(text: str) -> str:
    """The text as XML; a bare return is escaped, as readers take it for a line end."""
    return escape(_UNWRITABLE.sub("\ufffd", text)).replace("\r", "&#13;")


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def _own_ids(pool: CardPool) -> dict[str, str]:
    """The code of every printing by our own id."""
    codes = (each.code for card in pool.values() for each in card.printings)
    return {_own_id(code): code for code in (*codes, *pool)}


def read_octgn(text: str, pool: CardPool, ids: Mapping[str, str] = NO_IDS) -> ListRead:
    """Read the deck in an ``.o8d`` file, with how each of its cards was understood.

    Raises Unreadable if the text isn't XML, is another game's deck, or has a doctype.
    """
    elements = read_elements(text)
    _expect_deck(elements[0])
    codes = {
        each.casefold(): code for code, both in ids.items() for each in both.split(":")
    }
    read = read_entries(list(_entries(elements, codes | _own_ids(pool))), pool)
    notes = [each for each in elements if each.kind == _NOTES and each.text]
    if not notes:
        return read
    lines = (LineRead(each.line, "<notes>", LineKind.NOTES) for each in notes)
    deck = read.deck | {"description_md": "\n\n".join(each.text for each in notes)}
    return ListRead(deck, (*read.lines, *lines))


def _entries(
    elements: list[Element], codes: Mapping[str, str]
) -> Iterator[tuple[int, str]]:
    """Yield every card as a line of a list, with its code if its id is known.

    Files are edited by hand, too: a card is read wherever it is.
    """
    section, who = "", ""
    for element in elements:
        if element.kind == _SECTION:
            section = element.attributes.get("name", "")
        if element.kind != _CARD:
            continue
        name = " ".join(element.text.split())
        code = codes.get(element.attributes.get("id", "").strip().casefold())
        entry = f"{name} #{code}" if code else name
        if section != INVESTIGATOR or _SECTION not in element.around:
            copies = element.attributes.get("qty", "1").strip()
            yield element.line, f"{copies}x {entry}"
        elif (name or entry) != who:  # an investigator listed as mini card and as card
            who = name or entry
            yield element.line, f"Investigator: {entry}"


def _expect_deck(root: Element) -> None:
    game = root.attributes.get("game", GAME)
    if root.path == ("deck",) and game.casefold() == GAME:
        return
    found = root.path[0] if root.path != ("deck",) else game
    message = _("This is {found}, not a deck of the game.")
    expected = f'<deck game="{GAME}">'
    raise Unreadable(Fault("", message, expected, shortened(found), root.line))
