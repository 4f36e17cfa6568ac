"""Each kind of prompt waits for its answer and applies it."""

from __future__ import annotations

from typing import get_args

import pytest

from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.prompts import PROMPTS
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.prompts import asks, chosen, numbers, option, strings
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    SKIDS,
    Raw,
    a_note,
    a_step,
    notes,
    settled,
    state_of,
)

EARN: Raw = {"type": "earn_xp", "investigator": "$input_value", "bonus": 1}


def met(line_id: str) -> Raw:
    """A condition that is met if a line is recorded."""
    return {
        "type": "campaign_log",
        "section": "campaign_notes",
        "id": line_id,
        "options": [{"boolCondition": True}],
    }


@pytest.mark.parametrize("prompt", get_args(to.Prompt))
def test_every_prompt_has_a_row(prompt: type) -> None:
    """And a function that applies it."""
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
    """Later steps are not walked yet; the question has its kind of answer."""
    replay = settled([prompt, a_step(a_note("later"))])

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
def test_some_prompts_ask_no_question(prompt: Raw) -> None:
    """Unlinked campaigns send nothing; there are no cards to save in decks."""
    assert notes(state_of([prompt, a_step(a_note("later"))])) == ["later"]


def test_a_choice_is_numbered_among_the_available_ones() -> None:
    """Only choices whose condition is met are counted."""
    prompt = asks(
        "choose_one",
        choices=[
            option("a", a_note("chose a"), condition=met("never")),
            option("b", a_note("chose b"), hidden=True),
            option("c", a_note("chose c"), steps=["after"]),
        ],
    )
    steps = [prompt, a_step(a_note("after"), step_id="after")]

    assert notes(state_of(steps, [chosen(1)], setup=["ask"])) == ["chose c", "after"]
    pending = settled(steps, setup=["ask"]).pending
    assert pending is not None
    assert [offer.id for offer in pending.offers] == ["b", "c"]
    assert [offer.id for offer in pending.open_offers] == ["c"]


NOTHING_LEFT = [
    [option("a", a_note("chose a"), condition=met("never"))],
    [option(each, a_note(each), condition=met("never")) for each in ("a", "b")],
]


@pytest.mark.parametrize("choices", NOTHING_LEFT)
@pytest.mark.parametrize("is_answered", [False, True])
def test_where_nothing_can_be_chosen_nothing_is_asked(
    choices: list[Raw], is_answered: bool
) -> None:
    """This holds for one choice and for several, and for an earlier answer."""
    answer: Raw = {"type": "decision", "step": "ask", "decision": True}
    if len(choices) > 1:
        answer = chosen(0)
    steps = [asks("choose_one", choices=choices), a_step(a_note("later"))]
    replay = settled(steps, [answer] if is_answered else [])

    assert notes(reported(replay)) == ["later"]
    assert [each.rule for each in replay.problems] == ["fold.nothing-to-choose"]


def test_an_unknown_number_is_reported_and_asked_again() -> None:
    """It has no effect."""
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
    """No has no effect."""
    prompt = asks("choose_one", choices=[option("a", a_note("yes"))])
    answer = {"type": "decision", "step": "ask", "decision": decision}

    assert notes(state_of([prompt], [answer])) == expected


def test_a_repeatable_choice_is_asked_again_under_its_number() -> None:
    """So that the second answer is a separate record."""
    prompt = asks(
        "choose_one",
        choices=[
            option("again", a_note("again"), repeatable=True, steps=["ask"]),
            option("done", a_note("done")),
        ],
    )
    answers = [chosen(0), chosen(0, "ask#1"), chosen(1, "ask#2")]

    assert notes(state_of([prompt], answers)) == ["again", "again", "done"]


def test_a_number_is_passed_to_effects() -> None:
    """Victory display: all investigators earn it, and the bonus."""
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


def test_a_number_for_each_investigator_is_applied() -> None:
    """0 has no effect."""
    prompt = asks("investigator_counter", text="", effects=[{**EARN, "bonus": 0}])
    found = state_of([prompt], [numbers("ask", {ROLAND: [0], DAISY: [3]})])

    assert found["investigators"] == {DAISY: {"availableXp": 3}}


def test_prompts_that_follow_a_number_for_each_are_numbered() -> None:
    """Each weakness is asked for under the investigator's position."""
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
    """Effects apply to those with the same choice together, in the order of choices."""
    prompt = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[
            option("rich", {**EARN, "bonus": 3}, a_note("rich")),
            option("poor", EARN, a_note("poor")),
        ],
    )
    answer = strings({ROLAND: ["poor"], DAISY: ["rich"]})
    found = state_of([prompt], [answer])

    assert notes(found) == ["rich", "poor"]
    assert found["investigators"][DAISY] == {"availableXp": 3}
    assert found["investigators"][ROLAND] == {"availableXp": 1}


def test_investigators_are_asked_one_after_the_other() -> None:
    """Each under a number; a choice may no longer be available to the next."""
    prompt = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        special_mode="sequential",
        choices=[option("a", a_note("a")), option("b", a_note("b"))],
    )
    first = settled([prompt])
    second = settled([prompt], [strings({ROLAND: ["a"]})])
    both = [strings({ROLAND: ["a"]}), strings({DAISY: ["b"]}, "ask#1")]

    assert first.pending is not None
    assert second.pending is not None
    assert first.pending.codes == (ROLAND,)
    assert (second.pending.step, second.pending.codes) == ("ask#1", (DAISY,))
    assert notes(state_of([prompt], both)) == ["a", "b"]


def test_a_choice_can_depend_on_the_investigator() -> None:
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


def test_ticked_choices_apply_in_the_order_of_the_answer() -> None:
    prompt = asks(
        "checklist",
        text="",
        choices=[option("a", a_note("a")), option("b", a_note("b"))],
    )

    assert notes(
        state_of([prompt], [strings({"b": ["checked"], "a": ["checked"]})])
    ) == [
        "b",
        "a",
    ]


def test_each_item_gets_a_choice() -> None:
    """The item is passed to the effects."""
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


@pytest.mark.parametrize("kind", ["physical", "mental"])
def test_trauma_that_no_investigator_has_is_not_asked_for(kind: str) -> None:
    """Which and how much can be healed; the app asks all the same."""
    effects = [{"type": "trauma", "investigator": "$input_value", kind: -1}]
    maximum = f"{kind}_trauma"
    heal = asks("investigator_counter", investigator_max=maximum, effects=effects)
    hurt = a_step({"type": "trauma", "investigator": "all", kind: 1}, step_id="hurt")

    assert settled([heal], []).pending is None
    assert settled([hurt, heal], []).pending is not None
    assert settled([heal], [], strict=False).pending is not None


def test_each_investigator_chooses_physical_or_mental_trauma() -> None:
    """−1 heals one."""
    step = a_step(
        {"type": "trauma", "investigator": "all", "mental_or_physical": 1},
    )
    answer = strings({ROLAND: ["mental"], DAISY: ["physical"]}, "does_effects_trauma")

    assert state_of([step], [answer])["investigators"] == {
        ROLAND: {"mental": 1},
        DAISY: {"physical": 1},
    }


def test_a_named_investigator_is_not_asked() -> None:
    """In the app whether they play or not; by the rules only if they play (CARD-01)."""
    step = a_step(
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
def test_an_unavailable_choice_is_reported(prompt: Raw, given: Raw) -> None:
    """The others apply, and play continues."""
    replay = settled([prompt], [given])

    assert [(each.rule, each.found) for each in replay.problems] == [
        ("answer.unknown-choice", "b")
    ]
    assert replay.pending is None


CHOICES = [{"id": "a", "text": "", "effects": [a_note("a")]}]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "asked",
    [
        asks("investigator_choice", investigator="all", choices=CHOICES),
        asks("investigator_counter", text="", effects=[a_note("a")]),
        a_step({"type": "add_card", "investigator": "any", "card": "02016"}),
        a_step({"type": "add_weakness", "investigator": "all", "weakness_traits": []}),
    ],
)
def test_a_prompt_for_dead_investigators_is_skipped(asked: Raw, strict: bool) -> None:
    """The app shows it."""
    die = a_step(
        {"type": "trauma", "investigator": "all", "killed": True}, step_id="die"
    )
    after = a_step(a_note("after"), step_id="after")
    replay = settled([die, asked, after], strict=strict)
    alive = settled([asked, after], strict=strict)

    assert alive.pending is not None
    assert (replay.pending is None) is strict
    assert notes(reported(replay)) == (["after"] if strict else [])


def test_a_text_of_the_table_is_recorded() -> None:
    """Under the id of the effect."""
    prompt = asks(
        "text_box",
        effects=[{"type": "campaign_log_text", "section": "campaign_notes", "id": "w"}],
    )
    found = state_of([prompt], [{"type": "text", "step": "ask", "text": "It rained."}])

    assert found["sections"]["campaign_notes"]["entries"] == [
        {"type": "freeform", "id": "w", "text": "It rained."}
    ]


def test_an_option_is_drawn_for_each_choice() -> None:
    """The choice is passed to the option's effects."""
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
            },
            {"condition": "blue"},
        ],
    )
    drawn = strings({"a": ["blue"], "b": ["red"]})
    sections = state_of([prompt], [drawn])["sections"]

    assert sections["b"]["entries"] == [{"type": "basic", "id": "red"}]
    assert "a" not in sections
