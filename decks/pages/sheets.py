"""The upgrade sheet of a card, with its boxes and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.functional import Promise

from arkham.rules.card import Card, SheetOption
from arkham.rules.deck import SheetMark
from arkham.rules.gists import gist_of
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import BoxChoice, CardType
from arkham.signs import SIGNS
from cardpool.words import capitals, fold

SKILLS = ("willpower", "intellect", "combat", "agility")
Words = str | Promise


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a line; pressing it sets ``boxes`` as the number marked."""

    number: int
    marked: bool
    boxes: int


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One line of a sheet.

    ``kind`` is what has to be written (``trait``, ``skill``, ``card``, ``slot``), ""
    for nothing; ``written`` are the entries, one for every pick, as shown; ``offers``
    are the values if there are only a few, ``suggested`` the names if there are many.
    ``surcharge`` is experience in addition to the boxes, ``gist`` a summary of the
    line.
    """

    position: int
    name: str
    boxes: tuple[Box, ...]
    marked: int
    kind: str
    written: tuple[str, ...]
    offers: tuple[tuple[str, Words], ...]
    surcharge: int = 0
    suggested: tuple[str, ...] = ()
    gist: str = ""

    @property
    def look(self) -> tuple[object, ...]:
        """Everything visible, except the suggested names."""
        return self.name, self.boxes, self.written, self.offers, self.surcharge

    @property
    def written_text(self) -> str:
        """The entries in one line; skills and slots in words."""
        words = dict(self.offers)
        return ", ".join(str(words.get(each, each)) for each in self.written if each)


def sheet_lines(
    sheet: tuple[SheetOption, ...],
    marks: tuple[SheetMark, ...],
    card: Card,
    pool: CardPool,
) -> tuple[SheetLine, ...]:
    """Return the lines of the sheet of a card."""
    by_line = {mark.position: mark for mark in marks}
    positions = [each.position for each in card.sheet]
    gists = dict(zip(positions, gist_of(card.code).lines, strict=False))
    return tuple(
        replace(
            _line(
                line,
                by_line.get(line.position, SheetMark(line.position, 0)),
                card.slots,
                pool,
            ),
            gist=gists.get(line.position, ""),
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
        line.surcharge,
        suggestions(line, pool) if line.choice else (),
    )


def suggestions(line: SheetOption, pool: CardPool) -> tuple[str, ...]:
    """Return what may be written on a line that names a trait or a card, in order."""
    if line.choice is BoxChoice.TRAIT:
        return _traits(pool)
    if line.choice is BoxChoice.CARD:
        return _names(pool, line.card_types, line.card_traits)
    return ()


def card_named(text: str, line: SheetOption, pool: CardPool) -> Card | None:
    """Return the card of this name that fits the line, the lowest level first."""
    wanted = fold(text)
    return next(
        (
            card
            for card in _cards(pool, line.card_types, line.card_traits)
            if fold(card.name) == wanted
        ),
        None,
    )


def trait_named(text: str, pool: CardPool) -> str:
    """Return the trait of this name as printed, "" for none."""
    wanted = text.strip().rstrip(".").casefold()
    return capitals(wanted) if wanted in pool.traits else ""


@lru_cache(maxsize=2)
def _traits(pool: CardPool) -> tuple[str, ...]:
    """Return every trait printed on a card in the pool."""
    return tuple(sorted(capitals(trait) for trait in pool.traits))


@lru_cache(maxsize=8)
def _cards(
    pool: CardPool, types: tuple[CardType, ...], traits: tuple[str, ...]
) -> tuple[Card, ...]:
    """Return the player cards of these types, with one of these traits."""
    fitting = (
        card
        for card in pool.values()
        if (not types or card.type in types)
        and (not traits or set(traits) & set(card.traits))
        and card.in_decks
    )
    return tuple(sorted(fitting, key=lambda each: (each.level or 0, each.code)))


@lru_cache(maxsize=8)
def _names(
    pool: CardPool, types: tuple[CardType, ...], traits: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(sorted({card.name for card in _cards(pool, types, traits)}))


def _shown(line: SheetOption, written: str, pool: CardPool) -> str:
    """Return the name of a card; other entries unchanged."""
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
