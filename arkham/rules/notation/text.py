"""Reads lists of cards, written by people or exported by ArkhamDB.

The result reports every line: whether it was understood, and which card was chosen if
several may have been meant.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

from arkham.rules.card import Card
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.lines import (
    BONDED,
    MAIN,
    NOTES,
    SIDE,
    UNKNOWN,
    ExtraLines,
    LineKind,
    LineRead,
    ListRead,
    columns_of,
    row_of,
    section_of,
    with_code_first,
    written_out,
)
from arkham.rules.notation.meta import MOST_COPIES
from arkham.rules.notation.names import (
    AFTER_A_COLON,
    BEFORE,
    MARKS,
    CardMatch,
    LineParts,
    Names,
    fold,
    match_card,
    names_of,
    ways_to_split,
)
from arkham.rules.pool import CardPool

MOST_LINES = 500
LONGEST_LINE = 300
MOST_GUESSES = 20  # lines for which similar names are searched

_TALLIES = re.compile(
    r"(?i)^(?:total |deck )?(?:\d+ )?(?:cards?|packs|xp|experience|size)\b"
)
_INVESTIGATOR = re.compile(r"^investigator\s*:\s*", re.I)
_TABOO = re.compile(r"^taboos?(?: list)?\s*:?\s*(.*)$", re.I)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAME = re.compile(r"^name ?: ?(?=\S)", re.I)
_HASHES = re.compile(r"^\s*#{1,6}\s+")
_TITLE = re.compile(r"^# (?=\S)")  # the title of a Markdown document
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# Everything after it is notes.
NOTES_HEADING = re.compile(rf"^## {NOTES}[ \t]*\r?\n(?:\r?\n)?", re.MULTILINE)
# A quantity that isn't valid: below zero, a fraction, too large.
_MISCOUNTED = re.compile(
    r"^([(#]?[-+−–]?[\d.,/½¼¾²³ex×]{1,30}+[x×.)]?)\s++(?=\S)", re.I
)
_PACKS = "packs:"
_NO_QUANTITY = _("“{said}” isn’t a number of copies.")
_UNORDERED = _("Either number may be the level.")
_USUAL = _("the number of copies, then the card: 2x Machete")


@dataclass(slots=True)
class _Reader:
    """Reads a list, and keeps what it has read so far."""

    names: Names
    title_line: int = 0
    investigator_line: int = 0
    maybe_title: int = 0  # a first line without a quantity, if others have one
    name: str = ""
    investigator: str = ""
    taboo: int | None = None
    slots: dict[str, int] = field(default_factory=dict)
    side: dict[str, int] = field(default_factory=dict)
    columns: list[str | None] = field(default_factory=list)  # of a table that has begun
    section: str = ""  # the section of the latest heading that names one
    guesses: int = 0
    has_names: bool = True  # one of the lines may be the deck's name
    extras: ExtraLines = field(init=False)

    def __post_init__(self) -> None:
        self.extras = ExtraLines(lambda text: read_line(text, self.names).code)

    def read(self, number: int, text: str) -> LineRead:
        """Read one line."""
        line = LineRead(number, text, LineKind.PASSED_OVER)
        if len(text) > LONGEST_LINE:
            line = replace(line, said=f"{text[: LONGEST_LINE - 1]}…")
            expected = _("at most 300 characters")
            return line.refused(_("This line is too long."), expected)
        if number == self.title_line:
            return replace(line, kind=LineKind.NAME)
        bare = MARKS.sub("", _HASHES.sub("", row := _cells(text)))
        if self._enter(bare) or bare.lower().startswith(_PACKS) or not fold(bare):
            return line
        if columns := columns_of(bare):
            self.columns = columns
            return line
        ways = written_out(row if self.columns else bare, self.columns, self.names)
        if ways[1:]:
            line = replace(line, suggestions=tuple((each, each) for each in ways))
            return line.refused(_UNORDERED, _USUAL)
        unlabelled = _INVESTIGATOR.sub("", bare := MARKS.sub("", ways[0]))
        listed = with_code_first(unlabelled, self.names)
        return (
            self.extras.read(line, bare)
            or self._taboo(line, bare)
            or self._miscounted(line, listed)
            or self._card(line, listed, is_labelled=unlabelled != bare)
            or self._words(line, bare)
        )

    def _enter(self, text: str) -> bool:
        """Return True if the line is a heading; it may set what follows apart."""
        section = section_of(text)
        has_begun = self.investigator or self.slots or self.name or not self.has_names
        if section == SIDE and not has_begun:
            return False  # the deck may be called that
        if section in (SIDE, BONDED, MAIN):
            self.section = section
            self.extras.leave()
        return section is not None

    def _taboo(self, line: LineRead, bare: str) -> LineRead | None:
        if (match := _TABOO.match(bare)) is None:
            return None
        date = _DATE.search(match[1])
        found = self.names.pool.taboo_list(date[0] if date else match[1].strip())
        if found is None:
            if not fold(match[1]) or fold(match[1]) in ("none", "no"):
                return line
            known = ", ".join(each.date for each in self.names.pool.taboo_lists)
            return line.refused(_("We don’t know this taboo list."), known)
        self.taboo = found.id
        return replace(line, kind=LineKind.TABOO)

    def _miscounted(self, line: LineRead, bare: str) -> LineRead | None:
        """Report a line with an invalid quantity before a card's name."""
        match = None if BEFORE.match(bare) else _MISCOUNTED.match(bare)
        if match is None:
            return None
        rest = ways_to_split(bare[match.end() :])
        if not any(self.names.called(parts.name) for way in rest for parts in way):
            return None
        return line.refused(_NO_QUANTITY, _USUAL, said=match[1])

    def _card(self, line: LineRead, bare: str, is_labelled: bool) -> LineRead | None:
        """Read a line that names a card or investigator; return None if it doesn't.

        A line labelled as the investigator names no other card.
        """
        row = row_of(bare, self.names)
        ways = [[row]] if row is not None else ways_to_split(bare)
        named = ((parts, self.names.called(parts.name)) for parts in chain(*ways))
        # A code alone, or with a name we don't know, is tried last.
        coded = ((way[-1], self._coded(way[-1])) for way in ways)
        for parts, cards in chain(named, coded):
            if is_labelled:
                cards = [each for each in cards if each.plays]
                if not all(each.plays for each in self._coded(parts)):
                    parts = replace(parts, code="")
            if cards:
                return self._named(line, parts, cards)
        return None

    def _coded(self, parts: LineParts) -> list[Card]:
        card = self.names.pool.get_card(parts.code)
        return [card] if card is not None else []

    def _named(self, line: LineRead, parts: LineParts, cards: list[Card]) -> LineRead:
        """Read a line that names one of these cards, or gives the code of one."""
        counted = parts.copies is not None
        match = match_card(parts, cards, self.names, self.investigator)
        if not match.code:
            return _taken(line, LineKind.NOT_UNDERSTOOD, match)
        is_card = counted and parts.code not in ("", parts.name)
        if self.names.pool[match.code].plays and not is_card:
            return self._investigator(line, match)
        if line.line == self.maybe_title and not counted:
            self.name = line.said.strip()
            return replace(line, kind=LineKind.NAME)
        return self._copies(line, match, 1 if parts.copies is None else parts.copies)

    def _investigator(self, line: LineRead, match: CardMatch) -> LineRead:
        if self.investigator and line.line != self.investigator_line:
            kept = self.names.pool[self.investigator].name
            return replace(
                line,
                message=_("The list already has an investigator: {name}."),
                values=(("name", kept),),
            )
        self.investigator = match.code
        return _taken(line, LineKind.INVESTIGATOR, match)

    def _copies(self, line: LineRead, match: CardMatch, copies: int) -> LineRead:
        held, kind = self.slots, LineKind.CARD
        if self.extras.entries is not None:
            held, kind = self.extras.entries, LineKind.APART
        elif self.section == BONDED and not self.names.pool[match.code].in_decks:
            return replace(line, message=_("Bonded cards aren’t part of the deck."))
        elif self.section == SIDE:
            held, kind = self.side, LineKind.SIDE_CARD
        total = held.get(match.code, 0) + copies
        if total > MOST_COPIES:
            return line.refused(_NO_QUANTITY, _USUAL, said=str(copies))
        if copies:
            held[match.code] = total
        return replace(_taken(line, kind, match), copies=copies)

    def _words(self, line: LineRead, bare: str) -> LineRead:
        """Read a line that names no card."""
        if _TALLIES.match(bare):
            return line
        label = _INVESTIGATOR.match(bare)
        if label is not None or line.line == self.investigator_line:
            named = bare[label.end() :] if label is not None else bare
            like = self.names.investigators_like(named)
            return _unknown_investigator(line, named, like)
        parts = ways_to_split(bare)[0][-1]
        # After the investigator, a line with a level is meant as a card, not as a name.
        is_name = self.has_names and (parts.level is None or not self.investigator)
        if parts.copies is not None:  # unlike the other lines
            is_name &= line.line == self.maybe_title
            is_name = is_name and not self.names.are_near(parts.name)
        if is_name and not (self.slots or self.name):
            self.name = bare
            return replace(line, kind=LineKind.NAME)
        if parts.copies is not None:
            self.has_names = False  # the cards have begun, even if this one is unknown
        alike: list[str] = []
        if self.guesses < MOST_GUESSES:
            self.guesses += 1
            unknown = parts.copies is None and not self.investigator
            if unknown and (alike := self.names.investigators_like(parts.name)):
                return _unknown_investigator(line, parts.name, alike)
            alike = self.names.like(parts.name)
        name = _("the English name of a card, or its code")
        expected = ", ".join(alike) or (_USUAL if parts.copies is None else name)
        suggestions = _corrected(line.said, parts.name, alike)
        named = parts.name or ", ".join(parts.others)
        line = line.refused(UNKNOWN, expected, name=named)
        return replace(line, suggestions=suggestions)

    def look_again(self, line: LineRead) -> LineRead:
        """Report the deck's name as a misspelt investigator if it resembles one.

        Without an investigator, the line read as the deck's name may be meant as one.
        """
        if self.investigator or line.kind is not LineKind.NAME or not self.name:
            return line
        alike = self.names.investigators_like(self.name)
        if not alike or _NAME.match(line.said):
            return line
        named, self.name = self.name, ""
        return _unknown_investigator(line, named, alike)


def _cells(text: str) -> str:
    """Return a row of a Markdown table as one of a spreadsheet; else the same text."""
    first, *cells, last = text.strip().split("|") if "|" in text else (text, text)
    is_row = not (first or last or "||" in text)
    return "\t".join(map(str.strip, cells)) if is_row else text


def _unknown_investigator(line: LineRead, named: str, alike: list[str]) -> LineRead:
    """Report a line that names an unknown investigator."""
    suggestions = _corrected(line.said, named, alike)
    message = _("We couldn’t find the investigator “{name}”.")
    expected = ", ".join(alike) or _("the name of an investigator")
    return replace(line.refused(message, expected, name=named), suggestions=suggestions)


def _corrected(said: str, named: str, alike: list[str]) -> tuple[tuple[str, str], ...]:
    """Each name that may have been meant, with the corrected line."""
    if named not in said:
        return ()
    return tuple((each, said.replace(named, each, 1)) for each in alike)


def _taken(line: LineRead, kind: LineKind, match: CardMatch) -> LineRead:
    return replace(line, kind=kind, **asdict(match))


def read_text(text: str, pool: CardPool) -> ListRead:
    """Read the deck in a list of cards, with how each line was understood."""
    reader = _Reader(names_of(pool))
    text, notes = _without_notes(text.lstrip("\ufeff"))
    lines = text.splitlines()
    # A line that is too long is not read, and no pattern is tried on all of it.
    _find_head([line[:LONGEST_LINE] for line in lines[:MOST_LINES]], reader)
    read = _read(reader, list(enumerate(lines, 1)))
    deck = _deck(reader)
    if notes:
        deck["description_md"] = notes
        read.append(LineRead(len(lines) + 1, f"## {NOTES}", LineKind.NOTES))
    return ListRead(deck, tuple(read))


def read_entries(entries: list[tuple[int, str]], pool: CardPool) -> ListRead:
    """Read the deck in entries that another format had on these lines."""
    reader = _Reader(names_of(pool), has_names=False)
    read = _read(reader, entries)
    return ListRead(_deck(reader), tuple(read))


def _read(reader: _Reader, lines: list[tuple[int, str]]) -> list[LineRead]:
    """Read the lines that are not blank, up to the maximum."""
    read = [
        reader.read(number, line) for number, line in lines[:MOST_LINES] if line.strip()
    ]
    read = [reader.look_again(line) for line in read]
    if len(lines) > MOST_LINES:
        rest = LineRead(lines[MOST_LINES][0], "…", LineKind.NOT_UNDERSTOOD)
        message = _("The list is too long; we didn’t read the rest.")
        read.append(rest.refused(message, _("at most 500 lines")))
    return read


def _without_notes(text: str) -> tuple[str, str]:
    """Split a text into the list and the notes that follow it."""
    found = NOTES_HEADING.search(text)
    if found is None or not text[: found.start()].strip():  # a deck called "Notes"
        return text, ""
    return text[: found.start()], text[found.end() :].removesuffix("\n")


def _deck(reader: _Reader) -> dict[str, Any]:
    deck: dict[str, Any] = {
        "name": reader.name,
        "investigator_code": reader.investigator,
        "slots": reader.slots,
        "sideSlots": reader.side,
        "taboo_id": reader.taboo,
    }
    if reader.extras.set_aside:
        deck["ignoreDeckLimitSlots"] = reader.extras.set_aside
    meta = reader.extras.meta()
    return deck | {"meta": meta} if meta else deck


def read_line(text: str, names: Names) -> LineRead:
    """Read a line by itself."""
    return _Reader(names).read(1, text)


def _find_head(lines: list[str], reader: _Reader) -> None:
    """Find name and investigator of an export: they precede the line with its packs.

    In other lists, find the line that may be the name.
    """
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        return
    texts = [line for _number, line in numbered]
    place = _packs_place(texts)
    # An export by ArkhamDB has no labels: its first line is the name, unchanged.
    labelled = not place or _INVESTIGATOR.match(MARKS.sub("", texts[place - 1]))
    if labelled and (name := _title(texts[0], texts)):
        reader.name = name
        reader.title_line = numbered[0][0]
        return
    if place:
        reader.investigator_line = numbered[place - 1][0]
        if place > 1:
            reader.title_line = numbered[0][0]
            reader.name = texts[0].strip()
        return
    counted = [bool(BEFORE.match(MARKS.sub("", line))) for _number, line in numbered]
    if not counted[0] and (any(counted) or AFTER_A_COLON.search(numbered[0][1])):
        reader.maybe_title = numbered[0][0]


def _packs_place(lines: list[str]) -> int:
    """The index of the line with the packs; 0 if there is none after the first line."""
    places = (
        place for place, line in enumerate(lines) if line.lower().startswith(_PACKS)
    )
    return next((place for place in places if place), 0)


def _title(first: str, lines: list[str]) -> str:
    """The name of a deck if the first line is marked as one, or ""."""
    named = _NAME.match(first)
    if named is not None:
        return first[named.end() :].strip()
    has_investigator = any(_INVESTIGATOR.match(MARKS.sub("", line)) for line in lines)
    if has_investigator and _TITLE.match(first):
        return _ESCAPED.sub(r"\1", first[2:]).strip()
    return ""
