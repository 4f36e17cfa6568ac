"""Find the lowest price of a change of deck by trying every sequence of purchases.

An oracle written from the rule book alone (Campaign Play, Myriad, Exile; FAQ 1.8, 1.18,
1.37; the printed cards). It shares nothing with the pricing. It searches for the
shortest path through all decks between the two: every step buys, upgrades, refills or
exchanges a copy at its price at that moment. A new card stays: once bought, it is not
upgraded or exchanged in the same window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import combinations_with_replacement, count
from typing import NamedTuple

from arkham.rules.card import Card, TabooList

ADAPTABLE = "02110"
ARCANE_RESEARCH = "04109"
RABBIT_HOLE = "08059"
DEJA_VU = "60531"
UNRESEARCHED = 10_000  # bought only if there is no other way


@dataclass(frozen=True)
class Searched:
    """A change of deck small enough for every sequence to be tried.

    ``before`` includes the exiled copies; ``refills`` is the number of free level 0
    cards that fill the deck again.
    """

    cards: Mapping[str, Card] = field(repr=False)
    before: Mapping[str, int]
    after: Mapping[str, int]
    exiled: Mapping[str, int] = field(default_factory=dict)
    taboo: TabooList | None = field(default=None, repr=False)
    refills: int = 0

    def level(self, code: str) -> int:
        """The printed level."""
        return self.cards[code].level or 0

    def exceptional(self, code: str) -> bool:
        """Whether a card is exceptional under the taboo list."""
        change = self.taboo.changes.get(code) if self.taboo else None
        if change is not None and change.exceptional is not None:
            return change.exceptional
        return self.cards[code].exceptional

    def effective(self, code: str) -> int:
        """The level, doubled if exceptional, plus the change by the taboo list."""
        change = self.taboo.changes.get(code) if self.taboo else None
        times = 2 if self.exceptional(code) else 1
        return self.level(code) * times + (change.experience if change else 0)

    def is_free(self, code: str) -> bool:
        """Whether a card may be a refill or be exchanged by Adaptable."""
        return self.level(code) == 0 and not self.cards[code].permanent

    def can_become(self, lower: str, higher: str) -> bool:
        """Whether one card can be upgraded into the other."""
        if self.cards[lower].title != self.cards[higher].title:
            return False
        if self.level(lower) != self.level(higher):
            return self.level(lower) < self.level(higher)
        dearer = self.effective(higher) > self.effective(lower)
        return self.exceptional(higher) and dearer


class State(NamedTuple):
    """A deck between the two, and what has been used of the window's offers."""

    old: tuple[int, ...]  # copies still there from the deck before, by card
    new: tuple[int, ...]  # copies that were added
    swaps: int = 0
    refills: int = 0
    upgrades: int = 0  # those that Down the Rabbit Hole made cheaper
    spell_upgraded: bool = False
    rebuys: int = 0
    rebought: tuple[int, ...] = ()  # copies that Déjà Vu made cheaper, by card


Step = tuple[int, State]


class Search:
    """The shortest path from the deck before to the deck after."""

    def __init__(self, change: Searched) -> None:
        self.change = change
        self.codes = sorted({*change.before, *change.after})
        self.wanted = tuple(change.after.get(code, 0) for code in self.codes)
        self.lost = tuple(change.exiled.get(code, 0) for code in self.codes)
        self.indexes = range(len(self.codes))
        self.places = {code: index for index, code in enumerate(self.codes)}
        self.free = [change.is_free(code) for code in self.codes]
        self.effective = [change.effective(code) for code in self.codes]
        self.spell = ["spell" in change.cards[code].traits for code in self.codes]
        self.higher = [
            [
                index
                for index, higher in enumerate(self.codes)
                if change.can_become(lower, higher)
            ]
            for lower in self.codes
        ]
        self.bundle = [
            [
                index
                for index, other in enumerate(self.codes)
                if change.cards[code].myriad
                and change.cards[other].title == change.cards[code].title
                and change.level(other) == change.level(code)
            ]
            for code in self.codes
        ]
        self.least_prices = [self.least_price(index) for index in self.indexes]

    def least_price(self, index: int) -> int:
        """A lower bound for the price of a new copy of a card."""
        if self.free[index] or self.bundle[index]:
            return 0
        reduced = 1 + self.change.after.get(ARCANE_RESEARCH, 0)
        upgrades = [
            self.effective[index] - self.effective[lower] - reduced
            for lower in self.indexes
            if index in self.higher[lower]
        ]
        bought = self.effective[index] - self.change.after.get(DEJA_VU, 0)
        return max(min(max(bought, 1), *upgrades, 99), 0)

    def ahead(self, state: State) -> int:
        """A lower bound for the price of all copies that are still missing."""
        return sum(
            price * max(wanted - old - new, 0)
            for price, wanted, old, new in zip(
                self.least_prices, self.wanted, state.old, state.new, strict=True
            )
        )

    def least(self) -> int:
        """The price of the cheapest sequence."""
        old = tuple(
            self.change.before.get(code, 0) - lost
            for code, lost in zip(self.codes, self.lost, strict=True)
        )
        nothing = tuple(0 for _ in self.codes)
        first = State(old, nothing, rebought=nothing)
        number = count()  # states are never compared with one another
        # Extend the path with the lowest estimate: price so far plus the lower bound.
        waiting = [(0, next(number), 0, first)]
        best = {first: 0}
        while waiting:
            _, _, paid, state = heappop(waiting)
            if best[state] < paid:
                continue
            if self.is_reached(state):
                return paid % UNRESEARCHED
            for price, reached in self.steps(state):
                if price + paid < best.get(reached, price + paid + 1):
                    best[reached] = price + paid
                    estimate = price + paid + self.ahead(reached)
                    heappush(waiting, (estimate, next(number), price + paid, reached))

        raise AssertionError("Every card can be bought.")

    def is_reached(self, state: State) -> bool:
        """Whether this is the deck after, once the remaining cards have left.

        A card does not make room for itself: no copy of a card may come in if another
        copy leaves, except by an exchange or an upgrade.
        """
        return all(
            old + new == wanted or (old > wanted and not new)
            for old, new, wanted in zip(state.old, state.new, self.wanted, strict=True)
        )

    def owned(self, state: State, code: str) -> int:
        """Copies of a card in the deck at this moment."""
        index = self.places.get(code)
        return 0 if index is None else state.old[index] + state.new[index]

    def steps(self, state: State) -> Iterator[Step]:
        """Yield every possible next step with its price."""
        for index in self.indexes:
            if state.new[index] < self.wanted[index]:
                yield from self.purchases(state, index)
                yield from self.free_ways(state, index)
            if state.old[index]:
                yield from self.upgrades(state, index)

    def purchases(self, state: State, index: int) -> Iterator[Step]:
        """Buy a copy, with any number of discounts from Déjà Vu."""
        surcharge = self.owned(state, RABBIT_HOLE)
        gross = max(self.effective[index] + surcharge, 1)
        again = self.owned(state, DEJA_VU)
        most = 0
        if state.rebought[index] < self.lost[index]:
            most = min(again, gross - 1, 3 * again - state.rebuys)
        penalty = 0
        if self.change.cards[self.codes[index]].researched:
            penalty = UNRESEARCHED
        for discount in range(most + 1):
            bought = state._replace(rebuys=state.rebuys + discount)
            if discount:
                bought = bought._replace(rebought=_more(state.rebought, index))
            for reached in self.with_bundle(bought, index):
                yield gross - discount + penalty, reached

    def with_bundle(self, state: State, index: int) -> Iterator[State]:
        """Add a copy, and up to two more copies if the card is myriad."""
        new = _more(state.new, index)
        yield state._replace(new=new)
        if not self.bundle[index]:
            return
        for copies in (1, 2):
            for along in combinations_with_replacement(self.bundle[index], copies):
                brought = new
                for other in along:
                    brought = _more(brought, other)
                if all(
                    has <= most for has, most in zip(brought, self.wanted, strict=True)
                ):
                    yield state._replace(new=brought)

    def free_ways(self, state: State, index: int) -> Iterator[Step]:
        """Take a level 0 card as a refill, or in exchange for another by Adaptable."""
        if not self.free[index]:
            return
        if state.refills < self.change.refills:
            filled = state._replace(refills=state.refills + 1)
            for reached in self.with_bundle(filled, index):
                yield 0, reached
        if state.swaps < 2 * self.owned(state, ADAPTABLE):
            new = _more(state.new, index)
            for out in self.indexes:
                # Exchanging a card for itself changes nothing.
                if self.free[out] and state.old[out] and out != index:
                    old = _more(state.old, out, -1)
                    yield 0, state._replace(old=old, new=new, swaps=state.swaps + 1)

    def upgrades(self, state: State, index: int) -> Iterator[Step]:
        """Upgrade a copy, with the discounts that apply at this moment."""
        for higher in self.higher[index]:
            if state.new[higher] >= self.wanted[higher]:
                continue
            price = max(self.effective[higher] - self.effective[index], 1)
            upgrades, spell_upgraded = state.upgrades, state.spell_upgraded
            if upgrades < 2 * self.owned(state, RABBIT_HOLE):
                price -= 1
                upgrades += 1
            if self.spell[index] and not spell_upgraded:
                price -= self.owned(state, ARCANE_RESEARCH)
                spell_upgraded = True
            yield (
                max(price, 0),
                state._replace(
                    old=_more(state.old, index, -1),
                    new=_more(state.new, higher),
                    upgrades=upgrades,
                    spell_upgraded=spell_upgraded,
                ),
            )


def _more(copies: tuple[int, ...], index: int, by: int = 1) -> tuple[int, ...]:
    return (*copies[:index], copies[index] + by, *copies[index + 1 :])


def least(change: Searched) -> int:
    """Return the lowest price of a change of deck."""
    return Search(change).least()
