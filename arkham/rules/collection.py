"""The products a person owns, and those that belong to an environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from arkham.rules.deck import INVESTIGATOR_CYCLES, Environment
from arkham.rules.pool import CardPool

CORE_SETS = ("core", "rcore")
STARTER_DECKS = ("nat", "har", "win", "jac", "ste")
CHAPTER_2 = ("core_2026", "tom", "car", "and", "mar", "mig")
RETURN_TO = {"dwl": "rtdwl", "ptc": "rtptc", "tfa": "rttfa", "tcu": "rttcu"}
CURRENT_CYCLES = 3


def first_release(cycle: str, pool: CardPool) -> str:
    """The ISO date the investigators of a cycle first appeared, "" if never.

    Repackaged products hold no card of their own, so an old cycle does not become
    new by being packed again.
    """
    dates = {
        pool.packs[printing.pack].released
        for card in pool.investigators
        for printing in card.printings
        if printing.pack in pool.packs and pool.packs[printing.pack].cycle == cycle
    }
    return min((date for date in dates if date), default="")


def current_cycles(date: str, pool: CardPool) -> tuple[str, ...]:
    """The newest three investigator cycles at a date (ISO; "" is the newest known).

    Source: FAQ 2.5, Current Environment.
    """
    released = {cycle: first_release(cycle, pool) for cycle in INVESTIGATOR_CYCLES}
    out = [
        cycle
        for cycle, first in released.items()
        if first and (not date or first <= date)
    ]
    return tuple(sorted(out, key=released.__getitem__)[-CURRENT_CYCLES:])


def packs_of(
    environment: Environment, pool: CardPool, rulings: Mapping[str, str]
) -> frozenset[str] | None:
    """The codes of the packs cards may come from; None is every pack there is."""
    if environment.kind == "legacy":
        return None
    if environment.kind == "products":
        known = set(environment.packs).difference(unknown_products(environment, pool))
        return unpacked(tuple(known), pool) if known else None
    allowed = {*CORE_SETS, *STARTER_DECKS}
    if environment.kind == "current":
        cycles = current_cycles(environment.date, pool)
        if rulings["environment.chapter-2"] == "in":
            allowed.update(CHAPTER_2)
        if rulings["environment.side-products"] == "in":
            cycles = (*cycles, "side_stories")
    else:
        cycles = environment.cycles
        allowed.update(RETURN_TO[cycle] for cycle in cycles if cycle in RETURN_TO)
    allowed.update(pack.code for pack in pool.packs.values() if pack.cycle in cycles)
    return frozenset(allowed)


def listed_products(
    environment: Environment, pool: CardPool, rulings: Mapping[str, str]
) -> tuple[str, ...]:
    """The products of an environment as a list names them, in order; () for all.

    A cycle that belongs to it with all its packs is named as one, ``cycle:dwl``. What
    the table chose as a list of products is that list.
    """
    if environment.kind == "products":
        return environment.packs
    allowed = packs_of(environment, pool, rulings)
    if allowed is None:
        return ()
    outside = {p.cycle for p in pool.packs.values() if p.code not in allowed}
    whole = [
        cycle
        for cycle in INVESTIGATOR_CYCLES
        if cycle in pool.cycles and cycle not in outside
    ]
    rest = [
        pack.code
        for pack in pool.packs.values()
        if pack.code in allowed and pack.cycle not in whole
    ]
    return (*rest, *(f"cycle:{code}" for code in whole))


def unknown_products(environment: Environment, pool: CardPool) -> tuple[str, ...]:
    """The products of an environment that are none of the pool's."""
    cycles = {f"cycle:{code}" for code in pool.cycles}
    return tuple(
        code
        for code in environment.packs
        if code not in pool.packs and code not in cycles
    )


def unpacked(packs: tuple[str, ...], pool: CardPool) -> frozenset[str]:
    """The packs named, with those that a repackaged product holds.

    ``cycle:dwl`` names every pack of a cycle, as the field writes it.
    """
    allowed = set(packs)
    for code in packs:
        pack = pool.packs.get(code)
        if pack is not None:
            if pack.holds_type != "campaign":  # player cards are in the other box
                allowed.update(pack.holds)
        elif code.startswith("cycle:"):
            cycle = code.removeprefix("cycle:")
            allowed.update(
                each.code for each in pool.packs.values() if each.cycle == cycle
            )
    return frozenset(allowed)


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
