"""Computes what more answers change: the difference between two states of a campaign.

Previews, pages and tests use the same function: fold with the outcome added, and
compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.ledger import LogSection, Map, Person, WrittenLine
from arkham.rules.campaign.state.state import State

_T = TypeVar("_T")


class Fate(StrEnum):
    """What happened to an investigator."""

    ALIVE = "alive"
    KILLED = "killed"
    DRIVEN_INSANE = "driven_insane"
    RETIRED = "retired"


class PersonDifference(NamedTuple):
    """What changed for one investigator (or partner).

    ``pools`` are changes of pools of experience that can't be spent on cards.
    """

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    fate: Fate = Fate.ALIVE
    fate_is_new: bool = False
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    pools: tuple[tuple[str, int], ...] = ()


class LogChange(NamedTuple):
    """What changed in one section: lines added, crossed out or removed.

    ``code`` is the investigator whose section it is, if each has their own. ``circled``
    are lines that are now circled or no longer are. ``struck`` says whether the whole
    section was crossed out or restored, None if neither.
    """

    section: str
    written: tuple[WrittenLine, ...] = ()
    crossed_out: tuple[WrittenLine, ...] = ()
    gone: tuple[WrittenLine, ...] = ()
    code: str = ""
    circled: tuple[tuple[str, bool], ...] = ()
    struck: bool | None = None


class MapDifference(NamedTuple):
    """What changed on the map: the group's place, open locations, bearers of keys.

    ``location`` is None if it is unchanged, and "" if no place is set any more. A
    returned key has no bearer ("").
    """

    location: str | None = None
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()


class ReplayDifference(NamedTuple):
    """Everything that changed, and the next scenario.

    ``result_gone`` is the earlier result of a campaign that is no longer over.
    """

    people: tuple[PersonDifference, ...] = ()
    log: tuple[LogChange, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    scenarios: tuple[tuple[str, str], ...] = ()
    result: str = ""
    next_scenario: str = ""
    result_gone: str = ""
    map: MapDifference = MapDifference()

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed, apart from the next scenario."""
        return self._replace(next_scenario="") == ReplayDifference()


def settlement(before: Replay, after: Replay) -> ReplayDifference:
    """Return what changed in a campaign between two replays of it."""
    then, now = before.state, after.state
    known = {each.id: each.status for each in before.scenarios}
    return ReplayDifference(
        tuple(
            settled
            for code in dict.fromkeys((*now.players, *now.people, *then.people))
            if (settled := _settled(then, now, code))
            != PersonDifference(code, fate=settled.fate)
        ),
        (*_log(then.sections, now.sections), *_own_log(then, now)),
        _numbers(then.counts, now.counts),
        _numbers(then.bag, now.bag),
        tuple(
            (each.id, each.status)
            for each in after.scenarios
            if known.get(each.id) != each.status
        ),
        now.campaign_result if now.campaign_result != then.campaign_result else "",
        next((each.id for each in after.scenarios if each.status == "playable"), ""),
        "" if now.campaign_result else then.campaign_result,
        _map(then.map, now.map),
    )


def fate_of(state: State, code: str) -> Fate:
    """Return an investigator's fate: killed before insane, insane before retired."""
    if state.is_killed(code):
        return Fate.KILLED
    if state.is_insane(code):
        return Fate.DRIVEN_INSANE
    person = state.people.get(code)
    return Fate.RETIRED if person is not None and person.retired else Fate.ALIVE


def _settled(then: State, now: State, code: str) -> PersonDifference:
    old, new = then.people.get(code), now.people.get(code) or Person()
    fate = fate_of(now, code)
    old = old or Person()
    gained, lost = _new_and_gone(_held(old), _held(new))
    # The deck's own cards: those removed now, and those no longer removed.
    gone, back = _new_and_gone(_left(old), _left(new))
    return PersonDifference(
        code,
        (new.experience or 0) - (old.experience or 0),
        (new.physical or 0) - (old.physical or 0),
        (new.mental or 0) - (old.mental or 0),
        fate,
        fate is not fate_of(then, code),
        (*gained, *back),
        (*lost, *gone),
        _numbers(old.pools or {}, new.pools or {}),
    )


def _left(person: Person) -> tuple[str, ...]:
    """Return cards removed from the deck, once for each copy."""
    return (*(person.removed or ()), *(person.exiled or ()))


def _held(person: Person) -> tuple[str, ...]:
    """Return story cards and added cards, once for each copy in the deck."""
    story = Counter(person.story or ())
    for card, copies in (person.card_counts or {}).items():
        if card in story:
            story[card] = copies
    return (*story.elements(), *(person.added or ()))


def _new_and_gone(
    had: tuple[_T, ...], has: tuple[_T, ...]
) -> tuple[tuple[_T, ...], tuple[_T, ...]]:
    """Return the cards or lines that came and went, once for each copy."""
    rest, new = list(had), []
    for each in has:
        if each in rest:
            rest.remove(each)
        else:
            new.append(each)
    return tuple(new), tuple(rest)


def _log(
    then: Mapping[str, LogSection], now: Mapping[str, LogSection], code: str = ""
) -> tuple[LogChange, ...]:
    found = []
    for name in {**now, **then}:
        old, new = then.get(name, LogSection()), now.get(name, LogSection())
        if old is new:
            continue
        change = _section(name, old, new, code)
        if change != LogChange(name, code=code):
            found.append(change)
    return tuple(found)


def _own_log(then: State, now: State) -> tuple[LogChange, ...]:
    """Return what changed in the sections that each investigator has of their own."""
    had, has = then.seat_sections, now.seat_sections
    return tuple(
        change
        for name in {**has, **had}
        for code in {**has.get(name, {}), **had.get(name, {})}
        for change in _log(
            {name: had.get(name, {}).get(code, LogSection())},
            {name: has.get(name, {}).get(code, LogSection())},
            code,
        )
    )


def _section(name: str, old: LogSection, new: LogSection, code: str) -> LogChange:
    written, gone = _new_and_gone(old.lines, new.lines)
    struck = tuple(line for line in written if line.crossed_out)
    rewritten = {(each.kind, each.id) for each in written}
    return LogChange(
        name,
        tuple(line for line in written if not line.crossed_out),
        struck,
        tuple(line for line in gone if (line.kind, line.id) not in rewritten),
        code,
        tuple(
            (line, line in new.circled)
            for line in {**old.circled, **new.circled}
            if (line in old.circled) is not (line in new.circled)
        ),
        bool(new.crossed_out)
        if bool(new.crossed_out) is not bool(old.crossed_out)
        else None,
    )


def _map(then: Map, now: Map) -> MapDifference:
    had = {key: enemy or bearer for key, bearer, enemy in then.keys}
    has = {key: enemy or bearer for key, bearer, enemy in now.keys}
    opened, closed = _new_and_gone(then.unlocked, now.unlocked)
    return MapDifference(
        now.location if now.location != then.location else None,
        opened,
        closed,
        tuple(
            (key, has.get(key, ""))
            for key in {**had, **has}
            if had.get(key, "") != has.get(key, "")
        ),
    )


def _numbers(
    then: Mapping[str, int], now: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    return tuple(
        (key, now.get(key, 0) - then.get(key, 0))
        for key in {**then, **now}
        if now.get(key, 0) != then.get(key, 0)
    )
