"""The investigators who may be chosen, those who are gone, and who replaces them.

An investigator is one by title: a parallel version, a promotional card and a reprint
are the same person (CARD-01), so who was killed in one version is dead in all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import TRANSFERRED, Stated
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, Severity, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import Arrival

_JOINING = (rules_reference("Joining or Leaving a Campaign"),)
_TRAUMA = (rules_reference("Trauma"),)


class RosterReason(StrEnum):
    """Why an investigator is chosen."""

    JOINING = "joining"  # a player who was not in the campaign
    REPLACING = "replacing"  # for one killed, driven insane or retired
    RETURNING = "returning"  # a player who left comes back


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
        """Whether a game has begun and is not over: nobody joins or leaves then."""
        game = self.state.games.get(self.state.scenario)
        status = self.state.statuses.get(self.state.scenario)
        return status == "started" and bool(game and game.players)


class Choosing(NamedTuple):
    """Somebody is about to take an investigator.

    ``others`` are those the other players have now; ``lost`` what became of the one
    that is replaced.
    """

    code: str
    roster: Roster
    entering: RosterReason
    others: tuple[str, ...] = ()
    lost: Fate = Fate.ALIVE

    @property
    def title(self) -> str:
        """Who is chosen, whatever the version."""
        return self.roster.state.title(self.code)


@rule("roster.known", rows=("CAMP-01",), cites=_TRAUMA)
def is_known(choosing: Choosing) -> Iterator[Finding]:
    """You choose an investigator."""
    if choosing.code not in choosing.roster.state.investigators:
        yield Finding(_("We don’t know this investigator."), cards=(choosing.code,))


@rule("roster.gone", rows=("TRA-08", "LOG-08"), cites=_TRAUMA)
def is_not_gone(choosing: Choosing) -> Iterator[Finding]:
    """You can't choose an investigator who was killed or driven insane, in any
    version."""
    fate = choosing.roster.gone.get(choosing.title, Fate.ALIVE)
    if fate in (Fate.KILLED, Fate.DRIVEN_INSANE):
        yield Finding(
            _("This investigator was killed or driven insane."),
            cards=(choosing.code,),
            actual=fate.value,
            expected=Fate.ALIVE.value,
        )


@rule(
    "roster.retired",
    rows=("DECK-19",),
    cites=(faq("Frequently Asked Questions: The Dunwich Legacy"),),
)
def is_not_retired(choosing: Choosing) -> Iterator[Finding]:
    """An investigator who retired has left the campaign; another one takes over."""
    if choosing.roster.gone.get(choosing.title) is Fate.RETIRED:
        returning = choosing.entering is RosterReason.RETURNING
        yield Finding(
            _("This investigator has retired."),
            Severity.ADVICE if returning else Severity.ILLEGAL,
            cards=(choosing.code,),
        )


@rule("roster.unused", rows=("CAMP-08",), cites=_JOINING)
def is_unused(choosing: Choosing) -> Iterator[Finding]:
    """A player who joins takes an investigator not yet used in this campaign."""
    used = choosing.title in choosing.roster.used
    if choosing.entering is RosterReason.JOINING and used:
        yield Finding(
            _("This investigator has already been used in this campaign."),
            cards=(choosing.code,),
        )


@rule("roster.returns", rows=("CAMP-07",), cites=_JOINING)
def comes_back(choosing: Choosing) -> Iterator[Finding]:
    """A player who comes back goes on with the investigator they left with."""
    unused = choosing.title not in choosing.roster.used
    if choosing.entering is RosterReason.RETURNING and unused:
        yield Finding(
            _("This investigator hasn’t been used in this campaign yet."),
            cards=(choosing.code,),
        )


@rule("roster.taken", rows=("CARD-01", "CARD-10"), cites=(rules_reference("Unique"),))
def is_free(choosing: Choosing) -> Iterator[Finding]:
    """Two players never have the same investigator, even in different versions."""
    state = choosing.roster.state
    for other in choosing.others:
        if state.title(other) == choosing.title:
            yield Finding(
                _("Another player has this investigator."),
                cards=(choosing.code, other),
            )


@rule(
    "roster.survival",
    rows=("TRA-15", "ULT-15"),
    cites=(faq("Ultimatum of Survival"),),
)
def survives(choosing: Choosing) -> Iterator[Finding]:
    """Under the Ultimatum of Survival a killed or insane investigator isn't
    replaced."""
    dead = choosing.lost in (Fate.KILLED, Fate.DRIVEN_INSANE)
    in_force = choosing.roster.state.ultimatums
    if dead and under(in_force, UltimatumEffect.NO_SUCCESSORS):
        yield Finding(
            _("This player has left the campaign."),
            cards=(choosing.code,),
            actual=choosing.lost.value,
        )


@rule("roster.between-games", rows=("CAMP-06",), cites=_JOINING)
def is_between_games(choosing: Choosing) -> Iterator[Finding]:
    """Players join, leave and replace investigators between two games."""
    if choosing.roster.is_playing:
        yield Finding(
            _("Finish this scenario first."),
            cards=(choosing.code,),
            actual=choosing.roster.state.scenario,
        )


ROSTER_RULES: tuple[Rule[Choosing], ...] = (
    is_known,
    is_not_gone,
    is_not_retired,
    is_unused,
    comes_back,
    is_free,
    survives,
    is_between_games,
)


def findings_of(choosing: Choosing) -> tuple[Finding, ...]:
    """Everything that stands against an investigator being chosen, at once."""
    return tuple(finding for each in ROSTER_RULES for finding in each(choosing))


def may_be_chosen(
    state: State,
    pool: Iterable[str],
    entering: RosterReason = RosterReason.REPLACING,
    *,
    others: tuple[str, ...] = (),
    lost: Fate = Fate.ALIVE,
) -> tuple[str, ...]:
    """Those of a pool of investigators that may be chosen, in its order.

    Every version of each; which one is played is the player's choice.
    """
    roster = Roster(state)
    return tuple(
        code
        for code in pool
        if not any(
            finding.severity is Severity.ILLEGAL
            for finding in findings_of(Choosing(code, roster, entering, others, lost))
        )
    )


def arrival_of(replay: Replay, code: str) -> Arrival | None:
    """How an investigator came who did not begin with the campaign; None who did.

    What is remembered of a player who leaves is all in the log. A newcomer has nothing:
    no experience, no trauma (CAMP-08, XP-27), and gets a bonus meant for the beginning
    of the campaign only where the table rules so (XP-49).
    """
    state = replay.state
    facts = (fact for fact in replay.used if isinstance(fact, Stated))
    if any(fact.reason == TRANSFERRED and code in fact.codes for fact in facts):
        return Arrival.TRANSFERRED
    first = next(_games(replay), ())
    began = not first or state.title(code) in map(state.title, first)
    return None if began else Arrival.NEWCOMER


def _games(replay: Replay) -> Iterator[tuple[str, ...]]:
    """Who played in each game, in the order of play."""
    guide = replay.state.guide
    for each in replay.scenarios:
        game = replay.state.games.get(each.id)
        if guide.is_game(each.id) and game is not None and game.players:
            yield game.players
