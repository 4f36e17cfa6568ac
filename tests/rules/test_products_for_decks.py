"""What products would add: missing copies of cards, and the fewest products."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules import collection
from arkham.rules.card import Pack
from arkham.rules.collection import (
    Collection,
    cards_owned,
    copies_owned,
    copies_short,
    fewest_products,
    product_gains,
)
from arkham.rules.pool import CardPool


def _owned(pool: CardPool, *products: str) -> dict[str, int]:
    return cards_owned(copies_owned(Collection(dict.fromkeys(products, 1)), pool), pool)


def test_copies_are_summed_over_printings(pool: CardPool) -> None:
    """A card has one code, whichever product contains it."""
    assert _owned(pool, "core", "rcore")["01020"] == 3
    assert "01520" not in _owned(pool, "rcore")


def test_copies_short_are_those_wanted_minus_those_owned() -> None:
    wanted, owned = {"a": 2, "b": 1, "c": 2}, {"a": 1, "b": 1}
    assert copies_short(wanted, owned) == {"a": 1, "c": 2}


def test_products_are_sorted_by_the_copies_they_add(pool: CardPool) -> None:
    """The box contains what the old packs contain."""
    short = {"02107": 2, "02037": 2, "01020": 1}
    gains = product_gains(short, pool)
    copies = {each.product: each.copies for each in gains}
    assert next(iter(copies.items())) == ("dwlp", 4)
    assert (copies["dwl"], copies["tmm"]) == (2, 2)
    assert list(copies.values()) == sorted(copies.values(), reverse=True)
    assert gains[0].cards == {"02107": 2, "02037": 2}
    assert {each.product for each in gains} >= {"core", "rcore", "tmm"}


def test_a_second_copy_of_a_product_may_be_needed(pool: CardPool) -> None:
    """No product has more than two Machetes."""
    assert len(fewest_products({"01020": 2}, pool).products) == 1
    found = fewest_products({"01020": 4}, pool)
    assert len(found.products) == 2
    assert found.is_least


def test_cards_in_no_product_are_left(pool: CardPool) -> None:
    found = fewest_products({"99999": 2, "02107": 1}, pool)
    assert found.left == {"99999": 2}
    assert len(found.products) == 1


def test_no_product_is_needed_if_no_card_is_short(pool: CardPool) -> None:
    assert fewest_products({}, pool).products == ()
    assert product_gains({}, pool) == []


CARDS = "abcdef"
OFFERS = st.dictionaries(
    st.sampled_from(["p", "q", "r", "s", "t"]),
    st.dictionaries(st.sampled_from(CARDS), st.integers(1, 2), min_size=1),
    min_size=1,
)
SHORT = st.dictionaries(st.sampled_from(CARDS), st.integers(1, 3))


def _undated(offers: collection.Offers) -> CardPool:
    """A pool of products without release dates or cards."""
    packs = tuple(Pack(code, code, "core", 1, "", 1) for code in offers)
    return CardPool(version="", cards={}, packs=packs)


def _by_trial(short: Mapping[str, int], offers: collection.Offers) -> int:
    """The fewest products, by trying every choice of each number."""
    number = 0
    while True:
        for chosen in combinations_with_replacement(sorted(offers), number):
            brought = {
                card: sum(offers[each].get(card, 0) for each in chosen)
                for card in short
            }
            if all(brought[card] >= copies for card, copies in short.items()):
                return number
        number += 1


@given(offers=OFFERS, short=SHORT)
def test_the_fewest_products_are_as_few_as_a_trial_finds(
    offers: dict[str, dict[str, int]], short: dict[str, int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collection, "_cards_of_products", lambda _pool: offers)
        found = fewest_products(short, _undated(offers))
    sold = {card for cards in offers.values() for card in cards}
    need = {card: copies for card, copies in short.items() if card in sold}
    assert set(found.left) == set(short) - sold
    assert found.is_least
    assert len(found.products) == _by_trial(need, offers)
    for card, copies in need.items():
        assert sum(offers[each].get(card, 0) for each in found.products) >= copies


def test_a_search_that_takes_too_long_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The products that it found are enough all the same."""
    ring = {
        f"p{n}": {f"c{n}": 1, f"c{(n + 1) % 9}": 1, f"c{(n + 4) % 9}": 1}
        for n in range(9)
    }
    monkeypatch.setattr(collection, "_cards_of_products", lambda _pool: ring)
    monkeypatch.setattr(collection, "_at_least", lambda *_sought: 0)
    monkeypatch.setattr(collection, "MOST_NODES", 3)
    short = {f"c{n}": 1 for n in range(9)}
    found = fewest_products(short, _undated(ring))
    assert not found.is_least
    assert set(short) == {card for each in found.products for card in ring[each]}
