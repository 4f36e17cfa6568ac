"""Cards are assigned to options exactly: brute force and another solver agree."""

from __future__ import annotations

from itertools import product

import networkx
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.legality.admission import allocate, shortages

LIMITS = st.lists(st.integers(0, 4), min_size=1, max_size=3)
SMALL = st.dictionaries(st.integers(1, 7), st.integers(1, 2), max_size=4)


def within(demands: dict[int, int], limits: list[int]) -> dict[int, int]:
    """Return the demands with the options that exist only."""
    every = (1 << len(limits)) - 1
    return {mask & every: n for mask, n in demands.items() if mask & every}


def most_by_trial(demands: dict[int, int], limits: list[int]) -> int:
    """Return the most cards that can be placed, by trying every assignment."""
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
    """Return the same number from a library's maximum flow."""
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
def test_as_many_cards_are_placed_as_a_trial_finds(
    demands: dict[int, int], limits: list[int]
) -> None:
    demands = within(demands, limits)
    placed = allocate(demands, limits)
    assert sum(map(sum, placed.values())) == most_by_trial(demands, limits)


@given(
    st.dictionaries(st.integers(1, 31), st.integers(1, 12), max_size=8),
    st.lists(st.integers(0, 15), min_size=1, max_size=5),
)
def test_as_many_cards_are_placed_as_a_maximum_flow(
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
def test_a_shortage_is_reported_exactly_if_a_card_has_no_place(
    demands: dict[int, int], limits: list[int]
) -> None:
    demands = within(demands, limits)
    short = shortages(demands, limits)
    assert bool(short) == (most_by_flow(demands, limits) < sum(demands.values()))
    for each in short:
        assert each.demand > each.places


def test_the_smallest_set_of_options_is_named() -> None:
    # Eleven cards need the first option (ten places); two may use either option.
    short = shortages({0b01: 11, 0b11: 2}, [10, 5])
    assert [(each.options, each.demand, each.places) for each in short] == [
        (0b01, 11, 10)
    ]


def test_a_card_moves_to_another_option_to_make_room() -> None:
    # A greedy assignment fills the first option with cards that could use the second.
    placed = allocate({0b11: 5, 0b01: 5}, [5, 5])
    assert placed == {0b01: [5, 0], 0b11: [0, 5]}
