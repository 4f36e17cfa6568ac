"""When may the players of a campaign spend experience?"""

from __future__ import annotations

import pytest

from arkham.rules.campaign.spending import SPENDING_RULES, closed_by
from tests.rules.campaign.small import DAISY, ROLAND, a_guide
from tests.rules.campaign.test_play import a_game, begun, folded, won


def rule_after(guide: str, *raws: object) -> str:
    """The rule that closes spending after these answers; "" where it is open."""
    games = (a_game("one"), a_game("two"))
    found = closed_by(folded(a_guide(*games, id=guide), *raws))  # type: ignore[arg-type]
    return found.rule if found else ""


@pytest.mark.parametrize("guide", ["core", "tic"])
def test_before_the_first_game_it_is_open(guide: str) -> None:
    assert rule_after(guide) == ""


@pytest.mark.parametrize("guide", ["core", "tic", "tfa"])
def test_while_a_scenario_is_played_it_is_closed(guide: str) -> None:
    """XP-01: up to the question that asks for the upgrades."""
    for answered in range(3, len(won("one")) - 1):
        assert rule_after(guide, *won("one")[:answered]) == "spending.between-games"


@pytest.mark.parametrize("guide", ["core", "tic", "rttic"])
def test_while_decks_are_upgraded_and_after_it_is_open(guide: str) -> None:
    """Until the next game has its players."""
    assert rule_after(guide, *won("one")[:-1]) == ""
    assert rule_after(guide, *won("one")) == ""
    playing = (*won("one"), *begun("two", ROLAND, DAISY))
    assert rule_after(guide, *playing) == "spending.between-games"


@pytest.mark.parametrize(
    ("guide", "expected"),
    [("tic", "spending.told"), ("rttic", "spending.told"), ("core", "")],
)
def test_in_innsmouth_the_guide_says_when(guide: str, expected: str) -> None:
    """XP-22: a game that asks for no upgrade leaves it closed."""
    replay = folded(a_guide(a_game("one"), a_game("two"), id=guide), *won("one"))
    state = replay.state.copy()
    state.upgraded = ""
    found = closed_by(replay._replace(state=state))

    assert (found.rule if found else "") == expected


@pytest.mark.parametrize(
    ("upgraded", "expected"), [("", "spending.parts"), ("one", "")]
)
def test_between_two_parts_it_is_closed(upgraded: str, expected: str) -> None:
    """XP-21: unless decks were upgraded after the first of them."""
    replay = folded(a_guide(a_game("one"), a_game("two")), *won("one"))
    state = replay.state.copy()
    state.no_side_scenario, state.upgraded = True, upgraded
    found = closed_by(replay._replace(state=state))

    assert (found.rule if found else "") == expected


def test_every_rule_names_its_rows_and_citations() -> None:
    assert all(each.rows and each.cites for each in SPENDING_RULES)
