"""Simulates many openings of a deck, to see how fast its cards are paid for.

Hands are dealt as everywhere (:func:`.setup.deal`); what chance alone decides is
computed exactly elsewhere (:mod:`.odds`). Only what a player does with the cards needs
trials, and the player here is a simple one: cards that cost more than ``DEAR`` are
given up once, and each turn the dearest cards that can be paid are played, one an
action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from arkham.rules.draws.opening import Opening
from arkham.rules.draws.setup import deal

OPENINGS = 10_000
ACTIONS = 3
DEAR = 3  # resources; dearer cards are given up in the mulligan
PART = 2_000  # openings simulated at once
KEPT = 160  # parts, for those who look again


@dataclass(frozen=True, slots=True)
class Tempo:
    """Means over all openings, turn by turn from the first on.

    ``spent`` and ``played`` are resources and cards up to the end of that turn,
    ``left`` the resources then unspent; ``idle`` is the part of openings in which
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
    """The tempo of a deck; ``costs`` names the cards that are played, by code.

    The same seed gives the same numbers.
    """
    asked = _Asked(opening, tuple(sorted(costs.items())), resources, turns)
    sums = _Sums(turns)
    for first in range(0, openings, PART):
        sums.add(_simulated(asked, seed, first, min(first + PART, openings)))
    return sums.over(openings)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the answer depends on; an opening is known by its cards and numbers."""

    opening: Opening
    costs: tuple[tuple[str, int], ...]
    resources: int
    turns: int

    def __hash__(self) -> int:
        return hash((tuple(self.opening.cards.items()), self.costs, self.resources))


class _Sums:
    """What openings come to, turn by turn, all together."""

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
    """The openings of these numbers."""
    opening, costs, turns = asked.opening, dict(asked.costs), asked.turns
    sums = _Sums(turns)

    def given_up(first: Sequence[str]) -> tuple[str, ...]:
        """What the mulligan exchanges: what is too dear for the first turns."""
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
    """The place of the dearest that can be paid, of costs in order; -1 for none."""
    for place in range(len(costs) - 1, -1, -1):
        if costs[place] <= purse:
            return place
    return -1
