"""Collections: kept, feeding the advice on decks, and shared out at a table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from decks import services
from decks.lists.content import read_content
from decks.models import Collection, Deck
from tests.decks.helpers import text_of

pytestmark = pytest.mark.usefixtures("rows")


def _deck(owner: User, slots: dict[str, int], name: str) -> Deck:
    content = read_content({"investigator_code": "01001", "slots": slots})
    now = timezone.now()
    return services.create_deck(owner=owner, content=content, now=now, name=name)


def _kept(client: Client, **fields: Any) -> None:
    answer = client.post("/decks/collections/new", fields)
    assert answer.status_code == 303, answer.content


def test_products_and_missing_cards_are_kept(as_alice: Client, alice: User) -> None:
    """Old and new packaging, several copies, single missing cards."""
    _kept(
        as_alice,
        name="Attic",
        advises="on",
        lends="on",
        pack_core="2",
        pack_dwlp="1",
        missing="01020\n2 x 01088 Emergency Cache\n",
    )
    collection = Collection.objects.get()
    assert collection.owner == alice
    assert collection.products == {"core": 2, "dwlp": 1}
    assert collection.missing == {"01020": 1, "01088": 2}
    page = as_alice.get(f"/decks/collections/{collection.pk}/")
    assert "2 x 01088 Emergency Cache" in page.content.decode()
    assert "Attic" in text_of(as_alice.get("/decks/collections/"))


def test_a_line_that_is_no_card_is_named(as_alice: Client) -> None:
    fields = {"name": "Attic", "missing": "01020\nMachete"}
    answer = as_alice.post("/decks/collections/new", fields)
    assert answer.status_code == 422
    told = "Line 2, “Machete”: the code of a card was expected."
    assert f"{told} Did you mean “01020 Machete”?" in text_of(answer)
    assert not Collection.objects.exists()


def test_a_name_in_the_missing_cards_is_put_right_by_a_button(
    as_alice: Client,
) -> None:
    """In its line, with its copies; the rest of the form is sent with it."""
    fields = {"name": "Attic", "missing": "\n01088\n2 x Machette\n"}
    page = as_alice.post("/decks/collections/new", fields).content.decode()
    button = 'name="take-missing" value="2:2 x 01020 Machete"'
    assert button in page
    assert page.index('class="unseen"') < page.index(button)  # Enter presses the first

    pressed = fields | {"take-missing": "2:2 x 01020 Machete"}
    assert as_alice.post("/decks/collections/new", pressed).status_code == 303
    assert Collection.objects.get().missing == {"01088": 1, "01020": 2}


def test_what_a_button_put_right_stays_where_more_is_wrong(as_alice: Client) -> None:
    fields = {"name": "", "missing": "Machette", "take-missing": "1:01020 Machete"}
    page = as_alice.post("/decks/collections/new", fields).content.decode()
    assert "\n01020 Machete</textarea>" in page
    assert 'name="take-missing"' not in page


def test_a_collection_is_its_owners(as_alice: Client, as_charlie: Client) -> None:
    _kept(as_alice, name="Attic")
    pk = Collection.objects.get().pk
    assert as_charlie.get(f"/decks/collections/{pk}/").status_code == 404
    assert as_charlie.post(f"/decks/collections/{pk}/delete").status_code == 404
    assert as_alice.post(f"/decks/collections/{pk}/delete").status_code == 303
    assert not Collection.objects.exists()


@pytest.mark.parametrize("page", ["collections/", "collections/new"])
def test_collections_need_an_account(client: Client, page: str) -> None:
    assert client.get(f"/decks/{page}").status_code == 302


def test_what_is_not_owned_is_advice(as_alice: Client, alice: User) -> None:
    """The deck stays as legal as it was."""
    deck = _deck(alice, {"01020": 2}, "R")
    assert "owned:" not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    _kept(as_alice, name="Attic", advises="on", pack_core="1")
    for page in ("", "edit"):
        text = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
        assert "Copies of Machete in the deck: 2; owned: 1." in text
        assert "Incomplete" in text
    _kept(as_alice, name="Cellar", advises="on", pack_core="2")
    assert "owned:" not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert Collection.objects.filter(advises=True).count() == 1


def test_a_table_is_checked(as_alice: Client, alice: User) -> None:
    """Who lends what, and what nobody has."""
    first = _deck(alice, {"01020": 2, "01021": 2}, "First")
    second = _deck(alice, {"01020": 1}, "Second")
    _kept(as_alice, name="Attic", lends="on", pack_core="1", missing="01021")
    _kept(as_alice, name="Cellar", lends="on", pack_core="2")
    attic, cellar = Collection.objects.order_by("pk")
    asked = {f"deck_{first.pk}": attic.pk, f"deck_{second.pk}": cellar.pk}
    text = text_of(as_alice.get("/decks/table/", asked))
    assert "Cellar lends 2 × Guard Dog First 1 × Machete First" in text
    assert "Guard Dog: First borrows 2 from Cellar." in text
    alone = {f"deck_{first.pk}": attic.pk}
    Collection.objects.filter(pk=cellar.pk).update(lends=False)
    text = text_of(as_alice.get("/decks/table/", alone))
    assert "Copies of Machete wanted by First: 2; owned: 1." in text
    assert "Left over, and not lent: Cellar." in text


def test_a_table_with_all_its_cards(as_alice: Client, alice: User) -> None:
    deck = _deck(alice, {"01020": 2}, "First")
    _kept(as_alice, name="Attic", pack_core="2")
    asked = {f"deck_{deck.pk}": Collection.objects.get().pk}
    assert "Every deck has its cards." in text_of(as_alice.get("/decks/table/", asked))


def test_a_visitor_without_decks_is_shown_the_way(client: Client) -> None:
    assert "There is no deck yet." in text_of(client.get("/decks/table/"))


def test_a_collection_changed_in_another_window_is_not_lost_unseen(
    as_alice: Client, alice: User
) -> None:
    """What is there now is shown once; then the later window stands."""
    _kept(as_alice, name="Attic", pack_core="2")
    found = Collection.objects.get(owner=alice)
    page = f"/decks/collections/{found.pk}/"
    seen = {"name": found.name, "seen": found.changed_at.isoformat()}
    assert as_alice.post(page, {**seen, "pack_core": "3"}).status_code == 303

    asked = as_alice.post(page, {**seen, "pack_core": "2", "pack_dwl": "1"})

    assert asked.status_code == 422
    assert "Core Set: 3" in text_of(asked)
    found.refresh_from_db()
    assert found.products == {"core": 3}
    html = asked.content.decode()
    again = {**seen, "seen": found.changed_at.isoformat(), "pack_dwl": "1"}
    assert f'name="seen" value="{again["seen"]}"' in html
    assert as_alice.post(page, again).status_code == 303
    found.refresh_from_db()
    assert found.products == {"dwl": 1}
