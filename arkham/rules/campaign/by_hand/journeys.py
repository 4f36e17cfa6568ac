"""Where a campaign travels from place to place: its map, and who opens what on it.

A table says that it travels, then where to; the map says how long that takes.
"""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.by_hand.facts import CampaignFacts
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import batch
from arkham.rules.campaign.model.steps import Choice, Step

TRAVEL, TRAVEL_RETURN = "travel", "travel_return"
OPEN_PLACES, CLOSE_PLACES = "open_places", "close_places"
DEPARTURE = "departure"
EMBARK, EMBARK_RETURN = "$embark", "$embark_return"
_CHANGES = ((OPEN_PLACES, "unlock_location"), (CLOSE_PLACES, "lock_location"))


def departure(facts: CampaignFacts) -> Iterator[Step]:
    """Where the campaign begins on its map."""
    if facts.map.places:
        known = do.MapChange("unlock_map"), do.Embark(facts.map.start)
        yield to.Plain(DEPARTURE, batch(*known))


def journeys(facts: CampaignFacts) -> Iterator[Choice]:
    """To travel on, and whether one may come back here."""
    if facts.map.places:
        yield Choice(TRAVEL, steps=(EMBARK,))
        yield Choice(TRAVEL_RETURN, steps=(EMBARK_RETURN,))


def place_steps(facts: CampaignFacts) -> Iterator[Step]:
    """Places that are opened, or closed again."""
    locked = [each for each in facts.map.places.values() if each.status == "locked"]
    if not locked:
        return
    for step, change in _CHANGES:
        choices = tuple(
            Choice(each.id, batches=(batch(do.MapChange(change, each.id)),))
            for each in locked
        )
        yield to.Ask(step, to.Checklist(choices))
