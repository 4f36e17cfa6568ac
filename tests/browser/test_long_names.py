"""A long word in a name is broken at the end of a line; no page gets wider by it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, LedgerEntry
from decks.services.ledger import Earned
from tests.browser.looks import broken_words, scrolls_sideways
from tests.decks.edits import apply
from tests.decks.helpers import NOW

NAME = "W" * 120
HYPERAWARENESS = "01034"


@pytest.fixture
def deck(live_server: LiveServer) -> Deck:
    """A deck with this name, which its scenario and its earned card have as well."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    starter = starter_deck(embedded_pool(), "01001")
    content = apply(starter, [("add", HYPERAWARENESS)] * 2, embedded_pool())
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
    _sign_in(phone)
    for page in ("", "about", "sharing", "hand", "played", "played/take-back"):
        phone.goto(f"/decks/{deck.pk}/{page}")
        assert not scrolls_sideways(phone), page
    phone.goto("/decks/")
    assert not scrolls_sideways(phone)


@pytest.mark.parametrize("width", [320, 360, 390])
def test_names_of_cards_break_between_words(
    phone: Page, deck: Deck, width: int
) -> None:
    """At the upgrade desk, with the mark of a finding and buttons beside a name."""
    _sign_in(phone)
    phone.set_viewport_size({"width": width, "height": 844})
    for view in ("deck", "add&q=hyperawareness"):
        phone.goto(f"/decks/{deck.pk}/upgrade/?view={view}")
        assert broken_words(phone) == []
        assert not scrolls_sideways(phone)


@pytest.mark.parametrize("width", [320, 1024, 1440])
def test_names_break_between_words_in_columns(
    page: Page, deck: Deck, width: int
) -> None:
    """Beside a finding, experience, level, icons and cost."""
    slots = {"03307": 1, "60108": 2, "08115": 1, "01094": 3}  # Bulletproof Vest …
    content = read_content({"investigator_code": "01001", "slots": slots})
    illegal = services.create_deck(owner=deck.owner, content=content, now=NOW)
    _sign_in(page)
    page.set_viewport_size({"width": width, "height": 900})
    for look in ("list", "text"):
        page.goto(f"/decks/{illegal.pk}/?look={look}")
        assert broken_words(page) == []
        assert not scrolls_sideways(page)


def _sign_in(page: Page) -> None:
    page.goto("/account/login/")
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda address: "login" not in address)
