"""The search of every page: cards, investigators, rules, and what is one's own."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from campaigns.models import Campaign
from decks import services
from decks.lists.content import parse_content
from decks.models import Deck
from tests.campaigns.helpers.tables import a_campaign
from tests.decks.building import LEGAL_JSON, a_draft

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("rows")]
GLANCE = {"HX-Request": "true", "HX-Target": "glance"}


def page(client: Client, query: str, **headers: str) -> str:
    answer = client.get("/search/", {"q": query}, headers=headers)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def addresses(html: str) -> list[str]:
    """What is offered, but for searches."""
    found = re.findall(r'role="option"[^>]* href="([^"]+)"', html)
    return [each for each in found if "?" not in each]


@pytest.fixture
def campaign(alice: User) -> Campaign:
    found = a_campaign(alice)
    found.name = "Zebra nights"
    found.save(update_fields=["name"])
    return found


@pytest.fixture
def deck(alice: User) -> int:
    content = parse_content(LEGAL_JSON)
    made = services.create_deck(
        owner=alice, content=content, now=timezone.now(), name="Zebra stripes"
    )
    return made.pk


def test_every_kind_is_offered_with_its_signs(client: Client) -> None:
    html = page(client, "roland", **GLANCE)
    assert html.index("Investigators") < html.index("Cards")  # he is meant
    assert "/cards/01001/" in addresses(html)
    assert "/cards/01006/" in addresses(html)
    assert "sign-guardian" in html
    assert "/rules/attack-of-opportunity/" in addresses(
        page(client, "opportunity", **GLANCE)
    )


def test_versions_are_distinguished(client: Client) -> None:
    html = page(client, "roland banks", **GLANCE)
    assert "The Fed · Core Set" in html
    assert "The Fed · By the Book" in html


def test_misspelt_words_are_forgiven_and_said(client: Client) -> None:
    html = page(client, "machette", **GLANCE)
    assert "/cards/01020/" in addresses(html)
    assert html.count("No card matches “machette”. Showing cards like “machete”.") == 1
    html = page(client, "atack of oportunity", **GLANCE)
    assert "/rules/attack-of-opportunity/" in addresses(html)
    guess = "“atack of oportunity”. Showing rules like “attack of opportunity”."
    assert f"No rule matches {guess}" in html


def test_only_what_is_ones_own_is_found(
    client: Client, as_alice: Client, as_bob: Client, deck: int, campaign: Campaign
) -> None:
    own = [f"/decks/{deck}/", f"/campaigns/{campaign.pk}/"]
    assert addresses(page(as_alice, "zebra", **GLANCE)) == own
    for stranger in (as_bob, client):
        html = page(stranger, "zebra", **GLANCE)
        assert not addresses(html)
        assert "Zebra" not in html
        assert "Zebra" not in page(stranger, "zebra")
    assert all(f'href="{each}"' in page(as_alice, "zebra") for each in own)


def test_a_draft_is_found_by_the_browser_that_holds_it(
    client: Client, as_bob: Client
) -> None:
    draft = a_draft(client)
    assert f"/decks/{draft.pk}/" in addresses(page(client, "deck of roland", **GLANCE))
    assert f"/decks/{draft.pk}/" not in page(as_bob, "deck of roland", **GLANCE)


def test_a_deck_in_the_bin_is_not_found(as_alice: Client, deck: int) -> None:
    assert f"/decks/{deck}/" in page(as_alice, "zebra", **GLANCE)
    services.delete_deck(
        deck=Deck.objects.get(pk=deck), expected_revision=1, now=timezone.now()
    )
    assert f"/decks/{deck}/" not in page(as_alice, "zebra", **GLANCE)


def test_the_list_is_one_to_choose_from(client: Client) -> None:
    html = page(client, "weakness", **GLANCE)
    assert "<h1" not in html
    assert 'role="listbox"' in html
    options = re.findall(r'role="option"[^>]*', html)
    assert all('tabindex="-1"' in each and "id=" in each for each in options)
    identifiers = re.findall(r' id="([^"]+)"', html)
    assert len(identifiers) == len(set(identifiers))
    assert f'data-said="{len(options) - 1} results"' in html
    assert len(options) <= 5 * 5 + 1


def test_without_scripts_there_is_a_page(client: Client) -> None:
    html = page(client, "investigate")
    assert "<h1>Results for “investigate”</h1>" in html
    assert re.search(r"Show all \d+", html)
    assert "Nothing found" in page(client, "zzzzzzzz")
    assert "Type a card" in page(client, "")
    assert 'action="/search/"' in client.get("/rules/").content.decode()


def test_the_page_shows_what_cards_do(client: Client) -> None:
    """And not under the box, where there is no room for it."""
    html = page(client, "shrivling")
    assert html.count("Fight") >= 3
    assert "Fight" not in page(client, "shrivling", **GLANCE)


def test_a_polish_name_is_shown_where_it_was_asked_for(client: Client) -> None:
    assert "Trwała" in page(client, "trwala", **GLANCE)
    assert "Trwała" not in page(client, "permanent", **GLANCE)


def test_the_search_language_leads_to_the_cards(client: Client) -> None:
    answer = client.get("/search/", {"q": "class:seeker level<=2"})
    assert answer.status_code == 302
    assert answer["Location"] == "/cards/?q=class%3Aseeker+level%3C%3D2"


@pytest.mark.parametrize(
    "query",
    ["", " ", "!!!", "´´", '"', "((((", "class:", "-", "\x00", "日本語", "x" * 9_000,
     "'; drop table", "<script>alert(1)</script>", "a " * 100, "%", "\\"],
)  # fmt: skip
def test_whatever_is_typed_is_answered(client: Client, query: str) -> None:
    html = page(client, query, **GLANCE)
    assert "<script>alert" not in html
    assert client.get("/search/", {"q": query}).status_code in (200, 302)
