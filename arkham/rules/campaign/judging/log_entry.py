"""Judges whether an entry may be written into the log now.

Some facts a table may report without being asked: corrections of experience and trauma
while decks are upgraded, what was changed by hand after a scenario, a side scenario put
in, a journey.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging import (
    answers,
    facts,
    side_scenarios,
    ultimatum_choice,
)
from arkham.rules.campaign.judging.side_scenarios import Aside, side_scenario_findings
from arkham.rules.campaign.judging.travel import journey
from arkham.rules.campaign.model.scenario_steps import CHOOSE_INVESTIGATORS
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Journey,
    Retracted,
    SideScenario,
    UltimatumChosen,
    UltimatumDropped,
    effective,
)
from arkham.rules.campaign.state.outcomes import Limit
from arkham.rules.finding import Finding


def is_volunteered(answer: Answer, replay: Replay) -> bool:
    """Whether an answer may be given here although it is not what is asked."""
    match answer.kind:
        case "choice_list":
            return _is_of_a_deck(answer, replay)
        case "inter_scenario":
            return not answer.step and _has_begun(answer.scenario, replay)
        case "start_side_scenario":
            return not answer.step and _is_put_in(answer, replay)
        case "start_scenario":
            return not answer.step and _is_a_journey(answer, replay)
    return False


def _is_of_a_deck(answer: Answer, replay: Replay) -> bool:
    """What is put right for one investigator while decks are upgraded or saved."""
    asked = replay.pending
    if asked is None or not asked.is_upgrade:
        return False
    step, _mark, code = answer.step.rpartition("#")
    return (answer.scenario, step) == (asked.scenario, asked.step) and (
        code in asked.codes
    )


def _has_begun(scenario: str, replay: Replay) -> bool:
    return scenario in replay.begun


def _is_put_in(answer: Answer, replay: Replay) -> bool:
    """A side scenario nothing stands against here."""
    if not isinstance(answer.value, SideScenario):
        return False
    return not side_scenario_findings(Aside(answer, replay))


def _is_a_journey(answer: Answer, replay: Replay) -> bool:
    """A journey as the map allows it, once the table may travel."""
    value = answer.value
    if not isinstance(value, Journey) or not replay.state.map.embark:
        return False
    if value.destination not in replay.state.guide.map:
        return False
    possible = journey(
        replay.state.guide,
        replay,
        value.destination,
        fast=value.fast,
        passing=value.transit,
    )
    return value == possible and answer.scenario == value.next_scenario


def findings_of(
    entry: Entry,
    replay: Replay,
    log: tuple[Entry, ...] = (),
    unspent: Mapping[str, int] | None = None,
    limits: tuple[Limit, ...] = (),
    cards: Mapping[str, Collection[str]] | None = None,
) -> tuple[Finding, ...]:
    """Everything that stands against an entry, whatever its kind.

    ``log`` are the entries ``replay`` was folded from; ``unspent`` the experience of
    those who would pay for it, ``cards`` what is in their decks, ``limits`` those in
    the victory display of this table. What a table states must mean something; whether
    what it asserts is so, the fold says.
    """
    if isinstance(entry, UltimatumChosen | Retracted | UltimatumDropped):
        return ultimatum_choice.findings_of(
            ultimatum_choice.UltimatumChoice(entry, replay.state, log)
        )
    if not isinstance(entry, Answer):
        return facts.findings_of(facts.Stating(entry, replay.state))
    paying = replay, unspent or {}, cards or {}
    if isinstance(entry.value, SideScenario):
        return side_scenario_findings(Aside(entry, *paying))
    if is_volunteered(entry, replay):
        return ()
    state = replay.as_asked.state
    found = answers.findings_of(entry, replay.pending, state, limits, unspent)
    begun = _begun_aside(entry, log)
    if begun is not None:
        found += tuple(side_scenarios.is_paid(Aside(begun, *paying)))
    return found


def _begun_aside(entry: Answer, log: tuple[Entry, ...]) -> Answer | None:
    """How the side scenario began whose players, who pay for it, are answered here."""
    if entry.step != CHOOSE_INVESTIGATORS:
        return None
    answers = (each for each in effective(log) if isinstance(each, Answer))
    return next(
        (
            each
            for each in answers
            if each.scenario == entry.scenario and isinstance(each.value, SideScenario)
        ),
        None,
    )
