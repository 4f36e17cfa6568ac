"""A deck published and one shared by its link."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from decks import services
from decks.models import Deck, Showing
from decks.services.sharing import beside_of, mark_of
from tests.decks.public_api.helpers import CHANGED, LIST, POOL, PUBLISHED, a_deck


def noted(deck: Deck) -> None:
    """The notes come on the day on which the site's list was changed."""
    services.describe_deck(
        deck=deck,
        beside=beside_of(deck)._replace(notes=LIST["description_md"]),
        seen=mark_of(beside_of(deck)),
        now=CHANGED,
    )


@pytest.fixture
def deck(alice: User) -> Deck:
    """The deck of the example."""
    return a_deck(alice)


@pytest.fixture
def published(deck: Deck) -> Showing:
    """The same, published."""
    services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
    noted(deck)
    return Showing.objects.get()


@pytest.fixture
def shared(deck: Deck) -> Showing:
    """The same, shared by a link."""
    services.share_deck(deck=deck, now=PUBLISHED)
    noted(deck)
    return Showing.objects.get()
