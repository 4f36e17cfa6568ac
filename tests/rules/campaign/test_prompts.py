"""What each kind of prompt does with its answer, and that it waits for one."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.prompts.registry import PROMPTS
from arkham.rules.campaign.records.report import reported
from tests.rules.campaign.small import (
    DAISY,
    ROLAND,
    SKIDS,
    does,
    line,
    notes,
    settled,
    state_of,
)

Raw = dict[str, Any]
EARN: Raw = {"type": "earn_xp", "investigator": "$input_value", "bonus": 1}


def asks(kind: str, step_id: str = "ask", **more: Any) -> Raw:
    """A step that asks."""
    return {"id": step_id, "type": "input", "input": {"type": kind, **more}}


def option(choice_id: str, *effects: Raw, **more: Any) -> Raw:
    """Something to choose."""
    return {"id": choice_id, "text": "", "effects": list(effects), **more}


def met(line_id: str) -> Raw:
    """A condition that is met if a line is written."""
    return {
        "type": "campaign_log",
        "section": "campaign_notes",
        "id": line_id,
        "options": [{"boolCondition": True}],
    }


def chosen(number: int, step: str = "ask") -> Raw:
    """The answer to a choice."""
    return {"type": "choice", "step": step, "choice": number}


def strings(choices: dict[str, list[str]], step: str = "ask") -> Raw:
    """An answer in words, by investigator or by choice."""
    return {"type": "string_choices", "step": step, "choices": choices}


def numbers(step: str, choices: dict[str, list[int]]) -> Raw:
    """An answer in numbers."""
    return {"type": "choice_list", "step": step, "choices": choices}


@pytest.mark.parametrize("prompt", get_args(to.Prompt))
def test_every_prompt_has_a_row(prompt: type) -> None:
    """With what it does once its turn comes; none is found by a guide only."""
    assert PROMPTS[prompt].walk is not None
    assert PROMPTS[prompt].name or prompt is to.SendLink


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        (asks("choose_one", choices=[option("a"), option("b")]), "choice"),
        (asks("choose_one", choices=[option("a")]), "decision"),
        (asks("counter", text="", effects=[]), "count"),
        (asks("investigator_counter", text="", effects=[]), "choice_list"),
        (
            asks(
                "investigator_choice",
                source="scenario",
                investigator="all",
                choices=[option("a")],
            ),
            "string_choices",
        ),
        (asks("checklist", text="", choices=[option("a")]), "string_choices"),
        (asks("choicelist", items=[], choices=[]), "string_choices"),
        (asks("card_choice", query=[], choices=[]), "string_choices"),
        (asks("card_choice", query=[], choices=[], include_counts=True), "choice_list"),
        (asks("play_scenario"), "choice"),
        (asks("upgrade_decks"), "decision"),
        (asks("save_decks", trauma=True), "decision"),
        (asks("supplies", section="supplies", points=[1], supplies=[]), "supplies"),
        (asks("text_box", effects=[]), "text"),
        (asks("receive_campaign_link", id="x", choices=[option("a")]), "choice"),
        (asks("prologue_randomizer", choices=[], options=[]), "string_choices"),
        (asks("partner_trauma", section="team"), "choice_list"),
    ],
)
def test_a_prompt_waits_for_its_answer(prompt: Raw, kind: str) -> None:
    """What follows it does not happen yet; the question says how it is answered."""
    replay = settled([prompt, does(line("later"))])

    assert replay.pending is not None
    assert (replay.pending.step, replay.pending.kind) == ("ask", kind)
    assert replay.scenarios[0].status == "started"
    assert replay.problems == ()


@pytest.mark.parametrize(
    "prompt",
    [
        asks("send_campaign_link", id="x", decision="y"),
        asks("receive_campaign_link", id="x", choices=[]),
        asks("save_decks"),
    ],
)
def test_some_prompts_ask_nobody(prompt: Raw) -> None:
    """Nothing is told to an unlinked campaign; no card waits for a deck."""
    assert notes(state_of([prompt, does(line("later"))])) == ["later"]


def test_one_of_those_that_can_be_had() -> None:
    """The number counts only the choices whose condition holds."""
    prompt = asks(
        "choose_one",
        choices=[
            option("a", line("chose a"), condition=met("never")),
            option("b", line("chose b"), hidden=True),
            option("c", line("chose c"), steps=["after"]),
        ],
    )
    steps = [prompt, does(line("after"), step_id="after")]

    assert notes(state_of(steps, [chosen(1)], setup=["ask"])) == ["chose c", "after"]
    pending = settled(steps, setup=["ask"]).pending
    assert pending is not None
    assert [offer.id for offer in pending.offers] == ["b", "c"]


def test_a_number_no_choice_has_is_told_and_asked_again() -> None:
    """Nothing follows from it."""
    prompt = asks("choose_one", choices=[option("a"), option("b")])
    replay = settled([prompt], [chosen(2)])

    assert (replay.problems[0].rule, replay.problems[0].step) == (
        "answer.out-of-range",
        "ask",
    )
    assert replay.pending is not None
    assert replay.pending.step == "ask"


@pytest.mark.parametrize(("decision", "expected"), [(True, ["yes"]), (False, [])])
def test_a_single_choice_is_yes_or_no(decision: bool, expected: list[str]) -> None:
    """Nothing follows from no."""
    prompt = asks("choose_one", choices=[option("a", line("yes"))])
    answer = {"type": "decision", "step": "ask", "decision": decision}

    assert notes(state_of([prompt], [answer])) == expected


def test_a_repeatable_choice_is_asked_again_under_its_number() -> None:
    """So that the second answer is another record."""
    prompt = asks(
        "choose_one",
        choices=[
            option("again", line("again"), repeatable=True, steps=["ask"]),
            option("done", line("done")),
        ],
    )
    answers = [chosen(0), chosen(0, "ask#1"), chosen(1, "ask#2")]

    assert notes(state_of([prompt], answers)) == ["again", "again", "done"]


def test_a_number_is_carried_to_the_effects() -> None:
    """Victory display: everybody earns it, and the bonus."""
    prompt = asks(
        "counter",
        text="",
        effects=[{"type": "earn_xp", "investigator": "all", "bonus": 2}],
    )
    found = state_of([prompt], [{"type": "count", "step": "ask", "count": 4}])

    assert found["investigators"] == {
        ROLAND: {"availableXp": 6},
        DAISY: {"availableXp": 6},
    }


def test_a_number_for_each_investigator() -> None:
    """Nothing follows from 0."""
    prompt = asks("investigator_counter", text="", effects=[{**EARN, "bonus": 0}])
    found = state_of([prompt], [numbers("ask", {ROLAND: [0], DAISY: [3]})])

    assert found["investigators"] == {DAISY: {"availableXp": 3}}


def test_prompts_of_a_number_for_each_are_told_apart() -> None:
    """Each weakness is asked for under the place of its investigator."""
    prompt = asks(
        "investigator_counter",
        text="",
        effects=[
            {
                "type": "add_weakness",
                "investigator": "$input_value",
                "weakness_traits": [],
            }
        ],
    )
    answers = [
        numbers("ask", {DAISY: [1], ROLAND: [1]}),
        strings({ROLAND: ["01096"]}, "ask_effects_0_weakness"),
        strings({DAISY: ["01097"]}, "ask_effects_1_weakness"),
    ]
    found = state_of([prompt], answers)

    assert found["investigators"] == {
        ROLAND: {"addedCards": ["01096"]},
        DAISY: {"addedCards": ["01097"]},
    }


def test_each_investigator_chooses() -> None:
    """Those with the same choice are carried together, in the order of choices."""
    prompt = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[
            option("rich", {**EARN, "bonus": 3}, line("rich")),
            option("poor", EARN, line("poor")),
        ],
    )
    answer = strings({ROLAND: ["poor"], DAISY: ["rich"]})
    found = state_of([prompt], [answer])

    assert notes(found) == ["rich", "poor"]
    assert found["investigators"][DAISY] == {"availableXp": 3}
    assert found["investigators"][ROLAND] == {"availableXp": 1}


def test_investigators_are_asked_one_after_the_other() -> None:
    """Each under a number; what one chooses another may no longer have."""
    prompt = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        special_mode="sequential",
        choices=[option("a", line("a")), option("b", line("b"))],
    )
    first = settled([prompt])
    second = settled([prompt], [strings({ROLAND: ["a"]})])
    both = [strings({ROLAND: ["a"]}), strings({DAISY: ["b"]}, "ask#1")]

    assert first.pending is not None
    assert second.pending is not None
    assert first.pending.codes == (ROLAND,)
    assert (second.pending.step, second.pending.codes) == ("ask#1", (DAISY,))
    assert notes(state_of([prompt], both)) == ["a", "b"]


def test_a_choice_can_be_only_for_some() -> None:
    """By class: Daisy is a seeker."""
    seeker = {
        "type": "investigator",
        "investigator": "each",
        "investigator_data": "faction",
        "options": [{"condition": "seeker"}],
    }
    prompt = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[option("books", condition=seeker), option("none")],
    )
    pending = settled([prompt]).pending

    assert pending is not None
    assert pending.by_code == ((ROLAND, ("none",)), (DAISY, ("books", "none")))


def test_what_was_ticked_follows_as_it_was_ticked() -> None:
    """In the order of the answer."""
    prompt = asks(
        "checklist", text="", choices=[option("a", line("a")), option("b", line("b"))]
    )

    assert notes(
        state_of([prompt], [strings({"b": ["checked"], "a": ["checked"]})])
    ) == [
        "b",
        "a",
    ]


def test_each_item_has_a_choice() -> None:
    """The item is what the effects carry."""
    prompt = asks(
        "choicelist",
        items=[option("docks"), option("shop")],
        choices=[
            option(
                "safe", {"type": "campaign_log", "section": "$input_value", "id": "s"}
            ),
            option(
                "lost", {"type": "campaign_log", "section": "$input_value", "id": "l"}
            ),
        ],
    )
    sections = state_of([prompt], [strings({"docks": ["lost"], "shop": ["safe"]})])[
        "sections"
    ]

    assert sections["docks"]["entries"] == [{"type": "basic", "id": "l"}]
    assert sections["shop"]["entries"] == [{"type": "basic", "id": "s"}]


def test_cards_are_chosen_or_counted() -> None:
    """Each under its own line, or all with their numbers."""
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


def test_somebody_takes_a_card_or_nobody() -> None:
    """An answer without names is that nobody takes it."""
    step = does({"type": "add_card", "investigator": "choice", "card": "02016"})
    asked = settled([step]).pending
    taken = state_of([step], [strings({DAISY: ["x"]}, "does_effects_investigator")])
    left = state_of([step], [strings({}, "does_effects_investigator")])

    assert asked is not None
    assert (asked.step, asked.prompt) == ("does_effects_investigator", "who_takes")
    assert asked.codes == (ROLAND, DAISY)
    assert taken["investigators"] == {DAISY: {"storyAssets": ["02016"]}}
    assert left["investigators"] == {}


def test_two_cards_of_one_step_have_one_answer() -> None:
    """Plain effects of the step come first."""
    step = does(
        {"type": "add_card", "investigator": "choice", "card": "a"},
        {"type": "add_card", "investigator": "choice", "card": "b"},
    )
    found = state_of([step], [strings({DAISY: ["x"]}, "does_effects_investigator")])

    assert found["investigators"] == {DAISY: {"storyAssets": ["a", "b"]}}


def test_physical_or_mental() -> None:
    """As each chooses; −1 heals one."""
    step = does(
        {"type": "trauma", "investigator": "all", "mental_or_physical": 1},
    )
    answer = strings({ROLAND: ["mental"], DAISY: ["physical"]}, "does_effects_trauma")

    assert state_of([step], [answer])["investigators"] == {
        ROLAND: {"mental": 1},
        DAISY: {"physical": 1},
    }


def test_a_named_investigator_is_not_asked() -> None:
    """Whether they play or not to the app; by the rules, if they do (CARD-01)."""
    step = does(
        {
            "type": "earn_xp",
            "investigator": "$fixed_investigator",
            "fixed_investigator": SKIDS,
            "bonus": 2,
        }
    )

    earned = {SKIDS: {"availableXp": 2}}
    assert state_of([step], strict=False)["investigators"] == earned
    assert state_of([step])["investigators"] == {}


UPGRADED: Raw = {"type": "decision", "step": "ask", "decision": True}


def test_decks_are_upgraded_with_what_the_table_corrects() -> None:
    """Experience, trauma and story cards; then all of it is settled."""
    earn = does({"type": "add_card", "investigator": "all", "card": "02016"})
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
            "options": [{"numCondition": 0, "effects": [line("settled")]}],
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
    """Never fewer than none; had only while there is one."""
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
    """A story card nobody's deck has yet."""
    earn = does({"type": "add_card", "investigator": "all", "card": "02016"})
    later = does(line("later"), step_id="later")
    waiting = settled([earn, asks("save_decks"), later])
    found = state_of(
        [earn, asks("save_decks"), asks("save_decks", "again"), later], [UPGRADED]
    )

    assert waiting.pending is not None
    assert waiting.pending.step == "ask"
    assert notes(found) == ["later"]


def test_supplies_are_used_up() -> None:
    """One of two is left; who had none suffers."""
    pack = asks(
        "supplies",
        "pack",
        section="supplies",
        points=[4],
        supplies=[{"id": "food", "name": "", "description": "", "cost": 1}],
    )
    use = asks(
        "use_supplies",
        section="supplies",
        id="food",
        name="",
        prompt="",
        investigator="all",
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
    found = state_of([pack, use], answers)

    assert found["investigator_sections"]["supplies"][ROLAND]["entries"] == [
        {"type": "count", "id": "food", "count": 1}
    ]
    assert found["investigators"] == {DAISY: {"physical": 1}}


@pytest.mark.parametrize(
    ("prompt", "given"),
    [
        (
            asks("investigator_choice", investigator="all", choices=[option("a")]),
            strings({ROLAND: ["a"], DAISY: ["b"]}),
        ),
        (
            asks("checklist", choices=[option("a")]),
            strings({"a": ["checked"], "b": ["checked"]}),
        ),
    ],
)
def test_what_nobody_could_choose_is_told(prompt: Raw, given: Raw) -> None:
    """The others hold, and the table goes on."""
    replay = settled([prompt], [given])

    assert [(each.rule, each.found) for each in replay.problems] == [
        ("answer.unknown-choice", "b")
    ]
    assert replay.pending is None


CHOICES = [{"id": "a", "text": "", "effects": [line("a")]}]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "asked",
    [
        asks("investigator_choice", investigator="all", choices=CHOICES),
        asks("investigator_counter", text="", effects=[line("a")]),
        does({"type": "add_card", "investigator": "any", "card": "02016"}),
        does({"type": "add_weakness", "investigator": "all", "weakness_traits": []}),
    ],
)
def test_nobody_is_asked_who_is_dead(asked: Raw, strict: bool) -> None:
    """What asks only investigators is passed over; the app shows it."""
    die = does({"type": "trauma", "investigator": "all", "killed": True}, step_id="die")
    after = does(line("after"), step_id="after")
    replay = settled([die, asked, after], strict=strict)
    alive = settled([asked, after], strict=strict)

    assert alive.pending is not None
    assert (replay.pending is None) is strict
    assert notes(reported(replay)) == (["after"] if strict else [])


@pytest.mark.parametrize(("strict", "asked"), [(True, None), (False, "ask")])
def test_the_dead_need_nothing(strict: bool, asked: str | None) -> None:
    """One provision is enough where one of two was killed; to the app it is not."""
    food = {"id": "food", "name": "", "description": "", "cost": 1}
    pack = asks("supplies", "pack", section="supplies", points=[4], supplies=[food])
    dies = does(
        {"type": "trauma", "investigator": "$fixed_investigator",
         "fixed_investigator": DAISY, "killed": True}
    )  # fmt: skip
    use = asks(
        "use_supplies",
        section="supplies",
        id="food",
        name="",
        prompt="",
        investigator="all",
        choices=[],
    )
    answers = [
        {"type": "supplies", "step": "pack", "supplies": {ROLAND: {"food": 2}}},
        numbers("ask_used", {ROLAND: [1]}),
    ]
    replay = settled([pack, dies, use], answers, strict=strict)
    before = settled([pack, dies, use], answers[:1], strict=strict).pending

    assert (replay.pending.step if replay.pending else None) == asked
    assert before is not None
    assert before.most == (1 if strict else 2)


@pytest.mark.parametrize(
    ("packed", "expected"), [({"glass": 1}, "saw"), ({}, "saw nothing")]
)
def test_what_follows_from_ones_supplies(packed: dict[str, int], expected: str) -> None:
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
        positiveChoice=option("yes", line("saw")),
        negativeChoice=option("no", line("saw nothing")),
    )
    answers = [
        {"type": "supplies", "step": "pack", "supplies": {ROLAND: packed}},
        strings({ROLAND: ["chosen"]}),
    ]

    assert notes(state_of([pack, look], answers)) == [expected]


def test_words_of_ones_own_are_written_down() -> None:
    """Under the id of the effect."""
    prompt = asks(
        "text_box",
        effects=[{"type": "campaign_log_text", "section": "campaign_notes", "id": "w"}],
    )
    found = state_of([prompt], [{"type": "text", "step": "ask", "text": "It rained."}])

    assert found["sections"]["campaign_notes"]["entries"] == [
        {"type": "freeform", "id": "w", "text": "It rained."}
    ]


PARTNER: Raw = {
    "type": "partner_status",
    "section": "team",
    "partner": "any",
    "operation": "all",
    "status": ["alive"],
    "options": [{"boolCondition": True}],
}


def test_partners_are_chosen_assigned_and_hurt() -> None:
    """Damage that reaches a partner's health defeats them."""
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


def test_a_partner_is_picked() -> None:
    """The effects carry them."""
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


def test_an_option_is_drawn_for_each_choice() -> None:
    """The choice is what the option's effects carry."""
    prompt = asks(
        "prologue_randomizer",
        prompt="",
        choices=[option("a"), option("b")],
        options=[
            {
                "condition": "red",
                "effects": [
                    {"type": "campaign_log", "section": "$input_value", "id": "red"}
                ],
            }
        ],
    )
    sections = state_of([prompt], [strings({"b": ["red"]})])["sections"]

    assert sections["b"]["entries"] == [{"type": "basic", "id": "red"}]
    assert "a" not in sections
