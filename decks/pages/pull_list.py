"""List the cards to take from the binders for one deck or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.rules.card import Card
from arkham.rules.collection import Collection, contents
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.pool import CardPool
from cardpool.languages import shown_name
from cardpool.words import CLASSES, TYPES, fold
from decks.pages.display import Judged
from decks.pages.rows import class_signs, cost_word

Words = str | Promise
PLAYER_CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor")
UNPRINTED = 99  # after every level and cost
# Sort keys of binders: a person chooses their order, each once.
KEYS: dict[str, Words] = {
    "class": pgettext_lazy("order", "Class"),
    "type": pgettext_lazy("order", "Type"),
    "level": pgettext_lazy("order", "Level"),
    "cost": pgettext_lazy("order", "Cost"),
    "name": pgettext_lazy("order", "Name"),
    "product": pgettext_lazy("order", "Product"),
}
USUAL = ("class", "level", "cost", "name")
# Multiclass cards come between single classes and neutral cards.
SEVERAL = "several"
_PLACES = {
    word: place
    for place, word in enumerate((*PLAYER_CLASSES, SEVERAL, "neutral", "weakness"))
}


class FromProduct(NamedTuple):
    """Copies found in a product, and its name."""

    copies: int
    name: str


@dataclass(frozen=True, slots=True)
class PulledCard:
    """Copies of a card to take: for which decks, and from which products.

    ``missing`` is how many copies the collection lacks.
    """

    card: Card
    copies: int
    decks: tuple[tuple[str, int], ...]
    sources: tuple[FromProduct, ...]
    missing: int = 0

    @property
    def signs(self) -> tuple[str, ...]:
        """The names of its class icons."""
        return class_signs(self.card)

    @property
    def cost(self) -> str:
        """The printed cost."""
        return cost_word(self.card)


class PulledGroup(NamedTuple):
    """Cards that are together in the binders."""

    title: Words
    cards: tuple[PulledCard, ...]

    @property
    def copies(self) -> int:
        """The number of copies in the group."""
        return sum(each.copies for each in self.cards)


def read_order(chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the chosen keys without repetition, or the usual ones if none is valid."""
    known = [each for each in chosen if each in KEYS]
    return tuple(dict.fromkeys((*known, *([] if known else USUAL))))


def pull_list(
    decks: Sequence[tuple[str, Judged]],
    owned: Collection | None,
    order: Sequence[str],
    pool: CardPool,
) -> tuple[PulledGroup, ...]:
    """List every card of these decks, grouped by the first key, sorted by the rest."""
    wanted: dict[str, Counter[str]] = {}
    for title, judged in decks:
        for code, copies in _copies(judged, pool).items():
            wanted.setdefault(code, Counter())[title] += copies
    cards = [
        _pulled(pool[code], held, owned, pool) for code, held in wanted.items()
    ]  # fmt: skip
    cards.sort(key=lambda each: tuple(_SORTS[key](each, pool) for key in order))
    first = order[0]
    return tuple(
        PulledGroup(title, tuple(found))
        for title, found in groupby(cards, lambda each: _TITLES[first](each, pool))
    )


# -- private --


def _copies(judged: Judged, pool: CardPool) -> Counter[str]:
    """Count copies by first printing: investigator, deck and second deck."""
    found = Counter[str]()
    if judged.investigator is not None:
        found[judged.investigator.code] += 1
    listed: list[tuple[str, int]] = [*judged.content.deck["slots"].items()]
    listed += [(each.code, each.copies) for each in judged.second_deck]
    for code, copies in listed:
        card = pool.get_card(code)
        # Binders have no unknown cards, nor weaknesses still to be drawn.
        if card is not None and card.code != PLACEHOLDER:
            found[card.code] += copies
    return found


def _pulled(
    card: Card, held: Counter[str], owned: Collection | None, pool: CardPool
) -> PulledCard:
    copies = held.total()
    sources = tuple(_sources(card, copies, owned, pool))
    there = sum(each.copies for each in sources)
    missing = 0 if owned is None else max(copies - there, 0)
    return PulledCard(card, copies, tuple(held.items()), sources, missing)


def _sources(
    card: Card, copies: int, owned: Collection | None, pool: CardPool
) -> Iterator[FromProduct]:
    """Yield the products of owned copies, as many as needed; else those printed in.

    In a collection each printing is counted in the product that contains it.
    """
    if owned is None:
        for printing in card.printings:
            if printing.pack in pool.packs:
                yield FromProduct(printing.quantity, pool.packs[printing.pack].name)
        return
    lacking = Counter(owned.missing)
    held: Mapping[str, Mapping[str, int]] = contents(pool)
    for product, number in owned.products.items():
        for printing in card.printings:
            there = held.get(product, {}).get(printing.code, 0) * number
            gone = min(lacking[printing.code], there)
            lacking[printing.code] -= gone
            taken = min(there - gone, copies)
            if taken > 0:
                copies -= taken
                yield FromProduct(taken, pool.packs[product].name)


def _class_place(each: PulledCard, _pool: CardPool) -> tuple[int, ...]:
    """Return the sort key of the card's class."""
    signs = [_PLACES.get(sign, UNPRINTED) for sign in each.signs]
    if len(signs) > 1:
        return (_PLACES[SEVERAL], *signs)
    return (*signs, UNPRINTED)[:1]


def _class_title(each: PulledCard, _pool: CardPool) -> Words:
    signs = each.signs
    if signs == ("weakness",):
        return _("Weaknesses")
    if len(signs) > 1:
        return " / ".join(str(CLASSES[sign]) for sign in signs)
    return CLASSES[signs[0]] if signs else _("Story cards")


def _product(each: PulledCard, pool: CardPool) -> str:
    """Return the first owned product with the card, else that of its first printing."""
    if each.sources:
        return each.sources[0].name
    packs = [pool.packs[one.pack].name for one in each.card.printings[:1]]
    return packs[0] if packs else ""


def _released(each: PulledCard, pool: CardPool) -> tuple[str, str]:
    name = _product(each, pool)
    dates = [pack.released for pack in pool.packs.values() if pack.name == name]
    return (dates[0] or "9999" if dates else "9999", name)


def _name(each: PulledCard, _pool: CardPool) -> str:
    return fold(shown_name(each.card)).lstrip('"“. ')


_SORTS: dict[str, Callable[[PulledCard, CardPool], object]] = {
    "class": _class_place,
    "type": lambda each, _pool: list(TYPES).index(each.card.type),
    "level": lambda each, _pool: (
        UNPRINTED if each.card.level is None else each.card.level
    ),
    "cost": lambda each, _pool: each.card.cost if each.cost else UNPRINTED,
    "name": _name,
    "product": _released,
}
_TITLES: dict[str, Callable[[PulledCard, CardPool], Words]] = {
    "class": _class_title,
    "type": lambda each, _pool: TYPES[each.card.type],
    "level": lambda each, _pool: (
        gettext_lazy("No level")
        if each.card.level is None
        else _("Level %(number)d") % {"number": each.card.level}
    ),
    "cost": lambda each, _pool: (
        _("Cost %(cost)s") % {"cost": each.cost} if each.cost else _("No cost")
    ),
    "name": lambda each, _pool: _name(each, _pool)[:1].upper(),
    "product": _product,
}
