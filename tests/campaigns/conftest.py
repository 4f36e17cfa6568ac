"""The campaign that most tests use."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign, as_answers, report, who
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign without any answers."""
    return a_campaign(alice)


@pytest.fixture
def played(campaign: Campaign) -> Campaign:
    """The first scenario was won with two victory points: 3 experience each."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign
