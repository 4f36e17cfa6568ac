"""Alice's campaign, with Roland and Daisy."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """Alice's campaign without any answers."""
    return a_campaign(alice, ROLAND, DAISY)
