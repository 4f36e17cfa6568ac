"""A campaign with a correction and a retraction, and one linked to it."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won; then one answer was corrected and one undone."""
    campaign = a_campaign(alice, ROLAND, DAISY, terms={"taboo": "none"})
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


@pytest.fixture
def two(played: Campaign, alice: User) -> tuple[Campaign, Campaign]:
    """Alice's campaign, and another that is linked to it."""
    other = a_campaign(alice, SKIDS, guide=played.guide)
    services.link_campaigns(
        campaign=played, member=organiser_of(played), other=other, now=NOW
    )
    return played, other
