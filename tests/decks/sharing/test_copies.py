"""Copies of shown decks keep their source."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from decks import services
from decks.models import Deck, Source
from tests.decks.helpers import text_of
from tests.decks.sharing.helpers import (
    LATER,
    NOTES,
    both_ways,
    publish,
    seen_mark,
    share,
)

pytestmark = pytest.mark.usefixtures("rows")


def test_a_copy_keeps_its_source(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """Also if the source is renamed, withdrawn and deleted."""
    place = publish(as_alice, deck)
    made = as_bob.post(f"{place}copy")
    assert made.status_code == 303
    copy = bob.decks.get()
    assert (copy.name, copy.notes, copy.tags) == (
        "Badge and gun",
        NOTES,
        "solo beginner",
    )
    assert copy.revisions.get().content == deck.revisions.get().content
    said = "Copied from “Badge and gun” by alice on "
    page = as_bob.get(f"/decks/{copy.pk}/")
    assert said in text_of(page)
    assert f'href="{place}"' in page.content.decode()

    services.describe_deck(
        deck=deck,
        labels=services.DeckLabels("Other"),
        seen=seen_mark(as_alice, deck),
        now=LATER,
    )
    share(as_alice, deck, visibility="private")
    deck.delete()
    page = as_bob.get(f"/decks/{copy.pk}/")
    assert said in text_of(page)
    assert "It is no longer shared." in text_of(page)
    assert f'href="{place}"' not in page.content.decode()
    source = Source.objects.get(deck=copy)
    assert (source.name, source.author, source.address) == (
        "Badge and gun",
        "alice",
        place,
    )


def test_a_published_copy_names_its_published_source(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """A copy of the copy does as well."""
    place = publish(as_alice, deck)
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    as_bob.post(f"/decks/{copy.pk}/copy")
    second = bob.decks.exclude(pk=copy.pk).get()
    for each in (copy, second):
        page = client.get(publish(as_bob, each))
        assert "Copied from “Badge and gun” by alice" in text_of(page)
        assert f'href="{place}"' in page.content.decode()


def test_a_copy_never_reveals_a_private_link(
    as_alice: Client, as_bob: Client, client: Client, bob: User, deck: Deck
) -> None:
    """Bob sees where it came from; readers of his copy do not."""
    place = share(as_alice, deck, visibility="link")
    as_bob.post(f"{place}copy")
    copy = bob.decks.get()
    assert f'href="{place}"' in as_bob.get(f"/decks/{copy.pk}/").content.decode()
    for shown in both_ways(as_bob, copy):
        answer = client.get(shown)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert place not in page
        assert "alice" not in page


def test_a_stranger_copies_into_a_draft(as_alice: Client, deck: Deck) -> None:
    """An account created later gets it, with its source."""
    stranger = Client()
    stranger.post(f"{publish(as_alice, deck)}copy")
    draft = Deck.objects.get(owner=None)
    dora = User.objects.create_user("dora", password="dora-of-arkham")
    services.keep_deck(deck=draft, owner=dora)
    assert dora.decks.get().source.author == "alice"
