"""May this entry be written into the log now?"""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign import answering, aside, stating, swearing
from arkham.rules.campaign.answers import (
    Answer,
    Entry,
    Released,
    Retracted,
    SideScenario,
    Sworn,
    effective,
)
from arkham.rules.campaign.fixed import CHOOSE_INVESTIGATORS
from arkham.rules.campaign.replay import Replay
from arkham.rules.campaign.victory import Limit
from arkham.rules.campaign.volunteered import is_volunteered
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
    those who would pay for a side scenario, ``limits`` those in the victory display of
    this table. What a table states must mean something; whether what it asserts is so,
    the fold says.
    """
    if isinstance(entry, Sworn | Retracted | Released):
        return swearing.findings_of(swearing.Oath(entry, replay.state, log))
    if not isinstance(entry, Answer):
        return stating.findings_of(stating.Stating(entry, replay.state))
    if isinstance(entry.value, SideScenario):
        return aside.findings_of(aside.Aside(entry, replay, unspent or {}))
    if is_volunteered(entry, replay):
        return ()
    found = answering.findings_of(entry, replay.pending, replay.as_asked.state, limits)
    begun = _begun_aside(entry, log)
    if begun is not None:
        found += tuple(aside.is_paid(aside.Aside(begun, replay, unspent or {})))
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
