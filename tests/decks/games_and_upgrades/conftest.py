"""A deck before its first game and after it."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from decks import services
from decks.models import Deck
from decks.services.ledger import Earned
from tests.decks.games_and_upgrades.helpers import MACHETE, axes_content
from tests.decks.helpers import NOW


@pytest.fixture
def deck(alice: User) -> Deck:
    """Alice's deck before its first game."""
    return services.create_deck(
        owner=alice, content=axes_content(), now=NOW, name="Axes"
    )


@pytest.fixture
def played(alice: User, deck: Deck) -> Deck:
    """The same deck after a game that earned 6 and exiled a Machete."""
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(
                Earned("victory", 5),
                Earned("bonus", 1, "spared her"),
            ),
            aftermath={"exiled": {MACHETE: 1}},
        ),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    return deck
