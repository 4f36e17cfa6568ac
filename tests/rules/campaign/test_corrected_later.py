"""Answers that an earlier correction has made impossible are asked for again."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.games import a_game, begun, folded
from tests.rules.campaign.helpers.prompts import (
    PARTNER,
    asks,
    chosen,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    Raw,
    a_guide,
    a_note,
    a_step,
    notes,
    settled,
)

POISONED = "04102"
PACK = asks(
    "supplies",
    "pack",
    section="supplies",
    points=[4],
    supplies=[{"id": "food", "name": "", "description": "", "cost": 1}],
)
CURE = {"type": "remove_card", "card": POISONED, "investigator": "choice"}
SUFFER = {"type": "trauma", "investigator": "$input_value", "physical": 1}
CHOSEN = ["chosen_investigator"]
CURES = "ask_effects_investigator"


def uses(who: str, *choices: Raw) -> Raw:
    return asks(
        "use_supplies",
        section="supplies",
        investigator=who,
        id="food",
        name="",
        prompt="",
        choices=[*choices],
    )


def poisoned(codes: tuple[str, ...], *answers: Raw) -> Replay:
    """Medicine is used in a campaign where these are poisoned; Roland packed two."""
    gains = [
        {"type": "add_card", "card": POISONED, "investigator": "$fixed_investigator",
         "fixed_investigator": code}
        for code in codes
    ]  # fmt: skip
    medicine = uses("choice", {"boolCondition": True, "effects": [CURE]})
    packed: Raw = {"type": "supplies", "step": "pack"}
    packed["supplies"] = {ROLAND: {"food": 2}}
    steps = [PACK, a_step(*gains), medicine, a_step(a_note("later"), step_id="later")]
    return settled(steps, [packed, *answers])


def asked(replay: Replay) -> Pending:
    assert replay.pending is not None
    return replay.pending


def test_the_cured_are_asked_for_again_if_less_medicine_was_used() -> None:
    """One of both, as for a new answer; until then no one is cured."""
    both = strings({ROLAND: CHOSEN, DAISY: CHOSEN}, CURES)
    found = poisoned((ROLAND, DAISY), numbers("ask", {ROLAND: [2]}), both)
    assert found.pending is None
    assert not any(
        POISONED in (found.state.people[c].story or ()) for c in (ROLAND, DAISY)
    )

    again = poisoned((ROLAND, DAISY), numbers("ask", {ROLAND: [1]}), both)
    assert (asked(again).step, asked(again).least, asked(again).most) == (CURES, 1, 1)
    one = strings({DAISY: CHOSEN}, CURES)
    after = poisoned((ROLAND, DAISY), numbers("ask", {ROLAND: [1]}), one)
    assert after.pending is None
    assert [c for c in (ROLAND, DAISY) if after.state.people[c].story] == [ROLAND]


def test_only_the_poisoned_are_cured() -> None:
    """Daisy turns out not to have been poisoned."""
    daisy = strings({DAISY: CHOSEN}, CURES)
    again = poisoned((ROLAND,), numbers("ask", {ROLAND: [1]}), daisy)
    assert (asked(again).step, asked(again).codes) == (CURES, (ROLAND,))


def test_no_more_is_used_than_was_packed() -> None:
    """How much is used is asked again."""
    again = poisoned((ROLAND, DAISY), numbers("ask", {ROLAND: [3]}))
    assert asked(again).step == "ask"


@pytest.mark.parametrize(("used", "step"), [(0, None), (1, "ask")])
def test_no_more_suffer_than_go_without(used: int, step: str | None) -> None:
    """Two were hungry; with a provision for one of them it is asked who isn’t."""
    hunger = uses("all", {"boolCondition": False, "effects": [SUFFER]})
    packed: Raw = {"type": "supplies", "step": "pack"}
    packed["supplies"] = {ROLAND: {"food": 2}}
    both = strings({ROLAND: ["suffers"], DAISY: ["suffers"]})
    given = [packed, numbers("ask_used", {ROLAND: [used]}), both]
    pending = settled([PACK, hunger], given).pending
    assert (pending.step if pending else None) == step


def noted(line_id: str, *, is_there: bool) -> Raw:
    """A condition on a line."""
    options = [{"boolCondition": is_there}]
    return {"type": "campaign_log", "section": "campaign_notes", "id": line_id,
            "options": options}  # fmt: skip


FIRST = asks("choose_one", "first", choices=[option("a", a_note("a")), option("b")])
WITH_A, WITHOUT = chosen(0, "first"), chosen(1, "first")
TWO = [option("x", condition=noted("a", is_there=True)), option("y")]


@pytest.mark.parametrize(
    ("step", "given"),
    [
        (
            asks("choicelist", items=TWO, choices=[option("z")]),
            strings({"x": ["z"], "y": ["z"]}),
        ),
        (
            asks("prologue_randomizer", choices=TWO, options=[{"condition": "z"}]),
            strings({"x": ["z"], "y": ["z"]}),
        ),
        (
            asks("counter", text="", effects=[], max={
                "type": "campaign_log_count", "section": "doubt",
            }),
            {"type": "count", "step": "ask", "count": 2},
        ),
    ],
)  # fmt: skip
def test_an_answer_that_no_longer_fits_is_asked_for_again(
    step: Raw, given: Raw
) -> None:
    """It is used as long as it fits; what else was answered stays."""
    doubt = {"type": "campaign_log_count", "section": "doubt", "operation": "add"}
    grows: Raw = {
        "id": "grows",
        "type": "branch",
        "condition": {
            **noted("a", is_there=True),
            "options": [{"boolCondition": True, "effects": [{**doubt, "value": 2}]}],
        },
    }
    steps = [FIRST, grows, step, a_step(a_note("later"), step_id="later")]
    assert settled(steps, [WITH_A, given]).pending is None
    assert asked(settled(steps, [WITHOUT, given])).step == "ask"
    app = settled(steps, [WITHOUT, given], strict=False)
    assert app.pending is None


def test_no_more_trauma_is_healed_than_there_is() -> None:
    """What is paid for it is asked again."""
    hurt = option("a", {"type": "trauma", "investigator": "all", "physical": 2})
    first = asks("choose_one", "first", choices=[hurt, option("b", a_note("b"))])
    heal = asks(
        "investigator_counter", text="", effects=[], investigator_max="physical_trauma"
    )
    given = numbers("ask", {ROLAND: [2]})
    both = [first, a_step({**SUFFER, "investigator": "all"}), heal]
    assert settled(both, [WITH_A, given]).pending is None
    assert asked(settled(both, [WITHOUT, given])).step == "ask"


def test_as_many_partners_are_chosen_as_are_asked_for() -> None:
    number = {"type": "campaign_log_count", "section": "doubt"}
    doubt = {**number, "operation": "add", "value": 2}
    first = asks("choose_one", "first", choices=[option("a", doubt), option("b")])
    pick = asks(
        "partner_choice", condition=PARTNER, prompt="", effects=[], quantity=number
    )
    given = strings({"p1": ["1"], "p2": ["1"]})
    assert settled([first, pick], [WITH_A, given]).pending is None
    assert asked(settled([first, pick], [WITHOUT, given])).step == "ask"


def named(choice_id: str, number: int = 0, step: str = "ask") -> Raw:
    """An answer to a choice, as a log stores it: with its id."""
    return {**chosen(number, step), "choice_id": choice_id}


def test_a_choice_that_is_no_longer_offered_is_asked_for_again() -> None:
    """The log is not wrong for that, and the earlier answer isn't used."""
    steps = [FIRST, asks("choose_one", choices=[*TWO, option("z")])]
    given = [WITH_A, named("x")]
    assert settled(steps, given).pending is None

    again = settled(steps, [WITHOUT, *given[1:]])
    assert [each.id for each in asked(again).offers] == ["y", "z"]
    assert again.problems == ()
    assert "ask" not in {each.step for each in again.used if isinstance(each, Answer)}
    after = settled(steps, [WITHOUT, *given[1:], named("z", 1)])
    assert after.pending is None


def test_a_branch_of_the_play_step_that_is_shut_is_asked_for_again() -> None:
    """What was chosen in play before stays."""
    shut = option("x", a_note("x"), condition=noted("never", is_there=True))
    branches = [option("a", a_note("a")), shut]
    play = asks("play_scenario", "$play_scenario", branches=branches)
    given = [named("a", 0, "$play_scenario"), named("x", 1, "$play_scenario#1")]
    for each in given:
        each["scenario"] = "one"
    replay = folded(a_guide(a_game("one", play=play)), *begun("one", ROLAND), *given)

    assert asked(replay).step == "$play_scenario#1"
    assert replay.problems == ()
    assert notes(reported(replay)) == ["a"]


@pytest.mark.parametrize(("held", "found"), [(0, None), (1, "ask")])
def test_with_no_token_to_remove_there_is_nothing_to_choose(
    held: int, found: str | None
) -> None:
    """And nothing wrong: the guide goes on."""
    one = {"type": "campaign_data", "campaign_data": "chaos_bag", "token": "cultist",
           "options": [{"numCondition": 1}]}  # fmt: skip
    take = {"type": "remove_chaos_token", "tokens": ["cultist"]}
    add = {"type": "add_chaos_token", "tokens": ["cultist"] * held}
    choices = [option(each, take, condition=one) for each in ("a", "b")]
    replay = settled([a_step(add), asks("choose_one", choices=choices)])

    assert (replay.pending and replay.pending.step) == found
    assert replay.problems == ()
