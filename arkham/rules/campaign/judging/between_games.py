"""What a campaign allows between two games: spending experience, and travelling.

A hop takes 1, but leaving a place of side scenarios that is only passed through takes
0, and so does leaving a hidden start; every journey takes at least 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import ASIDE, PASSING, CampaignGuide
from arkham.rules.campaign.state.answers import Journey
from arkham.rules.finding import Finding, Rule, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import RETURN_TO, RETURNS

_UNDER_WAY = ("started", "resolution")
# Campaigns where experience is spent only when the guide says so (XP-22).
_OPENED_BY_GUIDE = frozenset({"tic"})
# The two parts of Heart of the Elders, here or in the Return (XP-21).
_PARTS = frozenset({"heart_of_the_elders_part_1", "heart_of_the_elders_part_2"})


@rule(
    "spending.between-games",
    rows=("XP-01", "XP-13"),
    cites=(rules_reference("Campaign Play"),),
)
def is_between_games(replay: Replay) -> Iterator[Finding]:
    """You upgrade decks between two games, after resolving the last one."""
    state = replay.state
    status = state.statuses.get(state.scenario)
    game = state.games.get(state.scenario)
    begun = status in _UNDER_WAY and bool(game and game.players)
    if begun and state.guide.is_game(state.scenario) and not _may_upgrade(replay):
        yield Finding(
            _("You upgrade decks between scenarios: finish this one first."),
            actual=state.scenario,
        )


@rule(
    "spending.parts",
    rows=("XP-21",),
    cites=(faq("Frequently Asked Questions: The Forgotten Age"),),
)
def is_not_between_parts(replay: Replay) -> Iterator[Finding]:
    """You can't spend experience between two parts that follow each other
    immediately."""
    state = replay.state
    part = state.scenario.partition("#")[0].removeprefix(RETURN_TO)
    if (state.no_side_scenario or part in _PARTS) and not _may_upgrade(replay):
        yield Finding(
            _("The next part follows immediately: spend experience after it."),
            actual=state.scenario,
        )


@rule(
    "spending.told",
    rows=("XP-22",),
    cites=(faq("Frequently Asked Questions: The Innsmouth Conspiracy"),),
)
def opened_by_guide(replay: Replay) -> Iterator[Finding]:
    """In The Innsmouth Conspiracy you spend experience only when the campaign guide
    says so."""
    state = replay.state
    if state.guide.id.removeprefix(RETURNS) not in _OPENED_BY_GUIDE:
        return
    over = [each.id for each in replay.scenarios if each.status == "completed"]
    games = [each for each in over if state.outcomes_of(each)]
    since_game = over[over.index(games[-1]) :] if games else []
    if games and state.upgraded not in since_game and not _is_upgrading(replay):
        yield Finding(
            _("You spend experience only when the campaign guide says so."),
            actual=state.scenario,
        )


SPENDING_RULES: tuple[Rule[Replay], ...] = (
    is_between_games,
    is_not_between_parts,
    opened_by_guide,
)


def closed_by(replay: Replay) -> Finding | None:
    """Return why players can't spend experience now, or None if they can."""
    if replay.pending is None:  # it is over
        return None
    return next((found for each in SPENDING_RULES for found in each(replay)), None)


def is_under_way(replay: Replay) -> bool:
    """Return whether a game is played or resolved and decks aren't upgraded yet."""
    return replay.pending is not None and any(is_between_games(replay))


def _may_upgrade(replay: Replay) -> bool:
    """Return whether decks are being, or were, upgraded after this scenario."""
    return _is_upgrading(replay) or replay.state.upgraded == replay.state.scenario


def _is_upgrading(replay: Replay) -> bool:
    return replay.pending is not None and replay.pending.spends


class Destination(NamedTuple):
    """A place to which the group can travel, and how long it takes."""

    place: str
    time: int


def travel_times(guide: CampaignGuide, departure: str) -> dict[str, int]:
    """Return the shortest time to each place that is connected with this one."""
    waiting = [(0, departure)]
    found: dict[str, int] = {}
    while waiting:
        time, place = heappop(waiting)
        if place in found:
            continue
        found[place] = max(time, 1)
        if place not in guide.map:
            continue
        here = guide.map[place]
        if place == departure:
            hop = 0 if here.hidden else 1
        else:
            hop = 0 if here.status == "side" else 1
        for neighbour in here.connections:
            if neighbour not in found:
                heappush(waiting, (time + hop, neighbour))
    return found


def destinations(guide: CampaignGuide, replay: Replay) -> list[Destination]:
    """Return the open places not visited yet, nearest first, then by name."""
    held = replay.state.map
    times = travel_times(guide, held.location)
    found = []
    for place in sorted(guide.map.values(), key=lambda each: each.name or each.id):
        is_open = place.status != "locked" or place.id in held.unlocked
        if not is_open or place.id in held.visited or place.id == held.location:
            continue
        if place.id in times:
            found.append(Destination(place.id, times[place.id]))
    return sorted(found, key=lambda each: each.time)


def tickets(guide: CampaignGuide, replay: Replay) -> list[str]:
    """Return who has the card that makes a journey fast."""
    if not guide.fast_card:
        return []
    people = replay.state.people.items()
    return [code for code, person in people if guide.fast_card in (person.story or ())]


def _departing(replay: Replay) -> str:
    """Return the scenario after which the group set out, or "" if it didn't.

    Side scenarios may have followed it.
    """
    state = replay.state
    for change in reversed(state.changes):
        if (change.what, change.which, change.value) == ("map", "", "embark"):
            return state.causes[change.cause].scenario
    return ""


def journey(
    guide: CampaignGuide, replay: Replay, destination: str, *, fast: bool, passing: bool
) -> Journey | None:
    """Return a journey from the current place; None if the destination is out of reach.

    ``fast`` uses up the card for it and takes 1; ``passing`` doesn't stop there. Where
    only a side scenario can be played no one stops either: it is inserted afterwards.
    """
    times = {each.place: each.time for each in destinations(guide, replay)}
    if destination not in times:
        return None
    done = [each.id for each in replay.scenarios if each.status == "completed"]
    passing = passing or guide.map[destination].scenario == ASIDE
    scenario = PASSING if passing else guide.map[destination].scenario
    visits = sum(each.partition("#")[0] == scenario for each in done)
    return Journey(
        _departing(replay) or (done[-1] if done else ""),
        destination,
        replay.state.map.location,
        1 if fast else times[destination],
        f"{scenario}#{visits}" if visits else scenario,
        fast,
        passing,
    )


def journeys(guide: CampaignGuide, replay: Replay) -> list[Journey]:
    """Return every journey possible now, the shortest first."""
    if not replay.state.map.embark:
        return []
    found = [
        journey(guide, replay, each.place, fast=fast, passing=passing)
        for each in destinations(guide, replay)
        for passing in (False, True)
        for fast in ((False, True) if tickets(guide, replay) else (False,))
    ]
    return [*dict.fromkeys(each for each in found if each is not None)]
