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
    """The ISO date on which investigators of a cycle first appeared, or "".

    Repackaged products have no cards of their own, so an old cycle doesn't become new
    by being repackaged.
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
    """The codes of the packs cards may come from; None means every pack."""
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

    If all packs of a cycle belong to it, the cycle is named as one: ``cycle:dwl``. If
    the table chose a list of products, that list is returned.
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
    """The products of an environment that are not in the pool."""
    cycles = {f"cycle:{code}" for code in pool.cycles}
    return tuple(
        code
        for code in environment.packs
        if code not in pool.packs and code not in cycles
    )


def unpacked(packs: tuple[str, ...], pool: CardPool) -> frozenset[str]:
    """The named packs, plus those that a repackaged product contains.

    ``cycle:dwl``, as ArkhamDB writes it, names every pack of a cycle.
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


Contents = Mapping[str, Mapping[str, int]]  # product → printing → copies in one product


@dataclass(frozen=True, slots=True)
class Collection:
    """A person's products with numbers of copies, and single cards missing from them.

    ``missing`` counts copies by the code of the printing.
    """

    products: Mapping[str, int]
    missing: Mapping[str, int] = field(default_factory=dict)


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def contents(pool: CardPool) -> Contents:
    """The contents of one copy of every product.

    A repackaged expansion contains the cards of the old products: the investigator box
    the player cards, the campaign box the cards of encounter sets.
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
    """A collection of one of each product, without repackaged ones."""
    products = (code for code, pack in pool.packs.items() if not pack.holds)
    return Collection(dict.fromkeys(products, 1))


def copies_owned(collection: Collection, pool: CardPool) -> dict[str, int]:
    """Copies of every printing in a collection, over all its products.

    This is the ``owned`` of circumstances; the copies of a card are the sum over its
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


def cards_owned(owned: Mapping[str, int], pool: CardPool) -> dict[str, int]:
    """Sum copies of printings to copies of cards, by the card's code in the pool."""
    cards: dict[str, int] = {}
    for printing, copies in owned.items():
        card = pool.get_card(printing)
        if card is not None:
            cards[card.code] = cards.get(card.code, 0) + copies
    return cards


# -- what products would add --

MOST_NODES = 20_000  # per search for the fewest products


@dataclass(frozen=True, slots=True)
class ProductGain:
    """The missing cards that one more copy of a product would add."""

    product: str
    cards: Mapping[str, int]

    @property
    def copies(self) -> int:
        """The number of copies added."""
        return sum(self.cards.values())


@dataclass(frozen=True, slots=True)
class ProductCover:
    """Products that add all missing cards, each as often as it is needed.

    ``is_least``: fewer products would not do. ``left`` are copies that no product has.
    """

    products: tuple[str, ...]
    is_least: bool
    left: Mapping[str, int]


def copies_short(wanted: Mapping[str, int], owned: Mapping[str, int]) -> dict[str, int]:
    """Copies of each card beyond those owned; both by the code of the card."""
    return {
        card: copies - owned.get(card, 0)
        for card, copies in wanted.items()
        if copies > owned.get(card, 0)
    }


@lru_cache(maxsize=2)
def _cards_of_products(pool: CardPool) -> Mapping[str, Mapping[str, int]]:
    return {code: cards_owned(held, pool) for code, held in contents(pool).items()}


def cards_of(product: str, pool: CardPool) -> Mapping[str, int]:
    """Copies of each card in one product, by the code of the card in the pool."""
    return _cards_of_products(pool).get(product, {})


def product_gains(short: Mapping[str, int], pool: CardPool) -> list[ProductGain]:
    """The missing cards that each product adds, the product that adds most first.

    Of equal products the newest is first: it is the one in shops.
    """
    found = [
        ProductGain(code, brought)
        for code, held in _cards_of_products(pool).items()
        if (brought := _clipped(held, short))
    ]
    found.sort(key=lambda each: pool.packs[each.product].released, reverse=True)
    return sorted(found, key=lambda each: -each.copies)


def _clipped(held: Mapping[str, int], short: Mapping[str, int]) -> dict[str, int]:
    """The copies that are needed: of each card no more than are missing."""
    return {
        card: min(copies, held[card]) for card, copies in short.items() if card in held
    }


def fewest_products(short: Mapping[str, int], pool: CardPool) -> ProductCover:
    """The fewest products that add all missing cards.

    Searches by increasing number of products: each step takes the card that the fewest
    products have, and tries those products to which no other is at least equal. If that
    takes too long, the greedy result: always the product that adds most.
    """
    offers = {each.product: each.cards for each in product_gains(short, pool)}
    sold = {card for cards in offers.values() for card in cards}
    need = {card: copies for card, copies in short.items() if card in sold}
    left = {card: copies for card, copies in short.items() if card not in sold}
    greedy = _greedy(need, offers)
    search = _CoverSearch(offers)
    for most in range(_at_least(need, offers), len(greedy)):
        found = search.within(need, most)
        if search.nodes > MOST_NODES:
            return ProductCover(tuple(sorted(greedy)), False, left)
        if found is not None:
            return ProductCover(tuple(sorted(found)), True, left)
    return ProductCover(tuple(sorted(greedy)), True, left)


Offers = Mapping[str, Mapping[str, int]]  # product → card → copies


def _greedy(need: Mapping[str, int], offers: Offers) -> tuple[str, ...]:
    bought: list[str] = []
    while need:
        best = max(offers, key=lambda code: sum(_clipped(offers[code], need).values()))
        bought.append(best)
        need = copies_short(need, offers[best])
    return tuple(bought)


def _at_least(need: Mapping[str, int], offers: Offers) -> int:
    """A lower bound of the number of products, by cards that share no product."""
    number, used = 0, set[str]()
    by_card = {
        card: [code for code, cards in offers.items() if card in cards] for card in need
    }
    for card in sorted(need, key=lambda each: len(by_card[each])):
        if used.isdisjoint(by_card[card]):
            most = max(offers[code][card] for code in by_card[card])
            number += -(-need[card] // most)
            used.update(by_card[card])
    return number


class _CoverSearch:
    """A search for products that meet a need; ``nodes`` counts its steps."""

    def __init__(self, offers: Offers) -> None:
        self.offers = offers
        self.nodes = 0

    def within(self, need: Mapping[str, int], most: int) -> tuple[str, ...] | None:
        """At most ``most`` products that meet the need; None if it finds none."""
        if not need:
            return ()
        self.nodes += 1
        if self.nodes > MOST_NODES or _at_least(need, self.offers) > most:
            return None
        for code in self._candidates(need):
            rest = self.within(copies_short(need, self.offers[code]), most - 1)
            if rest is not None:
                return (code, *rest)
        return None

    def _candidates(self, need: Mapping[str, int]) -> list[str]:
        """Products of which one must be taken, without those another one equals."""
        having = {
            card: [code for code, cards in self.offers.items() if card in cards]
            for card in need
        }
        codes = min(having.values(), key=len)
        gains = {code: _clipped(self.offers[code], need) for code in codes}
        kept: list[str] = []
        for code in sorted(codes, key=lambda each: -sum(gains[each].values())):
            mine = gains[code].items()
            if not any(
                all(gains[other].get(card, 0) >= n for card, n in mine)
                for other in kept
            ):
                kept.append(code)
        return kept


def one_of_each(collection: Collection, pool: CardPool) -> Contents:
    """One copy of each product of a collection: all that effects may search.

    A card missing from every copy is left out. Source: FAQ 2.5, Collection.
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
