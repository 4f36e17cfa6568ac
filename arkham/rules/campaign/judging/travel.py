"""The places a table can travel to, and how long each journey takes.

A hop takes 1, but leaving a place of side scenarios that is only passed through takes
nothing, nor does leaving a hidden start; no journey takes less than 1.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import ASIDE, PASSING, CampaignGuide
from arkham.rules.campaign.state.answers import Journey


class Destination(NamedTuple):
    """A place that can be travelled to, and how long it takes."""

    place: str
    time: int


def travel_time(guide: CampaignGuide, departure: str, destination: str) -> int | None:
    """The shortest time between two places; None if no way leads there."""
    waiting = [(0, departure)]
    done: set[str] = set()
    while waiting:
        time, place = heappop(waiting)
        if place == destination:
            return max(time, 1)
        if place in done or place not in guide.map:
            continue
        done.add(place)
        here = guide.map[place]
        if place == departure:
            hop = 0 if here.hidden else 1
        else:
            hop = 0 if here.status == "side" else 1
        for neighbour in here.connections:
            if neighbour not in done:
                heappush(waiting, (time + hop, neighbour))
    return None


def destinations(guide: CampaignGuide, replay: Replay) -> list[Destination]:
    """Places that are open, not yet visited, and not where the table is."""
    held = replay.state.map
    found = []
    for place in guide.map.values():
        is_open = place.status != "locked" or place.id in held.unlocked
        if not is_open or place.id in held.visited or place.id == held.location:
            continue
        time = travel_time(guide, held.location, place.id)
        if time is not None:
            found.append(Destination(place.id, time))
    return sorted(found, key=lambda each: (each.time, each.place))


def tickets(guide: CampaignGuide, replay: Replay) -> list[str]:
    """Those who have the card that makes a journey fast."""
    if not guide.fast_card:
        return []
    people = replay.state.people.items()
    return [code for code, person in people if guide.fast_card in (person.story or ())]


def _departing(replay: Replay) -> str:
    """The scenario at whose end the table set out; a side scenario may have followed.

    Nothing if nobody set out.
    """
    state = replay.state
    for change in reversed(state.changes):
        if (change.what, change.which, change.value) == ("map", "", "embark"):
            return state.causes[change.cause].scenario
    return ""


def journey(
    guide: CampaignGuide, replay: Replay, destination: str, *, fast: bool, passing: bool
) -> Journey | None:
    """The record of a journey from where the table is; None if nobody can go there.

    ``fast`` uses up the card for it and takes 1; ``passing`` does not stop there. Nor
    does anybody where only a side scenario can be played: that is put in afterwards.
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
    """Every journey the table can make now, the shortest first; none before it may."""
    if not replay.state.map.embark:
        return []
    found = [
        journey(guide, replay, each.place, fast=fast, passing=passing)
        for each in destinations(guide, replay)
        for passing in (False, True)
        for fast in ((False, True) if tickets(guide, replay) else (False,))
    ]
    return [*dict.fromkeys(each for each in found if each is not None)]
