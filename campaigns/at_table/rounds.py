"""The round read from its address: where the game is, and where it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext as _

from arkham.rules.play.round import (
    MOMENTS,
    PHASES,
    SKILL_TEST,
    Moment,
    Phase,
    Place,
    after,
    begins_at,
    elsewhere,
    first_of,
)
from arkham.rules.ultimatums import UltimatumEffect, causing
from campaigns.play.addresses import Pairs, number, text_value

(DREAD,) = (row.id for row in causing(UltimatumEffect.MYTHOS_FIRST))
MOST_ROUNDS = 99


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A moment with its words, and whether the game is there."""

    moment: Moment
    text: str
    now: bool


@dataclass(frozen=True, slots=True)
class ShownPhase:
    """A phase with its moments, and the address of its first one."""

    phase: Phase
    title: str
    address: str
    now: bool
    moments: tuple[ShownMoment, ...]


@dataclass(frozen=True, slots=True)
class Tracked:
    """Where the game is, under these ultimatums."""

    place: Place
    ultimatums: frozenset[str]

    @property
    def phases(self) -> Iterator[ShownPhase]:
        """The round, phase by phase."""
        for phase in PHASES:
            first = first_of(phase.name)
            places = range(first, first + len(phase.moments))
            yield ShownPhase(
                phase,
                _(phase.title),
                self._at(Place(self.place.round, first)),
                self.place.moment in places,
                tuple(
                    ShownMoment(moment, _(moment.text), at == self.place.moment)
                    for at, moment in zip(places, phase.moments, strict=True)
                ),
            )

    @property
    def skill_test(self) -> Iterator[ShownMoment]:
        """The steps of a test, whatever phase it is in."""
        for moment in SKILL_TEST:
            yield ShownMoment(moment, _(moment.text), now=False)

    @property
    def title(self) -> str:
        """The phase the game is in."""
        return _(MOMENTS[self.place.moment][0].title)

    @property
    def text(self) -> str:
        """What happens now."""
        return _(MOMENTS[self.place.moment][1].text)

    @property
    def moment(self) -> Moment:
        """The moment the game is at."""
        return MOMENTS[self.place.moment][1]

    @property
    def has_dread(self) -> bool:
        """Whether the first round has a Mythos phase."""
        return DREAD in self.ultimatums

    @property
    def onward(self) -> str:
        """The address of the next moment; “” after the last round that is counted."""
        if self.place.round == MOST_ROUNDS and self.place.moment + 1 == len(MOMENTS):
            return ""
        return self._at(after(self.place, self.ultimatums))

    @property
    def other(self) -> str:
        """Where play may go instead; “” where it only goes on."""
        place = elsewhere(self.place)
        return self._at(place) if place else ""

    @property
    def other_words(self) -> str:
        """What that is: the next investigator, or the end of the turn."""
        return _("The turn ends") if self.moment.is_window else _("Next investigator")

    @property
    def begin(self) -> str:
        """The address of a new game."""
        return self._at(begins_at(1, self.ultimatums))

    @property
    def dread(self) -> str:
        """The address of a new game with the Ultimatum of Dread, or without it."""
        other = self.ultimatums ^ {DREAD}
        return Tracked(begins_at(1, other), other).begin

    def _at(self, place: Place) -> str:
        pairs: Pairs = [("round", place.round), ("at", place.moment)]
        if self.has_dread:
            pairs.append(("ultimatum", DREAD))
        return "?" + urlencode(pairs)


def tracked(asked: QueryDict) -> Tracked:
    """Where an address says the game is; at its beginning where it does not."""
    ultimatums = frozenset({DREAD} & set(asked.getlist("ultimatum")))
    round_number = max(number(text_value(asked, "round"), 1, MOST_ROUNDS), 1)
    begins = begins_at(round_number, ultimatums)
    moment = number(text_value(asked, "at"), begins.moment, len(MOMENTS) - 1)
    return Tracked(Place(round_number, max(moment, begins.moment)), ultimatums)
