"""What follows from more answers: the difference between two states of a campaign.

The same function serves a preview, a page and a test: fold with the outcome added, and
compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from arkham.rules.campaign.ledger import Line, Person, Section
from arkham.rules.campaign.replay import Replay
from arkham.rules.campaign.state import State


class Fate(StrEnum):
    """What became of an investigator."""

    ALIVE = "alive"
    KILLED = "killed"
    DRIVEN_INSANE = "driven_insane"
    RETIRED = "retired"


class Settled(NamedTuple):
    """What changed for one investigator (or partner)."""

    code: str
    experience: int = 0
    physical: int = 0
    mental: int = 0
    fate: Fate = Fate.ALIVE
    fate_is_new: bool = False
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class LogChange(NamedTuple):
    """What changed in one section: lines written, crossed out, taken away."""

    section: str
    written: tuple[Line, ...] = ()
    crossed_out: tuple[Line, ...] = ()
    gone: tuple[Line, ...] = ()


class Settlement(NamedTuple):
    """Everything that changed, and what comes next."""

    people: tuple[Settled, ...] = ()
    log: tuple[LogChange, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    tokens: tuple[tuple[str, int], ...] = ()
    scenarios: tuple[tuple[str, str], ...] = ()
    result: str = ""
    next_scenario: str = ""


def settlement(before: Replay, after: Replay) -> Settlement:
    """What became of a campaign between two replays of it."""
    then, now = before.state, after.state
    known = {each.id: each.status for each in before.scenarios}
    return Settlement(
        tuple(
            settled
            for code in {**now.people, **then.people}
            if (settled := _settled(then, now, code))
            != Settled(code, fate=settled.fate)
        ),
        _log(then.sections, now.sections),
        _numbers(then.counts, now.counts),
        _numbers(then.bag, now.bag),
        tuple(
            (each.id, each.status)
            for each in after.scenarios
            if known.get(each.id) != each.status
        ),
        now.campaign_result if now.campaign_result != then.campaign_result else "",
        next((each.id for each in after.scenarios if each.status == "playable"), ""),
    )


def fate_of(state: State, code: str) -> Fate:
    """Killed before insane: whoever is both was killed; then retired."""
    if state.is_killed(code):
        return Fate.KILLED
    if state.is_insane(code):
        return Fate.DRIVEN_INSANE
    person = state.people.get(code)
    return Fate.RETIRED if person is not None and person.retired else Fate.ALIVE


def _settled(then: State, now: State, code: str) -> Settled:
    old, new = then.people.get(code), now.people.get(code) or Person()
    fate = fate_of(now, code)
    gained, lost = _cards(_held(old) if old else (), _held(new))
    gone = (new.removed or [])[len((old.removed or ()) if old else ()) :]
    exiled = (new.exiled or [])[len((old.exiled or ()) if old else ()) :]
    return Settled(
        code,
        (new.experience or 0) - ((old.experience or 0) if old else 0),
        (new.physical or 0) - ((old.physical or 0) if old else 0),
        (new.mental or 0) - ((old.mental or 0) if old else 0),
        fate,
        fate is not fate_of(then, code),
        gained,
        (*lost, *gone, *exiled),
    )


def _held(person: Person) -> tuple[str, ...]:
    """Story cards, each as often as it lies in the deck, and what joined it else."""
    story = Counter(person.story or ())
    for card, copies in (person.card_counts or {}).items():
        if card in story:
            story[card] = copies
    return (*story.elements(), *(person.added or ()))


def _cards(
    had: tuple[str, ...], has: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cards that came and cards that went, each as often as it did."""
    rest = list(had)
    gained = []
    for card in has:
        if card in rest:
            rest.remove(card)
        else:
            gained.append(card)
    return tuple(gained), tuple(rest)


def _log(
    then: Mapping[str, Section], now: Mapping[str, Section]
) -> tuple[LogChange, ...]:
    found = []
    for name, section in now.items():
        old = then.get(name, Section())
        if old is section:
            continue
        written, gone = _lines(old.lines, section.lines)
        struck = tuple(line for line in written if line.crossed_out)
        change = LogChange(
            name,
            tuple(line for line in written if not line.crossed_out),
            struck,
            tuple(
                line
                for line in gone
                if (line.kind, line.id)
                not in {(each.kind, each.id) for each in written}
            ),
        )
        if change != LogChange(name):
            found.append(change)
    return tuple(found)


def _lines(
    had: tuple[Line, ...], has: tuple[Line, ...]
) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    rest = list(had)
    new = []
    for line in has:
        if line in rest:
            rest.remove(line)
        else:
            new.append(line)
    return tuple(new), tuple(rest)


def _numbers(
    then: Mapping[str, int], now: Mapping[str, int]
) -> tuple[tuple[str, int], ...]:
    return tuple(
        (key, now.get(key, 0) - then.get(key, 0))
        for key in {**then, **now}
        if now.get(key, 0) != then.get(key, 0)
    )
