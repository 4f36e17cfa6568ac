"""Judges whether decks can be played together from given collections.

Every card is a matter of its own: copies go from the collections that hold them to the
decks that want them, as many as possible, and borrowed ones as few as possible (a
least-cost flow over holders and decks). What cannot be met is shown by the decks and
collections that prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.legality.agreements import copies_wanted
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.pool import CardPool
from arkham.rules.table.assignment import Case, CollectionShortage, Loan, solve

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
class Holder:
    """A collection: what it is called, its copies by printing, whether it lends."""

    name: str
    owned: Mapping[str, int]
    lends: bool = True


@dataclass(frozen=True, slots=True)
class DeckSeat:
    """A deck at the table: what it is called, and the collections it is built from."""

    name: str
    built: BuiltDeck
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Decks, the collections they come out of, and the card pool."""

    seats: tuple[DeckSeat, ...]
    holders: tuple[Holder, ...]
    pool: CardPool


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who lends what to whom, what remains short, and both as findings."""

    loans: tuple[Loan, ...]
    shortages: tuple[CollectionShortage, ...]
    findings: tuple[Finding, ...]


def share_out(table: Table) -> Sharing:
    """The exchanges that bring the most cards to the decks, and what is still short."""
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
    return Sharing(found.loans, found.shortages, findings)


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


# -- what is said --

Shared = tuple[Table, Sharing]


@rule(
    "table.short",
    rows=("COLL-01", "COLL-11", "COLL-12"),
    cites=(rules_reference("Collection"),),
)
def short(shared: Shared) -> Iterator[Finding]:
    """The decks at a table want no more copies of a card than their players own."""
    table, sharing = shared
    for each in sharing.shortages:
        message = gettext_noop(
            "Copies of {name} wanted by {seats}: {wanted}; owned: {held}."
        )
        remedy = gettext_noop("Copies to be replaced in one of the decks: {short}.")
        if each.elsewhere:
            remedy = gettext_noop("Left over, and not lent: {elsewhere}.")
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
    """A deck that wants more copies than its player owns borrows them at the table."""
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
