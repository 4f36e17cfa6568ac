"""Grants experience at deck creation and says what is left of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from arkham.rules.deck import Circumstances
from arkham.rules.finding import gettext_noop
from arkham.rules.legality.frame import Frame
from arkham.rules.modifiers import when_gained
from arkham.rules.ultimatums import UltimatumEffect, causing, under
from arkham.rules.vocabulary import Arrival

BOONS = causing(UltimatumEffect.EXPERIENCE_AT_START)
CARRIED = "carried"  # the source of experience that is booked already


class Grant(NamedTuple):
    """Experience granted at deck creation.

    ``source`` is the code of the card or the id of the boon that grants it, ``name``
    what that is called; both are "" for what the table grants. What is ``CARRIED`` was
    booked before.
    """

    source: str
    name: str
    amount: int


class Creation(NamedTuple):
    """The experience of a first deck: what grants it, and what its cards cost."""

    grants: tuple[Grant, ...]
    cost: int

    @property
    def granted(self) -> int:
        """Everything that may be spent at deck creation."""
        return sum(each.amount for each in self.grants)

    @property
    def carried(self) -> int:
        """What of it is booked already."""
        return sum(each.amount for each in self.grants if each.source == CARRIED)

    @property
    def spent(self) -> int:
        """What the cards cost, as far as it was granted."""
        return min(self.cost, self.granted)

    @property
    def left(self) -> int:
        """What stays to be spent later in the campaign."""
        return self.granted - self.spent


def grants_of(
    frame: Frame, circumstances: Circumstances, entries: Mapping[str, int]
) -> Iterator[Grant]:
    """Everything that grants experience to a deck of this frame at its creation.

    ``entries`` are its cards: a weakness among them may bring experience. Under the
    Ultimatum of Induction nothing does. Who comes on from another campaign was granted
    it there (FAQ 1.11); whether a newcomer gets what is meant for the beginning of the
    campaign is a ruling.
    """
    if under(frame.ultimatums, UltimatumEffect.NO_EXPERIENCE):
        return
    carried = circumstances.experience_carried
    if carried:
        yield Grant(CARRIED, gettext_noop("Carried over"), carried)
    if circumstances.experience:
        yield Grant("", "", circumstances.experience)
    begins = gets_beginning(circumstances.arrival, frame.rulings)
    if begins:
        yield from boons_of(frame.ultimatums)
    if Arrival.TRANSFERRED in circumstances.arrival:
        return
    if begins and frame.printed_back.bonus_experience:
        back = frame.back
        yield Grant(back.code, back.name, frame.printed_back.bonus_experience)
    for row, _copies in frame.modifiers:
        if row.experience:
            yield Grant(row.code, row.name, row.experience)
    for gained in when_gained(entries, frame.pool):
        yield Grant(gained.card.code, gained.card.name, gained.amount)


def boons_of(in_force: Collection[str]) -> Iterator[Grant]:
    """What boons in force grant as a campaign begins; under Induction nothing."""
    for row in BOONS:
        if row.id in in_force and not under(in_force, UltimatumEffect.NO_EXPERIENCE):
            amount = row.effects[UltimatumEffect.EXPERIENCE_AT_START]
            yield Grant(row.id, row.name, amount)


def gets_beginning(arrival: frozenset[Arrival], rulings: Mapping[str, str]) -> bool:
    """Whether an investigator gets the experience meant for a campaign's beginning."""
    granted = rulings["experience.newcomer-bonus"] == "granted"
    return granted or Arrival.NEWCOMER not in arrival
