"""Places are given exactly: brute force and an independent solver agree."""

from __future__ import annotations

from itertools import product

import networkx
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.legality.admission import allocate, shortages

LIMITS = st.lists(st.integers(0, 4), min_size=1, max_size=3)
SMALL = st.dictionaries(st.integers(1, 7), st.integers(1, 2), max_size=4)


def within(demands: dict[int, int], limits: list[int]) -> dict[int, int]:
    """The demands that name only options there are."""
    every = (1 << len(limits)) - 1
    return {mask & every: n for mask, n in demands.items() if mask & every}


def most_by_trial(demands: dict[int, int], limits: list[int]) -> int:
    """The most cards that can be placed, found by trying every assignment."""
    cards = [mask for mask, count in demands.items() for _ in range(count)]
    choices = [
        [None, *(index for index in range(len(limits)) if mask >> index & 1)]
        for mask in cards
    ]
    best = 0
    for taken in product(*choices):
        used = [taken.count(index) for index in range(len(limits))]
        if all(have <= limit for have, limit in zip(used, limits, strict=True)):
            best = max(best, sum(each is not None for each in taken))
    return best


def most_by_flow(demands: dict[int, int], limits: list[int]) -> int:
    """The same number from a library's maximum flow."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(["source", "sink"])
    for mask, count in demands.items():
        graph.add_edge("source", ("group", mask), capacity=count)
        for index in range(len(limits)):
            if mask >> index & 1:
                graph.add_edge(("group", mask), ("option", index), capacity=count)
    for index, limit in enumerate(limits):
        graph.add_edge(("option", index), "sink", capacity=limit)
    value, _ = networkx.maximum_flow(graph, "source", "sink")
    return int(value)


@given(SMALL, LIMITS)
def test_as_many_are_placed_as_trial_finds(
    demands: dict[int, int], limits: list[int]
) -> None:
    demands = within(demands, limits)
    placed = allocate(demands, limits)
    assert sum(map(sum, placed.values())) == most_by_trial(demands, limits)


@given(
    st.dictionaries(st.integers(1, 31), st.integers(1, 12), max_size=8),
    st.lists(st.integers(0, 15), min_size=1, max_size=5),
)
def test_as_many_are_placed_as_a_flow_carries(
    demands: dict[int, int], limits: list[int]
) -> None:
    demands = within(demands, limits)
    placed = allocate(demands, limits)
    assert sum(map(sum, placed.values())) == most_by_flow(demands, limits)
    for mask, by_option in placed.items():
        assert sum(by_option) <= demands[mask]
        assert all(mask >> index & 1 for index, n in enumerate(by_option) if n)
    for index, limit in enumerate(limits):
        assert sum(by_option[index] for by_option in placed.values()) <= limit


@given(
    st.dictionaries(st.integers(1, 31), st.integers(1, 12), max_size=8),
    st.lists(st.integers(0, 15), min_size=1, max_size=5),
)
def test_a_shortage_is_reported_exactly_when_a_card_finds_no_place(
    demands: dict[int, int], limits: list[int]
) -> None:
    demands = within(demands, limits)
    short = shortages(demands, limits)
    assert bool(short) == (most_by_flow(demands, limits) < sum(demands.values()))
    for each in short:
        assert each.demand > each.places


def test_the_smallest_set_of_options_is_named() -> None:
    # Eleven cards need the first option (ten places), two may use either.
    short = shortages({0b01: 11, 0b11: 2}, [10, 5])
    assert [(each.options, each.demand, each.places) for each in short] == [
        (0b01, 11, 10)
    ]


def test_a_card_moves_over_to_make_room() -> None:
    # Greedy order fills the first option with cards that could use the second.
    placed = allocate({0b11: 5, 0b01: 5}, [5, 5])
    assert placed == {0b01: [5, 0], 0b11: [0, 5]}
