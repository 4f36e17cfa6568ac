"""How soon cards are drawn, as exact fractions, and how fast they can be paid for.

A player who looks for cards keeps one of each and takes one mulligan for the rest of
the opening hand. Weaknesses drawn for it are set aside and replaced, and shuffled back
with the cards given up; from the second turn on, a card is drawn in each upkeep phase.

What chance alone decides is computed exactly; only what a player does with the cards
needs simulation. The simulated player is simple: in the mulligan, cards that cost more
than ``DEAR`` are given up, and each turn the dearest affordable cards are played, one
per action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod

from arkham.rules.draws.opening import Opening
from arkham.rules.draws.setup import deal

MOST_WANTED = 5  # different cards; the sums run over their subsets


class Wanted(StrEnum):
    """Whether any one of the cards is enough, or all are needed."""

    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class _Deck:
    """Counts of a shuffled deck: ``copies`` of each wanted card, and of the rest.

    ``good`` cards are all but weaknesses that are set aside when drawn; ``stays`` of
    them can't be given up in the mulligan.
    """

    copies: tuple[int, ...]
    good: int
    weaknesses: int
    stays: int


def odds_by_turn(
    opening: Opening,
    wanted: Sequence[AbstractSet[str]],
    how: Wanted,
    turns: int,
    *,
    mulligan: bool = True,
) -> tuple[Fraction, ...]:
    """The odds of having drawn the wanted cards by each turn, from the first on.

    Each of ``wanted`` is a set of codes, any one of which will do (a card in several
    levels). If later draws aren't fixed in advance, only the first turn is counted.
    Raises ValueError for no wanted card, too many, a card in two sets, or a weakness.
    """
    _refuse(opening, wanted)
    missing = [each for each in wanted if each.isdisjoint(opening.in_hand)]
    if how is Wanted.ANY and len(missing) < len(wanted):
        missing = []
    counted = turns if opening.upkeep is not None else min(turns, 1)
    if not missing:
        return (Fraction(1),) * counted
    mulligan = mulligan and opening.mulligan
    odds = [Fraction(0)] * counted
    for deck, chance in _decks(opening, missing).items():
        hands = _hands(deck, opening, mulligan)
        for turn in range(counted):
            odds[turn] += chance * _odds(deck, opening, how, turn, hands)
    return tuple(odds)


def _refuse(opening: Opening, wanted: Sequence[AbstractSet[str]]) -> None:
    if not 1 <= len(wanted) <= MOST_WANTED:
        raise ValueError(f"from 1 to {MOST_WANTED} different cards can be wanted")
    if len(frozenset[str]().union(*wanted)) < sum(map(len, wanted)):
        raise ValueError("a card is wanted twice")
    for each in wanted:
        if each & (opening.weaknesses | opening.stays):
            raise ValueError("weaknesses are not kept in an opening hand by choice")


def _decks(opening: Opening, wanted: list[AbstractSet[str]]) -> dict[_Deck, Fraction]:
    """The decks that can remain after cards have left at random, with their odds.

    The odds don't depend on which wanted card has how many copies left, so decks that
    differ only in that count as one.
    """
    found: dict[_Deck, Fraction] = {}
    cards = opening.cards
    copies = [sum(cards.get(code, 0) for code in each) for each in wanted]
    weaknesses = sum(cards.get(code, 0) for code in opening.weaknesses)
    stays = sum(cards.get(code, 0) for code in opening.stays)
    good = sum(cards.values()) - weaknesses
    leaving = [
        sum(cards.get(code, 0) for code in each & opening.apart_from) for each in wanted
    ]
    all_leaving = sum(cards.get(code, 0) for code in opening.apart_from)
    count = min(opening.random_apart, all_leaving)
    others = all_leaving - sum(leaving)
    for gone in product(*(range(most + 1) for most in leaving)):
        if not 0 <= count - sum(gone) <= others:
            continue
        ways = prod(comb(n, k) for n, k in zip(leaving, gone, strict=True))
        ways *= comb(others, count - sum(gone))
        left = tuple(sorted(n - k for n, k in zip(copies, gone, strict=True)))
        deck = _Deck(left, good - count, weaknesses, stays)
        chance = Fraction(ways, comb(all_leaving, count))
        found[deck] = found.get(deck, Fraction(0)) + chance
    return found


def _hands(deck: _Deck, opening: Opening, mulligan: bool) -> dict[int, Fraction]:
    """The odds of each set of wanted cards in the hand, after the mulligan."""
    groups = (1 << len(deck.copies)) - 1
    drawn = min(opening.drawn, deck.good)
    hands: dict[int, Fraction] = {}
    for stays in range(min(deck.stays, drawn) + 1):
        for held in _subsets(groups):
            chance = _hand(deck, drawn, held, stays)
            if not chance:
                continue
            redrawn = drawn - held.bit_count() - stays if mulligan else 0
            missing = groups & ~held
            for found in _subsets(missing):
                more = chance * _redraw(deck, drawn, redrawn, missing, found)
                hands[held | found] = hands.get(held | found, Fraction(0)) + more
    return hands


def _odds(
    deck: _Deck, opening: Opening, how: Wanted, turn: int, hands: dict[int, Fraction]
) -> Fraction:
    """Sum the odds over all hands, including the draws of later turns."""
    groups = (1 << len(deck.copies)) - 1
    rest = deck.good - min(opening.drawn, deck.good) + deck.weaknesses
    later = (opening.upkeep or 0) * turn
    return sum(
        (
            chance * _later(deck, rest, later, groups, held, how)
            for held, chance in hands.items()
            if chance
        ),
        Fraction(0),
    )


def _subsets(mask: int) -> Iterator[int]:
    subset = mask
    while True:
        yield subset
        if not subset:
            return
        subset = (subset - 1) & mask


def _count(deck: _Deck, mask: int) -> int:
    return sum(n for index, n in enumerate(deck.copies) if mask >> index & 1)


def _exactly(deck: _Deck, plain: int, cards: int, found: int) -> int:
    """The ways to draw cards so that exactly these wanted ones are among them.

    From ``plain`` cards and all copies of those wanted; by inclusion and exclusion.
    """
    return sum(
        (-1) ** (found & ~among).bit_count() * comb(plain + _count(deck, among), cards)
        for among in _subsets(found)
    )


def _hand(deck: _Deck, drawn: int, held: int, stays: int) -> Fraction:
    """The odds of a first hand with exactly these wanted cards and ``stays``."""
    every = (1 << len(deck.copies)) - 1
    plain = deck.good - deck.stays - _count(deck, every)
    ways = comb(deck.stays, stays) * _exactly(deck, plain, drawn - stays, held)
    return Fraction(ways, comb(deck.good, drawn))


def _redraw(
    deck: _Deck, drawn: int, redrawn: int, missing: int, found: int
) -> Fraction:
    """The odds of drawing exactly these cards in the mulligan."""
    left = deck.good - drawn
    redrawn = min(redrawn, left)
    plain = left - _count(deck, missing)
    return Fraction(_exactly(deck, plain, redrawn, found), comb(left, redrawn))


def _later(
    deck: _Deck, rest: int, draws: int, groups: int, held: int, how: Wanted
) -> Fraction:
    """The odds that the draws of later turns add what is still wanted."""
    missing = groups & ~held
    if not missing or (held and how is Wanted.ANY):
        return Fraction(1)
    draws = min(draws, rest)
    if how is Wanted.ANY:
        none = comb(rest - _count(deck, missing), draws)
        return 1 - Fraction(none, comb(rest, draws))
    return Fraction(
        _exactly(deck, rest - _count(deck, missing), draws, missing), comb(rest, draws)
    )


OPENINGS = 10_000
ACTIONS = 3
DEAR = 3  # resources; dearer cards are given up in the mulligan
PART = 2_000  # openings simulated at once
KEPT = 160  # parts that are cached for repeated requests


@dataclass(frozen=True, slots=True)
class Tempo:
    """Averages over all openings, turn by turn from the first on.

    ``spent`` and ``played`` are resources and cards up to the end of that turn,
    ``left`` the resources then unspent; ``idle`` is the share of openings in which
    nothing could be played in the first turn.
    """

    openings: int
    spent: tuple[float, ...]
    played: tuple[float, ...]
    left: tuple[float, ...]
    idle: float


def tempo_of(
    opening: Opening,
    costs: Mapping[str, int],
    resources: int,
    turns: int,
    *,
    seed: str,
    openings: int = OPENINGS,
) -> Tempo:
    """The tempo of a deck; ``costs`` has the cards that are played, by code.

    The same seed gives the same numbers.
    """
    asked = _Asked(opening, tuple(sorted(costs.items())), resources, turns)
    sums = _Sums(turns)
    for first in range(0, openings, PART):
        sums.add(_simulated(asked, seed, first, min(first + PART, openings)))
    return sums.over(openings)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The input of a simulation; an opening is hashed by its cards only."""

    opening: Opening
    costs: tuple[tuple[str, int], ...]
    resources: int
    turns: int

    def __hash__(self) -> int:
        return hash((tuple(self.opening.cards.items()), self.costs, self.resources))


class _Sums:
    """Sums over openings, turn by turn."""

    def __init__(self, turns: int) -> None:
        self.spent, self.played, self.left = ([0] * turns for _ in range(3))
        self.idle = 0

    def add(self, others: _Sums) -> None:
        for mine, theirs in (
            (self.spent, others.spent),
            (self.played, others.played),
            (self.left, others.left),
        ):
            mine[:] = map(sum, zip(mine, theirs, strict=True))
        self.idle += others.idle

    def over(self, openings: int) -> Tempo:
        spent, played, left = (
            tuple(each / openings for each in sums)
            for sums in (self.spent, self.played, self.left)
        )
        return Tempo(openings, spent, played, left, self.idle / openings)


@lru_cache(maxsize=KEPT)
def _simulated(asked: _Asked, seed: str, first: int, end: int) -> _Sums:
    """Simulate the openings with these numbers."""
    opening, costs, turns = asked.opening, dict(asked.costs), asked.turns
    sums = _Sums(turns)

    def given_up(first: Sequence[str]) -> tuple[str, ...]:
        """The cards exchanged in the mulligan: those too dear for the first turns."""
        if not opening.mulligan:
            return ()
        return tuple(
            code
            for code in first
            if costs.get(code, 0) > DEAR and code not in opening.stays
        )

    for number in range(first, end):
        hand = deal(opening, f"{seed}/{number}", given_up, max(turns - 1, 0))
        held = sorted(costs[code] for code in hand.kept if code in costs)
        purse, paid, cards = asked.resources, 0, 0
        for turn in range(turns):
            if turn:
                purse += opening.income
                drawn = hand.turns[turn - 1]
                held = sorted(
                    [*held, *(costs[code] for code in drawn if code in costs)]
                )
            for _action in range(ACTIONS):
                place = _dearest(held, purse)
                if place < 0:
                    break
                cost = held.pop(place)
                purse, paid, cards = purse - cost, paid + cost, cards + 1
            sums.idle += not turn and not cards
            sums.spent[turn] += paid
            sums.played[turn] += cards
            sums.left[turn] += purse
    return sums


def _dearest(costs: Sequence[int], purse: int) -> int:
    """The index of the highest affordable cost in sorted costs; -1 if there is none."""
    for place in range(len(costs) - 1, -1, -1):
        if costs[place] <= purse:
            return place
    return -1
