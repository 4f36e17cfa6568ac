"""Alice's deck of Roland Banks in a campaign."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from campaigns.models import Campaign
from decks.models import Deck
from tests.campaigns.settling.helpers import deck_with, table_with


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland's first deck."""
    return deck_with(alice)


@pytest.fixture
def campaign(alice: User, deck: Deck) -> Campaign:
    """Alice plays Roland with her deck; Daisy's is on paper."""
    return table_with(alice, deck)
