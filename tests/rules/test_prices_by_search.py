"""A change of deck costs exactly as much as the cheapest sequence of purchases."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arkham.rules.deck import DeckList
from arkham.rules.upgrade import Window, price
from tests.rules.price_search import (
    ADAPTABLE,
    ARCANE_RESEARCH,
    DEJA_VU,
    RABBIT_HOLE,
    Searched,
    least,
)
from tests.rules.strategies import cards

SIZE = 30
# Families of cards with choices between their copies; each change uses a few.
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("01060", "02154", "02306"),  # a Spell in three levels
    ("05033", "60420"),  # a Spell
    ("01088", "02194", "03239"),  # neutral, in three levels
    ("01086", "01087", "01059"),  # level 0 only
    ("05159", "05231"),  # of level 0, chained by most lists
    ("05153", "02026"),  # of level 0, chained by early lists
    ("09108", "11055", "10085"),  # of level 0, chained by late lists
    ("06245", "11090"),  # myriad in two levels
    ("06023",),  # myriad of level 0
    ("06034", "11096"),  # two more
    ("06241", "06242", "06243"),  # myriad: three cards of one title
    ("02230", "07307"),  # exceptional in two levels
    ("04236", "53010"),  # exceptional, of the same level
    ("02021", "02262", "02264"),  # researched in two versions
    ("01073", "06332"),  # chained at both ends
    ("60507", "09117", "07197"),  # chained and unchained
    ("02115", "02114", "08080"),  # cards to be exiled
    ("60523", "03156", "60513"),
    ("07152", "02185"),  # upgraded into a permanent
)
MODIFIERS = (ADAPTABLE, ADAPTABLE, ARCANE_RESEARCH, DEJA_VU, RABBIT_HOLE)
# The other cards of both decks: all of level 0, or none.
LOW = ("01061", "01063", "01064", "01065", "01066")
HIGH = ("01028", "01027", "02152", "01055", "02148")


# A second Adaptable doesn't give two more exchanges; a myriad card that Déjà
# Vu makes cheaper doesn't leave to be bought again.
NOTEWORTHY = (6084, 8770)


def _copies(chance: random.Random, codes: list[str], most: int) -> dict[str, int]:
    return dict(Counter(chance.choices(codes, k=chance.randint(0, most))))


def made(number: int) -> tuple[Searched, int, tuple[str, ...]]:
    """Return a change of deck, how many other cards are in both decks, and which."""
    chance = random.Random(f"prices/{number}")
    families = chance.sample(FAMILIES, chance.randint(1, 3))
    codes = sorted({code for family in families for code in family})
    staying = _copies(chance, codes, 3)
    before = Counter(staying) + Counter(_copies(chance, codes, 2))
    after = Counter(staying) + Counter(_copies(chance, codes, 3))
    exiled = Counter(
        {
            code: chance.randint(0, n)
            for code, n in before.items()
            if chance.random() < 0.3
        }
    )
    after -= Counter({code: n for code, n in exiled.items() if chance.random() < 0.5})
    for code in chance.choices(MODIFIERS, k=chance.randint(0, 3)):
        most = 1 if code == RABBIT_HOLE else 2
        after[code] = min(after[code] + 1, most)
        if chance.random() < 0.6:  # in the deck before, too
            before[code] = after[code]
    kind = chance.choice((LOW, LOW, HIGH))
    counted = sum(n for code, n in before.items() if not cards()[code].permanent)
    others = SIZE + chance.choice((0, 0, 0, -1, 1)) - counted
    lost = sum(n for code, n in exiled.items() if not cards()[code].permanent)
    room = max(SIZE - (counted + others - lost), 0) if lost else 0
    taboo = chance.choice((None, *cards().taboo_lists))
    change = Searched(
        cards(), dict(+before), dict(+after), dict(+exiled), taboo, refills=room
    )
    return change, others, kind


def _filler(others: int, kind: tuple[str, ...]) -> dict[str, int]:
    return dict(Counter(kind[number % len(kind)] for number in range(others)))


def _paid(change: Searched, filler: dict[str, int]) -> int:
    """The total of the invoice."""
    taboo = change.taboo.id if change.taboo else None
    before, after = (
        DeckList("01004", {**filler, **part}, taboo=taboo)
        for part in (change.before, change.after)
    )
    return price(before, after, cards(), Window(exiled=change.exiled)).total


def _agrees(number: int) -> None:
    change, others, kind = made(number)
    # One copy per exchange can leave and be bought again.
    exchanges = 2 * change.after.get(ADAPTABLE, 0)
    beside = {kind[0]: exchanges} if kind is LOW and exchanges else {}
    searched = Searched(
        change.cards,
        {**change.before, **beside},
        {**change.after, **beside},
        change.exiled,
        change.taboo,
        change.refills,
    )
    assert _paid(change, _filler(others, kind)) == least(searched), (number, change)


def test_random_changes_cost_what_the_cheapest_sequence_costs() -> None:
    for number in (*range(1_000), *NOTEWORTHY):
        _agrees(number)


@pytest.mark.slow
def test_many_random_changes_cost_what_the_cheapest_sequence_costs() -> None:
    for number in range(1_000, 10_000):
        _agrees(number)
