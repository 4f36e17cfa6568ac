"""A name without a blank is broken where the line ends; no page grows wider by it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck, LedgerEntry
from decks.services.ledger import Earned
from tests.browser.looks import scrolls_sideways
from tests.decks.helpers import NOW

NAME = "W" * 120


@pytest.fixture
def deck(live_server: LiveServer) -> Deck:
    """A deck of this name; so are the scenario it played and what it earned."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    content = starter_deck(embedded_pool(), "01001")
    deck = services.create_deck(owner=alice, content=content, name=NAME, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(Earned(LedgerEntry.Kind.VICTORY, 6, NAME),), scenario=NAME
        ),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    return deck


def test_the_pages_of_a_deck_fit_a_narrow_phone(phone: Page, deck: Deck) -> None:
    """The list of decks, the deck with its ledger, and the forms that name it."""
    phone.goto("/account/login/")
    phone.get_by_label("Username").fill("alice")
    phone.get_by_label("Password").fill("alice-of-arkham")
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()
    phone.wait_for_url(lambda address: "login" not in address)
    for page in ("", "about", "sharing", "hand", "played", "played/take-back"):
        phone.goto(f"/decks/{deck.pk}/{page}")
        assert not scrolls_sideways(phone), page
    phone.goto("/decks/")
    assert not scrolls_sideways(phone)
