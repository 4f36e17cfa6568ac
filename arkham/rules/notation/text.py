"""Reads lists of cards written by people or exported by ArkhamDB.

Everything is reported line by line: what was understood, what was not, and what was
taken where more than one card may have been meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from arkham.rules.card import Card
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.lines import (
    BONDED,
    NOTES,
    SIDE,
    ExtraLines,
    LineKind,
    LineRead,
    ListRead,
    section_of,
)
from arkham.rules.notation.names import (
    BEFORE,
    MARKS,
    MOST_COPIES,
    Meant,
    Names,
    Said,
    fold,
    meaning,
    names_of,
    plays,
    sayings,
)
from arkham.rules.pool import CardPool

MOST_LINES = 500
LONGEST_LINE = 300
MOST_GUESSES = 20  # lines for which similar names are looked for

_TALLIES = re.compile(
    r"^(?:total |deck )?(?:\d+ cards?|size|xp|experience|cards?)\b", re.I
)
_INVESTIGATOR = re.compile(r"^investigator\s*:\s*", re.I)
_TABOO = re.compile(r"^taboos?(?: list)?\s*:?\s*(.*)$", re.I)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NAME = re.compile(r"^name ?: ?(?=\S)", re.I)
_HASHES = re.compile(r"^\s*#{1,6}\s+")
_TITLE = re.compile(r"^# (?=\S)")  # of a document in Markdown
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# What follows is the notes', to the end.
NOTES_HEADING = re.compile(rf"^## {NOTES}[ \t]*\r?\n(?:\r?\n)?", re.MULTILINE)
# Something in the place of a quantity that is none: below zero, a fraction, too much.
_MISCOUNTED = re.compile(
    r"^([(#]?[-+−–]?[\d.,/½¼¾²³ex×]{1,30}+[x×.)]?)\s++(?=\S)", re.I
)
_PACKS = "packs:"


@dataclass(slots=True)
class _Reader:
    """A list while it is read."""

    names: Names
    title_line: int = 0
    investigator_line: int = 0
    maybe_title: int = 0  # a first line without a quantity, where others have one
    name: str = ""
    investigator: str = ""
    taboo: int | None = None
    slots: dict[str, int] = field(default_factory=dict)
    side: dict[str, int] = field(default_factory=dict)
    section: str = ""  # what the last heading that sets cards apart announced
    guesses: int = 0
    has_names: bool = True  # one of the lines may be the name of the deck
    extras: ExtraLines = field(init=False)

    def __post_init__(self) -> None:
        self.extras = ExtraLines(lambda text: read_line(text, self.names).code)

    def read(self, number: int, text: str) -> LineRead:
        """Understand one line."""
        line = LineRead(number, text, LineKind.PASSED_OVER)
        if len(text) > LONGEST_LINE:
            return replace(
                line,
                said=f"{text[: LONGEST_LINE - 1]}…",
                kind=LineKind.NOT_UNDERSTOOD,
                message=_("This line is too long."),
                expected=_("at most 300 characters"),
            )
        if number == self.title_line:
            return replace(line, kind=LineKind.NAME)
        bare = MARKS.sub("", _HASHES.sub("", text))
        if self._enter(bare) or bare.lower().startswith(_PACKS) or not fold(bare):
            return line
        return (
            self.extras.read(line, bare)
            or self._taboo(line, bare)
            or self._miscounted(line, bare)
            or self._card(line, bare)
            or self._words(line, bare)
        )

    def _enter(self, text: str) -> bool:
        """Whether the line is a heading; what follows may stand apart."""
        section = section_of(text)
        if section in (SIDE, BONDED):
            self.section = section
            self.extras.leave()
        return section is not None

    def _taboo(self, line: LineRead, bare: str) -> LineRead | None:
        match = _TABOO.match(bare)
        if match is None:
            return None
        date = _DATE.search(match[1])
        found = self.names.pool.taboo_list(date[0] if date else match[1].strip())
        if found is None:
            if not fold(match[1]) or fold(match[1]) in ("none", "no"):
                return line
            known = ", ".join(each.date for each in self.names.pool.taboo_lists)
            return replace(
                line,
                kind=LineKind.NOT_UNDERSTOOD,
                message=_("We don’t know this taboo list."),
                expected=known,
            )
        self.taboo = found.id
        return replace(line, kind=LineKind.TABOO)

    def _miscounted(self, line: LineRead, bare: str) -> LineRead | None:
        """A line with something in the place of a quantity that is none."""
        match = None if BEFORE.match(bare) else _MISCOUNTED.match(bare)
        if match is None:
            return None
        rest = sayings(bare[match.end() :])
        if not any(self.names.called(said.name) for way in rest for said in way):
            return None
        return replace(
            line,
            kind=LineKind.NOT_UNDERSTOOD,
            message=_("“{said}” isn’t a number of copies."),
            values=(("said", match[1]),),
            expected=_("the number of copies, then the card: 2x Machete"),
        )

    def _card(self, line: LineRead, bare: str) -> LineRead | None:
        """The line as that of a card or investigator; None if it names none."""
        for way in sayings(_INVESTIGATOR.sub("", bare)):
            for place, said in enumerate(way):
                cards = self.names.called(said.name)
                if not cards and self.names.pool.get_card(said.code) is not None:
                    # A quantity may stand between the name and its code.
                    rest = (each for each in way[place:] if each.copies is not None)
                    said = next(rest, said)
                    return self._named(line, said, self.names.called(said.name))
                if cards:
                    return self._named(line, said, cards)
        return None

    def _named(self, line: LineRead, said: Said, cards: list[Card]) -> LineRead:
        """A line that names one of these cards, or gives the code of one."""
        counted = said.copies is not None
        fit = [card for card in cards if plays(card) is not counted]
        meant = meaning(said, fit or cards, self.names, self.investigator)
        if not meant.code:
            return _taken(line, LineKind.NOT_UNDERSTOOD, meant)
        if plays(self.names.pool[meant.code]) and not (counted and said.code):
            return self._investigator(line, meant)
        if line.line == self.maybe_title and not counted:
            self.name = line.said.strip()
            return replace(line, kind=LineKind.NAME)
        return self._copies(line, meant, 1 if said.copies is None else said.copies)

    def _investigator(self, line: LineRead, meant: Meant) -> LineRead:
        if self.investigator and line.line != self.investigator_line:
            kept = self.names.pool[self.investigator].name
            return replace(
                line,
                message=_("The list already has an investigator: {name}."),
                values=(("name", kept),),
            )
        self.investigator = meant.code
        return _taken(line, LineKind.INVESTIGATOR, meant)

    def _copies(self, line: LineRead, meant: Meant, copies: int) -> LineRead:
        held, kind = self.slots, LineKind.CARD
        if self.extras.entries is not None:
            held, kind = self.extras.entries, LineKind.APART
        elif self.section == BONDED:
            return replace(line, message=_("Bonded cards aren’t part of the deck."))
        elif self.section == SIDE:
            held, kind = self.side, LineKind.SIDE_CARD
        if copies:
            total = held.get(meant.code, 0) + copies
            held[meant.code] = min(total, MOST_COPIES)
        return replace(_taken(line, kind, meant), copies=copies)

    def _words(self, line: LineRead, bare: str) -> LineRead:
        """A line that names no card."""
        if _TALLIES.match(bare):
            return line
        label = _INVESTIGATOR.match(bare)
        if label is not None or line.line == self.investigator_line:
            named = bare[label.end() :] if label is not None else bare
            return _unknown_investigator(
                line, named, self.names.investigators_like(named)
            )
        said = sayings(bare)[0][-1]
        # After the investigator, what has a level is a card's line and no name.
        is_name = said.level is None or not self.investigator
        is_name = is_name and self.has_names
        if said.copies is None and is_name and not (self.slots or self.name):
            self.name = bare
            return replace(line, kind=LineKind.NAME)
        if said.copies is not None:
            self.has_names = False  # the cards have begun, if in a card that is none
        alike: list[str] = []
        if self.guesses < MOST_GUESSES:
            self.guesses += 1
            if said.copies is None and not self.investigator:
                alike = self.names.investigators_like(said.name)
                if alike:
                    return _unknown_investigator(line, said.name, alike)
            alike = self.names.like(said.name)
        if said.copies is None:
            usual = _("the number of copies, then the card: 2x Machete")
        else:
            usual = _("the English name of a card, or its code")
        return replace(
            line,
            kind=LineKind.NOT_UNDERSTOOD,
            message=_("We couldn’t find a card called “{name}”."),
            values=(("name", said.name),),
            expected=", ".join(alike) or usual,
            suggestions=_corrected(line.said, said.name, alike),
        )

    def look_again(self, line: LineRead) -> LineRead:
        """Take the name of the deck for a misspelt investigator, if it resembles one.

        Without an investigator the line that was taken for the deck's name may be the
        one that names them.
        """
        if self.investigator or line.kind is not LineKind.NAME or not self.name:
            return line
        alike = self.names.investigators_like(self.name)
        if not alike or _NAME.match(line.said):
            return line
        named, self.name = self.name, ""
        return _unknown_investigator(line, named, alike)


def _unknown_investigator(line: LineRead, named: str, alike: list[str]) -> LineRead:
    """A line that names an investigator whom no card is called like."""
    return replace(
        line,
        kind=LineKind.NOT_UNDERSTOOD,
        message=_("We couldn’t find the investigator “{name}”."),
        values=(("name", named),),
        expected=", ".join(alike) or _("the name of an investigator"),
        suggestions=_corrected(line.said, named, alike),
    )


def _corrected(said: str, named: str, alike: list[str]) -> tuple[tuple[str, str], ...]:
    """Each name that may have been meant, and the line with it."""
    if named not in said:
        return ()
    return tuple((each, said.replace(named, each, 1)) for each in alike)


def _taken(line: LineRead, kind: LineKind, meant: Meant) -> LineRead:
    return replace(
        line,
        kind=kind,
        code=meant.code,
        message=meant.message,
        values=meant.values,
        expected=meant.expected,
        candidates=meant.candidates,
    )


def read_text(text: str, pool: CardPool) -> ListRead:
    """The deck a list of cards stands for, and how each line was understood."""
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
    """The deck that entries stand for which another format had at these lines."""
    reader = _Reader(names_of(pool), has_names=False)
    read = _read(reader, entries)
    return ListRead(_deck(reader), tuple(read))


def _read(reader: _Reader, lines: list[tuple[int, str]]) -> list[LineRead]:
    """The lines that are not blank, up to the most that are read."""
    read = [
        reader.read(number, line) for number, line in lines[:MOST_LINES] if line.strip()
    ]
    read = [reader.look_again(line) for line in read]
    if len(lines) > MOST_LINES:
        read.append(
            LineRead(
                lines[MOST_LINES][0],
                "…",
                LineKind.NOT_UNDERSTOOD,
                message=_("The list is too long; we didn’t read the rest."),
                expected=_("at most 500 lines"),
            )
        )
    return read


def _without_notes(text: str) -> tuple[str, str]:
    """The list, and the notes that follow it."""
    found = NOTES_HEADING.search(text)
    if found is None or not text[: found.start()].strip():  # a deck of that name
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
    """How a line is understood that stands by itself."""
    return _Reader(names).read(1, text)


def _find_head(lines: list[str], reader: _Reader) -> None:
    """Name and investigator of an export, which come before the line of its packs.

    Of another list, the line that may be its name.
    """
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        return
    texts = [line for _number, line in numbered]
    place = _packs_place(texts)
    # An export by ArkhamDB has no labels: its first line is the name, word for word.
    labelled = not place or _INVESTIGATOR.match(MARKS.sub("", texts[place - 1]))
    reader.name = _title(texts[0], texts) if labelled else ""
    if reader.name:
        reader.title_line = numbered[0][0]
        return
    if place:
        reader.investigator_line = numbered[place - 1][0]
        if place > 1:
            reader.title_line = numbered[0][0]
            reader.name = texts[0].strip()
        return
    counted = [bool(BEFORE.match(MARKS.sub("", line))) for _number, line in numbered]
    if any(counted) and not counted[0]:
        reader.maybe_title = numbered[0][0]


def _packs_place(lines: list[str]) -> int:
    """Where the line of the packs is; 0 if there is none after the first line."""
    places = (
        place for place, line in enumerate(lines) if line.lower().startswith(_PACKS)
    )
    return next((place for place in places if place), 0)


def _title(first: str, lines: list[str]) -> str:
    """The name of a deck, where its line says that it is one."""
    named = _NAME.match(first)
    if named is not None:
        return first[named.end() :].strip()
    has_investigator = any(_INVESTIGATOR.match(MARKS.sub("", line)) for line in lines)
    if has_investigator and _TITLE.match(first):
        return _ESCAPED.sub(r"\1", first[2:]).strip()
    return ""
