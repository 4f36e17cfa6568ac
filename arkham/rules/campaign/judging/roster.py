"""Who may be chosen as an investigator, who has left, and who may replace them.

Investigators are identified by title: parallel versions, promotional cards and reprints
are the same person (CARD-01), so if one version was killed, all are dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import TRANSFERRED, Stated
from arkham.rules.campaign.state.ledger import Game
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, Severity, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import Arrival

_JOINING = (rules_reference("Joining or Leaving a Campaign"),)
_TRAUMA = (rules_reference("Trauma"),)


class RosterReason(StrEnum):
    """Why an investigator is chosen."""

    JOINING = "joining"  # a player new to the campaign
    REPLACING = "replacing"  # replaces one who was killed, driven insane or retired
    RETURNING = "returning"  # a player who left and comes back


class Roster:
    """Who was ever used in a campaign, and who is gone, by title."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.used = {
            state.title(code)
            for game in state.games.values()
            for code in game.players or ()
        }
        self.gone: dict[str, Fate] = {}
        for code in state.people:
            fate = fate_of(state, code)
            if fate is not Fate.ALIVE and code not in state.partners:
                self.gone.setdefault(state.title(code), fate)

    @property
    def is_playing(self) -> bool:
        """Whether a game is in progress, during which no one joins or leaves."""
        game = self.state.games.get(self.state.scenario)
        status = self.state.statuses.get(self.state.scenario)
        return status == "started" and bool(game and game.players)


class Candidate(NamedTuple):
    """A player about to take an investigator.

    ``others`` are those the other players have now; ``lost`` is the fate of the one
    being replaced.
    """

    code: str
    roster: Roster
    entering: RosterReason
    others: tuple[str, ...] = ()
    lost: Fate = Fate.ALIVE

    @property
    def title(self) -> str:
        """The investigator's title, whatever the version."""
        return self.roster.state.title(self.code)


@rule("roster.known", rows=("CAMP-01",), cites=_TRAUMA)
def is_known(candidate: Candidate) -> Iterator[Finding]:
    """You choose an investigator."""
    if candidate.code not in candidate.roster.state.investigators:
        yield Finding(_("We don’t know this investigator."), cards=(candidate.code,))


@rule("roster.gone", rows=("TRA-08", "LOG-08"), cites=_TRAUMA)
def is_not_gone(candidate: Candidate) -> Iterator[Finding]:
    """You can't choose an investigator who was killed or driven insane, in any
    version."""
    fate = candidate.roster.gone.get(candidate.title, Fate.ALIVE)
    if fate in (Fate.KILLED, Fate.DRIVEN_INSANE):
        yield Finding(
            _("This investigator was killed or driven insane."),
            cards=(candidate.code,),
            actual=fate.value,
            expected=Fate.ALIVE.value,
        )


@rule(
    "roster.retired",
    rows=("DECK-19",),
    cites=(faq("Frequently Asked Questions: The Dunwich Legacy"),),
)
def is_not_retired(candidate: Candidate) -> Iterator[Finding]:
    """An investigator who retired has left the campaign; another one takes over."""
    if candidate.roster.gone.get(candidate.title) is Fate.RETIRED:
        returning = candidate.entering is RosterReason.RETURNING
        yield Finding(
            _("This investigator has retired."),
            Severity.ADVICE if returning else Severity.ILLEGAL,
            cards=(candidate.code,),
        )


@rule("roster.unused", rows=("CAMP-08",), cites=_JOINING)
def is_unused(candidate: Candidate) -> Iterator[Finding]:
    """A player who joins takes an investigator not yet used in this campaign."""
    used = candidate.title in candidate.roster.used
    if candidate.entering is RosterReason.JOINING and used:
        yield Finding(
            _("This investigator has already been used in this campaign."),
            cards=(candidate.code,),
        )


@rule("roster.returns", rows=("CAMP-07",), cites=_JOINING)
def comes_back(candidate: Candidate) -> Iterator[Finding]:
    """A player who comes back plays the investigator they left with."""
    unused = candidate.title not in candidate.roster.used
    if candidate.entering is RosterReason.RETURNING and unused:
        yield Finding(
            _("This investigator hasn’t been used in this campaign yet."),
            cards=(candidate.code,),
        )


@rule("roster.taken", rows=("CARD-01", "CARD-10"), cites=(rules_reference("Unique"),))
def is_free(candidate: Candidate) -> Iterator[Finding]:
    """Two players never have the same investigator, even in different versions."""
    state = candidate.roster.state
    for other in candidate.others:
        if state.title(other) == candidate.title:
            yield Finding(
                _("Another player has this investigator."),
                cards=(candidate.code, other),
            )


@rule(
    "roster.survival", rows=("TRA-15", "ULT-15"), cites=(faq("Ultimatum of Survival"),)
)
def survives(candidate: Candidate) -> Iterator[Finding]:
    """Under the Ultimatum of Survival a killed or insane investigator isn't
    replaced."""
    dead = candidate.lost in (Fate.KILLED, Fate.DRIVEN_INSANE)
    in_force = candidate.roster.state.ultimatums
    if dead and under(in_force, UltimatumEffect.NO_SUCCESSORS):
        yield Finding(
            _("This player has left the campaign."),
            cards=(candidate.code,),
            actual=candidate.lost.value,
        )


@rule("roster.between-games", rows=("CAMP-06",), cites=_JOINING)
def is_between_games(candidate: Candidate) -> Iterator[Finding]:
    """Players join, leave and replace investigators between two games."""
    if candidate.roster.is_playing:
        yield Finding(
            _("Finish this scenario first."),
            cards=(candidate.code,),
            actual=candidate.roster.state.scenario,
        )


ROSTER_RULES: tuple[Rule[Candidate], ...] = (
    is_known,
    is_not_gone,
    is_not_retired,
    is_unused,
    comes_back,
    is_free,
    survives,
    is_between_games,
)


def findings_of(candidate: Candidate) -> tuple[Finding, ...]:
    """Return all findings against the choice of an investigator."""
    return tuple(finding for each in ROSTER_RULES for finding in each(candidate))


def may_be_chosen(
    state: State,
    pool: Iterable[str],
    entering: RosterReason = RosterReason.REPLACING,
    *,
    others: tuple[str, ...] = (),
    lost: Fate = Fate.ALIVE,
) -> tuple[str, ...]:
    """Return the investigators of a pool who may be chosen, in its order.

    All versions of each are included; the player decides which one to play.
    """
    roster = Roster(state)
    return tuple(
        code
        for code in pool
        if not any(
            finding.severity is Severity.ILLEGAL
            for finding in findings_of(Candidate(code, roster, entering, others, lost))
        )
    )


def arrival_of(replay: Replay, code: str) -> Arrival | None:
    """Return how an investigator joined later; None if they began with the campaign.

    Investigators of the campaign setup did, even if they sit out the first game.
    The log remembers everything about players who leave. A newcomer has no experience
    or trauma (CAMP-08, XP-27), and gets a bonus meant for the start of the campaign
    only if the group's ruling says so (XP-49).
    """
    state = replay.state
    facts = (fact for fact in replay.used if isinstance(fact, Stated))
    if any(fact.reason == TRANSFERRED and code in fact.codes for fact in facts):
        return Arrival.TRANSFERRED
    first = next(_games(replay), ())
    begun = (*first, *(state.games.get(SETUP, Game()).players or ()))
    began = not first or state.title(code) in map(state.title, begun)
    return None if began else Arrival.NEWCOMER


def _games(replay: Replay) -> Iterator[tuple[str, ...]]:
    """Yield who played in each game, in the order of play."""
    guide = replay.state.guide
    for each in replay.scenarios:
        game = replay.state.games.get(each.id)
        if guide.is_game(each.id) and game is not None and game.players:
            yield game.players
