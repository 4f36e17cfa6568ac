"""How each line of a list was understood, and lines about more than counted cards.

They state sides, choices, sheets and cards set aside. Each of them may be missing;
cards follow under the headings::

    Front: Name #code          Back: Name #code          Became: Name #code
    Chosen class: mystic       Chosen first class: …     Chosen second class: …
    Chosen trait: blessed      Chosen size: 40           Products: core, dwl
    Not counted                Spirit deck               Attached to Name #code
    Sheet of Name #code
    Line 2: 3 boxes: Relic, Spell
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Any

from arkham.rules.card import Card
from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_object import write_meta
from arkham.rules.notation.names import (
    BEFORE,
    TIGHT,
    LineParts,
    Names,
    fold,
    ways_to_split,
)
from arkham.rules.vocabulary import CardType, is_digits

LONGEST_HEADING = 40
PART, MAIN, SIDE, BONDED = "part", "deck", "side", "bonded"  # sections
CONSIDERED, NOTES = "Side deck", "Notes"  # as the headings of our lists name them

# Folded; "Assets (12)" and "assets:" are the same.
_SIDE = frozenset(
    {"side deck", "sidedeck", "side board", "sideboard", "side", "considered", "maybe"}
    | {"maybeboard", "maybe board", "upgrades", "upgrade path", "possible upgrades"}
)
_BONDED = frozenset({"bonded", "bonded cards"})
_MAIN = frozenset(
    {"deck", "main deck", "maindeck", "decklist", "deck list", "weakness", "weaknesses"}
    | {"basic weakness", "basic weaknesses"}  # never meant for a side deck
)
_PART = frozenset(
    fold(each)
    for each in (
        *(f"{kind.value}s" for kind in CardType),
        *(kind.value for kind in CardType),
        *("treacheries", "enemies", "permanent", "permanents", "other", "others"),
        *("accessory", "ally", "arcane", "body", "hand", "tarot", "head", "allies"),
        *("hand x2", "arcane x2", "2x hand", "2x arcane", "no slot", "slots"),
        *("cards", "player cards", "story"),
    )
)
# Codes have five digits.
_COUNT = re.compile(
    r"(?i)(?<!\s)(?:\t\d++|\s*+(?:[(\[][x×]?\d{1,4}+(?: cards?)?[)\]]|:\s*+\d{0,4}+"
    r"|(?<![-–—=])[-–—=]++(?:\s*+\d{1,4}+)?))\s*+$"
)


def section_of(text: str) -> str | None:
    """The section that a heading opens, or None if the line is no known heading."""
    if len(text) > LONGEST_HEADING:
        return None
    heading = fold(_COUNT.sub("", text))
    sections = {SIDE: _SIDE, BONDED: _BONDED, MAIN: _MAIN, PART: _PART}
    return next((each for each in sections if heading in sections[each]), None)


MOST_CELLS = 8
_ROW = re.compile(r'"?(\d{5}[a-zA-Z]?)"?([\t,;:]|\s)\s*+([^\r\n]*[^\s,;])[\s,;]*')
_NUMBER_LAST = re.compile(r"(?:^|(?<![\s,;])[\s,;]++)(\d{1,2})$")


_COLUMN = re.compile(
    r"(?P<name>(?:card )?name|card|title)|(?P<level>level|lvl|xp|experience)"
    r"|(?P<copies>copies|qty|quantity|count|number)|(?P<code>(?:card )?code|id)"
)


def columns_of(bare: str) -> list[str | None]:
    """The columns of a table by its heading; empty for any other line."""
    known = map(_COLUMN.fullmatch, map(fold, _cells_of(bare)))
    kinds = [each and each.lastgroup for each in known]
    return kinds if "name" in kinds and {"level", "copies"} & {*kinds} else []


def written_out(bare: str, columns: list[str | None], names: Names) -> list[str]:
    """Write the row of a table like ``2x Name (level)``, in each way it may be meant.

    Without a heading, numbers at the end are level and copies in either order.
    """
    cells = _cells_of(bare)
    if cells and columns:
        return [_written(cells, columns)]
    numbers = [cell for cell in cells if is_digits(cell, 2)]
    if len(numbers) != 2 or numbers != cells[-2:]:
        return [bare]
    levels = {str(each.level or 0) for each in names.called(cells[0])}
    if not levels:
        return [bare]
    first = ["name", *[None] * (len(cells) - 3)]
    pairs = {("level", "copies"): cells[-2:], ("copies", "level"): cells[:-3:-1]}
    apt = [each for each, (a, b) in pairs.items() if a in levels and b != "0"]
    ways = (_written(cells, [*first, *each]) for each in apt or [*pairs][:1])
    return [*dict.fromkeys(ways)]


def _cells_of(text: str) -> list[str]:
    sign = next((each for each in "\t;," if each in text), "")
    return [*map(str.strip, next(csv.reader([text], delimiter=sign)))] if sign else []


def _written(cells: list[str], columns: list[str | None]) -> str:
    row = dict(zip(columns, cells, strict=False))
    others = (each for kind, each in zip(columns, cells, strict=False) if not kind)
    ends = [*(each for each in others if not is_digits(each)), row.get("level")]
    line = f"{row.get('copies', '1').strip('x×')}x {row.get('name', '')}"
    code = [f"#{row['code']}"] if row.get("code") else []
    return " ".join([line, *(f"({each})" for each in ends if each), *code])


_CODE = re.compile(r"(?:#|([(\[])#?)?(\d{5}[a-zA-Z]?)(?(1)[)\]])(?![^\s,;:])")
LONGEST_QUANTITY = 4  # digits


def with_code_first(bare: str, names: Names) -> str:
    """Move a card's code before the number of copies, and out of its brackets."""
    quantity = BEFORE.match(bare) or TIGHT.match(bare)
    copies = next(filter(None, quantity.groups())) if quantity is not None else ""
    start = quantity.end() if quantity and len(copies) <= LONGEST_QUANTITY else 0
    code = _CODE.match(bare, start)
    if code is None or names.pool.get_card(code[2].lower()) is None:
        return bare
    return f"{code[2]}{bare[code.end() :]}{f' x{copies}' if start else ''}"


def row_of(bare: str, names: Names) -> LineParts | None:
    """The parts of a line that begins with a card's code; None for any other line.

    ``others`` are its other words. After a mere blank, they make the line prose, and
    there is no name.
    """
    row = _ROW.fullmatch(bare)
    card = names.pool.get_card(row[1].lower()) if row is not None else None
    if row is None or card is None:
        return None
    code, sign, rest = row[1].lower(), row[2], row[3]
    cells = next(csv.reader([rest], delimiter=sign)) if sign in "\t,;" else [rest]
    read = _read_cells(cells[:MOST_CELLS], sign, card, code)
    if read is None:
        return LineParts("")
    level, numbers, words = read
    if len(numbers) > 1 and level is None:  # quantity and level, in either order
        is_turned = numbers[0] == (card.level or 0) != numbers[1]
        level = numbers.pop(not is_turned)
    others = (*cells[MOST_CELLS:], *words)
    return LineParts(code, numbers[0] if numbers else None, level, code, others)


def _read_cells(
    cells: list[str], sign: str, card: Card, code: str
) -> tuple[int | None, list[int], list[str]] | None:
    """The level, the numbers and the other words in the cells; None for prose."""
    spelled = {*map(fold, (code, card.name, f"{card.name} {card.subname}"))}
    level: int | None = None
    numbers: list[int] = []
    words: list[str] = []
    for cell in filter(str.strip, cells):
        counted = _NUMBER_LAST.sub(r" x\1", cell.strip())
        texts = (cell, counted, f"#{code} {counted}")
        ways = chain.from_iterable(way for text in texts for way in ways_to_split(text))
        parts = next((each for each in ways if fold(each.name) in spelled), None)
        if parts is not None:
            level = level if parts.level is None else parts.level
            numbers += [] if parts.copies is None else [parts.copies]
            words.extend(parts.others)
        elif sign in "\t,;:":
            words.append(cell)
        else:
            return None
    return level, numbers, words


class LineKind(StrEnum):
    """The kind of a line."""

    NAME = "name"
    INVESTIGATOR = "investigator"
    CARD = "card"
    SIDE_CARD = "side card"
    APART = "apart"  # a card not counted, in the second deck, or under another card
    TABOO = "taboo"
    CHOICE = "choice"  # a side or another choice, or the card an investigator became
    SHEET = "sheet"  # a line of an upgrade sheet
    NOTES = "notes"
    PASSED_OVER = "passed over"  # a heading, a count: nothing to read
    NOT_UNDERSTOOD = "not understood"


@dataclass(frozen=True, slots=True)
class LineRead:
    """How one line was understood.

    ``line`` counts from 1, ``said`` is its text. ``code`` and ``copies`` say which
    card. ``message``, if there is anything to say, is a whole sentence with ``{named}``
    placeholders that ``values`` fills; ``expected`` is what could have been read.
    ``candidates`` are the codes of other cards that may have been meant,
    ``suggestions`` pairs of a name that may have been meant and the whole line with it.
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
        """The message in English, with its placeholders filled."""
        return self.message.format(**dict(self.values))

    def refused(self, message: str, expected: str, **values: str) -> LineRead:
        """The line as not understood, and why."""
        return replace(
            self,
            kind=LineKind.NOT_UNDERSTOOD,
            message=message,
            values=tuple(values.items()),
            expected=expected,
        )


@dataclass(frozen=True, slots=True)
class ListRead:
    """A list as it was understood.

    ``deck`` has ``name``, ``investigator_code`` ("" if none was found), ``slots``,
    ``sideSlots`` and ``taboo_id``, as in ArkhamDB's JSON, and if the list mentions them
    ``ignoreDeckLimitSlots``, ``meta`` (an object) and ``description_md``. ``lines`` are
    all lines that are not blank, in order.
    """

    deck: dict[str, Any]
    lines: tuple[LineRead, ...]

    @property
    def understood(self) -> bool:
        """True if every line was understood."""
        return all(each.kind is not LineKind.NOT_UNDERSTOOD for each in self.lines)


# The words of a line, and the key of the choice it states.
CHOSEN = {
    "Chosen class": "class",
    "Chosen first class": "class_1",
    "Chosen second class": "class_2",
    "Chosen trait": "trait",
    "Chosen size": "size",
}
# The words of a line, and the field of a deck list whose card it names.
CARDS = {"Front": "front", "Back": "back", "Became": "transformed_into"}
PRODUCTS = "Products"
NOT_COUNTED, SECOND = "Not counted", "Spirit deck"
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
UNKNOWN = _("We couldn’t find a card called “{name}”.")

CodeOf = Callable[[str], str]


class ExtraLines:
    """Collects the parts of a list besides the counted cards while it is read.

    ``entries`` are those to which the following cards belong; None for the deck's.
    ``code_of`` finds the code of the card that a text names, or "".
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
        """Everything collected, under ArkhamDB's keys."""
        parts = dict(self._parts)
        sheets = parts.pop("sheets", {})
        marks = {code: tuple(sorted(each)) for code, each in sheets.items() if each}
        return write_meta(DeckList("", {}, sheets=marks, **parts))

    def read(self, line: LineRead, bare: str) -> LineRead | None:
        """Read a line if it is about more than counted cards; else return None."""
        under = _UNDER.fullmatch(bare)
        if under is not None:
            return self._under(line, under[1].capitalize(), under[2])
        heading = fold(bare)
        if heading == fold(NOT_COUNTED):
            self.leave()
            self.entries = self.set_aside
            return line
        if heading in (fold(SECOND), "second deck"):  # the name in earlier lists
            self.leave()
            self.entries = self._parts.setdefault("side_deck", {})
            return line
        term = _TERM.fullmatch(bare)
        if term is not None:
            return self._term(line, term[1].capitalize(), term[2])
        mark = _MARK.fullmatch(bare)
        return self._mark(line, mark) if mark and self._sheet is not None else None

    def _under(self, line: LineRead, words: str, name: str) -> LineRead | None:
        """Read the heading of cards attached to a card, or of the lines of a sheet."""
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
            expected = _("at most 40 characters")
            return line.refused(_("This is empty or too long."), expected)
        if words == PRODUCTS:
            self._parts["card_pool"] = tuple(values)
        else:
            self._parts.setdefault("choices", {})[CHOSEN[words]] = value.lower()
        return read

    def _mark(self, line: LineRead, mark: re.Match[str]) -> LineRead:
        """Read a line of the current sheet; lines count from 1."""
        assert self._sheet is not None
        written = (mark[3] or "").split(",")
        choices = tuple(each.strip() for each in written if each.strip())
        self._sheet.append(SheetMark(int(mark[1]) - 1, int(mark[2]), choices))
        return replace(line, kind=LineKind.SHEET)


def _missing(line: LineRead, name: str) -> LineRead:
    expected = _("the name of a card, and its code: Name #01020")
    return line.refused(UNKNOWN, expected, name=name)
