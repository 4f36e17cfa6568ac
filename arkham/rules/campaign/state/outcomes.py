"""How a game ends for each investigator, and what its victory display is worth.

The fold applies what follows from a defeat; the functions here serve pages of a game in
progress (:mod:`arkham.rules.play.elimination`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.state import Printed
from arkham.rules.card import TabooList
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType


class GameOutcome(StrEnum):
    """How the game ended for an investigator (ELIM-14)."""

    SURVIVED = "survived"
    RESIGNED = "resigned"
    DAMAGE = "defeated_by_damage"
    HORROR = "defeated_by_horror"
    BOTH = "defeated_by_both"
    CARD = "defeated_by_card"

    @property
    def is_defeat(self) -> bool:
        """Whether the investigator was defeated; resigning is not a defeat (TRA-04)."""
        return self not in (GameOutcome.SURVIVED, GameOutcome.RESIGNED)


class TraumaKind(StrEnum):
    """The two kinds of trauma."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def trauma_of(
    outcome: GameOutcome, chosen: TraumaKind | None = None
) -> TraumaKind | None:
    """Return the trauma of a defeat by damage or horror (TRA-01 … TRA-04), or None.

    A defeat by both at once gives the ``chosen`` kind. Surviving and resigning give
    none, and a card gives what it says.
    """
    match outcome:
        case GameOutcome.DAMAGE:
            return TraumaKind.PHYSICAL
        case GameOutcome.HORROR:
            return TraumaKind.MENTAL
        case GameOutcome.BOTH:
            return chosen
    return None


def printed_values(pool: CardPool) -> dict[str, Printed]:
    """Return health, sanity, class, traits and title of each investigator by code."""
    found: dict[str, Printed] = {}
    for card in pool.values():
        if card.type is not CardType.INVESTIGATOR:
            continue
        printed = Printed(
            card.health or 0,
            card.sanity or 0,
            card.classes[0].value if card.classes else "",
            card.traits,
            card.title,
        )
        found[card.code] = printed
        for printing in card.printings:
            found[printing.code] = printed
    return found


TOTAL = "total"  # key in an answer: the total as the players state it


def worth_of(points: Iterable[int]) -> int:
    """Return the total of these victory points; a card never subtracts any (VIC-01)."""
    return sum(max(each, 0) for each in points)


# How many cards of a title can be there under taboo lists that change the title
# (VIC-05, TABOO-M07); no limit is printed on a card.
TABOO_LIMITS = {"Delve Too Deep": 2}


class Limit(NamedTuple):
    """The most cards of a title (any of its codes) in the group's victory display."""

    title: str
    most: int
    codes: frozenset[str]


def limits_under(taboos: TabooList, pool: CardPool) -> tuple[Limit, ...]:
    """Return the limits in the victory display if all decks follow a taboo list."""
    found = []
    for title, most in TABOO_LIMITS.items():
        cards = (pool.get_card(code) for code in pool)
        codes = frozenset(each.code for each in cards if each and each.name == title)
        if codes & taboos.changes.keys():
            found.append(Limit(title, most, codes))
    return tuple(found)


class DisplayedCard(NamedTuple):
    """A card in the victory display: how many copies, and the points of each."""

    code: str
    copies: int
    points: int


class ShownDisplay(NamedTuple):
    """The victory display as it was answered.

    ``stated`` is the total that the players gave, None if it follows from the cards.
    ``is_listed`` is true if cards were named; ``unknown`` are those whose points are
    not known.
    """

    cards: tuple[DisplayedCard, ...] = ()
    stated: int | None = None
    reason: str = ""
    is_listed: bool = True
    unknown: tuple[str, ...] = ()

    @property
    def counted(self) -> int:
        """The sum of the cards' points (VIC-09)."""
        return worth_of(each.copies * each.points for each in self.cards)

    @property
    def total(self) -> int:
        """The total that the players stated, else the sum of the cards' points."""
        return self.counted if self.stated is None else self.stated

    @property
    def is_corrected(self) -> bool:
        """Whether the stated total differs from the sum of the cards."""
        return self.is_listed and self.total != self.counted


def shown_by(answer: Answer, points: Callable[[str], int | None]) -> ShownDisplay:
    """Return the victory display as given by an answer: its cards, or only a total.

    ``points`` returns the points printed on a card, or None if unknown; the answer may
    then give them after the number of copies.
    """
    if answer.kind == COUNTED:
        return ShownDisplay(stated=answer.value, is_listed=False)
    cards, unknown, stated = [], [], None
    for code, numbers in answer.value.items():
        if not numbers:
            continue
        if code == TOTAL:
            stated = numbers[0]
            continue
        each = points(code)
        if each is None:
            each = numbers[1] if len(numbers) > 1 else 0
            if len(numbers) == 1:
                unknown.append(code)
        if numbers[0]:
            cards.append(DisplayedCard(code, numbers[0], each))
    return ShownDisplay(tuple(cards), stated, answer.reason, unknown=tuple(unknown))
