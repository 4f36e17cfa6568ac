"""Finds the scenarios that can be played after those before them were simulated."""

from __future__ import annotations

from arkham.rules.campaign.by_hand.facts import SIDE
from arkham.rules.campaign.model.guide import Guide


def led_up_to(guide: Guide) -> tuple[str, ...]:
    """The games of a campaign that others come before, in order (STAND-06).

    Side scenarios are no campaign: none of a package leads up to another.
    """
    if guide.id == SIDE:
        return ()
    scenarios = guide.scenarios
    listed = (each for each in guide.order if each in scenarios)
    games = [each for each in listed if not scenarios[each].is_interlude]
    return tuple(games[1:])
