"""The experience granted at deck creation, and how much of it is left."""

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

    ``source`` is the code of the card or the id of the boon that grants it, and
    ``name`` its name; both are "" for what the table grants. A grant from ``CARRIED``
    was booked before.
    """

    source: str
    name: str
    amount: int


class Creation(NamedTuple):
    """The experience of a first deck: its grants, and the cost of its cards."""

    grants: tuple[Grant, ...]
    cost: int

    @property
    def granted(self) -> int:
        """All experience that may be spent at deck creation."""
        return sum(each.amount for each in self.grants)

    @property
    def carried(self) -> int:
        """The part of it that is booked already."""
        return sum(each.amount for each in self.grants if each.source == CARRIED)

    @property
    def spent(self) -> int:
        """The cost of the cards, up to what was granted."""
        return min(self.cost, self.granted)

    @property
    def left(self) -> int:
        """Experience that remains to be spent later in the campaign."""
        return self.granted - self.spent


def grants_of(
    frame: Frame, circumstances: Circumstances, entries: Mapping[str, int]
) -> Iterator[Grant]:
    """Yield everything that grants experience to a deck of this frame at its creation.

    ``entries`` are its cards; a weakness among them may grant experience. Under the
    Ultimatum of Induction nothing does. An investigator from another campaign was
    granted it there (FAQ 1.11); whether a newcomer gets what is meant for the beginning
    of the campaign is a ruling.
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
    """Yield the experience boons grant as a campaign begins; none under Induction."""
    for row in BOONS:
        if row.id in in_force and not under(in_force, UltimatumEffect.NO_EXPERIENCE):
            amount = row.effects[UltimatumEffect.EXPERIENCE_AT_START]
            yield Grant(row.id, row.name, amount)


def gets_beginning(arrival: frozenset[Arrival], rulings: Mapping[str, str]) -> bool:
    """True if an investigator gets the experience meant for a campaign's beginning."""
    granted = rulings["experience.newcomer-bonus"] == "granted"
    return granted or Arrival.NEWCOMER not in arrival
