"""Choosing an investigator: for a new deck, and for a deck that has none."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from arkham.rules.pool import CardPool
from decks.models import Deck
from tests.decks.building import a_draft, list_of, press
from tests.decks.helpers import HTMX, text_of

pytestmark = pytest.mark.usefixtures("rows")

# -- beginning --


def test_investigators_are_found_by_name_and_class(client: Client) -> None:
    """Accents and quotation marks do not matter."""
    text = text_of(client.get("/decks/new/?q=kohaku"))
    assert "Kōhaku Narukami" in text
    assert "Roland Banks" not in text
    text = text_of(client.get("/decks/new/?class=neutral"))
    assert "Lola Hayes" in text
    assert "Roland Banks" not in text
    fragment = client.get("/decks/new/?q=skids", headers=HTMX)
    assert fragment.content.lstrip().startswith(b'<div id="shelves"')
    assert "Parallel" in text_of(fragment)


def test_a_misspelt_name_is_corrected(client: Client) -> None:
    """Only if no name matches as typed; filters still apply."""
    text = text_of(client.get("/decks/new/?q=rolnd"))
    assert "No investigator matches “rolnd”. Showing those like “Roland Banks”" in text
    assert "1 investigator" in text
    assert "Showing" not in text_of(client.get("/decks/new/?q=roland"))
    assert "No investigators found" in text_of(
        client.get("/decks/new/?q=rolnd&class=rogue")
    )


def test_versions_of_an_investigator_are_distinguished(client: Client) -> None:
    """By product and mark."""
    text = text_of(client.get("/decks/new/?q=tommy"))
    assert "The Dream-Eaters" in text
    assert "Chapter 2" in text
    text = text_of(client.get("/decks/new/?q=roland"))
    assert "Banks, By the Book Add 3 different Directives to your deck." in text
    assert "The Dirge of Reason Promotional" in text


def test_a_deck_begins_empty_or_legal(client: Client) -> None:
    """With the chosen sides and options."""
    empty = a_draft(client)
    assert list_of(empty)["slots"] == {}
    assert "Charts" not in text_of(client.get(f"/decks/{empty.pk}/edit"))
    first = a_draft(client, starter="1", front="01001", back="90024")
    assert list_of(first)["meta"] == {"alternate_back": "90024"}
    page = client.get(f"/decks/{first.pk}/edit")
    assert "Legal 30 /30 cards" in text_of(page)
    named = 'role="group" tabindex="0" aria-label="Charts"'  # it scrolls on a phone
    assert named in page.content.decode()


def test_sides_that_allow_no_deck_are_refused(client: Client) -> None:
    """The seeker's front with the mystic's back."""
    response = client.post(
        "/decks/new/11007/", {"starter": "1", "front": "11007", "back": "11008"}
    )
    assert response.status_code == 422
    assert (
        "We couldn’t build a legal deck with these sides, choices and rules."
        in text_of(response)
    )


def test_only_investigators_begin_a_deck(client: Client) -> None:
    """A card, an unknown code."""
    for code in ("01020", "99999", "nobody"):
        assert client.get(f"/decks/new/{code}/").status_code == 404


# -- an investigator for a deck that has none --


def test_a_deck_without_an_investigator_gets_one(client: Client) -> None:
    """The remedy links to the investigators and back; the cards stay."""
    answer = client.post("/", {"text": "2 Machete"})
    assert "The deck has no investigator yet." in text_of(answer)
    found = re.search(r'name="content" value="([^"]*)"', answer.content.decode())
    assert found is not None
    client.post("/decks/bring/", {"content": html.unescape(found[1])})
    deck = Deck.objects.get()
    page = client.get(f"/decks/{deck.pk}/edit").content.decode()
    assert "A deck without an investigator" in page
    assert f'href="/decks/new/?deck={deck.pk}">Choose an investigator</a>' in page

    choose = client.get(f"/decks/new/?deck={deck.pk}&q=roland").content.decode()
    assert f'href="/decks/new/01001/?deck={deck.pk}"' in choose
    assert f'name="deck" value="{deck.pk}"' in choose
    near = client.get(f"/decks/new/?deck={deck.pk}&q=rolnd").content.decode()
    assert f'href="/decks/new/01001/?deck={deck.pk}"' in near
    begin = client.get(f"/decks/new/01001/?deck={deck.pk}").content.decode()
    assert f'action="/decks/{deck.pk}/edit"' in begin
    assert 'value="choose=investigator:01001"' in begin
    assert "Begin with the required cards" not in begin

    press(client, deck, do="choose=investigator:01001")
    content = list_of(deck)
    assert (content["investigator_code"], content["slots"]) == ("01001", {"01020": 2})


def test_an_investigator_is_only_set_for_the_users_own_deck(client: Client) -> None:
    """With another deck in the address a new deck begins."""
    theirs = a_draft(Client())
    for named in (str(theirs.pk), "", "x", "9" * 30, "１"):
        page = client.get(f"/decks/new/01001/?deck={named}").content.decode()
        assert "Begin with the required cards" in page
        assert "choose=investigator" not in page


def test_another_investigator_has_their_own_sides(client: Client) -> None:
    """A side chosen of the former one is dropped."""
    deck = a_draft(client)
    press(client, deck, do="choose=back:90024")
    assert list_of(deck)["meta"] == {"alternate_back": "90024"}
    press(client, deck, do="choose=investigator:01002")
    assert list_of(deck)["meta"] == {}


# -- the page of investigators --


def _people(client: Client, query: str = "", at: str = "/investigators/") -> list[str]:
    """Return the investigators shown, in order."""
    body = client.get(f"{at}?{query}").content.decode()
    return [
        html.unescape(each)
        for each in re.findall(r'<p class="name [^>]*>([^<]*)<', body)
    ]


@pytest.mark.parametrize("at", ["/investigators/", "/decks/new/"])
def test_each_investigator_is_shown_once_with_every_version(
    client: Client, rows: CardPool, at: str
) -> None:
    shown = _people(client, at=at)
    playable = [
        c for c in rows.investigators if c.investigator and c.investigator.playable
    ]
    assert sorted(shown) == sorted({card.name for card in playable})
    body = client.get(at).content.decode()
    for card in playable:
        assert body.count(f'href="/decks/new/{card.code}/"') >= 1
        assert f'href="/cards/{card.code}/"' in body


def test_an_entry_describes_the_investigator(client: Client) -> None:
    """Skills, health, sanity, abilities and elder sign."""
    text = text_of(client.get("/investigators/?q=roland"))
    assert "1 investigator" in text
    assert "Willpower 3 Intellect 3 Combat 4 Agility 2 Health 9 Sanity 5" in text
    assert "discover 1 clue here" in text
    assert "+1 per clue here" in text
    assert "Core Set, Revised Core Set" in text


@pytest.mark.parametrize(
    ("query", "there", "absent"),
    [
        ("class=seeker&class=mystic", "Daisy Walker", "Roland Banks"),
        ("product=dwl", "Zoey Samaras", "Roland Banks"),
        ("product=rcore", "Roland Banks", "Zoey Samaras"),
        ("class=neutral", "Lola Hayes", "Daisy Walker"),
    ],
)
def test_investigators_are_filtered(
    client: Client, query: str, there: str, absent: str
) -> None:
    shown = _people(client, query)
    assert there in shown
    assert absent not in shown


def test_a_version_of_another_class_is_found_by_it(client: Client) -> None:
    """Carolyn Fern is a guardian, and later a seeker."""
    assert "Carolyn Fern" in _people(client, "class=guardian")
    seeker = text_of(client.get("/investigators/?class=seeker&q=carolyn"))
    assert "Carolyn Fern Investigator Deck" in seeker or "Chapter 2" in seeker


def test_investigators_are_sorted(client: Client) -> None:
    named = _people(client, "sort=name")
    assert named[0] == "Agatha Crane"
    newest = _people(client, "sort=newest")
    assert set(newest) == set(named)
    assert newest.index("Roland Banks") > newest.index("Carolyn Fern")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("class=clown", "Class: “clown” isn’t one of the choices."),
        ("product=zzz", "Product: “zzz” isn’t one of the choices."),
        ("sort=backwards", "Sort by: “backwards” isn’t one of the choices."),
        ("q=" + "x" * 101, "at most 100 characters"),
        ("owned=1", "we don’t know what you own yet"),
    ],
)
def test_invalid_filters_are_reported(client: Client, query: str, said: str) -> None:
    answer = client.get(f"/investigators/?{query}")
    assert answer.status_code == 200
    assert said in html.unescape(text_of(answer))
    assert "68 investigators" in text_of(answer)


def test_investigators_of_owned_products_are_shown(as_alice: Client) -> None:
    owned = as_alice.post("/decks/collections/new", {"own": "dwl:1"})
    assert owned.status_code == 303
    shown = _people(as_alice, "owned=1")
    assert "Zoey Samaras" in shown
    assert "Roland Banks" not in shown


def test_the_address_of_a_search_is_short(client: Client) -> None:
    part = client.get("/investigators/?q=&class=rogue&product=&sort=", headers=HTMX)
    assert part["HX-Replace-Url"] == "/investigators/?class=rogue"
