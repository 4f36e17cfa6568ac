"""Resumes a fold where an earlier one stopped, instead of from the first entry."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.run import FACTS, JOURNEY, LOST, Problem, Run
from arkham.rules.campaign.state.answers import Answers, Held
from arkham.rules.campaign.state.sharing import SharedList
from arkham.rules.campaign.state.state import State

BEGUN = frozenset({"started", "completed"})  # of the states of a scenario


class Played(NamedTuple):
    """A scenario in the order of play, and how far it has come."""

    id: str
    status: str
    name: str = ""


class Stop(NamedTuple):
    """A place a fold can go on from: the state there, and all that led to it.

    ``run`` is the scenario that waits for an answer; without it ``encoded`` is about
    to begin, having followed ``previous`` (nothing, if it came from the list).
    """

    state: State
    answers: Answers
    links: dict[str, str] | None
    played: tuple[Played, ...]
    used: SharedList[Held]
    problems: tuple[Problem, ...]
    encoded: str
    previous: str
    order: tuple[str, ...] | None
    run: Run | None


def goes_on(stop: Stop, answers: Answers, links: dict[str, str] | None) -> bool:
    """Whether nothing that was read up to a stop is otherwise now."""
    before = stop.answers
    if links != stop.links:
        return False
    for played in stop.played:
        encoded = played.id
        if not (
            _is_same(answers.sheet(encoded), before.sheet(encoded))
            and _is_same(answers.stated(encoded), before.stated(encoded))
            and answers.ultimatums.get(encoded) == before.ultimatums.get(encoded)
            and answers.journeys.get(encoded) == before.journeys.get(encoded)
        ):
            return False
        # What follows the last one is only looked up when the fold goes on; not where
        # it has begun already.
        is_looked_up = encoded == stop.previous and stop.run is None
        if not is_looked_up and (
            answers.sides.get(encoded) != before.sides.get(encoded)
        ):
            return False
    return stop.run is None or _waits_on(stop.run, answers, before)


def _is_same(now: object, then: object) -> bool:
    """Whether two are equal; most are one and the same, however much there is."""
    return now is then or now == then


def _waits_on(run: Run, answers: Answers, before: Answers) -> bool:
    """Whether nothing a waiting run has read is otherwise now."""
    encoded = run.encoded
    if answers.ultimatums.get(encoded) != before.ultimatums.get(encoded):
        return False
    now, then = answers.stated(encoded), before.stated(encoded)
    if FACTS not in run.missed:
        now, then = now.first(run.facts_held or 0), then.first(run.facts_held or 0)
    if now != then:
        return False
    if LOST in run.missed and answers.banished(encoded) != before.banished(encoded):
        return False
    if JOURNEY in run.missed and (
        answers.journeys.get(encoded) != before.journeys.get(encoded)
    ):
        return False
    sheet, known = answers.sheet(encoded), before.sheet(encoded)
    return all(
        (sheet.get(key) == known[key]) if key in known else key not in run.missed
        for key in sheet.keys() | known.keys()
    )


def locked(played: list[Played]) -> tuple[Played, ...]:
    """Only the first scenario that can be played can be begun now."""
    found: list[Played] = []
    blocked = False
    for each in played:
        if each.status == "playable":
            found.append(each._replace(status="locked") if blocked else each)
            blocked = True
        else:
            found.append(each)
            blocked = blocked or each.status == "started"
    return tuple(found)
