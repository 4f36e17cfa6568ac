"""Name, notes and tags of a deck, and the list of published decks."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from decks import services
from decks.models import Deck
from tests.decks.helpers import NOW, text_of
from tests.decks.sharing.helpers import POOL, a_deck, seen_mark

pytestmark = pytest.mark.usefixtures("rows")

# -- name, notes, tags --


def test_name_notes_and_tags_are_changed_together(as_alice: Client, deck: Deck) -> None:
    """Notes are Markdown; tags are words."""
    wanted = {"name": " Two guns ", "notes": "*Bang*\r\n", "tags": "solo,   theme,"}
    answer = as_alice.post(
        f"/decks/{deck.pk}/about", wanted | {"seen": seen_mark(as_alice, deck)}
    )
    assert answer["Location"] == f"/decks/{deck.pk}/"
    deck.refresh_from_db()
    assert (deck.name, deck.notes, deck.tags) == ("Two guns", "*Bang*\n", "solo theme")
    assert deck.revision == 1
    assert b"<em>Bang</em>" in as_alice.get(f"/decks/{deck.pk}/").content


def test_unseen_notes_are_not_overwritten(as_alice: Client, deck: Deck) -> None:
    """412 with both versions; sent again after seeing both, the second wins."""
    seen = seen_mark(as_alice, deck)
    as_alice.post(f"/decks/{deck.pk}/about", {"name": "First", "seen": seen})
    late = {"name": "Second", "notes": "mine", "tags": "a b", "seen": seen}
    answer = as_alice.post(f"/decks/{deck.pk}/about", late)
    page = answer.content.decode()

    assert answer.status_code == 412
    assert "They have changed" in text_of(answer)
    assert "<dd>First</dd>" in page
    assert 'value="Second"' in page
    deck.refresh_from_db()
    assert deck.name == "First"

    new = re.findall(r'name="seen" value="(\w+)"', page)[0]
    assert (
        as_alice.post(f"/decks/{deck.pk}/about", late | {"seen": new}).status_code
        == 303
    )
    deck.refresh_from_db()
    assert (deck.name, deck.notes, deck.tags) == ("Second", "mine", "a b")
    # Sending it once more changes nothing, whatever state it was based on.
    assert as_alice.post(f"/decks/{deck.pk}/about", late).status_code == 303


def test_notes_can_be_previewed(as_alice: Client, deck: Deck) -> None:
    """The preview saves nothing."""
    data = {"name": "x", "notes": "**bold**", "seen": seen_mark(as_alice, deck)}
    answer = as_alice.post(f"/decks/{deck.pk}/about", data | {"preview": "1"})
    assert b"<strong>bold</strong>" in answer.content
    deck.refresh_from_db()
    assert deck.name == "Badge and gun"


@pytest.mark.parametrize(
    ("field", "length"), [("name", 121), ("notes", 100_001), ("tags", 251)]
)
def test_long_texts_are_refused_and_not_cut(
    as_alice: Client, deck: Deck, field: str, length: int
) -> None:
    """422, with the text still in the form."""
    data = {"seen": seen_mark(as_alice, deck), field: "x" * length}
    answer = as_alice.post(f"/decks/{deck.pk}/about", data)
    assert answer.status_code == 422
    assert "x" * length in answer.content.decode()
    deck.refresh_from_db()
    assert deck.name == "Badge and gun"


# -- the list --


@pytest.fixture
def three(alice: User, bob: User) -> list[int]:
    """Three published decks on three days; return their numbers."""
    found = []
    for day, (owner, investigator, name, tags) in enumerate(
        [
            (alice, "01001", "Badge and Gun", "solo"),
            (bob, "90024", "Ärger im Büro", "solo theme"),
            (alice, "01002", "Books", "Theme"),
        ],
        1,
    ):
        deck = a_deck(owner, investigator, name=name, tags=tags)
        showing = services.publish_deck(
            deck=deck, number=1, pool=POOL, now=datetime(2026, 3, day, 9, tzinfo=UTC)
        )
        found.append(showing.pk)
    return found


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("", [2, 1, 0]),
        ("order=oldest", [0, 1, 2]),
        ("q=BADGE", [0]),
        ("q=gun+badge", [0]),
        ("q=arger+buro", [1]),
        ("investigator=01001", [1, 0]),
        ("investigator=01002", [2]),
        ("tag=solo", [1, 0]),
        ("tag=theme", [2, 1]),
        ("tag=sol", []),
        ("tag=%25", []),
        ("since=2026-03-02", [2, 1]),
        ("tag=theme&investigator=01001", [1]),
        ("q=nothing", []),
        ("since=yesterday", []),
        ("investigator=99999", []),
        ("page=99", [2, 1, 0]),
        ("q=%00", []),
    ],
)
def test_published_decks_are_found(
    client: Client, three: list[int], query: str, places: list[int]
) -> None:
    """By name, investigator (in any version), tag and day; newest first."""
    page = client.get(f"/decks/published/?{query}").content.decode()
    found = re.findall(r'href="/decks/published/(\d+)/"', page)
    assert [int(each) for each in found] == [three[place] for place in places]


def test_filters_are_folded_and_shown_as_chips(
    client: Client, three: list[int]
) -> None:
    """Each chip leads to the search without its filter; a wrong date is in view."""
    assert len(three) == 3
    page = client.get("/decks/published/?q=gun&tag=solo&order=oldest").content.decode()
    chips = re.findall(r'class="chip" href="\?([^"]*)"[^>]*>([^<]+)<', page)
    assert chips == [
        ("q=gun&amp;order=oldest", "solo"),
        ("q=gun&amp;tag=solo", "Oldest first"),
    ]
    assert '<details class="full-width" id="filters">' in page
    assert 'class="chip"' not in client.get("/decks/published/").content.decode()
    wrong = client.get("/decks/published/?since=yesterday").content.decode()
    assert '<details class="full-width" id="filters" open>' in wrong


def test_a_page_of_published_decks_takes_few_queries(
    client: Client,
    alice: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    """As many for thirty decks as for three."""
    for number in range(30):
        deck = a_deck(alice, name=f"Deck {number}")
        services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    client.get("/decks/published/")
    with django_assert_max_num_queries(6):
        page = client.get("/decks/published/?tag=&page=2")
    assert text_of(page).count("By alice") == 6
