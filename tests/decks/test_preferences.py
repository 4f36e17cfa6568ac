"""Preferences: kept for an account or a browser, filled in where a deck begins."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.accounts.preferences import COOKIE, read_preferences, save_preferences
from cardpool.catalog import current_pool
from decks import services
from decks.lists.content import read_content
from decks.models import Collection, Deck
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")

PAGE = "/account/preferences/"
ROLAND = {"investigator_code": "01001", "slots": {"01020": 1}}


def _prefer(client: Client, **values: str) -> None:
    assert client.post(PAGE, values).status_code == 303


def _latest_list() -> int:
    taboo = current_pool().taboo_list("latest")
    assert taboo is not None
    return taboo.id


def test_an_account_keeps_its_preferences(as_alice: Client, alice: User) -> None:
    _prefer(as_alice, theme="dark", taboo="latest", mode="standalone")
    alice.refresh_from_db()
    kept = read_preferences(alice.preferences)
    assert (kept.theme, kept.taboo, kept.mode) == ("dark", "latest", "standalone")
    page = as_alice.get(PAGE).content.decode()
    assert '<html lang="en" data-theme="dark">' in page


def test_the_page_says_why_there_is_one_language(as_alice: Client) -> None:
    """Others can be chosen once an operator has imported them."""
    text = text_of(as_alice.get(PAGE))
    assert "Language of cards English" in text
    assert "once the operator of this site has imported them" in text


def test_the_page_says_what_is_owned(as_alice: Client) -> None:
    """In one line, with a link."""
    assert "decks show which cards they are missing" in text_of(as_alice.get(PAGE))
    as_alice.post("/decks/collections/new", {"own": "core:2"})
    page = as_alice.get(PAGE)
    assert "Products: 1, cards: " in text_of(page)
    assert "used for my decks" in text_of(page)
    collection = Collection.objects.get()
    assert f'href="/decks/collections/{collection.pk}/"' in page.content.decode()
    assert "Products: 1, cards: " in text_of(as_alice.get("/decks/collections/"))


def test_a_browser_keeps_preferences_of_a_stranger(client: Client) -> None:
    """In its cookie; nothing is stored on the server."""
    assert "data-theme" not in client.get("/").content.decode()
    _prefer(client, theme="light", environment="current")
    assert 'data-theme="light"' in client.get("/cards/").content.decode()
    assert "Current (your preferences)" in text_of(client.get("/"))
    assert client.cookies[COOKIE]["httponly"]


@pytest.mark.parametrize(
    "cookie",
    ["", "[]", "{", "[" * 9_000, '{"theme": "\\" onload", "taboo": 3, "mode": "<b>"}'],
)
def test_an_invalid_cookie_is_ignored(client: Client, cookie: str) -> None:
    client.cookies[COOKIE] = cookie
    answer = client.get("/")
    assert answer.status_code == 200
    assert "data-theme" not in answer.content.decode()


def test_a_new_account_gets_its_browsers_preferences(as_alice: Client) -> None:
    as_alice.cookies[COOKIE] = '{"theme": "dark"}'
    assert 'data-theme="dark"' in as_alice.get("/").content.decode()
    _prefer(as_alice, **{"initial-theme": "dark", "theme": ""})
    assert "data-theme" not in as_alice.get("/").content.decode()


def test_an_account_combines_its_browsers_preferences_with_its_first(
    as_alice: Client, alice: User
) -> None:
    as_alice.cookies[COOKIE] = '{"theme": "dark"}'
    seen = {"initial-theme": "dark", "initial-taboo": ""}
    _prefer(as_alice, **seen, theme="dark", taboo="latest")
    alice.refresh_from_db()
    kept = read_preferences(alice.preferences)
    assert (kept.theme, kept.taboo) == ("dark", "latest")


def test_an_unknown_value_is_refused(as_alice: Client) -> None:
    answer = as_alice.post(PAGE, {"theme": "sepia", "taboo": "999"})
    assert answer.status_code == 422


def test_two_windows_change_only_what_was_changed_in_them(
    as_alice: Client, alice: User
) -> None:
    """The second shows the old theme, and doesn't change it."""
    _prefer(as_alice, theme="dark")
    seen = {"initial-theme": "", "initial-taboo": "", "theme": "", "taboo": "latest"}
    _prefer(as_alice, **seen)
    alice.refresh_from_db()
    kept = read_preferences(alice.preferences)
    assert (kept.theme, kept.taboo) == ("dark", "latest")


def test_a_list_without_terms_is_judged_by_preferences(
    as_alice: Client, alice: User
) -> None:
    save_preferences(user=alice, changed={"taboo": "latest", "mode": "standalone"})
    named = current_pool().taboo_list("latest")
    assert named is not None
    text = text_of(as_alice.post("/", {"text": "Roland Banks\n1 Machete"}))
    assert f"Taboos of {named.date} · Standalone" in text
    own = '{"investigator_code": "01001", "slots": {"01020": 1}, "taboo_id": 1}'
    first = current_pool().taboo_list(1)
    assert first is not None
    assert f"Taboos of {first.date}" in text_of(as_alice.post("/", {"text": own}))


def test_the_page_of_a_list_may_override_preferences(
    as_alice: Client, alice: User
) -> None:
    save_preferences(user=alice, changed={"taboo": "latest"})
    chosen = {"text": "Roland Banks\n1 Machete", "taboo": "", "mode": ""}
    assert "No taboo list" in text_of(as_alice.post("/", chosen))


def test_a_new_deck_has_the_preferred_terms(as_alice: Client, alice: User) -> None:
    save_preferences(user=alice, changed={"taboo": "latest", "environment": "current"})
    page = text_of(as_alice.get("/decks/new/01001/"))
    assert "The newest taboo list · Current (your preferences)" in page
    for how in ("empty", "starter"):
        assert as_alice.post("/decks/new/01001/", {how: "1"}).status_code == 303
        content = Deck.objects.latest("pk").revisions.get().content
        assert content.deck["taboo_id"] == _latest_list()
        assert content.circumstances["environment"] == {"kind": "current"}
        assert content.circumstances["mode"] == "start"


def test_many_lists_have_the_preferred_terms(as_alice: Client, alice: User) -> None:
    """Unless they name others; the page shows them, and may override them."""
    save_preferences(user=alice, changed={"taboo": "latest"})
    assert "(your preferences)" in text_of(as_alice.get("/decks/import/"))
    lists = "Roland Banks\n1 Machete\n---\nDaisy Walker\n1 Old Book of Lore"
    assert as_alice.post("/decks/import/", {"text": lists}).status_code == 200
    named = [
        deck.revisions.get().content.deck["taboo_id"] for deck in Deck.objects.all()
    ]
    assert named == [_latest_list()] * 2


def test_a_legal_first_deck_stays_within_the_environment(as_alice: Client) -> None:
    sent = {"starter": "1", "environment": "current"}
    assert as_alice.post("/decks/new/01001/", sent).status_code == 303
    deck = Deck.objects.get()
    assert "Legal" in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert as_alice.post("/decks/new/02001/", sent).status_code == 422  # Zoey is older


def test_existing_decks_are_not_changed(as_alice: Client, alice: User) -> None:
    now = timezone.now()
    deck = services.create_deck(owner=alice, content=read_content(ROLAND), now=now)
    before = deck.revisions.get().content
    _prefer(as_alice, taboo="latest", environment="current", mode="standalone")
    as_alice.get(f"/decks/{deck.pk}/edit")
    assert deck.revisions.get().content == before


def test_the_newest_list_is_resolved_when_a_deck_begins(
    as_alice: Client, alice: User
) -> None:
    """An unknown list is none."""
    save_preferences(user=alice, changed={"taboo": "77"})
    assert as_alice.post("/decks/new/01001/", {"empty": "1"}).status_code == 303
    assert Deck.objects.get().revisions.get().content.deck["taboo_id"] is None


def test_a_program_reads_and_changes_preferences(alices: APIClient) -> None:
    fields = ("taboo", "environment", "mode", "theme", "card_language")
    none = dict.fromkeys(fields, "")
    assert alices.get("/api/v1/me/").json()["preferences"] == none
    sent = {"theme": "dark", "taboo": "latest"}
    answer = alices.patch("/api/v1/me/", sent, format="json")
    assert answer.json() == none | sent
    answer = alices.patch("/api/v1/me/", {"taboo": ""}, format="json")
    assert answer.json() == none | {"theme": "dark"}


@pytest.mark.parametrize(
    "body", [{"theme": "sepia"}, {"taboo": "77"}, {"mode": 3}, {"colour": "red"}]
)
def test_a_program_prefers_what_is_offered(
    alices: APIClient, body: dict[str, object]
) -> None:
    assert alices.patch("/api/v1/me/", body, format="json").status_code == 422
