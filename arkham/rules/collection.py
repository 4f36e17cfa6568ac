"""The cards a person owns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from arkham.rules.pool import CardPool

Contents = Mapping[str, Mapping[str, int]]  # product → printing → copies in one of it


@dataclass(frozen=True, slots=True)
class Collection:
    """The products a person owns, in copies, and the single cards lacking from them.

    ``missing`` counts copies by the code of the printing.
    """

    products: Mapping[str, int]
    missing: Mapping[str, int] = field(default_factory=dict)


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def contents(pool: CardPool) -> Contents:
    """What one copy of every product holds.

    A repackaged expansion holds the cards of the old products: the investigator box
    those for players, the campaign box those of encounter sets.
    """
    printed: dict[str, dict[str, int]] = {code: {} for code in pool.packs}
    of_sets = set()
    for card in pool.values():
        for printing in card.printings:
            printed.setdefault(printing.pack, {})[printing.code] = printing.quantity
            if card.encounter_set:
                of_sets.add(printing.code)
    return {
        code: {
            printing: copies
            for held in (code, *pack.holds)
            for printing, copies in printed.get(held, {}).items()
            if not pack.holds
            or (printing in of_sets) is (pack.holds_type == "campaign")
        }
        for code, pack in pool.packs.items()
    }


def everything(pool: CardPool) -> Collection:
    """One of every product that was not packed anew under another name."""
    products = (code for code, pack in pool.packs.items() if not pack.holds)
    return Collection(dict.fromkeys(products, 1))


def copies_owned(collection: Collection, pool: CardPool) -> dict[str, int]:
    """Copies of every printing in a collection, over all its products.

    What circumstances take as ``owned``; the copies of a card are the sum over its
    printings. Source: Rules Reference, Collection.
    """
    held = contents(pool)
    owned: dict[str, int] = {}
    for product, number in collection.products.items():
        for printing, copies in held.get(product, {}).items():
            owned[printing] = owned.get(printing, 0) + copies * number
    return {
        printing: left
        for printing, copies in owned.items()
        if (left := copies - collection.missing.get(printing, 0)) > 0
    }


def one_of_each(collection: Collection, pool: CardPool) -> Contents:
    """One copy of each product of a collection: all that effects may search.

    A card lacking from every copy is not there. Source: FAQ 2.5, Collection.
    """
    owned = copies_owned(collection, pool)
    held = contents(pool)
    return {
        product: {
            printing: min(copies, owned[printing])
            for printing, copies in held[product].items()
            if printing in owned
        }
        for product, number in sorted(collection.products.items())
        if number > 0 and product in held
    }
