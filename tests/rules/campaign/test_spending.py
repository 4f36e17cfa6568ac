"""When the players of a campaign may spend experience."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.judging.between_games import SPENDING_RULES, closed_by
from tests.rules.campaign.helpers.games import a_game, begun, folded, won
from tests.rules.campaign.helpers.recorded import CASES, recorded_reader, recorded_run
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    Raw,
    a_guide,
    a_scenario,
    records,
    starting,
)


def rule_after(guide: str, *raws: object) -> str:
    """Return the rule that closes spending after these answers; "" if it is open."""
    games = (a_game("one"), a_game("two"))
    found = closed_by(folded(a_guide(*games, id=guide), *raws))  # type: ignore[arg-type]
    return found.rule if found else ""


@pytest.mark.parametrize("guide", ["core", "tic"])
def test_spending_is_open_before_the_first_game(guide: str) -> None:
    assert rule_after(guide) == ""


@pytest.mark.parametrize("guide", ["core", "tic", "tfa"])
def test_spending_is_closed_while_a_scenario_is_played(guide: str) -> None:
    """XP-01: until upgrades are asked for."""
    for answered in range(3, len(won("one")) - 1):
        assert rule_after(guide, *won("one")[:answered]) == "spending.between-games"


@pytest.mark.parametrize("guide", ["core", "tic", "rttic"])
def test_spending_is_open_while_decks_are_upgraded_and_afterwards(guide: str) -> None:
    """Until the players of the next game are chosen."""
    assert rule_after(guide, *won("one")[:-1]) == ""
    assert rule_after(guide, *won("one")) == ""
    playing = (*won("one"), *begun("two", ROLAND, DAISY))
    assert rule_after(guide, *playing) == "spending.between-games"


@pytest.mark.parametrize(
    ("guide", "expected"),
    [("tic", "spending.told"), ("rttic", "spending.told"), ("core", "")],
)
def test_in_innsmouth_spending_is_closed_unless_the_guide_opens_it(
    guide: str, expected: str
) -> None:
    """XP-22: a game that asks for no upgrade leaves it closed."""
    replay = folded(a_guide(a_game("one"), a_game("two"), id=guide), *won("one"))
    state = replay.state.copy()
    state.upgraded = ""
    found = closed_by(replay._replace(state=state))

    assert (found.rule if found else "") == expected


@pytest.mark.parametrize("prefix", ["", "return_to_"])
@pytest.mark.parametrize("upgraded", [False, True])
@pytest.mark.parametrize("part", ["part_1", "part_2"])
def test_spending_is_closed_between_the_parts_of_the_elders(
    part: str, upgraded: bool, prefix: str
) -> None:
    """XP-21: until decks are upgraded after the second part."""
    name = f"{prefix}heart_of_the_elders_{part}"
    replay = folded(a_guide(a_game(name), a_game("two"), id="tfa"), *won(name))
    state = replay.state.copy()
    state.upgraded = name if upgraded else ""
    found = closed_by(replay._replace(state=state))

    assert (found.rule if found else "") == ("" if upgraded else "spending.parts")


def a_game_that_upgrades_first() -> Raw:
    """A game that upgrades decks in its setup, and saves what it gives for later."""
    asks: Raw = {"type": "upgrade_decks"}
    game = a_game("one", {"id": "spend", "type": "input", "input": asks})
    later = {"id": "$upgrade_decks", "type": "input", "input": asks}
    game["steps"].append({**later, "input": {**asks, "skip_decks": True}})
    return game


@pytest.mark.parametrize(
    ("guide", "afterwards"), [("tic", "spending.told"), ("core", "")]
)
def test_a_guide_may_save_experience_for_later(guide: str, afterwards: str) -> None:
    """XP-22: as most games of Innsmouth do; the setup of a later one opens spending."""
    beginning, rest = begun("one", ROLAND, DAISY), won("one")[3:]
    spent = {"type": "decision", "scenario": "one", "step": "spend", "decision": True}
    found = []
    for count in range(len(rest) + 1):
        answers = starting(ROLAND, DAISY)
        answers += records(*beginning, *([spent] if count else []), *rest[:count])
        games = (a_game_that_upgrades_first(), a_game("two"))
        replay = fold(a_guide(*games, id=guide), answers, PEOPLE)
        closed = closed_by(replay)
        found.append(closed.rule if closed else "")

    assert found == ["", *["spending.between-games"] * (len(rest) - 1), afterwards]


def test_spending_stays_closed_when_decks_are_only_saved() -> None:
    """XP-01, XP-21: a guide may ask for changes of decks in the middle of a game."""
    asks: Raw = {"type": "save_decks", "trauma": True}
    saves: Raw = {"id": "save", "type": "input", "input": asks}
    answers = starting(ROLAND, DAISY) + records(*begun("one", ROLAND, DAISY))
    replay = fold(a_guide(a_scenario("one", saves)), answers, PEOPLE)

    assert replay.pending is not None
    assert replay.pending.prompt == "save_decks"
    closed = closed_by(replay)
    assert closed is not None
    assert closed.rule == "spending.between-games"


def test_in_innsmouth_spending_opens_when_the_guide_asks_for_upgrades() -> None:
    """For each game of a recorded campaign."""
    (case,) = (
        each
        for number in range(CASES)
        if (each := recorded_run(number))["campaign"] == "tic"
    )
    asked = recorded_reader().read(case)
    opened = []
    for count in range(len(asked.answers) + 1):
        replay = recorded_reader().replay(asked._replace(answers=asked.answers[:count]))
        pending = replay.pending
        if pending is not None and closed_by(replay) is None and pending.is_upgrade:
            opened.append(pending.scenario)

    assert list(dict.fromkeys(opened)) == [
        "the_vanishing_of_elina_harper", "the_syzygy", "read_or_die",
        "beneath_the_waves", "horror_in_high_gear", "by_the_book",
        "cust-223684593", "hidden_truths", "into_the_maelstrom",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("upgraded", "expected"), [("", "spending.parts"), ("one", "")]
)
def test_spending_is_closed_between_two_parts(upgraded: str, expected: str) -> None:
    """XP-21: unless decks were upgraded after the first."""
    replay = folded(a_guide(a_game("one"), a_game("two")), *won("one"))
    state = replay.state.copy()
    state.no_side_scenario, state.upgraded = True, upgraded
    found = closed_by(replay._replace(state=state))

    assert (found.rule if found else "") == expected


def test_every_rule_names_its_rows_and_citations() -> None:
    assert all(each.rows and each.cites for each in SPENDING_RULES)
