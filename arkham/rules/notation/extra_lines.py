"""What a list says beside the cards that count.

Sides, choices, sheets, cards that lie apart. The lines, each of which may be missing;
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
from dataclasses import replace
from typing import Any

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_object import write_meta
from arkham.rules.notation.lines import LineKind, LineRead
from arkham.rules.notation.names import fold

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
                message=_("This is too long, or says nothing."),
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
        message=_("No card is called “{name}”."),
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
