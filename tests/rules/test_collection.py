"""Collections: copies of products, old and new packaging, single cards missing."""

from __future__ import annotations

import pytest

from arkham.rules.collection import Collection, contents, copies_owned, everything
from arkham.rules.pool import CardPool


def test_copies_are_summed_over_products_and_printings(pool: CardPool) -> None:
    """Two old core sets and a new one: six Machetes."""
    owned = copies_owned(Collection({"core": 2, "rcore": 1}), pool)
    assert owned["01020"] == 2  # one in each old core set
    assert owned["01520"] == 2
    assert "02009" not in owned


def test_the_new_boxes_contain_the_cards_of_the_old_products(pool: CardPool) -> None:
    """Player cards are in one box, encounter sets in the other."""
    players = copies_owned(Collection({"dwlp": 1}), pool)
    campaign = copies_owned(Collection({"dwlc": 1}), pool)
    old = dict.fromkeys(("dwl", "tmm", "tece", "bota", "uau", "wda", "litas"), 1)
    assert players["02037"] == 2  # Indebted, from the deluxe expansion
    assert players["02107"] == 2  # from a mythos pack
    assert "02040" not in players
    assert "02037" not in campaign
    assert {**players, **campaign} == copies_owned(Collection(old), pool)


def test_single_cards_may_be_missing(pool: CardPool) -> None:
    """One of two copies, or both."""
    owned = copies_owned(Collection({"dwl": 1}, {"02037": 1, "02038": 2}), pool)
    assert owned["02037"] == 1
    assert "02038" not in owned


@pytest.mark.parametrize("products", [{}, {"nonsense": 3}, {"core": 0}])
def test_an_empty_collection_owns_no_copies(
    pool: CardPool, products: dict[str, int]
) -> None:
    assert copies_owned(Collection(products), pool) == {}


def test_everything_contains_every_printing_once(pool: CardPool) -> None:
    owned = copies_owned(everything(pool), pool)
    for card in pool.values():
        for printing in card.printings:
            assert owned[printing.code] == printing.quantity
    assert set(contents(pool)) == set(pool.packs)
