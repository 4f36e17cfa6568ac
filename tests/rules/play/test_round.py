"""The round: its phases, its player windows, and the order of its steps."""

from __future__ import annotations

from arkham.rules.play.round import (
    MOMENTS,
    SKILL_TEST,
    PhaseName,
    Place,
    after,
    begins_at,
    elsewhere,
    first_of,
    place_of,
)


def test_the_steps_are_numbered_as_in_the_appendix() -> None:
    numbers = [moment.number for _phase, moment in MOMENTS if moment.number]
    assert numbers == [
        *("1.1", "1.2", "1.3", "1.4", "1.5"),
        *("2.1", "2.2", "2.2.1", "2.2.2", "2.3"),
        *("3.1", "3.2", "3.3", "3.4"),
        *("4.1", "4.2", "4.3", "4.4", "4.5", "4.6"),
    ]


def test_player_windows_follow_their_steps() -> None:
    before = [
        MOMENTS[at - 1][1].number
        for at, (_phase, moment) in enumerate(MOMENTS)
        if moment.is_window
    ]
    assert before == ["1.4", "2.1", "2.2", "3.2", "3.3", "4.1"]


def walked(*turns: str) -> list[str]:
    """Return the steps from 2.2 on, taking the other way at each ``other``."""
    place, met, told = Place(1, place_of("2.2")), [], list(turns)
    while True:
        key = MOMENTS[place.moment][1].key
        met.append(key)
        if key == "3.4":
            return met
        other = elsewhere(place)
        taken = other is not None and told.pop(0) == "other"
        place = other if other is not None and taken else after(place)


def test_an_action_leads_back_to_the_window_until_the_turn_ends() -> None:
    """Two actions, end of the turn, end of the phase, one investigator attacked."""
    met = walked("on", "on", "other", "on", "on")
    assert met == [
        *("2.2", "2.2w", "2.2.1", "2.2w", "2.2.1", "2.2w", "2.2.2", "2.3"),
        *("3.1", "3.2", "3.2w", "3.3", "3.3w", "3.4"),
    ]


def test_every_investigator_has_a_turn_and_a_window_before_the_attack() -> None:
    met = walked("other", "other", "other", "on", "other", "on")
    assert met == [
        *("2.2", "2.2w", "2.2.2", "2.2", "2.2w", "2.2.2", "2.3"),
        *("3.1", "3.2", "3.2w", "3.3", "3.2w", "3.3", "3.3w", "3.4"),
    ]


def test_the_first_round_has_no_mythos_phase() -> None:
    assert begins_at(1) == Place(1, first_of(PhaseName.INVESTIGATION))
    assert begins_at(2) == Place(2, 0)


def test_under_the_ultimatum_of_dread_the_first_round_has_a_mythos_phase() -> None:
    assert begins_at(1, frozenset({"dread"})) == Place(1, 0)
    assert begins_at(1, frozenset({"hubris"})) == begins_at(1)


def test_a_round_is_followed_by_the_next() -> None:
    last = len(MOMENTS) - 1
    assert MOMENTS[last][1].key == "4.6"
    assert after(Place(1, last)) == Place(2, 0)


def test_keys_are_unique_and_those_of_windows_extend_the_step_before() -> None:
    keys = [moment.key for _phase, moment in MOMENTS]
    assert len(set(keys)) == len(keys)
    for at, (_phase, moment) in enumerate(MOMENTS):
        if moment.is_window:
            assert moment.key == f"{keys[at - 1]}w"


def test_a_skill_test_has_eight_steps_and_two_windows() -> None:
    assert [moment.key for moment in SKILL_TEST] == [
        *("ST.1", "ST.1w", "ST.2", "ST.2w"),
        *("ST.3", "ST.4", "ST.5", "ST.6", "ST.7", "ST.8"),
    ]
