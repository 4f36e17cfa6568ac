"""Small decks: no card is lost, orders are equally likely, refusals are findings."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.play.pile import (
    DrawTop,
    GatherIn,
    OnBottom,
    OnTop,
    Pile,
    PutAway,
    ShuffleBack,
    ShuffleIn,
    Step,
    built,
    shuffled,
    taken,
)

CARDS = 5
NUMBERS = st.integers(0, CARDS - 1)
STEPS = st.lists(
    st.one_of(
        st.just(DrawTop()),
        st.builds(OnTop, NUMBERS),
        st.builds(OnBottom, NUMBERS),
        st.builds(ShuffleIn, NUMBERS),
        st.builds(PutAway, NUMBERS, st.sampled_from(["play", "discard"])),
        st.just(ShuffleBack()),
        st.builds(GatherIn, st.sampled_from(["play", "discard"])),
    ),
    max_size=20,
)


def last(pile: Pile, *steps: Step) -> Pile:
    return taken(pile, steps, "seed")[-1].pile


@given(STEPS)
def test_no_card_is_lost_or_made(steps: list[Step]) -> None:
    for event in taken(built(CARDS, "seed"), steps, "seed"):
        pile = event.pile
        gone = [card for card, _where in pile.gone]
        assert sorted((*pile.deck, *pile.drawn, *gone)) == [0, 1, 2, 3, 4]


@given(STEPS)
def test_the_same_steps_have_the_same_result(steps: list[Step]) -> None:
    pile = built(CARDS, "seed")
    assert taken(pile, steps, "seed") == taken(pile, steps, "seed")


@given(STEPS)
def test_a_refused_step_changes_nothing(steps: list[Step]) -> None:
    events = taken(built(CARDS, "seed"), steps, "seed")
    for before, event in pairwise(events):
        if event.findings:
            assert event.pile == before.pile


def test_every_order_is_about_equally_frequent() -> None:
    """Six orders of three cards, 1,200 seeds: each within four deviations of 200."""
    orders = Counter(shuffled(range(3), f"seed {each}") for each in range(1_200))
    assert len(orders) == 6
    assert all(148 < count < 252 for count in orders.values())


def test_a_shuffle_does_not_depend_on_the_order_before() -> None:
    assert shuffled(range(5), "orne") == shuffled((4, 2, 0, 1, 3), "orne")
    assert shuffled(range(1), "orne") == (0,)


def test_cards_are_drawn_from_the_top() -> None:
    pile = last(Pile((2, 0, 1)), DrawTop(), DrawTop())
    assert pile == Pile((1,), (2, 0))


def test_cards_can_be_returned_to_the_top_and_bottom() -> None:
    pile = Pile((1,), (2, 0))
    assert last(pile, OnTop(0)) == Pile((0, 1), (2,))
    assert last(pile, OnBottom(2)) == Pile((1, 2), (0,))


def test_an_exploration_ends_with_the_rest_shuffled_back() -> None:
    pile = last(Pile((3,), (2, 0, 1)), PutAway(1, "play"), ShuffleBack())
    assert sorted(pile.deck) == [0, 2, 3]
    assert pile.drawn == ()
    assert pile.gone == ((1, "play"),)


def test_a_card_put_away_can_return() -> None:
    pile = Pile((0,), (), ((1, "Roland"), (2, "Wendy")))
    assert last(pile, OnBottom(2)) == Pile((0, 2), (), ((1, "Roland"),))


def test_a_discard_pile_can_be_shuffled_back() -> None:
    pile = Pile((), (0,), ((1, "discard"), (2, "play"), (3, "discard")))
    pile = last(pile, GatherIn("discard"))
    assert sorted(pile.deck) == [1, 3]
    assert pile.gone == ((2, "play"),)


def test_drawing_from_an_empty_deck_is_a_finding() -> None:
    (event,) = taken(Pile((), (0, 1)), [DrawTop()], "seed")
    assert [each.rule for each in event.findings] == ["pile.empty"]
    (event,) = taken(Pile((0,)), [DrawTop()], "seed")
    assert event.findings == ()


def test_shuffling_one_card_into_an_empty_deck_is_a_finding() -> None:
    (event,) = taken(Pile((), (0, 1)), [ShuffleIn(0)], "seed")
    assert [each.rule for each in event.findings] == ["pile.lone-card"]
    (event,) = taken(Pile((1,), (0,)), [ShuffleIn(0)], "seed")
    assert event.findings == ()


def test_putting_a_card_into_the_deck_twice_is_a_finding() -> None:
    for step in (OnTop(0), OnBottom(0), ShuffleIn(0)):
        (event,) = taken(Pile((0, 1)), [step], "seed")
        assert [each.rule for each in event.findings] == ["pile.not-outside"]
