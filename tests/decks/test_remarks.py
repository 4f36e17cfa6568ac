"""Short notes on single cards of a deck."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import LONGEST_REMARK, empty_content, remark_on, with_remark
from decks.lists.editing import Edit, apply
from decks.models import Deck
from tests.decks.helpers import NOW, latest_of, text_of

pytestmark = pytest.mark.usefixtures("rows")

MACHETE = "01020"


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck with a Machete."""
    content = apply(empty_content("01001"), [Edit("add", MACHETE)], embedded_pool())
    return services.create_deck(owner=alice, content=content, now=NOW, name="Mine")


def _note(client: Client, deck: Deck, text: str, revision: int = 1) -> int:
    data = {"remark": text, "revision": str(revision)}
    return client.post(f"/decks/{deck.pk}/cards/{MACHETE}/note", data).status_code


def test_a_note_is_shown_in_the_row_and_exported(as_alice: Client, deck: Deck) -> None:
    """In arkham.build's format; an empty one removes it."""
    assert _note(as_alice, deck, "  Keep   in the opening hand ") == 303
    assert latest_of(deck).list["meta"] == {
        "annotation_01020": "Keep in the opening hand"
    }
    for page in ("", "edit", "sheet"):
        shown = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
        assert "Keep in the opening hand" in shown
    exported = json.loads(as_alice.get(f"/decks/{deck.pk}/list.json").content)
    assert json.loads(exported["meta"])["annotation_01020"] == (
        "Keep in the opening hand"
    )
    compared = text_of(as_alice.get(f"/decks/{deck.pk}/compare/?from=1&to=2"))
    assert "Note on Machete" in compared
    assert _note(as_alice, deck, "", revision=2) == 303
    assert latest_of(deck).list["meta"] == {}


def test_long_and_stale_notes_are_refused(as_alice: Client, deck: Deck) -> None:
    """And notes on cards that are not in the deck."""
    assert _note(as_alice, deck, "x" * (LONGEST_REMARK + 1)) == 422
    assert _note(as_alice, deck, "One") == 303
    assert _note(as_alice, deck, "Two") == 412
    assert remark_on(latest_of(deck).content, MACHETE) == "One"
    assert as_alice.get(f"/decks/{deck.pk}/cards/01021/note").status_code == 404


def test_decks_of_others_get_no_notes(as_bob: Client, deck: Deck) -> None:
    assert _note(as_bob, deck, "Mine") == 404


def test_a_note_that_is_no_text_is_ignored() -> None:
    """Imported lists may have anything in its key."""
    content = with_remark(empty_content("01001"), MACHETE, "a\x00b")
    assert remark_on(content, MACHETE) == "a?b"
    content.deck["meta"]["annotation_01020"] = 3
    assert remark_on(content, MACHETE) == ""
