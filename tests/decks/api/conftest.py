"""A deck of Alice's for API tests."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from decks import services
from decks.api import examples
from decks.lists.content import read_content
from decks.models import Deck
from tests.decks.api.requests import NOW


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's."""
    content = read_content(examples.WRITTEN)
    return services.create_deck(
        owner=alice, content=content, name="Badge and gun", now=NOW
    )
