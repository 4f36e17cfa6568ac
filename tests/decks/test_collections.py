"""Collections: filled by presses, advice on decks, products to buy, a table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arkham.accounts.models import User
from cardpool.catalog import current_pool
from decks import services
from decks.lists.content import read_content
from decks.models import Collection, Deck
from decks.pages.owned import Shelves
from decks.services import collecting
from tests.decks.helpers import HTMX, a_collection, text_of

pytestmark = pytest.mark.usefixtures("rows")

NEW = "/decks/collections/new"
OLD_PACKS = {"dwl", "tmm", "tece", "bota", "uau", "wda", "litas"}


def _deck(owner: User, slots: dict[str, int], name: str) -> Deck:
    content = read_content({"investigator_code": "01001", "slots": slots})
    now = timezone.now()
    return services.create_deck(owner=owner, content=content, now=now, name=name)


def _press(client: Client, page: str = NEW, **sent: Any) -> str:
    """Press a button; return the address it leads to."""
    answer = client.post(page, sent)
    assert answer.status_code == 303, answer.content
    return answer["Location"].partition("?")[0].partition("#")[0]


def test_the_first_press_begins_a_collection(as_alice: Client, alice: User) -> None:
    """Decks are built from it."""
    page = _press(as_alice, own="core:1")
    kept = Collection.objects.get()
    assert page == f"/decks/collections/{kept.pk}/"
    assert (kept.owner, kept.products, kept.advises) == (alice, {"core": 1}, True)
    _press(as_alice, page, own="core:2")
    _press(as_alice, page, own="tmm:1")
    kept.refresh_from_db()
    assert kept.products == {"core": 2, "tmm": 1}
    _press(as_alice, page, own="tmm:0")
    kept.refresh_from_db()
    assert kept.products == {"core": 2}


def test_a_cycle_is_added_by_one_press(as_alice: Client) -> None:
    """As first printed, or as revised boxes; a second press removes it."""
    page = _press(as_alice, add="dwl.packs")
    kept = Collection.objects.get()
    assert kept.products == dict.fromkeys(OLD_PACKS, 1)
    _press(as_alice, page, add="dwl.boxes")
    _press(as_alice, page, remove="dwl.packs", seen=_seen(as_alice, page))
    kept.refresh_from_db()
    assert kept.products == {"dwlp": 1, "dwlc": 1}


def test_all_and_no_products_are_chosen_by_one_press(as_alice: Client) -> None:
    page = _press(as_alice, everything="1")
    kept = Collection.objects.get()
    pool = current_pool()
    assert set(kept.products) == {c for c, p in pool.packs.items() if not p.holds}
    _press(as_alice, page, nothing="1", seen=_seen(as_alice, page))
    kept.refresh_from_db()
    assert kept.products == {}


def _seen(client: Client, page: str) -> str:
    found = re.search(r'name="seen" value="([^"]+)"', client.get(page).text)
    assert found
    return found[1]


def test_two_windows_add_to_one_collection(as_alice: Client) -> None:
    """Each press is a change of its own; both windows' products stay."""
    page = _press(as_alice, own="core:1")
    seen = _seen(as_alice, page)
    _press(as_alice, page, own="dwlp:1", seen=seen)
    _press(as_alice, page, own="tmm:1", seen=seen)
    assert Collection.objects.get().products == {"core": 1, "dwlp": 1, "tmm": 1}


@pytest.mark.parametrize("press", [{"nothing": "1"}, {"remove": "dwl.boxes"}])
def test_an_outdated_window_removes_nothing_unseen(
    as_alice: Client, press: dict[str, str]
) -> None:
    page = _press(as_alice, add="dwl.boxes")
    seen = _seen(as_alice, page)
    _press(as_alice, page, own="core:1")
    _press(as_alice, page, seen=seen, **press)
    assert set(Collection.objects.get().products) == {"dwlp", "dwlc", "core"}
    assert "Nothing was removed" in text_of(as_alice.get(page))


def test_a_window_only_changes_what_was_changed_in_it(as_alice: Client) -> None:
    """The name from one window and the lending from another both stay."""
    page = _press(as_alice, name="Attic")
    shown = {
        "initial-name": "Attic",
        "initial-lends": "True",
        "initial-advises": "True",
    }
    _press(as_alice, page, name="Attic", advises="on", **shown)
    _press(as_alice, page, name="Cellar", lends="on", advises="on", **shown)
    kept = Collection.objects.get()
    assert (kept.name, kept.lends, kept.advises) == ("Cellar", False, True)


@pytest.mark.parametrize(
    "sent",
    [
        {}, {"own": "nonsense:1"}, {"own": "core:x"}, {"own": "core:99"},
        {"own": "core"}, {"add": "nowhere"}, {"add": "dwl.nothing"}, {"own": "\x00:1"},
    ],
)  # fmt: skip
def test_invalid_presses_are_refused(as_alice: Client, sent: dict[str, str]) -> None:
    assert as_alice.post(NEW, sent).status_code == 400
    assert not Collection.objects.exists()


def test_a_press_returns_what_it_changed(as_alice: Client) -> None:
    """The products of the cycle, and all counts: cards are reprinted."""
    page = _press(as_alice, own="core:1")
    answer = as_alice.post(page, {"own": "dwlp:1"}, headers=HTMX)
    assert answer.status_code == 200
    assert 'id="own-dwlp" name="own" value="dwlp:0" aria-pressed="true"' in answer.text
    assert 'id="own-tcu"' not in answer.text
    assert "2 products · " in text_of(answer)
    first = as_alice.post(NEW, {"own": "core:1"}, headers=HTMX)
    assert first["HX-Redirect"].startswith("/decks/collections/")


def test_old_products_and_boxes_have_the_same_cards(alice: User) -> None:
    """Copies are summed over printings; packs show which box covers them."""
    kept = a_collection(alice, {"dwlp": 1})
    pool = current_pool()
    shelf = Shelves(kept, pool).of("dwl")
    boxes, packs = shelf.groups
    assert (shelf.owned, shelf.cards) == (112, 120)  # story cards are elsewhere
    assert not boxes.is_owned
    assert all(row.is_covered for row in packs.rows)
    both = a_collection(alice, {"dwlp": 1} | dict.fromkeys(OLD_PACKS, 1))
    assert collecting.cards_in(both, pool)["02107"] == 4


def test_counts_are_asked_only_if_they_matter(alice: User) -> None:
    """For the old core set, for products owned twice, or for all on request."""
    kept = a_collection(alice, {"core": 1, "tmm": 1, "bota": 2})
    pool = current_pool()
    counted = {
        row.pack.code
        for shelf in Shelves(kept, pool).all()
        for group in shelf.groups
        for row in group.rows
        if row.is_counted
    }
    assert counted == {"core", "bota"}
    assert Shelves(kept, pool, counts=True).of("dwl").groups[1].rows[1].is_counted


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("carcosa", "ptc"),
        ("echoes of the past", "ptc"),
        ("hunting for answers", "parallel"),
        ("Shortcut", "dwl"),
        ("%", None),
        ("no such thing", None),
    ],
)
def test_products_are_found_by_name_cycle_or_card(
    as_alice: Client, words: str, found: str | None
) -> None:
    text = as_alice.get(NEW, {"q": words}).text
    shelves = re.findall(r'class="owned-shelf [^"]*" id="(\w+)"', text)
    assert (found in shelves) if found else (not shelves or words == "%")


def test_cycles_stand_in_the_order_they_were_published(as_alice: Client) -> None:
    shelves = re.findall(
        r'class="owned-shelf [^"]*" id="(\w+)"', as_alice.get(NEW).text
    )
    assert shelves[:4] == ["core", "dwl", "ptc", "tfa"]
    assert len(shelves) == len(current_pool().cycles)


def test_missing_cards_are_entered(as_alice: Client, alice: User) -> None:
    """By name, with copies and level; a code still works. A name is shown back."""
    kept = a_collection(alice, {"core": 2, "dwlp": 1})
    page = f"/decks/collections/{kept.pk}/"
    _press(as_alice, page, missing="Machete\n2 x Emergency Cache\n02107 Whatever\n\n")
    kept.refresh_from_db()
    assert kept.missing == {"01020": 1, "01088": 2, "02107": 1}
    text = text_of(as_alice.get(page))
    assert "1 × Machete Core Set" in text
    assert "01020" not in text
    _press(as_alice, page, found="01020")
    _press(as_alice, page, found="01020")
    kept.refresh_from_db()
    assert "01020" not in kept.missing


def test_no_more_cards_are_missing_than_are_owned(
    as_alice: Client, alice: User
) -> None:
    """Over the printings that are owned."""
    kept = a_collection(alice, {"core": 1, "rcore": 1})
    page = f"/decks/collections/{kept.pk}/"
    _press(as_alice, page, missing="9 Machete")
    _press(as_alice, page, missing="1 Machete")
    kept.refresh_from_db()
    assert kept.missing == {"01020": 1, "01520": 2}
    assert "01020" not in collecting.cards_in(kept, current_pool())


def test_an_unknown_name_gets_suggestions(as_alice: Client, alice: User) -> None:
    """A button corrects the line, with its copies."""
    kept = a_collection(alice, {"core": 2})
    page = f"/decks/collections/{kept.pk}/"
    sent = {"missing": "Emergency Cache\n2 x Machette"}
    answer = as_alice.post(page, sent)
    assert answer.status_code == 422
    expected = "We couldn’t find a card called “Machette”. Did you mean “Machete”?"
    assert expected in text_of(answer)
    button = 'name="take-missing" value="2:2 Machete"'
    assert button in answer.text
    assert answer.text.index('class="unseen" tabindex') < answer.text.index(button)
    _press(as_alice, page, **sent, **{"take-missing": "2:2 Machete"})
    kept.refresh_from_db()
    assert kept.missing == {"01088": 1, "01020": 2}


def test_a_collection_is_private(
    as_alice: Client, as_charlie: Client, alice: User
) -> None:
    pk = a_collection(alice, {}).pk
    for page in ("", "products"):
        assert as_charlie.get(f"/decks/collections/{pk}/{page}").status_code == 404
    pressed = as_charlie.post(f"/decks/collections/{pk}/", {"own": "core:1"})
    assert pressed.status_code == 404
    assert as_charlie.post(f"/decks/collections/{pk}/delete").status_code == 404
    assert as_alice.post(f"/decks/collections/{pk}/delete").status_code == 303
    assert not Collection.objects.exists()


@pytest.mark.parametrize("page", ["collections/", "collections/new"])
def test_collections_need_an_account(client: Client, page: str) -> None:
    assert client.get(f"/decks/{page}").status_code == 302


def test_a_misspelt_name_among_owned_cards_gets_suggestions(
    as_alice: Client, alice: User
) -> None:
    """In every card search, for owners of the card."""
    a_collection(alice, {"core": 1}, advises=True)
    deck = _deck(alice, {"01020": 1}, "Roland")
    asked = {"q": "owned:yes name:macheto"}
    played = _deck(alice, {"01020": 1}, "Played")
    game, now = services.PlayedGame(), timezone.now()
    services.mark_played(deck=played, game=game, expected_revision=1, now=now)
    for address in (
        "/cards/",
        f"/decks/{deck.pk}/edit",
        f"/decks/{played.pk}/upgrade/",
    ):
        page = as_alice.get(address, asked)
        assert page.status_code == 200
        assert "Did you mean" in text_of(page)
        assert "owned%3Ayes%20name%3AMachete" in page.text.replace("+", "%20")


def test_unowned_cards_are_advice(as_alice: Client, alice: User) -> None:
    """The deck stays as legal as it was."""
    deck = _deck(alice, {"01020": 2}, "R")
    missing = "missing from your collection"
    assert missing not in text_of(as_alice.get(f"/decks/{deck.pk}/"))
    a_collection(alice, {"core": 1}, name="Attic")
    for page in ("", "edit"):
        text = text_of(as_alice.get(f"/decks/{deck.pk}/{page}"))
        assert f"1 copy is {missing} (1 card)." in text
        assert "1 owned" in text
        assert "Incomplete" in text
    a_collection(alice, {"core": 2}, name="Cellar", advises=True)
    text = text_of(as_alice.get(f"/decks/{deck.pk}/"))
    assert missing not in text
    assert " owned" not in text
    assert Collection.objects.filter(advises=True).count() == 1


# -- what products would add --


def test_products_are_sorted_by_what_they_add(as_alice: Client, alice: User) -> None:
    """For several decks, the largest number of missing copies counts."""
    kept = a_collection(alice, {"core": 1})
    page = f"/decks/collections/{kept.pk}/products"
    assert "Build a deck first" in text_of(as_alice.get(page))
    _deck(alice, {"01020": 2, "02022": 2}, "First")
    _deck(alice, {"01020": 2}, "Second")
    text = text_of(as_alice.get(page))
    assert "Your decks are short of 3 copies" in text
    assert "The Dunwich Legacy Investigator Expansion 2 copies 2 × Shortcut" in text
    assert text.index("Dunwich Legacy Investigator") < text.index("Core Set one more")


def test_the_fewest_products_complete_a_deck(as_alice: Client, alice: User) -> None:
    a_collection(alice, {"core": 1})
    deck = _deck(alice, {"01020": 2, "02022": 2}, "First")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/products"))
    assert "2 products The fewest products that have all the missing cards." in text
    assert "The Dunwich Legacy Investigator Expansion 2 copies 2 × Shortcut" in text


def test_a_deck_whose_cards_are_owned_needs_nothing(
    as_alice: Client, alice: User
) -> None:
    a_collection(alice, {"core": 2})
    deck = _deck(alice, {"01020": 2}, "First")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/products"))
    assert "You own every card of this deck." in text
    kept = Collection.objects.get()
    text = text_of(as_alice.get(f"/decks/collections/{kept.pk}/products"))
    assert "You own every card of your decks." in text


def test_without_a_collection_nothing_is_owned(as_alice: Client, alice: User) -> None:
    deck = _deck(alice, {"01020": 1, "99999": 1}, "First")
    text = text_of(as_alice.get(f"/decks/{deck.pk}/products"))
    assert "We assume you own nothing yet." in text
    assert "1 product The fewest products" in text


def test_needed_products_of_a_deck_are_private(as_charlie: Client, alice: User) -> None:
    deck = _deck(alice, {"01020": 1}, "First")
    assert as_charlie.get(f"/decks/{deck.pk}/products").status_code == 404


def test_copies_of_cards_are_looked_up_cheaply(
    alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    pool = current_pool()
    a_collection(alice, {"core": 2, "rcore": 1}, missing={"01020": 1})
    with django_assert_num_queries(1):
        owned = collecting.cards_owned(alice, pool)
    assert owned is not None
    assert (owned["01020"], owned.get("02107", 0)) == (3, 0)
    assert collecting.cards_owned(bob, pool) is None
    assert collecting.cards_owned(None, pool) is None


# -- a table --


def test_a_table_is_checked(as_alice: Client, alice: User) -> None:
    """Who lends what, and what no one has."""
    first = _deck(alice, {"01020": 2, "01021": 2}, "First")
    second = _deck(alice, {"01020": 1}, "Second")
    attic = a_collection(alice, {"core": 1}, name="Attic", missing={"01021": 1})
    cellar = a_collection(alice, {"core": 2}, name="Cellar")
    asked = {f"deck_{first.pk}": attic.pk, f"deck_{second.pk}": cellar.pk}
    text = text_of(as_alice.get("/decks/table/", asked))
    assert "lends 2 × Guard Dog First (Roland Banks) 1 × Machete First" in text
    assert "Guard Dog: First (Roland Banks) borrows 2 from Cellar." in text
    alone = {f"deck_{first.pk}": attic.pk}
    Collection.objects.filter(pk=cellar.pk).update(lends=False)
    text = text_of(as_alice.get("/decks/table/", alone))
    assert "Machete: 2 needed by First (Roland Banks), 1 owned." in text
    assert "Spare copies that aren’t lent: Cellar." in text


def test_a_table_with_all_its_cards(as_alice: Client, alice: User) -> None:
    deck = _deck(alice, {"01020": 2}, "First")
    asked = {f"deck_{deck.pk}": a_collection(alice, {"core": 2}).pk}
    assert "Every deck has all its cards." in text_of(
        as_alice.get("/decks/table/", asked)
    )


def test_a_visitor_without_decks_gets_a_link(client: Client) -> None:
    assert "There are no decks yet." in text_of(client.get("/decks/table/"))
