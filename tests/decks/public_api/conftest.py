"""A published deck and one shared by its link."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from decks import services
from decks.models import Deck, Showing
from decks.services.sharing import labels_of, mark_of
from tests.decks.public_api.helpers import CHANGED, LIST, POOL, PUBLISHED, a_deck


def noted(deck: Deck) -> None:
    """Date the notes on the day when the site's list changed."""
    services.describe_deck(
        deck=deck,
        labels=labels_of(deck)._replace(notes=LIST["description_md"]),
        seen=mark_of(labels_of(deck)),
        now=CHANGED,
    )


@pytest.fixture
def deck(alice: User) -> Deck:
    """The example's deck."""
    return a_deck(alice)


@pytest.fixture
def published(deck: Deck) -> Showing:
    """The same deck, published."""
    services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
    noted(deck)
    return Showing.objects.get()


@pytest.fixture
def shared(deck: Deck) -> Showing:
    """The same deck, shared by a link."""
    services.share_deck(deck=deck, now=PUBLISHED)
    noted(deck)
    return Showing.objects.get()
