"""Assigns copies of cards in collections to decks.

A least-cost flow from collections to decks: as many copies as possible, and as few as
possible that are not a deck's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Loan:
    """Copies of a card that one collection gives to a deck that is not its own."""

    code: str
    holder: str
    seat: str
    copies: int


@dataclass(frozen=True, slots=True)
class CollectionShortage:
    """Copies of a card that no collection has left, and why.

    ``seats`` want ``wanted`` copies together and may use only ``holders``, who have
    ``held``; ``elsewhere`` are collections that have some left and do not lend.
    """

    code: str
    seats: tuple[str, ...]
    wanted: int
    holders: tuple[str, ...]
    held: int
    elsewhere: tuple[str, ...] = ()

    @property
    def short(self) -> int:
        """How many copies are lacking."""
        return self.wanted - self.held


@dataclass(frozen=True, slots=True)
class Case:
    """One card: copies wanted by seat, copies held by holder, who may use whose.

    ``own`` are the pairs (holder, seat) that cost nothing; ``lending`` the holders
    that give to any seat.
    """

    code: str
    wanted: Mapping[str, int]
    held: Mapping[str, int]
    own: frozenset[tuple[str, str]]
    lending: frozenset[str]

    def reaches(self, holder: str, seat: str) -> bool:
        """Whether copies may go from a collection to a deck."""
        return holder in self.lending or (holder, seat) in self.own

    def meets_itself(self) -> bool:
        """Whether one collection of its own serves every deck; most cards are so."""
        used: Counter[str] = Counter()
        for seat, copies in self.wanted.items():
            for holder in self.held:
                if (holder, seat) in self.own:
                    used[holder] += copies
                    break
            else:
                return False
        return all(copies <= self.held[holder] for holder, copies in used.items())


def solve(case: Case) -> tuple[list[Loan], list[CollectionShortage]]:
    """The fewest loans among those that leave the least short; and what is short.

    Copies flow along the cheapest path that is still open, again and again: a copy of
    one's own costs nothing, a borrowed one costs 1; taking one back gives that back.
    """
    flow: dict[tuple[str, str], int] = {}
    left, open_wants = dict(case.held), dict(case.wanted)
    while path := _cheapest(case, flow, left, open_wants):
        for step, (holder, seat) in enumerate(path):
            flow[holder, seat] = flow.get((holder, seat), 0) + (-1 if step % 2 else 1)
        left[path[0][0]] -= 1
        open_wants[path[-1][1]] -= 1
    loans = [
        Loan(case.code, holder, seat, copies)
        for (holder, seat), copies in sorted(flow.items())
        if copies and (holder, seat) not in case.own
    ]
    return loans, list(_shortages(case, flow, left, open_wants))


Path = list[tuple[str, str]]  # pairs given to, taken back from, given to …


def _cheapest(
    case: Case,
    flow: Mapping[tuple[str, str], int],
    left: Mapping[str, int],
    open_wants: Mapping[str, int],
) -> Path:
    """The cheapest way to bring one more copy to a deck that wants one; [] if none.

    Bellman and Ford: costs of copies taken back are negative.
    """
    best: dict[str, tuple[int, Path]] = {
        holder: (0, []) for holder, copies in sorted(left.items()) if copies
    }
    reached: dict[str, tuple[int, Path]] = {}
    changed = True
    while changed:
        changed = False
        for holder, (cost, path) in list(best.items()):
            for seat in sorted(case.wanted):
                if case.reaches(holder, seat):
                    price = cost + ((holder, seat) not in case.own)
                    if seat not in reached or price < reached[seat][0]:
                        reached[seat] = price, [*path, (holder, seat)]
                        changed = True
        for (holder, seat), copies in sorted(flow.items()):
            if copies and seat in reached:
                cost, path = reached[seat]
                price = cost - ((holder, seat) not in case.own)
                if holder not in best or price < best[holder][0]:
                    best[holder] = price, [*path, (holder, seat)]
                    changed = True
    ends = [
        reached[seat]
        for seat, copies in open_wants.items()
        if copies and seat in reached
    ]
    return min(ends, default=(0, []))[1]


def _shortages(
    case: Case,
    flow: Mapping[tuple[str, str], int],
    left: Mapping[str, int],
    open_wants: Mapping[str, int],
) -> Iterator[CollectionShortage]:
    """The smallest proof: a deck that is short, those it competes with, their holders.

    From a deck that wants more: all collections it may use are spent on decks that
    want them too, and so on. Together these decks want more than these collections
    hold.
    """
    rivalries: list[tuple[set[str], set[str]]] = []
    for start in sorted(seat for seat, copies in open_wants.items() if copies):
        seats, holders = _rivalry(case, flow, start)
        apart = []
        for others, theirs in rivalries:
            if others & seats:
                seats |= others
                holders |= theirs
            else:
                apart.append((others, theirs))
        rivalries = [*apart, (seats, holders)]
    for seats, holders in rivalries:
        yield CollectionShortage(
            case.code,
            tuple(sorted(seats)),
            sum(case.wanted[seat] for seat in seats),
            tuple(sorted(holders)),
            sum(case.held[holder] for holder in holders),
            tuple(sorted(h for h, n in left.items() if n and h not in holders)),
        )


def _rivalry(
    case: Case, flow: Mapping[tuple[str, str], int], start: str
) -> tuple[set[str], set[str]]:
    """A deck with all it competes with, and the collections they compete for."""
    seats, holders = {start}, set[str]()
    while True:
        more = {h for h in case.held for s in seats if case.reaches(h, s)}
        rivals = {s for (h, s), copies in flow.items() if copies and h in more}
        if more <= holders and rivals <= seats:
            return seats, holders
        holders |= more
        seats |= rivals
