"""A campaign whose first scenario was won."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign, as_answers, report, who
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won with two victory points: 3 experience each."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign
