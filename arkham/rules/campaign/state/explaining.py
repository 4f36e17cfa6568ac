"""Explains why a value of a campaign is what it is."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.state.ledger import Origin
from arkham.rules.campaign.state.state import State


class Reason(NamedTuple):
    """One change that made a value what it is, and where it comes from.

    ``answer`` is the place in the log of the answer that led there, 0 if none did;
    ``origin`` what experience came from.
    """

    value: object
    scenario: str
    step: str
    answer: int
    origin: Origin | None = None


def reasons(state: State, what: str, which: str = "") -> list[Reason]:
    """Everything that changed a value, in order.

    ``what`` is ``experience``, ``pool``, ``physical``, ``mental``, ``killed``,
    ``insane``, ``card``, ``removed``, ``token``, ``line``, ``section``, ``count``,
    ``line_count``, ``seat_count``, ``scenario``, ``next_scenario``, ``result`` …;
    ``which`` the investigator, token, section or scenario.
    """
    found = []
    for change in state.changes:
        if change.what == what and change.which == which:
            cause = state.causes[change.cause]
            found.append(Reason(change.value, *cause, change.origin))
    return found
