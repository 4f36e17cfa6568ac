"""The products of a collection, and what other products would add."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from arkham.rules.card import Card, Pack
from arkham.rules.collection import ProductCover, ProductGain, cards_of, cards_owned
from arkham.rules.pool import CardPool
from cardpool.languages import shown_name
from cardpool.words import fold
from decks.models import Collection
from decks.services.collecting import copies_in

MOST_COPIES = 9
LONGEST_SEARCH = 100
# Core sets with one copy of most cards: people buy a second one.
SINGLES = ("core",)
MOST_OPEN = 2  # products of a cycle that are visible at first
BOXES, PACKS = "boxes", "packs"


# -- the shelves --


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A product: its copies, and if other products include all its cards."""

    pack: Pack
    copies: int
    is_covered: bool
    is_counted: bool

    @property
    def fewer(self) -> int:
        """One copy fewer."""
        return max(self.copies - 1, 0)

    @property
    def more(self) -> int:
        """One copy more, up to the limit."""
        return min(self.copies + 1, MOST_COPIES)


@dataclass(frozen=True, slots=True)
class ProductGroup:
    """Products of a cycle that one button adds; ``name`` is "" for all of them."""

    key: str
    name: str
    rows: tuple[ProductRow, ...]

    @property
    def is_owned(self) -> bool:
        """True if all of them are owned."""
        return all(row.copies for row in self.rows)


@dataclass(frozen=True, slots=True)
class CycleShelf:
    """A cycle: its products in groups, and how many of its player cards are owned.

    ``is_open``: it has so few products that they are visible at first.
    """

    code: str
    name: str
    groups: tuple[ProductGroup, ...]
    owned: int
    cards: int
    is_open: bool


@lru_cache(maxsize=2)  # the current pool and the one it replaces
def _by_cycle(pool: CardPool) -> Mapping[str, tuple[Pack, ...]]:
    """Return the products of each cycle, both in order; the cycle may be unknown."""
    found: dict[str, list[Pack]] = {}
    for pack in pool.packs.values():
        found.setdefault(pack.cycle, []).append(pack)
    known = pool.cycles
    order = sorted(found, key=lambda code: known[code].position if code in known else 0)
    return {
        code: tuple(sorted(found[code], key=lambda each: (each.position, each.code)))
        for code in order
    }


@lru_cache(maxsize=2)
def _deck_cards(pool: CardPool) -> Mapping[str, frozenset[str]]:
    """Return the player cards and investigators of each product, by code."""
    ours = frozenset(
        code for code, card in pool.items() if card.in_decks or card.investigator
    )
    return {
        product: ours.intersection(cards_of(product, pool)) for product in pool.packs
    }


class Shelves:
    """All products by cycle, with the copies that a collection has of them."""

    def __init__(
        self, collection: Collection | None, pool: CardPool, *, counts: bool = False
    ) -> None:
        self.pool, self.counts = pool, counts
        self.products = collection.products if collection else {}
        owned = copies_in(collection, pool) if collection else {}
        self.owned = cards_owned(owned, pool)
        self.copies = sum(owned.values())

    @property
    def number(self) -> int:
        """How many different products are owned."""
        return sum(copies > 0 for copies in self.products.values())

    def all(self, words: str = "") -> list[CycleShelf]:
        """Return all cycles; with words, those that match in name, product or card."""
        shelves = (self.of(code, words) for code in _by_cycle(self.pool))
        return [each for each in shelves if each.groups]

    def of(self, code: str, words: str = "") -> CycleShelf:
        """Return one cycle; with words, only its products that match."""
        wanted = fold(words[:LONGEST_SEARCH])
        cycle = self.pool.cycles.get(code)
        name = cycle.name if cycle else code
        packs = _by_cycle(self.pool)[code]
        inside = set[str]().union(*(_deck_cards(self.pool)[p.code] for p in packs))
        is_open = len(packs) <= MOST_OPEN and not any(each.holds for each in packs)
        if wanted and wanted not in fold(name):
            packs = tuple(each for each in packs if self._is_called(each, wanted))
        return CycleShelf(
            code,
            name,
            tuple(self._groups(code, packs)),
            sum(card in self.owned for card in inside),
            len(inside),
            is_open,
        )

    def group(self, key: str) -> tuple[str, ProductGroup] | None:
        """Return the cycle and the group of this key, or None."""
        code = key.partition(".")[0]
        if code not in _by_cycle(self.pool):
            return None
        found = (each for each in self.of(code).groups if each.key == key)
        group = next(found, None)
        return (code, group) if group else None

    def _is_called(self, pack: Pack, wanted: str) -> bool:
        return wanted in fold(pack.name) or any(
            wanted in (fold(card.name), fold(shown_name(card)))
            for code in _deck_cards(self.pool)[pack.code]
            for card in (self.pool[code],)
        )

    def _groups(self, code: str, packs: tuple[Pack, ...]) -> Iterator[ProductGroup]:
        """Yield groups; boxes that reprint other products are separate from these."""
        boxes = [self._row(each) for each in packs if each.holds]
        others = [self._row(each) for each in packs if not each.holds]
        if boxes and others:
            yield ProductGroup(f"{code}.{BOXES}", _("Revised boxes"), tuple(boxes))
            yield ProductGroup(f"{code}.{PACKS}", _("First edition"), tuple(others))
        elif boxes or others:
            yield ProductGroup(code, "", tuple(boxes or others))

    def _row(self, pack: Pack) -> ProductRow:
        copies = self.products.get(pack.code, 0)
        # Story cards come with scenarios, not in investigator boxes.
        cards = {
            code
            for code in _deck_cards(self.pool)[pack.code]
            if not self.pool[code].encounter_set
        }
        return ProductRow(
            pack,
            copies,
            is_covered=not copies and bool(cards) and cards <= self.owned.keys(),
            is_counted=copies > 0
            and (self.counts or copies > 1 or pack.code in SINGLES),
        )


# -- missing cards --


@dataclass(frozen=True, slots=True)
class CardCopies:
    """Copies of a card; ``printing`` and ``product`` if a certain one is meant."""

    card: Card
    copies: int
    printing: str = ""
    product: str = ""


def missing_cards(collection: Collection, pool: CardPool) -> list[CardCopies]:
    """Return the cards missing from a collection, by name."""
    found = []
    for code, copies in collection.missing.items():
        card = pool.get_card(code)
        if card is not None:
            pack = next((p.pack for p in card.printings if p.code == code), "")
            name = pool.packs[pack].name if pack in pool.packs else ""
            found.append(CardCopies(card, copies, code, name))
    return sorted(found, key=lambda each: (shown_name(each.card), each.printing))


def shown_copies(copies: Mapping[str, int], pool: CardPool) -> list[CardCopies]:
    """Return copies of cards, sorted by name and level."""
    found = [CardCopies(pool[code], number) for code, number in copies.items()]
    return sorted(found, key=lambda each: (shown_name(each.card), each.card.level or 0))


@dataclass(frozen=True, slots=True)
class ShownGain:
    """A product, how many copies are owned, and the cards that one more adds."""

    pack: Pack
    copies: int
    brought: int
    cards: list[CardCopies]


def shown_gains(
    gains: Iterable[ProductGain], collection: Collection | None, pool: CardPool
) -> list[ShownGain]:
    """Return the gains from products in the form that pages show."""
    products = collection.products if collection else {}
    return [
        ShownGain(
            pool.packs[each.product],
            products.get(each.product, 0),
            each.copies,
            shown_copies(each.cards, pool),
        )
        for each in gains
        if each.product in pool.packs
    ]


def shown_cover(
    cover: ProductCover, short: Mapping[str, int], pool: CardPool
) -> list[ShownGain]:
    """Return the products of a cover with the copies that each contributes."""
    found = []
    left = dict(short)
    for product, times in Counter(cover.products).items():
        held = cards_of(product, pool)
        brought = {
            card: min(copies, held[card] * times)
            for card, copies in left.items()
            if card in held
        }
        for card, copies in brought.items():
            left[card] -= copies
        brought = {card: copies for card, copies in brought.items() if copies}
        pack = pool.packs[product]
        cards = shown_copies(brought, pool)
        found.append(ShownGain(pack, times, sum(brought.values()), cards))
    return found
