"""Prompts about cards, decks, supplies and partners apply their answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.campaign.helpers.prompts import (
    PARTNER,
    UPGRADED,
    asks,
    chosen,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    a_note,
    a_step,
    notes,
    settled,
    state_of,
)

DIES = a_step(
    {
        "type": "trauma",
        "investigator": "$fixed_investigator",
        "fixed_investigator": DAISY,
        "killed": True,
    }
)


def test_cards_are_chosen_or_counted() -> None:
    """Each with a line of its own, or all with their numbers."""
    one = asks(
        "card_choice",
        query=[{"code": ["x", "y"]}],
        choices=[
            option(
                "seen",
                {
                    "type": "campaign_log_cards",
                    "section": "campaign_notes",
                    "id": "$input_value",
                },
            )
        ],
    )
    many = asks(
        "card_choice",
        include_counts=True,
        query=[{"code": ["x", "y"]}],
        choices=[
            option(
                "seen",
                {
                    "type": "campaign_log_cards",
                    "section": "campaign_notes",
                    "id": "watched",
                    "cards": "$input_value",
                },
            )
        ],
    )

    found = state_of([one], [strings({"y": ["seen"]})])["sections"]["campaign_notes"]
    counted = state_of([many], [numbers("ask", {"x": [2], "y": [1]})])
    assert found["entries"] == [
        {"type": "card", "id": "y", "cards": [{"card": "y", "count": 1}]}
    ]
    assert [e["cards"] for e in counted["sections"]["campaign_notes"]["entries"]] == [
        [{"card": "x", "count": 2}],
        [{"card": "y", "count": 1}],
    ]


def test_an_investigator_may_take_a_card() -> None:
    """An answer without names means that no one takes it."""
    step = a_step({"type": "add_card", "investigator": "choice", "card": "02016"})
    asked = settled([step]).pending
    taken = state_of([step], [strings({DAISY: ["x"]}, "does_effects_investigator")])
    left = state_of([step], [strings({}, "does_effects_investigator")])

    assert asked is not None
    assert (asked.step, asked.prompt) == ("does_effects_investigator", "who_takes")
    assert asked.codes == (ROLAND, DAISY)
    assert taken["investigators"] == {DAISY: {"storyAssets": ["02016"]}}
    assert left["investigators"] == {}


def test_two_cards_of_one_step_have_one_answer() -> None:
    """Effects without a question are applied first."""
    step = a_step(
        {"type": "add_card", "investigator": "choice", "card": "a"},
        {"type": "add_card", "investigator": "choice", "card": "b"},
    )
    found = state_of([step], [strings({DAISY: ["x"]}, "does_effects_investigator")])

    assert found["investigators"] == {DAISY: {"storyAssets": ["a", "b"]}}


def test_decks_are_upgraded_with_corrections_of_the_table() -> None:
    """To experience, trauma and story cards."""
    earn = a_step({"type": "add_card", "investigator": "all", "card": "02016"})
    answers = [
        numbers(
            f"ask#{ROLAND}", {"xp": [2], "physical": [1], "mental": [0], "02016": [1]}
        ),
        UPGRADED,
    ]
    compare = {
        "id": "most",
        "type": "branch",
        "condition": {
            "type": "math",
            "operation": "compare",
            "opA": {"type": "most_xp_earned"},
            "opB": {"type": "constant", "value": 0},
            "options": [{"numCondition": 0, "effects": [a_note("settled")]}],
        },
    }
    found = state_of([earn, asks("upgrade_decks"), compare], answers)

    assert found["investigators"][ROLAND] == {
        "availableXp": 2,
        "physical": 1,
        "storyAssets": [],
    }
    assert notes(found) == ["settled"]


def test_story_cards_can_be_counted() -> None:
    """Never below zero; the card is listed only if there is a copy."""
    more = [numbers(f"ask#{ROLAND}", {"story#08723": [2]}), UPGRADED]
    fewer = [numbers(f"ask#{ROLAND}", {"story#08723": [-1]}), UPGRADED]

    assert state_of([asks("upgrade_decks")], more)["investigators"][ROLAND] == {
        "storyAssets": ["08723"],
        "cardCounts": {"08723": 2},
    }
    assert state_of([asks("upgrade_decks")], fewer)["investigators"][ROLAND] == {
        "storyAssets": [],
        "cardCounts": {"08723": 0},
    }


def test_decks_are_saved_only_if_there_is_something_to_save() -> None:
    """Such as a story card that isn't in a deck yet."""
    earn = a_step({"type": "add_card", "investigator": "all", "card": "02016"})
    later = a_step(a_note("later"), step_id="later")
    waiting = settled([earn, asks("save_decks"), later])
    found = state_of(
        [earn, asks("save_decks"), asks("save_decks", "again"), later], [UPGRADED]
    )

    assert waiting.pending is not None
    assert waiting.pending.step == "ask"
    assert notes(found) == ["later"]


PACK = asks(
    "supplies",
    "pack",
    section="supplies",
    points=[4],
    supplies=[{"id": "food", "name": "", "description": "", "cost": 1}],
)


def uses(supply: str, who: str, **more: Any) -> dict[str, Any]:
    """A question for the use of a supply, by one or all."""
    named = {"id": supply, "name": "", "prompt": ""}
    return asks("use_supplies", section="supplies", investigator=who, **named, **more)


def test_supplies_are_used_up() -> None:
    """One of two is left; the investigator without any suffers."""
    use = uses(
        "food",
        "all",
        choices=[
            {
                "boolCondition": False,
                "effects": [
                    {"type": "trauma", "investigator": "$input_value", "physical": 1}
                ],
            }
        ],
    )
    answers = [
        {"type": "supplies", "step": "pack", "supplies": {ROLAND: {"food": 2}}},
        numbers("ask_used", {ROLAND: [1]}),
        strings({DAISY: ["suffers"]}),
    ]
    found = state_of([PACK, use], answers)

    assert found["investigator_sections"]["supplies"][ROLAND]["entries"] == [
        {"type": "count", "id": "food", "count": 1}
    ]
    assert found["investigators"] == {DAISY: {"physical": 1}}


@pytest.mark.parametrize(("strict", "asked"), [(True, None), (False, "ask")])
def test_dead_investigators_need_no_supplies(strict: bool, asked: str | None) -> None:
    """One provision is enough if one of two was killed; in the app it is not."""
    use = uses(
        "food",
        "all",
        choices=[],
    )
    answers = [
        {"type": "supplies", "step": "pack", "supplies": {ROLAND: {"food": 2}}},
        numbers("ask_used", {ROLAND: [1]}),
    ]
    replay = settled([PACK, DIES, use], answers, strict=strict)
    before = settled([PACK, DIES, use], answers[:1], strict=strict).pending

    assert (replay.pending.step if replay.pending else None) == asked
    assert before is not None
    assert before.most == (1 if strict else 2)


@pytest.mark.parametrize(
    ("packed", "expected"), [({"glass": 1}, "saw"), ({}, "saw nothing")]
)
def test_a_prompt_may_depend_on_an_investigators_supplies(
    packed: dict[str, int], expected: str
) -> None:
    """One investigator is chosen."""
    pack = asks(
        "supplies",
        "pack",
        section="supplies",
        points=[4],
        supplies=[{"id": "glass", "name": "", "description": "", "cost": 1}],
    )
    look = asks(
        "investigator_choice_supplies",
        section="supplies",
        id="glass",
        name="",
        investigator="choice",
        prompt="",
        positiveChoice=option("yes", a_note("saw")),
        negativeChoice=option("no", a_note("saw nothing")),
    )
    answers = [
        {"type": "supplies", "step": "pack", "supplies": {ROLAND: packed}},
        strings({ROLAND: ["chosen"]}),
    ]

    assert notes(state_of([pack, look], answers)) == [expected]


def test_partners_are_chosen_assigned_and_hurt() -> None:
    """Damage equal to a partner's health defeats them."""
    hurt = asks("partner_trauma", section="team")
    assign = asks("investigator_choice_partner", "assign", condition=PARTNER, prompt="")
    defeated = settled([hurt, assign], [numbers("ask", {"p2": [2, 0]})]).pending
    found = state_of([assign], [strings({ROLAND: ["p1"], DAISY: ["none"]}, "assign")])

    assert defeated is not None
    assert defeated.keys == ("p1",)
    assert found["sections"]["team"]["entries"] == [
        {
            "type": "card",
            "id": "$selected_partners",
            "cards": [{"card": "p1", "count": 1}],
        },
        {
            "type": "card",
            "id": f"$investigator_partner_{ROLAND}",
            "cards": [{"card": "p1", "count": 1}],
        },
        {
            "type": "card",
            "id": f"$investigator_partner_{DAISY}",
            "cards": [{"card": "none", "count": 1}],
        },
    ]


@pytest.mark.parametrize(
    ("chosen", "asked"),
    [
        ({ROLAND: ["p2"], DAISY: ["p1"]}, ("p1", "p2")),
        ({ROLAND: ["p2"], DAISY: ["none"]}, ("p2",)),
        ({ROLAND: ["none"], DAISY: ["none"]}, None),
    ],
)
def test_only_partners_in_play_can_be_hurt(
    chosen: dict[str, list[str]], asked: tuple[str, ...] | None
) -> None:
    """If none was, there is no question."""
    hurt = asks("partner_trauma", section="team")
    assign = asks("investigator_choice_partner", "assign", condition=PARTNER, prompt="")
    pending = settled([assign, hurt], [strings(chosen, "assign")]).pending

    assert (pending and pending.codes) == asked


def test_crossed_out_partners_cannot_be_hurt() -> None:
    """Without a choice of partners, all remaining ones may have been in play."""
    hurt = asks("partner_trauma", section="team")
    again = asks("partner_trauma", "again", section="team")
    pending = settled([hurt, again], [numbers("ask", {"p2": [2, 0]})]).pending

    assert pending is not None
    assert (pending.step, pending.codes) == ("again", ("p1",))


def test_a_dead_investigator_has_no_partner() -> None:
    """Even if one was chosen: a later correction may have killed her."""
    assign = asks("investigator_choice_partner", "assign", condition=PARTNER, prompt="")
    both = strings({ROLAND: ["p1"], DAISY: ["p2"]}, "assign")
    found = state_of([DIES, assign], [both])["sections"]["team"]["entries"]

    assert [each["id"] for each in found] == [
        "$selected_partners",
        f"$investigator_partner_{ROLAND}",
    ]
    assert found[0]["cards"] == [{"card": "p1", "count": 1}]


def test_an_eliminated_partner_is_left_out() -> None:
    """She isn't hurt again: a later correction may have killed her."""
    hurt = asks("partner_trauma", section="team")
    assign = asks("investigator_choice_partner", "assign", condition=PARTNER, prompt="")
    again = asks("partner_trauma", "again", section="team")
    answers = [
        numbers("ask", {"p2": [2, 0]}),
        strings({ROLAND: ["p1"], DAISY: ["p2"]}, "assign"),
        numbers("again", {"p1": [1, 0], "p2": [1, 0]}),
    ]
    found = state_of([hurt, assign, again], answers)
    went = [each["cards"][0]["card"] for each in found["sections"]["team"]["entries"]]

    assert went == ["p1", "p1", "none"]
    assert found["investigators"]["p1"]["physical"] == 1
    assert found["investigators"]["p2"]["physical"] == 2


@pytest.mark.parametrize("answered", [{DAISY: ["used"]}, {ROLAND: ["used"]}])
def test_dead_investigators_use_no_supplies(answered: dict[str, list[str]]) -> None:
    """The question is asked again if only she was named, as in older logs."""
    use = uses(
        "food",
        "choice",
        choices=[],
    )
    packed = {"type": "supplies", "step": "pack", "supplies": {ROLAND: {"food": 1}}}
    replay = settled([PACK, DIES, use], [packed, strings(answered)])

    assert (replay.pending is not None) == (DAISY in answered)


@pytest.mark.parametrize("who", ["choice", "all"])
def test_a_supply_that_no_one_has_is_not_asked_for(who: str) -> None:
    """It counts as unused; if all need it, only those who suffer are asked for."""
    use = uses(
        "food",
        who,
        min=1,
        max=1,
        choices=[{"boolCondition": False, "effects": [a_note("hungry")]}],
    )
    empty = {"type": "supplies", "step": "pack", "supplies": {ROLAND: {}}}
    starving = [strings({ROLAND: ["x"], DAISY: ["x"]})] if who == "all" else []

    for given in ([], [numbers("ask_used" if who == "all" else "ask", {})]):
        replay = settled([PACK, use], [empty, *given, *starving])
        assert replay.pending is None
        assert replay.state.has_line("campaign_notes", "hungry")
    app = settled([PACK, use], [empty], strict=False).pending
    assert app is not None


def test_a_supply_that_would_do_nothing_counts_as_unused() -> None:
    """No deck has the card that it would remove."""
    gone = {"type": "remove_card", "investigator": "choice", "card": "04102"}
    use = uses(
        "medicine",
        "choice",
        choices=[
            {"boolCondition": True, "effects": [gone]},
            {"boolCondition": False, "effects": [a_note("unused")], "steps": ["after"]},
        ],
    )
    after = a_step(a_note("after"), step_id="after")

    assert notes(state_of([use, after], [])) == ["unused", "after", "after"]


def test_a_picked_partner_is_passed_to_effects() -> None:
    effect = {
        "type": "partner_status",
        "section": "team",
        "partner": "$input_value",
        "operation": "add",
        "status": "eliminated",
    }
    prompt = asks(
        "partner_choice",
        random=True,
        quantity={"type": "constant", "value": 1},
        prompt="",
        condition=PARTNER,
        effects=[effect],
    )

    assert state_of([prompt], [strings({"p2": ["1"]})])["investigators"] == {
        "p2": {"killed": True}
    }


@pytest.mark.parametrize(
    ("prompt", "alone"),
    [("partner_choice", []), ("investigator_choice_partner", [("none", 1)])],
)
def test_partners_are_not_asked_for_if_none_is_left(
    prompt: str, alone: list[tuple[str, int]]
) -> None:
    """Everyone goes alone; the app asks all the same."""
    none = {**PARTNER, "status": ["mia"]}
    ask = asks(prompt, condition=none, prompt="", effects=[])
    replay = settled([ask], [])
    app = settled([ask], [], strict=False).pending

    assert replay.pending is None
    goes_with = f"$investigator_partner_{ROLAND}"
    assert replay.state.sections["team"].cards(goes_with) == alone
    assert app is not None
    assert app.keys == ()


def test_a_choice_that_can_do_nothing_is_not_offered() -> None:
    """No partner has damage, and the bag has all frost tokens; the app offers both."""
    hurt = {**PARTNER, "status": ["alive", "has_damage"]}
    heals = {"type": "partner_status", "section": "team", "operation": "add"}
    heal = {**heals, "partner": "$input_value", "status": "heal_damage"}
    frost = {"type": "add_chaos_token", "tokens": ["frost"]}
    choices = [
        option("heal", steps=["heal"]),
        option("frost", frost),
        option("rest", a_note("a")),
    ]
    steps = [
        asks("partner_trauma", "hurt", section="team"),
        a_step({**frost, "tokens": ["frost"] * 7}),
        asks("choose_one", choices=choices),
        asks("choose_one", "again", choices=choices),
        asks("partner_choice", "heal", condition=hurt, prompt="", effects=[heal]),
    ]
    setup = [step["id"] for step in steps[:4]]

    def offered(damage: int, *answers: Any, strict: bool = True) -> list[str]:
        given = [numbers("hurt", {"p1": [damage, 0]}), *answers]
        asked = settled(steps, given, setup=setup, strict=strict).pending
        assert asked is not None
        return [each.id for each in asked.offers]

    assert offered(0) == ["frost", "rest"]
    assert offered(1) == ["heal", "frost", "rest"]
    assert offered(0, chosen(0)) == ["rest"]
    assert offered(0, chosen(1), strict=False) == ["heal", "frost", "rest"]
    # An earlier log, in which it was offered, stays as it is.
    earlier = {**chosen(0), "choice_id": "heal"}
    assert offered(0, earlier) == ["frost", "rest"]
