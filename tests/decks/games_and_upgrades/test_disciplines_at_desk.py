"""Cards that are earned by experience are offered at the desk for nothing."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.pool import CardPool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services.ledger import Earned
from tests.decks.games_and_upgrades.helpers import press_at_desk, source_of
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")
OFFER = r'id="buy-(0801[1-4]a)"'


def _played(owner: User, pool: CardPool, earned: int) -> Deck:
    """Lily Chen's deck after a game that earned this much experience."""
    content = starter_deck(pool, "08010")
    deck = services.create_deck(owner=owner, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", earned),)),
        expected_revision=1,
        now=NOW,
    )
    return deck


def test_an_earned_discipline_is_free_and_comes_first(
    rows: CardPool, alice: User, as_alice: Client
) -> None:
    deck = _played(alice, rows, 15)
    shop = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/?view=add"))
    first = re.search(r'name="do" value="([^"]+)"', shop[shop.index('id="offers"') :])
    assert first is not None
    assert first[1].startswith("add=0801")
    assert len(set(re.findall(OFFER, shop))) == 3
    assert "buy Discipline: Balance of Body" in shop

    press_at_desk(as_alice, deck, do=first[1])

    page = as_alice.get(f"/decks/{deck.pk}/upgrade/")
    assert "15 of 15 left" in text_of(page)
    assert "Burden of Destiny: 1 in the deck, 2 required" in text_of(page)
    press_at_desk(as_alice, deck, do="add=08015")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Burden of Destiny: 1 in the deck" not in text
    assert "15 of 15 left" in text
    shop = source_of(as_alice.get(f"/decks/{deck.pk}/upgrade/?view=add"))
    assert not re.findall(OFFER, shop)


def test_a_discipline_not_earned_yet_is_found_with_its_reason(
    rows: CardPool, alice: User, as_alice: Client
) -> None:
    deck = _played(alice, rows, 14)
    address = f"/decks/{deck.pk}/upgrade/?view=add"
    assert not re.findall(OFFER, source_of(as_alice.get(address)))
    found = text_of(as_alice.get(f"{address}&q=discipline"))
    assert "At most 1 of these cards may be in the deck" in found
