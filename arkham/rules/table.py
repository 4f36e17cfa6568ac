"""Judges whether decks can be played together from given collections.

Each card is solved separately: copies go from the collections that have them to the
decks that need them, as many as possible, with as few loans as possible (a least-cost
flow over holders and decks). If a need can't be met, the decks and collections that
prove it are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
    worst_first,
)
from arkham.rules.legality.agreements import copies_wanted
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.pool import CardPool

__all__ = [
    "TABLE_RULES",
    "Case",
    "CollectionShortage",
    "DeckSeat",
    "Holder",
    "Loan",
    "Sharing",
    "Table",
    "share_out",
    "solve",
]


@dataclass(frozen=True, slots=True)
class Loan:
    """Copies of a card that a collection lends to a deck that is not its own."""

    code: str
    holder: str
    seat: str
    copies: int


@dataclass(frozen=True, slots=True)
class CollectionShortage:
    """Copies of a card that no collection has left, and why.

    ``seats`` need ``wanted`` copies together and may use only ``holders``, who have
    ``held``; ``elsewhere`` are collections that have copies left but don't lend.
    """

    code: str
    seats: tuple[str, ...]
    wanted: int
    holders: tuple[str, ...]
    held: int
    elsewhere: tuple[str, ...] = ()

    @property
    def short(self) -> int:
        """The number of copies missing."""
        return self.wanted - self.held


@dataclass(frozen=True, slots=True)
class Case:
    """One card: copies wanted by seat, copies held by holder, and who may use whose.

    ``own`` are the pairs (holder, seat) that cost nothing; ``lending`` the holders that
    lend to any seat.
    """

    code: str
    wanted: Mapping[str, int]
    held: Mapping[str, int]
    own: frozenset[tuple[str, str]]
    lending: frozenset[str]

    def reaches(self, holder: str, seat: str) -> bool:
        """True if copies may go from this collection to this deck."""
        return holder in self.lending or (holder, seat) in self.own

    def meets_itself(self) -> bool:
        """True if each deck is served by a collection of its own, as for most cards."""
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
    """The fewest loans that leave the least short, and what is still short.

    Repeatedly sends a copy along the cheapest open path: a deck's own copy costs
    nothing, a borrowed one costs 1, and taking one back refunds its cost.
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


Path = list[tuple[str, str]]  # pairs that alternately give a copy and take it back


def _cheapest(
    case: Case,
    flow: Mapping[tuple[str, str], int],
    left: Mapping[str, int],
    open_wants: Mapping[str, int],
) -> Path:
    """The cheapest path that brings one more copy to a deck in need; [] if none.

    Bellman and Ford: taking back a copy has a negative cost.
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
    """Yield the smallest proofs: decks short of copies, their rivals, their holders.

    From a deck that needs more, follow the collections it may use to other decks that
    use them, and so on. Together these decks need more than these collections have.
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
    """A deck with all its rivals, and the collections they compete for."""
    seats, holders = {start}, set[str]()
    while True:
        more = {h for h in case.held for s in seats if case.reaches(h, s)}
        rivals = {s for (h, s), copies in flow.items() if copies and h in more}
        if more <= holders and rivals <= seats:
            return seats, holders
        holders |= more
        seats |= rivals


@dataclass(frozen=True, slots=True)
class Holder:
    """A collection: its name, its copies by printing, whether it lends."""

    name: str
    owned: Mapping[str, int]
    lends: bool = True


@dataclass(frozen=True, slots=True)
class DeckSeat:
    """A deck at the table: its name, and the collections it is built from."""

    name: str
    built: BuiltDeck
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Decks, the collections they are built from, and the card pool."""

    seats: tuple[DeckSeat, ...]
    holders: tuple[Holder, ...]
    pool: CardPool


@dataclass(frozen=True, slots=True)
class Sharing:
    """The loans, what remains short, and findings on both."""

    loans: tuple[Loan, ...]
    shortages: tuple[CollectionShortage, ...]
    findings: tuple[Finding, ...]


def share_out(table: Table) -> Sharing:
    """Find the loans that bring the most cards to the decks, and what stays short."""
    loans: list[Loan] = []
    shortages: list[CollectionShortage] = []
    for case in _cases(table):
        if case.meets_itself():
            continue
        given, lacking = solve(case)
        loans.extend(given)
        shortages.extend(lacking)
    found = Sharing(tuple(loans), tuple(shortages), ())
    findings = tuple(each for rule in TABLE_RULES for each in rule((table, found)))
    return Sharing(found.loans, found.shortages, worst_first(findings))


def _cases(table: Table) -> Iterator[Case]:
    wanted: dict[str, dict[str, int]] = {}
    for seat in table.seats:
        for code, copies in copies_wanted(seat.built).items():
            wanted.setdefault(code, {})[seat.name] = copies
    own = frozenset((name, seat.name) for seat in table.seats for name in seat.own)
    lending = frozenset(holder.name for holder in table.holders if holder.lends)
    for code, by_seat in sorted(wanted.items()):
        printings = [printing.code for printing in table.pool[code].printings]
        held = {
            holder.name: copies
            for holder in table.holders
            if (copies := sum(holder.owned.get(each, 0) for each in printings))
        }
        yield Case(code, by_seat, held, own, lending)


# -- messages --

Shared = tuple[Table, Sharing]


@rule(
    "table.short",
    rows=("COLL-01", "COLL-11", "COLL-12"),
    cites=(rules_reference("Collection"),),
)
def short(shared: Shared) -> Iterator[Finding]:
    """The decks at a table need no more copies of a card than their players own."""
    table, sharing = shared
    for each in sharing.shortages:
        message = gettext_noop("{name}: {wanted} needed by {seats}, {held} owned.")
        remedy = gettext_noop("Replace {short} in one of the decks.")
        if each.elsewhere:
            remedy = gettext_noop("Spare copies that aren’t lent: {elsewhere}.")
        yield Finding(
            message,
            severity=Severity.ADVICE,
            cards=(each.code,),
            actual=each.wanted,
            expected=each.held,
            remedy_text=remedy,
            values=(
                ("name", table.pool[each.code].name),
                ("seats", ", ".join(each.seats)),
                ("wanted", each.wanted),
                ("held", each.held),
                ("short", each.short),
                ("elsewhere", ", ".join(each.elsewhere)),
            ),
        )


@rule(
    "table.loan",
    rows=("COLL-01", "COLL-12"),
    cites=(rules_reference("Collection"),),
)
def loan(shared: Shared) -> Iterator[Finding]:
    """A deck that needs more copies than its player owns borrows them at the table."""
    table, sharing = shared
    for each in sharing.loans:
        yield Finding(
            gettext_noop("{name}: {seat} borrows {copies} from {holder}."),
            severity=Severity.ADVICE,
            cards=(each.code,),
            actual=each.copies,
            values=(
                ("name", table.pool[each.code].name),
                ("seat", each.seat),
                ("copies", each.copies),
                ("holder", each.holder),
            ),
        )


TABLE_RULES: tuple[Rule[Shared], ...] = (short, loan)
