"""Drafts, the decks of an account, and saving one as the other."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from django.utils.formats import date_format

from arkham.accounts.models import User
from decks.lists.content import empty_content
from decks.models import Deck, Revision
from decks.views import reach
from tests.decks.building import a_draft
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")


def test_a_draft_is_open_to_the_browser_that_began_it(client: Client) -> None:
    """To others it is a 404."""
    deck = a_draft(client)
    addresses = ["", "edit", "terms", "paste", "delete", "list.json", "list.txt"]
    for address in addresses:
        assert client.get(f"/decks/{deck.pk}/{address}").status_code == 200
        assert Client().get(f"/decks/{deck.pk}/{address}").status_code == 404
    for address in ("edit", "share", "about", "sharing", "copy", "keep", "delete"):
        assert Client().post(f"/decks/{deck.pk}/{address}").status_code == 404


def test_the_private_link_opens_a_draft_elsewhere(client: Client) -> None:
    """The key moves to the session and out of the address."""
    deck = a_draft(client)
    other = Client()
    response = other.get(f"/decks/draft/{deck.key}/")
    assert response["Location"] == f"/decks/{deck.pk}/edit"
    assert response["Referrer-Policy"] == "same-origin"
    assert other.get(response["Location"]).status_code == 200
    assert other.get("/decks/draft/not-the-key/").status_code == 404


def test_decks_of_an_account_are_private(
    as_alice: Client, as_bob: Client, alice: User
) -> None:
    """No key opens them."""
    deck = a_draft(as_alice)
    assert (deck.owner, deck.key) == (alice, None)
    assert as_alice.get(f"/decks/{deck.pk}/edit").status_code == 200
    assert as_bob.get(f"/decks/{deck.pk}/edit").status_code == 404
    assert Client().get(f"/decks/{deck.pk}/").status_code == 404


SIGN_UPS = {
    "login": {"login": "alice", "password": "alice-of-arkham"},
    "signup": {
        "username": "dora",
        "password1": "k1ngsport!7",
        "password2": "k1ngsport!7",
    },
}


@pytest.mark.parametrize("door", SIGN_UPS)
def test_saving_a_draft_requires_signing_in(
    client: Client, alice: User, door: str
) -> None:
    """The page says why; afterwards the deck is saved."""
    deck = a_draft(client)
    keep = f"/decks/{deck.pk}/keep"
    asked = client.post(keep)
    assert asked["Location"] == f"/account/login/?next={quote(keep, safe='')}"
    for page in ("login", "signup"):
        text = text_of(client.get(f"/account/{page}/", {"next": keep}))
        assert "create an account to save “A deck of Roland Banks”." in text

    answer = client.post(
        f"/account/{door}/", {**SIGN_UPS[door], "next": keep}, follow=True
    )

    deck.refresh_from_db()
    assert (deck.owner is not None, deck.key) == (True, None)
    assert answer.request["PATH_INFO"] == f"/decks/{deck.pk}/edit"
    assert "The deck is saved in your account." in text_of(answer)
    assert f'action="{keep}"' not in answer.content.decode()


def test_a_link_on_another_site_saves_nothing(client: Client, alice: User) -> None:
    """Only a press on our own page is carried out after signing in."""
    deck = a_draft(client)
    client.force_login(alice)
    client.get(f"/decks/{deck.pk}/keep")
    deck.refresh_from_db()
    assert deck.owner is None


def test_a_page_that_needs_an_account_says_so(client: Client) -> None:
    """Reasons of other pages aren't shown."""
    deck = a_draft(client)
    client.post(f"/decks/{deck.pk}/keep")
    asked = client.get("/decks/collections/new", follow=True)
    assert "The page you asked for needs an account." in text_of(asked)
    assert "to save “" not in text_of(asked)
    assert "needs an account" not in text_of(client.get("/account/login/"))


def test_drafts_show_when_they_expire(client: Client, alice: User) -> None:
    """On every page of theirs, signed in or not; saved decks don't."""
    deck = a_draft(client)
    ends = date_format(deck.changed_at + timedelta(days=90), "DATE_FORMAT")
    told = (
        f"Draft Not in an account: we delete it on {ends} unless you save or change it."
    )
    pages = ("/decks/", f"/decks/{deck.pk}/edit", f"/decks/{deck.pk}/")
    for _visit in range(2):
        for page in pages:
            assert told in text_of(client.get(page)), page
        client.force_login(alice)
    assert "1 deck here is a draft" in text_of(client.get("/decks/"))

    client.post("/decks/drafts/keep")

    deck.refresh_from_db()
    assert deck.owner == alice
    for page in pages:
        assert "Draft" not in text_of(client.get(page)), page


def test_forms_need_their_csrf_token(alice: User) -> None:
    """Other sites can't change a deck."""
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(alice)
    deck = Deck.objects.create(
        owner=alice,
        revision=1,
        made_at="2026-01-01T00:00Z",
        changed_at="2026-01-01T00:00Z",
    )
    Revision.objects.create(
        deck=deck,
        number=1,
        list=empty_content("01001").deck,
        made_at="2026-01-01T00:00Z",
    )
    for address in (f"/decks/{deck.pk}/edit", f"/decks/{deck.pk}/delete", "/"):
        assert careful.post(address, {"revision": "1"}).status_code == 403
    assert Deck.objects.filter(pk=deck.pk).exists()


def test_a_linked_draft_stays_a_friends(
    monkeypatch: pytest.MonkeyPatch, rf: RequestFactory
) -> None:
    """As long as its key is held, however many links are opened after it."""
    monkeypatch.setattr(reach, "MOST_KEYS", 2)
    friends, others, thirds = (a_draft(Client()) for _each in range(3))
    request = rf.get("/")
    request.session = SessionStore()
    for deck in (friends, others):
        assert deck.key is not None
        reach.hold_key(request, deck.key, by_link=True)
    reach.opened(request, friends)
    assert thirds.key is not None
    reach.hold_key(request, thirds.key, by_link=True)
    assert reach.keys_of(request) == [friends.key, thirds.key]
    assert not reach.drafts_of(request).exists()
