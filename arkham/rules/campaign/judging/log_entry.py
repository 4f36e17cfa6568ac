"""Judges whether an entry may be written into the log now."""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging import (
    answers,
    facts,
    side_scenarios,
    ultimatum_choice,
)
from arkham.rules.campaign.judging.volunteered import is_volunteered
from arkham.rules.campaign.model.fixed_steps import CHOOSE_INVESTIGATORS
from arkham.rules.campaign.state.answers import (
    Answer,
    Entry,
    Released,
    Retracted,
    SideScenario,
    Sworn,
    effective,
)
from arkham.rules.campaign.state.victory import Limit
from arkham.rules.finding import Finding


def findings_of(
    entry: Entry,
    replay: Replay,
    log: tuple[Entry, ...] = (),
    unspent: Mapping[str, int] | None = None,
    limits: tuple[Limit, ...] = (),
) -> tuple[Finding, ...]:
    """Everything that stands against an entry, whatever its kind.

    ``log`` are the entries ``replay`` was folded from; ``unspent`` the experience of
    those who would pay for it, ``limits`` those in the victory display of
    this table. What a table states must mean something; whether what it asserts is so,
    the fold says.
    """
    if isinstance(entry, Sworn | Retracted | Released):
        return ultimatum_choice.findings_of(
            ultimatum_choice.Oath(entry, replay.state, log)
        )
    if not isinstance(entry, Answer):
        return facts.findings_of(facts.Stating(entry, replay.state))
    if isinstance(entry.value, SideScenario):
        return side_scenarios.side_scenario_findings(
            side_scenarios.Aside(entry, replay, unspent or {})
        )
    if is_volunteered(entry, replay):
        return ()
    state = replay.as_asked.state
    found = answers.findings_of(entry, replay.pending, state, limits, unspent)
    begun = _begun_aside(entry, log)
    if begun is not None:
        found += tuple(
            side_scenarios.is_paid(side_scenarios.Aside(begun, replay, unspent or {}))
        )
    return found


def _begun_aside(entry: Answer, log: tuple[Entry, ...]) -> Answer | None:
    """How the side scenario began of which it is told who plays it, and so pays."""
    if entry.step != CHOOSE_INVESTIGATORS:
        return None
    told = (each for each in effective(log) if isinstance(each, Answer))
    return next(
        (
            each
            for each in told
            if each.scenario == entry.scenario and isinstance(each.value, SideScenario)
        ),
        None,
    )
