"""The popularity of cards in published decks: counted, listed, first in the builder."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from arkham.accounts.models import User
from decks import queries, services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck, PlayedCard
from tests.decks.helpers import NOW, text_of
from tests.decks.sharing.helpers import POOL, a_deck

pytestmark = pytest.mark.django_db

ROLAND, DAISY = "01001", "01002"
MACHETE, MACHETE_AGAIN, SIGNATURE, WEAKNESS = "01020", "01520", "01006", "01007"
VICIOUS_BLOW = "01025"


def published(owner: User, investigator: str = ROLAND, **slots: int) -> Deck:
    """Publish a first deck with these numbers of copies."""
    content = starter_deck(POOL, investigator)
    listed = content.deck["slots"] | {
        code.removeprefix("c"): copies for code, copies in slots.items()
    }
    wanted = {code: copies for code, copies in listed.items() if copies}
    changed = Content(content.deck | {"slots": wanted}, content.circumstances)
    deck = services.create_deck(owner=owner, content=changed, now=NOW)
    services.publish_deck(deck=deck, number=1, pool=POOL, now=NOW)
    return deck


def test_decks_are_counted_rather_than_copies(alice: User) -> None:
    """Printings of a card count together; required cards are left out."""
    published(alice, c01020=2)
    published(alice, c01020=0, c01520=1)
    published(alice, c01020=0, c01520=0)
    published(alice, DAISY)
    a_deck(alice)  # private
    services.count_played_cards()
    services.count_played_cards()

    rolands = queries.played_cards(ROLAND)
    assert rolands.decks == 3
    assert rolands.cards[MACHETE] == 2
    assert MACHETE_AGAIN not in rolands.cards
    assert not {SIGNATURE, WEAKNESS} & rolands.cards.keys()
    assert rolands.cards[VICIOUS_BLOW] == 3
    assert list(rolands.cards.values()) == sorted(rolands.cards.values(), reverse=True)
    everyone = queries.played_cards()
    assert (everyone.decks, everyone.cards[MACHETE]) == (4, 2)


def test_the_published_revision_counts(alice: User) -> None:
    """Until its owner publishes again; a withdrawn deck is not counted."""
    deck = published(alice)
    content = starter_deck(POOL, ROLAND)
    fewer = dict(content.deck["slots"])
    del fewer[MACHETE]
    changed = Content(content.deck | {"slots": fewer}, content.circumstances)
    services.revise_deck(deck=deck, content=changed, expected_revision=1, now=NOW)
    services.count_played_cards()
    assert queries.played_cards(ROLAND).cards[MACHETE] == 1

    services.publish_deck(deck=deck, number=2, pool=POOL, now=NOW)
    services.count_played_cards()
    assert MACHETE not in queries.played_cards(ROLAND).cards

    services.unpublish_deck(deck=deck, now=NOW)
    assert services.count_played_cards() == 0
    assert not PlayedCard.objects.exists()


def test_the_page_of_published_decks_lists_popular_cards(
    client: Client, alice: User
) -> None:
    """Of the chosen investigator, on the first page."""
    for _deck in range(2):
        published(alice)
    published(alice, DAISY)
    assert "most played" not in text_of(client.get("/decks/published/"))
    services.count_played_cards()

    text = text_of(client.get(f"/decks/published/?investigator={ROLAND}"))
    assert "Cards most played with Roland Banks" in text
    assert "Machete 2 decks" in text
    assert "Cards most played In 3 published decks" in text_of(
        client.get("/decks/published/")
    )


def test_the_builder_sorts_by_popularity(client: Client, alice: User) -> None:
    """Cards that published decks of the investigator play come first."""
    for _deck in range(2):
        published(alice)
    published(alice, c01023=0)
    client.force_login(alice)
    deck = a_deck(alice)
    address = f"/decks/{deck.pk}/edit?view=add&q=type:event+level:0&shown=240&order="

    def order_of(order: str) -> list[str]:
        page = client.get(address + order).content.decode()
        return re.findall(r'<li [^>]*id="found-(\w+)"', page)

    usual = order_of("class")
    assert order_of("played") == usual
    services.count_played_cards()
    sorted_by_use = order_of("played")
    assert sorted(sorted_by_use) == sorted(usual)
    cards = queries.played_cards(ROLAND).cards
    uses = [cards.get(code, 0) for code in sorted_by_use]
    assert uses == sorted(uses, reverse=True)
    assert uses[0]
    assert sorted_by_use != usual


def test_programs_read_the_popularity_of_cards(client: Client, alice: User) -> None:
    """For one investigator by any of their codes, or for all."""
    published(alice)
    published(alice, DAISY)
    services.count_played_cards()
    address = "/api/public/decklists/cards"

    rolands = client.get(address, {"investigator": "01501"}).json()
    assert rolands["decks"] == 1
    assert {"code": MACHETE, "name": "Machete", "decks": 1} in rolands["cards"]
    assert client.get(address).json()["decks"] == 2
    for wrong in (MACHETE, "99999", "\0"):
        answer = client.get(address, {"investigator": wrong})
        assert (answer.status_code, answer.json()["parameter"]) == (404, "investigator")
