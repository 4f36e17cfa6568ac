"""A table's decks and its collections: shortages, loans, and the proof of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.collection import Collection, copies_owned
from arkham.rules.deck import DeckList
from arkham.rules.legality import Judge
from arkham.rules.pool import CardPool
from arkham.rules.table import (
    Case,
    CollectionShortage,
    DeckSeat,
    Holder,
    Loan,
    Table,
    share_out,
    solve,
)


def _seat(judge: Judge, name: str, entries: dict[str, int], *own: str) -> DeckSeat:
    built = next(judge.builds(DeckList("01001", entries)))
    return DeckSeat(name, built, own)


def _holder(pool: CardPool, name: str, *packs: str, lends: bool = True) -> Holder:
    owned = copies_owned(Collection(dict.fromkeys(packs, 1)), pool)
    return Holder(name, owned, lends)


def test_decks_with_all_their_cards_have_no_findings(
    judge: Judge, pool: CardPool
) -> None:
    """Even if two decks share a collection."""
    seats = (
        _seat(judge, "Roland", {"01020": 1, "01000": 2}, "Ann"),
        _seat(judge, "Zoey", {"01520": 1}, "Ann"),
    )
    sharing = share_out(Table(seats, (_holder(pool, "Ann", "rcore"),), pool))
    assert (sharing.loans, sharing.shortages, sharing.findings) == ((), (), ())


def test_two_decks_that_share_too_few_copies_are_short(
    judge: Judge, pool: CardPool
) -> None:
    """Printings are one card; together they need more than there are."""
    seats = (
        _seat(judge, "Roland", {"01020": 2}, "Ann"),
        _seat(judge, "Zoey", {"01520": 2}, "Ann"),
    )
    sharing = share_out(Table(seats, (_holder(pool, "Ann", "rcore"),), pool))
    assert sharing.shortages == (
        CollectionShortage("01020", ("Roland", "Zoey"), 4, ("Ann",), 2),
    )
    (finding,) = sharing.findings
    assert finding.rule == "table.short"
    assert finding.text == "Machete: 4 needed by Roland, Zoey, 2 owned."
    assert finding.advice_text == "Replace 2 in one of the decks."
    assert (finding.actual, finding.expected) == (4, 2)


def test_a_missing_copy_is_borrowed_from_another_collection(
    judge: Judge, pool: CardPool
) -> None:
    seats = (
        _seat(judge, "Roland", {"01020": 2}, "Ann"),
        _seat(judge, "Zoey", {"01020": 1}, "Bea"),
    )
    holders = (_holder(pool, "Ann", "core"), _holder(pool, "Bea", "rcore"))
    sharing = share_out(Table(seats, holders, pool))
    assert sharing.loans == (Loan("01020", "Bea", "Roland", 1),)
    assert sharing.shortages == ()
    (finding,) = sharing.findings
    assert finding.text == "Machete: Roland borrows 1 from Bea."


def test_a_holder_who_does_not_lend_is_named(judge: Judge, pool: CardPool) -> None:
    seats = (_seat(judge, "Roland", {"01020": 2}, "Ann"),)
    holders = (_holder(pool, "Ann", "core"), _holder(pool, "Bea", "core", lends=False))
    sharing = share_out(Table(seats, holders, pool))
    assert sharing.shortages == (
        CollectionShortage("01020", ("Roland",), 2, ("Ann",), 1, ("Bea",)),
    )
    assert sharing.findings[0].advice_text == "Spare copies that aren’t lent: Bea."


def test_a_deck_without_a_collection_borrows_everything(
    judge: Judge, pool: CardPool
) -> None:
    seats = (_seat(judge, "Guest", {"01020": 1}),)
    holders = (_holder(pool, "Ann", "core"),)
    assert share_out(Table(seats, holders, pool)).loans == (
        Loan("01020", "Ann", "Guest", 1),
    )
    (shortage,) = share_out(Table(seats, (), pool)).shortages
    assert (shortage.holders, shortage.held, shortage.short) == ((), 0, 1)


# -- the assignment itself --

SEATS = ("p", "q", "r")
HOLDERS = ("A", "B", "C")
PAIRS = tuple(product(HOLDERS, SEATS))

cases = st.builds(
    Case,
    st.just("c"),
    st.dictionaries(st.sampled_from(SEATS), st.integers(1, 2), min_size=1),
    st.dictionaries(st.sampled_from(HOLDERS), st.integers(1, 2)),
    st.frozensets(st.sampled_from(PAIRS)),
    st.frozensets(st.sampled_from(HOLDERS)),
)


def _ways(case: Case) -> Iterator[Mapping[tuple[str, str], int]]:
    """Yield every way to hand out copies."""
    pairs = [(h, s) for h in case.held for s in case.wanted if case.reaches(h, s)]
    ranges = [range(min(case.held[h], case.wanted[s]) + 1) for h, s in pairs]
    for copies in product(*ranges):
        way = dict(zip(pairs, copies, strict=True))
        if all(
            sum(n for (h, _), n in way.items() if h == holder) <= held
            for holder, held in case.held.items()
        ) and all(
            sum(n for (_, s), n in way.items() if s == seat) <= wanted
            for seat, wanted in case.wanted.items()
        ):
            yield way


@given(cases)
def test_no_hand_out_is_better(case: Case) -> None:
    """Compared with every other: first the fewest short, then the fewest loans."""
    loans, shortages = solve(case)
    wanted = sum(case.wanted.values())
    best = min(
        (
            wanted - sum(way.values()),
            sum(n for pair, n in way.items() if pair not in case.own),
        )
        for way in _ways(case)
    )
    short = sum(each.short for each in shortages)
    assert (short, sum(each.copies for each in loans)) == best


@given(cases)
def test_a_shortage_is_proved(case: Case) -> None:
    """Its decks may use no other collection, and those contain too few copies."""
    _loans, shortages = solve(case)
    seen: set[str] = set()
    for each in shortages:
        assert not seen & set(each.seats)
        seen |= set(each.seats)
        reached = {h for h in case.held for s in each.seats if case.reaches(h, s)}
        assert reached == set(each.holders)
        assert each.held == sum(case.held[holder] for holder in reached)
        assert each.wanted == sum(case.wanted[seat] for seat in each.seats)
        assert each.short > 0


@given(cases)
def test_an_independent_solver_agrees(case: Case) -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(("source", "sink"))
    for holder, copies in case.held.items():
        graph.add_edge("source", holder, capacity=copies, weight=0)
        for seat in case.wanted:
            if case.reaches(holder, seat):
                price = (holder, seat) not in case.own
                graph.add_edge(holder, seat, weight=int(price))
    for seat, copies in case.wanted.items():
        graph.add_edge(seat, "sink", capacity=copies, weight=0)
    flow = nx.max_flow_min_cost(graph, "source", "sink")
    loans, shortages = solve(case)
    short = sum(case.wanted.values()) - sum(flow["source"].values())
    assert sum(each.short for each in shortages) == short
    assert sum(each.copies for each in loans) == nx.cost_of_flow(graph, flow)


@given(cases)
def test_a_case_that_meets_itself_has_no_loans_or_shortages(case: Case) -> None:
    if case.meets_itself():
        assert solve(case) == ([], [])


@pytest.mark.parametrize("held", [{}, {"A": 1}])
def test_two_rivals_share_one_shortage(held: dict[str, int]) -> None:
    case = Case("c", {"p": 2, "q": 2}, held, frozenset(), frozenset("A"))
    shortages = solve(case)[1]
    assert sum(each.short for each in shortages) == 4 - sum(held.values())
