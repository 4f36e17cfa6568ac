"""The phases and steps of a round, and the player windows between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under

ACTIONS = 3  # per turn (ACT-01)
HAND_LIMIT = 8  # RND-09


class PhaseName(StrEnum):
    """The four phases, in their order (RND-01)."""

    MYTHOS = "mythos"
    INVESTIGATION = "investigation"
    ENEMY = "enemy"
    UPKEEP = "upkeep"


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a phase, or a player window.

    ``key`` is the number of a step; a window has the number of the step before it, and
    a ``w``. Play continues with the next moment, or with ``then``; or it goes to
    ``other``: to the next investigator, or out of a turn.
    """

    key: str
    text: str
    then: str = ""
    other: str = ""

    @property
    def is_window(self) -> bool:
        """True if players may use free abilities and fast cards here."""
        return self.key.endswith("w")

    @property
    def number(self) -> str:
        """The number of the step; "" for a window."""
        return "" if self.is_window else self.key


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: its moments in order, the rows, and the entry of the library."""

    name: PhaseName
    title: str
    entry: str
    rows: tuple[str, ...]
    moments: tuple[Moment, ...]


_WINDOW = _("Player window")

# RND-02, RND-05, RND-06, RND-08; windows are where FAQ 1.31 and Appendix II have them.
# fmt: off
PHASES: tuple[Phase, ...] = (
    Phase(
        PhaseName.MYTHOS, _("Mythos"), "mythos-phase", ("RND-02", "RND-03", "RND-04"),
        (
            Moment("1.1", _("The phase begins.")),
            Moment("1.2", _("Place 1 doom on the agenda.")),
            Moment("1.3", _("If there is enough doom in play, the agenda advances.")),
            Moment("1.4", _("Each investigator, in player order, draws an encounter card.")),  # noqa: E501
            Moment("1.4w", _WINDOW),
            Moment("1.5", _("The phase ends.")),
        ),
    ),
    Phase(
        PhaseName.INVESTIGATION, _("Investigation"), "investigation-phase",
        ("RND-05", "RND-13", "ACT-01"),
        (
            Moment("2.1", _("The phase begins.")),
            Moment("2.1w", _WINDOW),
            Moment("2.2", _("An investigator who hasn’t taken a turn this phase "
                            "begins theirs.")),
            Moment("2.2w", _WINDOW, other="2.2.2"),
            Moment("2.2.1", _("The investigator takes up to three actions; a "
                              "player window follows each."), then="2.2w"),
            Moment("2.2.2", _("The investigator’s turn ends; unused actions are "
                              "lost."), other="2.2"),
            Moment("2.3", _("The phase ends.")),
        ),
    ),
    Phase(
        PhaseName.ENEMY, _("Enemy"), "enemy-phase", ("RND-06", "RND-07"),
        (
            Moment("3.1", _("The phase begins.")),
            Moment("3.2", _("Hunter and patrol enemies move.")),
            Moment("3.2w", _("Player window, before each investigator")),
            Moment("3.3", _("Enemies engaged with the next investigator in player order attack; each exhausts after attacking."), other="3.2w"),  # noqa: E501
            Moment("3.3w", _("Player window, after the last attack")),
            Moment("3.4", _("The phase ends.")),
        ),
    ),
    Phase(
        PhaseName.UPKEEP, _("Upkeep"), "upkeep-phase", ("RND-08", "RND-09"),
        (
            Moment("4.1", _("The phase begins.")),
            Moment("4.1w", _WINDOW),
            Moment("4.2", _("Reset actions.")),
            Moment("4.3", _("Ready each exhausted card.")),
            Moment("4.4", _("Each investigator draws 1 card, then gains 1 resource.")),
            Moment("4.5", _("Each investigator with more than 8 cards in hand "
                            "discards down to 8.")),
            Moment("4.6", _("The round ends.")),
        ),
    ),
)
# TEST-01: a test during any of them, with windows of its own.
SKILL_TEST: tuple[Moment, ...] = (
    Moment("ST.1", _("Determine the skill and the difficulty.")),
    Moment("ST.1w", _WINDOW),
    Moment("ST.2", _("Commit cards.")),
    Moment("ST.2w", _WINDOW),
    Moment("ST.3", _("Reveal a chaos token.")),
    Moment("ST.4", _("Resolve the token’s effect.")),
    Moment("ST.5", _("Add up skill, icons, token and other modifiers.")),
    Moment("ST.6", _("You succeed if the total is at least the difficulty.")),
    Moment("ST.7", _("Apply the results.")),
    Moment("ST.8", _("Discard committed cards and return the tokens.")),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Place:
    """A point in the game: the round, from 1, and the index of the moment in it."""

    round: int
    moment: int


MOMENTS: tuple[tuple[Phase, Moment], ...] = tuple(
    (phase, moment) for phase in PHASES for moment in phase.moments
)
_FIRST: Mapping[PhaseName, int] = {
    phase.name: next(at for at, (each, _moment) in enumerate(MOMENTS) if each is phase)
    for phase in PHASES
}


def first_of(phase: PhaseName) -> int:
    """The index in ``MOMENTS`` of the first moment of a phase."""
    return _FIRST[phase]


def begins_at(round_number: int, ultimatums: frozenset[str] = frozenset()) -> Place:
    """The first moment of a round: the first round has no Mythos phase (RND-01).

    It has one under the Ultimatum of Dread (ULT-06).
    """
    skipped = round_number == 1 and not under(ultimatums, UltimatumEffect.MYTHOS_FIRST)
    phase = PhaseName.INVESTIGATION if skipped else PhaseName.MYTHOS
    return Place(round_number, first_of(phase))


def place_of(key: str) -> int:
    """The index in ``MOMENTS`` of the moment with this key."""
    return next(at for at, (_phase, each) in enumerate(MOMENTS) if each.key == key)


def after(place: Place, ultimatums: frozenset[str] = frozenset()) -> Place:
    """The next place; after the last moment, the first one of the next round."""
    then = MOMENTS[place.moment][1].then
    if then:
        return Place(place.round, place_of(then))
    if place.moment + 1 < len(MOMENTS):
        return Place(place.round, place.moment + 1)
    return begins_at(place.round + 1, ultimatums)


def elsewhere(place: Place) -> Place | None:
    """The alternative: to the next investigator, or out of a turn; else None."""
    other = MOMENTS[place.moment][1].other
    return Place(place.round, place_of(other)) if other else None
