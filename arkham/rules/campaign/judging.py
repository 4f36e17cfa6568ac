"""May this entry be written into the log now?"""

from __future__ import annotations

from collections.abc import Mapping

from arkham.rules.campaign import answering, aside, swearing
from arkham.rules.campaign.answers import Answer, Entry, Retracted, Sworn
from arkham.rules.campaign.replay import START_SIDE, Replay
from arkham.rules.finding import Finding


def findings_of(
    entry: Entry,
    replay: Replay,
    log: tuple[Entry, ...] = (),
    unspent: Mapping[str, int] | None = None,
) -> tuple[Finding, ...]:
    """Everything that stands against an entry, whatever its kind.

    ``log`` are the entries ``replay`` was folded from; ``unspent`` the experience of
    those who would pay for a side scenario. Nothing stands against what a table states
    or asserts: the fold says what is wrong with it.
    """
    if isinstance(entry, Sworn | Retracted):
        return swearing.findings_of(swearing.Oath(entry, replay.state, log))
    if not isinstance(entry, Answer):
        return ()
    if entry.kind == START_SIDE:
        return aside.findings_of(aside.Aside(entry, replay, unspent or {}))
    return answering.findings_of(entry, replay.pending, replay.state)
