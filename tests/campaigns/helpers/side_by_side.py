"""Two campaigns that are played side by side."""

from __future__ import annotations

from typing import Any

from arkham.accounts.models import User
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign, a_row
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import WHO

ASKS = {
    "id": "asks",
    "type": "branch",
    "condition": {
        "type": "campaign_data",
        "campaign_data": "linked_campaign",
        "options": [{"boolCondition": True}, {"boolCondition": False}],
    },
}
REALLY = {
    "id": "really",
    "type": "input",
    "input": {"type": "choose_one", "choices": [{"id": "yes", "text": ""}]},
}


def half(alice: User, guide: str, *steps: dict[str, Any]) -> Campaign:
    """A campaign that asks whether another is played beside it."""
    steps = (WHO, ASKS, *steps)
    row = a_row(
        a_game("one"),
        id=guide,
        name=guide.title(),
        setup=[each["id"] for each in steps],
        steps=list(steps),
    )
    return a_campaign(alice, guide=row)
