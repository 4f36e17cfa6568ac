"""A deck whose investigator its owner plays at a table without a deck."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns.models import Guide, Seat
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import a_campaign, have_our_guides
from tests.decks.helpers import text_of
from tests.helpers import program_of
from tests.rules.campaign.helpers.small import ROLAND

pytestmark = pytest.mark.django_db


def test_its_games_can_be_undone(alice: User, as_alice: Client) -> None:
    """It might be chosen there, but isn't: the table records no games for it."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="core", origin="ours")
    seat = a_campaign(alice, ROLAND, guide=guide).seats.get()
    deck = deck_services.create_deck(
        owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=timezone.now()
    )
    program, games = program_of(alice), f"/api/v1/decks/{deck.pk}/games"
    seen = {"If-Match": "*"}
    game = {"earned": [{"kind": "victory", "amount": 4}]}

    assert program.post(games, game, "json", headers=seen).status_code == 200
    assert "Choose it for the campaign" in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    asked = as_alice.get(f"/decks/{deck.pk}/played/take-back")
    assert asked.status_code == 200
    assert program.delete(games, headers=seen).status_code == 200

    assert program.post(games, game, "json", headers=seen).status_code == 200
    seat.deck, seat.kind = deck, Seat.Kind.HERE
    seat.save()
    refused = program.delete(games, headers=seen)
    assert refused.status_code == 409
    assert refused.json()["type"] == "urn:orne:problem:of-campaign"
