"""What does the upgrade sheet of a card look like, with its boxes and choices?"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise

from arkham.rules.card import SheetOption
from arkham.rules.deck import SheetMark
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import BoxChoice
from arkham.signs import SIGNS

SKILLS = ("willpower", "intellect", "combat", "agility")
Words = str | Promise


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a line; pressing it makes ``boxes`` of them marked."""

    number: int
    marked: bool
    boxes: int


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a sheet.

    ``kind`` is what it asks to be written (``trait``, ``skill``, ``card``, ``slot``),
    "" for nothing; ``written`` is what is, once for every pick, as the sheet shows it;
    ``offers`` are the values where there are only a few.
    """

    position: int
    name: str
    boxes: tuple[Box, ...]
    marked: int
    kind: str
    written: tuple[str, ...]
    offers: tuple[tuple[str, Words], ...]

    @property
    def written_text(self) -> str:
        """What is written, in one line; skills and slots by their words."""
        words = dict(self.offers)
        return ", ".join(str(words.get(each, each)) for each in self.written if each)


def sheet_lines(
    sheet: tuple[SheetOption, ...],
    marks: tuple[SheetMark, ...],
    slots: tuple[str, ...],
    pool: CardPool,
) -> tuple[SheetLine, ...]:
    """The lines of a sheet; ``slots`` are those printed on its card."""
    by_line = {mark.position: mark for mark in marks}
    return tuple(
        _line(
            line, by_line.get(line.position, SheetMark(line.position, 0)), slots, pool
        )
        for line in sheet
    )


def _line(
    line: SheetOption, mark: SheetMark, slots: tuple[str, ...], pool: CardPool
) -> SheetLine:
    written = [_shown(line, each, pool) for each in mark.written]
    picks = max(line.picks, 1) if line.choice else 0
    return SheetLine(
        line.position,
        line.name,
        tuple(
            Box(
                number,
                number <= mark.boxes,
                number - 1 if number == mark.boxes else number,
            )
            for number in range(1, line.boxes + 1)
        ),
        mark.boxes,
        line.choice.value if line.choice else "",
        tuple(written + [""] * (picks - len(written))),
        _offers(line, slots),
    )


def _shown(line: SheetOption, written: str, pool: CardPool) -> str:
    """A card by its name; anything else as it is written."""
    card = pool.get_card(written) if line.choice is BoxChoice.CARD else None
    return card.name if card else written


def _offers(line: SheetOption, slots: tuple[str, ...]) -> tuple[tuple[str, Words], ...]:
    if line.choice is BoxChoice.SKILL:
        return tuple((skill, SIGNS[skill].title) for skill in SKILLS)
    if line.choice is BoxChoice.SLOT:
        return tuple(
            (str(place), SIGNS[slot].title if slot in SIGNS else slot)
            for place, slot in enumerate(slots)
        )
    return ()
