"""How each line of a list was understood, and the lines beside the cards that count.

They say sides, choices, sheets, cards that lie apart. Each of them may be missing;
cards follow under the headings::

    Front: Name #code          Back: Name #code          Became: Name #code
    Chosen class: mystic       Chosen first class: …     Chosen second class: …
    Chosen trait: blessed      Chosen size: 40           Products: core, dwl
    Not counted                Second deck               Attached to Name #code
    Sheet of Name #code
    Line 2: 3 boxes: Relic, Spell
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_object import write_meta
from arkham.rules.notation.names import fold
from arkham.rules.vocabulary import CardType

LONGEST_HEADING = 40
DECK, SIDE, BONDED = "deck", "side", "bonded"  # sections
CONSIDERED, NOTES = "Considered", "Notes"  # as lists of ours head them

# Folded; "Assets (12)" and "assets:" are the same.
_SIDE = frozenset(map(fold, ("side deck", "sideboard", "side", "considered")))
_BONDED = frozenset(map(fold, ("bonded", "bonded cards")))
_DECK = frozenset(
    fold(each)
    for each in (
        *(f"{kind.value}s" for kind in CardType),
        *(kind.value for kind in CardType),
        *("treacheries", "enemies", "weakness", "weaknesses", "basic weakness"),
        *("basic weaknesses", "permanent", "permanents", "other", "others", "story"),
        *("accessory", "ally", "arcane", "body", "hand", "tarot", "head", "allies"),
        *("hand x2", "arcane x2", "2x hand", "2x arcane", "no slot", "slots"),
        *("deck", "main deck", "cards", "decklist", "deck list", "player cards"),
    )
)
_COUNT = re.compile(
    r"(?<!\s)\s*+(?:\(\d++\)|\[\d++\]|:\s*+\d*+|(?<![-–—=])[-–—=]++)\s*+$"
)


def section_of(text: str) -> str | None:
    """The section a heading opens: the deck, a side deck, bonded cards; else None."""
    if len(text) > LONGEST_HEADING:
        return None
    heading = fold(_COUNT.sub("", text))
    if heading in _SIDE:
        return SIDE
    if heading in _BONDED:
        return BONDED
    return DECK if heading in _DECK else None


class LineKind(StrEnum):
    """What a line was taken for."""

    NAME = "name"
    INVESTIGATOR = "investigator"
    CARD = "card"
    SIDE_CARD = "side card"
    APART = "apart"  # a card not counted, of the second deck, or under another card
    TABOO = "taboo"
    CHOICE = "choice"  # a side or another choice, what became of the investigator
    SHEET = "sheet"  # a line of an upgrade sheet
    NOTES = "notes"
    PASSED_OVER = "passed over"  # a heading, a count: nothing to be understood
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class LineRead:
    """How one line was understood.

    ``line`` counts from 1, ``said`` is its text. ``code`` and ``copies`` say which
    card. ``message`` is a whole sentence with ``{named}`` places, which ``values``
    fills, where there is something to say; ``expected`` what would have been
    understood. ``candidates`` are the codes of other cards that may have been meant.
    ``suggestions`` are names that may have been meant, each with the whole line as it
    should stand then.
    """

    line: int
    said: str
    kind: LineKind
    code: str = ""
    copies: int = 0
    message: str = ""
    values: tuple[tuple[str, str], ...] = ()
    expected: str = ""
    candidates: tuple[str, ...] = ()
    suggestions: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The message in English with its places filled."""
        return self.message.format(**dict(self.values))


@dataclass(frozen=True, slots=True)
class ListRead:
    """A list as it was understood.

    ``deck`` has ``name``, ``investigator_code`` ("" if none was found), ``slots``,
    ``sideSlots`` and ``taboo_id``, as ArkhamDB's JSON has them, and
    ``ignoreDeckLimitSlots``, ``meta`` (an object) and ``description_md`` where the
    list says something of them. ``lines`` are all lines that are not blank, in order.
    """

    deck: dict[str, Any]
    lines: tuple[LineRead, ...]

    @property
    def understood(self) -> bool:
        """Whether every line was."""
        return all(each.kind is not LineKind.NOT_UNDERSTOOD for each in self.lines)


# Words of a line, and the key of the choice it states.
CHOSEN = {
    "Chosen class": "class",
    "Chosen first class": "class_1",
    "Chosen second class": "class_2",
    "Chosen trait": "trait",
    "Chosen size": "size",
}
# Words of a line, and the part of a deck list whose card it names.
CARDS = {"Front": "front", "Back": "back", "Became": "transformed_into"}
PRODUCTS = "Products"
NOT_COUNTED, SECOND = "Not counted", "Second deck"
ATTACHED, SHEET = "Attached to", "Sheet of"

_TERM = re.compile(
    rf"({'|'.join((*CHOSEN, *CARDS, PRODUCTS))})\s*:\s*(.+?)\s*", re.IGNORECASE
)
_UNDER = re.compile(rf"({ATTACHED}|{SHEET})\s+(.+?)\s*:?\s*", re.IGNORECASE)
_MARK = re.compile(
    r"line (\d{1,3})\s*:\s*(\d{1,3}) box(?:es)?(?:\s*:\s*(.*?))?\s*",
    re.IGNORECASE | re.ASCII,
)
LONGEST = 40  # characters of a choice or a product's code

CodeOf = Callable[[str], str]


class ExtraLines:
    """The parts of a list beside the cards that count, while it is read.

    ``entries`` are those that the cards which follow belong to; None for the deck's.
    ``code_of`` finds the code of the card a text names, "" for none.
    """

    def __init__(self, code_of: CodeOf) -> None:
        self.code_of = code_of
        self.entries: dict[str, int] | None = None
        self.set_aside: dict[str, int] = {}
        self._parts: dict[str, Any] = {}
        self._sheet: list[SheetMark] | None = None

    def leave(self) -> None:
        """Return to the cards of the deck."""
        self.entries, self._sheet = None, None

    def meta(self) -> dict[str, str]:
        """Everything read, under the keys of ArkhamDB."""
        parts = dict(self._parts)
        sheets = parts.pop("sheets", {})
        marks = {code: tuple(sorted(each)) for code, each in sheets.items() if each}
        return write_meta(DeckList("", {}, sheets=marks, **parts))

    def read(self, line: LineRead, bare: str) -> LineRead | None:
        """The line, if it states something beside the cards that count."""
        under = _UNDER.fullmatch(bare)
        if under is not None:
            return self._under(line, under[1].capitalize(), under[2])
        heading = fold(bare)
        if heading == fold(NOT_COUNTED):
            self.leave()
            self.entries = self.set_aside
            return line
        if heading == fold(SECOND):
            self.leave()
            self.entries = self._parts.setdefault("side_deck", {})
            return line
        term = _TERM.fullmatch(bare)
        if term is not None:
            return self._term(line, term[1].capitalize(), term[2])
        mark = _MARK.fullmatch(bare)
        return self._mark(line, mark) if mark and self._sheet is not None else None

    def _under(self, line: LineRead, words: str, name: str) -> LineRead | None:
        """The heading above cards attached to a card, or above the lines of a sheet."""
        code = self.code_of(name)
        if not code:
            return _missing(line, name)
        self.leave()
        if words == SHEET:
            self._sheet = self._parts.setdefault("sheets", {}).setdefault(code, [])
        else:
            attached = self._parts.setdefault("attachments", {})
            self.entries = attached.setdefault(code, {})
        return line

    def _term(self, line: LineRead, words: str, value: str) -> LineRead:
        read = replace(line, kind=LineKind.CHOICE)
        if words in CARDS:
            code = self.code_of(value)
            if not code:
                return _missing(line, value)
            self._parts[CARDS[words]] = code
            return replace(read, code=code)
        values = [each.strip() for each in value.split(",") if each.strip()]
        if not values or max(map(len, values)) > LONGEST:
            return replace(
                line,
                kind=LineKind.NOT_UNDERSTOOD,
                message=_("This is empty or too long."),
                expected=_("at most 40 characters"),
            )
        if words == PRODUCTS:
            self._parts["card_pool"] = tuple(values)
        else:
            self._parts.setdefault("choices", {})[CHOSEN[words]] = value.lower()
        return read

    def _mark(self, line: LineRead, mark: re.Match[str]) -> LineRead:
        """A line of the sheet under whose heading it stands; lines count from 1."""
        assert self._sheet is not None
        written = (mark[3] or "").split(",")
        choices = tuple(each.strip() for each in written if each.strip())
        self._sheet.append(SheetMark(int(mark[1]) - 1, int(mark[2]), choices))
        return replace(line, kind=LineKind.SHEET)


def _missing(line: LineRead, name: str) -> LineRead:
    return replace(
        line,
        kind=LineKind.NOT_UNDERSTOOD,
        message=_("We couldn’t find a card called “{name}”."),
        values=(("name", name),),
        expected=_("the name of a card, and its code: Name #01020"),
    )


def heads(deck: DeckList, named: Callable[[str], str]) -> Iterator[str]:
    """The lines that state sides and choices; ``named`` writes a card by its code."""
    for words, part in CARDS.items():
        code = getattr(deck, part)
        if code:
            yield f"{words}: {named(code)}"
    for words, choice in CHOSEN.items():
        if choice in deck.choices:
            yield f"{words}: {deck.choices[choice]}"
    if deck.card_pool:
        yield f"{PRODUCTS}: {', '.join(deck.card_pool)}"


def apart(
    deck: DeckList, named: Callable[[str], str]
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """The headings with the cards that lie apart from those that count."""
    yield NOT_COUNTED, deck.set_aside
    yield SECOND, deck.side_deck
    for holder, cards in deck.attachments.items():
        yield f"{ATTACHED} {named(holder)}", cards


def sheets(
    deck: DeckList, named: Callable[[str], str]
) -> Iterator[tuple[str, list[str]]]:
    """The headings with the lines of each upgrade sheet."""
    for code, marks in deck.sheets.items():
        yield f"{SHEET} {named(code)}", [_mark_line(mark) for mark in marks]


def _mark_line(mark: SheetMark) -> str:
    boxes = "box" if mark.boxes == 1 else "boxes"
    line = f"Line {mark.position + 1}: {mark.boxes} {boxes}"
    return f"{line}: {', '.join(mark.written)}" if mark.written else line
