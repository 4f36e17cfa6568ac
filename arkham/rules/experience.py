# ruff: noqa: E501 (tables align)
"""The cards that give or take experience during a campaign.

A row a card; whether it did what it says, the table tells. What investigators and cards
give at the beginning stands elsewhere: ``Back.bonus_experience`` and
``DeckModifier.experience``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arkham.rules.finding import Citation, faq, printed
from arkham.rules.pool import CardPool


class ExperienceMoment(Enum):
    """When a card gives or takes experience."""

    GAINED = "gained"  # when its bearer gains it
    RESOLUTION = "resolution"  # when experience is earned


@dataclass(frozen=True, slots=True)
class ExperienceCard:
    """What one copy of a card does to the experience earned.

    ``amount`` is below 0 where it is lost. ``by_itself``: after every scenario,
    whatever was done in it; ``undefeated``: only for an investigator who was not
    defeated; ``everyone``: for each investigator, by the victory display; ``bars``:
    nothing at all is earned.
    """

    code: str
    name: str
    amount: int
    moment: ExperienceMoment
    cites: tuple[Citation, ...]
    by_itself: bool = False
    undefeated: bool = False
    everyone: bool = False
    bars: bool = False


_AFTER = ExperienceMoment.RESOLUTION

# fmt: off
EXPERIENCE_CARDS: dict[str, ExperienceCard] = {
    row.code: row
    for row in (
        #              code      name                   amount  when    printed in
        ExperienceCard("03308",  "Charon's Obol",            2, _AFTER, (printed("Charon's Obol", "03308"), faq("Charon's Obol")), by_itself=True, undefeated=True),
        ExperienceCard("11068a", "The Great Work",           1, _AFTER, (printed("The Great Work", "11068a"),), by_itself=True),
        ExperienceCard("11095",  "Ascetic",                  0, _AFTER, (printed("Ascetic", "11095"),), bars=True),
        ExperienceCard("53013",  "Offer You Cannot Refuse",  2, ExperienceMoment.GAINED, (printed("Offer You Cannot Refuse", "53013"),)),
        ExperienceCard("06160",  "\"Let God sort them out...\"", 1, _AFTER, (printed("\"Let God sort them out...\"", "06160"),)),
        ExperienceCard("02111",  "Delve Too Deep",           1, _AFTER, (printed("Delve Too Deep", "02111"), faq("The List of Taboos")), everyone=True),
        ExperienceCard("03016",  "Bury Them Deep",           1, _AFTER, (printed("Bury Them Deep", "03016"),), everyone=True),
        ExperienceCard("01011",  "Hospital Debts",          -2, _AFTER, (printed("Hospital Debts", "01011"),)),
        ExperienceCard("90010",  "Hospital Debts",          -2, _AFTER, (printed("Hospital Debts", "90010"),)),
        ExperienceCard("05010",  "Unsolved Case",           -2, _AFTER, (printed("Unsolved Case", "05010"),)),
        ExperienceCard("12006",  "Dead Ends",               -2, _AFTER, (printed("Dead Ends", "12006"),)),
        ExperienceCard("52011",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52011"),)),
        ExperienceCard("52012",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52012"),)),
        ExperienceCard("52013",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52013"),)),
        ExperienceCard("60253",  "Unbroken Web",            -2, _AFTER, (printed("Unbroken Web", "60253"),)),
    )
}
# fmt: on


class Gained(NamedTuple):
    """Copies of a card that gives its new bearer experience, and how much in all."""

    card: ExperienceCard
    amount: int


def when_gained(copies: Mapping[str, int], pool: CardPool) -> Iterator[Gained]:
    """What new copies, by code, give their new bearer; or took, below 0."""
    for listed, number in copies.items():
        card = pool.get_card(listed)
        row = EXPERIENCE_CARDS.get(card.code) if card is not None else None
        if row is not None and row.moment is ExperienceMoment.GAINED:
            yield Gained(row, row.amount * number)
