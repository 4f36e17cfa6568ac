"""What to take from the binders, in their order, and from which products."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import empty_content
from decks.lists.editing import Edit, apply
from decks.models import Collection, Deck
from tests.decks.helpers import NOW, text_of

pytestmark = pytest.mark.usefixtures("rows")

ROLAND, WENDY = "01001", "01005"
MACHETE, EVIDENCE, EMERGENCY_CACHE, EXTRA_AMMUNITION, DEDUCTION = (
    "01020", "01022", "01088", "01026", "01039",
)  # fmt: skip


def _deck(owner: User, name: str, *codes: str, who: str = ROLAND) -> Deck:
    edits = [Edit("add", code) for code in codes]
    content = apply(empty_content(who), edits, embedded_pool())
    return services.create_deck(owner=owner, content=content, now=NOW, name=name)


def _pulled(page: Any) -> list[tuple[str, list[tuple[int, str]]]]:
    return [
        (str(group.title), [(each.copies, each.card.name) for each in group.cards])
        for group in page.context["groups"]
    ]


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of three classes and an upgraded card."""
    return _deck(
        alice, "Mine", MACHETE, MACHETE, EMERGENCY_CACHE, EXTRA_AMMUNITION, EVIDENCE,
        DEDUCTION,
    )  # fmt: skip


def test_cards_are_sorted_by_class_level_cost_and_name(
    as_alice: Client, deck: Deck
) -> None:
    """As most binders are; the investigator is included."""
    page = as_alice.get(f"/decks/pull/?deck={deck.pk}")
    assert _pulled(page) == [
        ("Guardian", [
            (1, "Evidence!"), (2, "Machete"), (1, "Extra Ammunition"),
            (1, "Roland Banks"),
        ]),
        ("Seeker", [(1, "Deduction")]),
        ("Neutral", [(1, "Emergency Cache")]),
    ]  # fmt: skip


def test_the_order_is_chosen_and_remembered(as_alice: Client, deck: Deck) -> None:
    """By product and name, for example; unknown keys are ignored."""
    as_alice.get(f"/decks/pull/?deck={deck.pk}&by=level&by=nonsense&by=name&by=level")
    page = as_alice.get(f"/decks/pull/?deck={deck.pk}")
    assert [title for title, _cards in _pulled(page)] == [
        "Level 0", "Level 1", "No level",
    ]  # fmt: skip
    page = as_alice.get(f"/decks/pull/?deck={deck.pk}&by=product&by=name")
    assert _pulled(page)[0][0] == "Core Set"


def test_several_decks_are_merged(as_alice: Client, deck: Deck, alice: User) -> None:
    """Each card shows its decks, even if their names are alike."""
    other = _deck(alice, "Mine", MACHETE, who=WENDY)
    page = as_alice.get(f"/decks/pull/?deck={deck.pk}&deck={other.pk}&by=name")
    cards = [each for group in page.context["groups"] for each in group.cards]
    machete = next(each for each in cards if each.card.code == MACHETE)
    assert machete.copies == 3
    assert dict(machete.decks) == {f"Mine #{deck.pk}": 2, f"Mine #{other.pk}": 1}


def test_products_with_owned_copies_are_listed(
    as_alice: Client, alice: User, deck: Deck
) -> None:
    """Up to the needed number; the rest is marked missing."""
    collection = Collection.objects.create(
        owner=alice, name="Mine", products={"core": 1}, missing={}, changed_at=NOW
    )
    other = _deck(alice, "Three", MACHETE, MACHETE)
    address = f"/decks/pull/?deck={deck.pk}&deck={other.pk}"

    def machete() -> tuple[list[tuple[int, str]], int]:
        groups = as_alice.get(address).context["groups"]
        each = next(
            one for group in groups for one in group.cards if one.card.code == MACHETE
        )
        return [tuple(source) for source in each.sources], each.missing

    in_core, missing = machete()
    assert missing == 4 - in_core[0][0]
    assert "missing" in text_of(as_alice.get(address))
    collection.products = {"core": 2, "rcore": 1}
    collection.save()
    assert machete()[0] == [(2, "Core Set"), (2, "Revised Core Set")]
    collection.missing = {MACHETE: 2}
    collection.save()
    assert machete() == ([(2, "Revised Core Set")], 2)


def test_decks_are_chosen_in_the_list_of_decks(as_alice: Client, deck: Deck) -> None:
    """Without any the page redirects there."""
    data = {"do": "pull", "deck": f"{deck.pk}.1"}
    answer = as_alice.post("/decks/many", data)
    assert answer["Location"] == f"/decks/pull/?deck={deck.pk}"
    assert as_alice.get("/decks/pull/")["Location"] == "/decks/"
    for query in ("?deck=x", "?deck=999999"):
        assert as_alice.get(f"/decks/pull/{query}").status_code == 404


def test_decks_of_others_are_not_included(as_bob: Client, deck: Deck) -> None:
    assert as_bob.get(f"/decks/pull/?deck={deck.pk}").status_code == 404
