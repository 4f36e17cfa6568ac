"""A deck that is shown to others."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from decks.models import Deck
from tests.decks.sharing.helpers import NOTES, a_deck


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's deck, with notes and tags."""
    return a_deck(alice, name="Badge and gun", notes=NOTES, tags="solo beginner")
