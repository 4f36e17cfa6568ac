"""The facts of a campaign that a group invents: numbered scenarios, nothing to earn.

Its bags are those of The Night of the Zealot. What a scenario leaves behind is entered
as text and numbers, and its victory display as a total.
"""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.chaos.starting import campaigns

HOME_MADE = "home_made"
SCENARIOS, RESOLUTIONS = 12, 6


def home_made() -> dict[str, Any]:
    """Return the facts as plain JSON."""
    endings = [{"id": "no_resolution"}]
    endings += [{"id": f"R{number}"} for number in range(1, RESOLUTIONS + 1)]
    scenarios = [
        {
            "id": f"scenario_{number}",
            "kind": "scenario",
            "listed": "main",
            "name": f"Scenario {number}",
            "title": f"Scenario {number}",
            "resolutions": endings,
            "weakness": True,
            "upgrade": True,
        }
        for number in range(1, SCENARIOS + 1)
    ]
    return {
        "id": HOME_MADE,
        "name": "A campaign of your own",
        "kind": "home_made",
        "type": "campaign",
        "version": 1,
        "order": [each["id"] for each in scenarios],
        "sections": [{"id": "campaign_notes", "title": "Campaign Notes"}],
        "setup": {"id": SETUP, "weakness": True},
        "scenarios": scenarios,
        "bags": {
            difficulty.value: {token.value: count for token, count in bag.counts}
            for difficulty, bag in campaigns()["core"].bags.items()
        },
    }
