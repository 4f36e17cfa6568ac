"""Simulated openings: the same seed gives the same averages, and the sums are right."""

from __future__ import annotations

import pytest

from arkham.rules.draws.odds import tempo_of
from arkham.rules.draws.opening import Opening
from arkham.rules.draws.setup import deal


def _opening(cards: dict[str, int], **changes: int) -> Opening:
    return Opening(
        cards=cards,
        weaknesses=frozenset(),
        stays=frozenset(),
        drawn=5,
        kept=5,
        mulligan=True,
        upkeep=changes.get("upkeep", 1),
        income=changes.get("income", 1),
    )


def test_resources_spent_and_left_add_up_to_the_income() -> None:
    """Each turn after the first brings one resource."""
    cards = {f"card-{number}": 2 for number in range(15)}
    costs = {code: place % 6 for place, code in enumerate(cards)}
    tempo = tempo_of(_opening(cards), costs, 5, 4, seed="a", openings=200)
    for turn, (spent, left) in enumerate(zip(tempo.spent, tempo.left, strict=True)):
        assert spent + left == pytest.approx(5 + turn)
    assert tempo == tempo_of(_opening(cards), costs, 5, 4, seed="a", openings=200)
    assert tempo != tempo_of(_opening(cards), costs, 5, 4, seed="b", openings=200)


def test_a_higher_income_brings_more_resources() -> None:
    """On each turn after the first."""
    cards = {"skill": 30}
    tempo = tempo_of(_opening(cards, income=2), {}, 5, 3, seed="a", openings=5)
    assert tempo.left == (5, 7, 9)


def test_the_most_expensive_affordable_card_is_played() -> None:
    """At most three cards a turn."""
    cheap = tempo_of(_opening({"free": 30}), {"free": 0}, 5, 2, seed="a", openings=5)
    assert cheap.played == (3, 6)
    assert cheap.spent == (0, 0)
    dear = tempo_of(_opening({"dear": 30}), {"dear": 6}, 5, 3, seed="a", openings=5)
    assert dear.spent == (0, 6, 6)
    assert dear.idle == 1
    none = tempo_of(_opening({"skill": 30}), {}, 5, 1, seed="a", openings=5)
    assert (none.idle, none.left) == (1, (5,))


def test_a_mulligan_may_depend_on_the_hand() -> None:
    """The first hand stays the same; the chosen cards are given up."""
    opening = _opening({"a": 5, "b": 5})
    kept = deal(opening, "seed")
    chosen = deal(opening, "seed", lambda first: tuple(c for c in first if c == "a"))
    assert chosen.first == kept.first
    assert set(chosen.given_up) <= {"a"}
    assert chosen == deal(opening, "seed", chosen.given_up)


def test_the_size_of_parts_does_not_change_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = (_opening({"dear": 20, "free": 10}), {"dear": 4, "free": 0}, 5, 3)
    found = []
    for part in (7, 50):
        monkeypatch.setattr("arkham.rules.draws.odds.PART", part)
        found.append(tempo_of(*asked, seed="a", openings=50))
    assert found[0] == found[1]
