"""The state of a campaign as its table would have recorded it on paper."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.paper import EnteredInvestigator, EnteredPartner, Position
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.ledger import LogSection, Person
from arkham.rules.campaign.state.state import State

Place = tuple[str, str]


def _shown(state: State) -> dict[str, LogSection]:
    hidden = {each.id for each in state.guide.sections if each.hidden}
    return {name: each for name, each in state.sections.items() if name not in hidden}


def _lines(state: State) -> Iterator[tuple[Place, str, int, bool]]:
    """Yield place, kind, number and whether it is crossed out, for each line."""
    for name, section in _shown(state).items():
        if section.crossed_out:
            yield (name, ""), "whole", 0, True
        for line in section.lines:
            kind = "words" if line.kind == "freeform" else line.kind
            where = (name, line.text if kind == "words" else line.id)
            yield where, kind, line.number, bool(line.crossed_out)


def _entering(state: State, code: str) -> EnteredInvestigator:
    person = state.people.get(code) or Person()
    fates = {person.killed: Fate.KILLED, person.insane: Fate.DRIVEN_INSANE}
    own = {name: of[code] for name, of in state.seat_sections.items() if code in of}
    listed = [(name, line) for name, each in own.items() for line in each.lines]
    return EnteredInvestigator(
        code,
        max(person.experience or 0, 0),
        person.physical or 0,
        person.mental or 0,
        fates.get(True, Fate.ALIVE),
        tuple(person.story or ()),
        tuple(person.added or ()),
        {
            name if line.id == "$count" else f"{name}.{line.id}": line.number
            for name, line in listed
            if line.kind == "count"
        },
        tuple((name, line.id) for name, line in listed if line.kind != "count"),
        resting=code not in state.players,
    )


def paper_of(replay: Replay) -> Position:
    """Return the position of a campaign, as far as it would be on paper."""
    state, pending = replay.state, replay.pending
    assert pending is not None
    lines = list(_lines(state))
    partners = {
        each: state.people[each] for each in state.partners & state.people.keys()
    }
    codes = dict.fromkeys((*state.players, *state.people))
    done = [each.id for each in replay.scenarios if each.status == "completed"]
    return Position(
        pending.scenario,
        tuple(_entering(state, each) for each in codes if each not in state.partners),
        state.bag,
        state.difficulty,
        tuple(where for where, kind, *_ in lines if kind not in ("count", "words")),
        tuple(where for where, _kind, _number, crossed in lines if crossed),
        tuple(where for where, kind, *_ in lines if kind == "words"),
        {
            ".".join(where): number
            for where, kind, number, _crossed in lines
            if kind == "count"
        }
        | {name: count for name, count in state.counts.items() if count},
        tuple(dict.fromkeys(each for each in done if each in state.guide.scenarios)),
        state.order or (),
        tuple(_beside(code, person) for code, person in partners.items()),
    )


def _beside(code: str, person: Person) -> EnteredPartner:
    states = (*(person.story or ()), *(["eliminated"] if person.killed else []))
    return EnteredPartner(code, person.physical or 0, person.mental or 0, states)
