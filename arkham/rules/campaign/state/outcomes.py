"""How a game ends: for each investigator, and what its victory display is worth.

What the log makes of a defeat is done while a campaign is folded; here is what the
table sees while it happens (:mod:`arkham.rules.play.elimination`).
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
        """Whether it is a defeat: resigning is none (TRA-04)."""
        return self not in (GameOutcome.SURVIVED, GameOutcome.RESIGNED)


class TraumaKind(StrEnum):
    """The two kinds of trauma."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def trauma_of(
    outcome: GameOutcome, chosen: TraumaKind | None = None
) -> TraumaKind | None:
    """The one trauma of a defeat by damage or by horror (TRA-01 … TRA-04).

    Of both at once it is the ``chosen`` one; a card gives what it says, and who
    survives or resigns suffers none.
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
    """Health, sanity, class and traits of every investigator, by each code."""
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


TOTAL = "total"  # in an answer: what the table says the cards are worth


def worth_of(points: Iterable[int]) -> int:
    """The victory points of the cards in the display; none takes any away (VIC-01)."""
    return sum(max(each, 0) for each in points)


# By taboo lists that name them so many of a title lie there (VIC-05, TABOO-M07);
# no limit is printed on a card.
TABOO_LIMITS = {"Delve Too Deep": 2}


class Limit(NamedTuple):
    """How many cards of a title may lie there for the whole group, by their codes."""

    title: str
    most: int
    codes: frozenset[str]


def limits_under(taboos: TabooList, pool: CardPool) -> tuple[Limit, ...]:
    """The limits in the victory display where everybody follows a taboo list."""
    found = []
    for title, most in TABOO_LIMITS.items():
        cards = (pool.get_card(code) for code in pool)
        codes = frozenset(each.code for each in cards if each and each.name == title)
        if codes & taboos.changes.keys():
            found.append(Limit(title, most, codes))
    return tuple(found)


class DisplayedCard(NamedTuple):
    """A card in the victory display: how many copies lie there, each worth so much."""

    code: str
    copies: int
    points: int


class ShownDisplay(NamedTuple):
    """The victory display as it was answered.

    ``stated`` is the total the table names, None where it is counted; ``is_listed``
    says that the cards were named, ``unknown`` which of them no one knows the points
    of.
    """

    cards: tuple[DisplayedCard, ...] = ()
    stated: int | None = None
    reason: str = ""
    is_listed: bool = True
    unknown: tuple[str, ...] = ()

    @property
    def counted(self) -> int:
        """What the cards come to (VIC-09)."""
        return worth_of(each.copies * each.points for each in self.cards)

    @property
    def total(self) -> int:
        """What the table says they come to, or else what they do."""
        return self.counted if self.stated is None else self.stated

    @property
    def is_corrected(self) -> bool:
        """Whether the table’s total differs from the cards it names."""
        return self.is_listed and self.total != self.counted


def shown_by(answer: Answer, points: Callable[[str], int | None]) -> ShownDisplay:
    """What an answer says of the display: its cards, or their total alone.

    ``points`` are those printed on a card, None where they are unknown; then the answer
    may give them behind the copies.
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
