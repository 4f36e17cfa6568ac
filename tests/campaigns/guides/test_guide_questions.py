"""What guides ask of supplies, single choices and journeys, as a table reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.http import QueryDict

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.model import course, scenario_steps
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.files import Words, words_of
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from arkham.rules.campaign.state.answers import Answer, Journey
from arkham.rules.replaying import reported
from arkham.rules.snapshot import embedded_pool
from campaigns.questions.asking import answer_of, question_of
from campaigns.questions.question import EMBARK, FormQuestion, QuestionContext
from campaigns.words import log_entries
from campaigns.words.names import CampaignNames
from tests.rules.campaign.helpers.by_hand import words_by_hand
from tests.rules.campaign.helpers.games import a_game, begun, folded
from tests.rules.campaign.helpers.prompts import (
    asks,
    findings_about,
    numbers,
    option,
    strings,
)
from tests.rules.campaign.helpers.scenes import scene
from tests.rules.campaign.helpers.small import (
    DAISY,
    PEOPLE,
    ROLAND,
    a_guide,
    a_note,
    notes,
    settled,
)
from tests.rules.campaign.helpers.travelling import WORLD_GUIDE, in_london

Raw = dict[str, Any]
POISONED = "04102"
SECTIONS = [{"id": "supplies", "title": "Supplies", "type": "supplies"}]
PACKING: Raw = {
    "id": "pack",
    "type": "input",
    "input": {
        "type": "supplies",
        "id": "pack",
        "section": "supplies",
        "prompt": "Supplies",
        "points": [10, 7, 5, 4],
        "supplies": [
            {"id": "provisions", "name": "Provisions", "cost": 1, "multiple": True},
            {"id": "rope", "name": "Rope", "cost": 3},
        ],
    },
}
EATING: Raw = {
    "id": "eat",
    "type": "input",
    "input": {
        "type": "use_supplies",
        "investigator": "all",
        "section": "supplies",
        "id": "provisions",
        "name": "Provisions",
        "prompt": "Use provisions",
        "choices": [{"boolCondition": False, "effects": []}],
    },
}


def asking(replay: Replay, *steps: Raw) -> QuestionContext:
    """Return what a table is asked, with the words of these steps."""
    words = Words(words_of({"campaign": {"steps": list(steps)}}))
    return QuestionContext(
        replay, CampaignNames(embedded_pool(), replay.state.guide, words)
    )


def question(asked: QuestionContext) -> FormQuestion:
    """Return the question, which must exist."""
    found = question_of(asked)
    assert found is not None
    return found


def filled(values: dict[str, Sequence[str]]) -> QueryDict:
    """Return a form as it is sent."""
    data = QueryDict(mutable=True)
    for name, each in values.items():
        data.setlist(name, list(each))
    return data


def test_everyone_packs_for_their_own_points() -> None:
    """Each has a part of the form; supplies that are packed once have check boxes."""
    asked = asking(settled([PACKING], campaign_log=SECTIONS), PACKING)
    fields = question(asked).fields

    assert [(each.group, each.label, each.kind, each.hint) for each in fields] == [
        ("Roland Banks", "Provisions", "number", "1 point"),
        ("Roland Banks", "Rope", "tick", "3 points"),
        ("Daisy Walker", "Provisions", "number", "1 point"),
        ("Daisy Walker", "Rope", "tick", "3 points"),
    ]
    assert {each.budget for each in fields} == {7}
    data = filled({f"{ROLAND}.provisions": ["2"], f"{DAISY}.rope": ["1"]})
    assert answer_of(asked, question(asked), data).value == {
        ROLAND: {"provisions": 2},
        DAISY: {"rope": 1},
    }


def test_those_who_go_without_are_named() -> None:
    """Once supplies run out: the table chooses who, for as many as are missing."""
    steps = [PACKING, EATING]
    packed = {
        "type": "supplies",
        "step": "pack",
        "supplies": {ROLAND: {"provisions": 1}},
    }
    used = {"type": "choice_list", "step": "eat_used", "choices": {ROLAND: [1]}}
    hungry = asking(settled(steps, [packed], campaign_log=SECTIONS), *steps)
    lacking = asking(settled(steps, [packed, used], campaign_log=SECTIONS), *steps)

    first, second = question(hungry), question(lacking)
    assert [(each.hint, each.most, each.initial) for each in first.fields] == [
        ("has 1 left", 1, "1"),
        ("has 0 left", 0, "0"),
    ]
    assert (first.heading, second.heading) == ("Use provisions", "Who goes without?")
    (field,) = second.fields
    assert field.label == "Investigators"
    assert [each.label for each in field.options] == ["Roland Banks", "Daisy Walker"]
    given = answer_of(lacking, second, filled({"answer": [DAISY]}))
    assert list(given.value) == [DAISY]


def medicine(uses: int, bearers: list[str]) -> tuple[list[Raw], list[Raw]]:
    """Return the steps and answers up to whom the medicine heals."""
    poisoned = {"type": "add_card", "card": POISONED, "investigator": "$input_value"}
    bitten = asks(
        "investigator_choice",
        "bite",
        source="scenario",
        investigator="any",
        choices=[option("bitten", poisoned)],
    )
    cured = {"type": "remove_card", "card": POISONED, "investigator": "choice"}
    healing: Raw = {
        **EATING["input"],
        "investigator": "choice",
        "min": 0,
        "max": 4,
        "choices": [{"boolCondition": True, "effects": [cured]}],
    }
    steps = [PACKING, bitten, {"id": "eat", "type": "input", "input": healing}]
    given: list[Raw] = [
        {
            "type": "supplies",
            "step": "pack",
            "supplies": {ROLAND: {"provisions": uses}},
        },
        strings({code: ["bitten"] for code in bearers}, "bite"),
        numbers("eat", {ROLAND: [uses]}),
    ]
    return steps, given


@pytest.mark.parametrize("bearers", [[ROLAND], [ROLAND, DAISY]])
def test_medicine_heals_several_decks(bearers: list[str]) -> None:
    """Those with the card are offered, and the question names it."""
    steps, given = medicine(2, bearers)
    asked = asking(settled(steps, given, campaign_log=SECTIONS), *steps)
    (field,) = question(asked).fields
    assert question(asked).heading == "Who gives up Poisoned?"
    assert (field.kind, [each.value for each in field.options]) == ("several", bearers)
    assert field.how_many == f"Exactly {len(bearers)}."

    answer = answer_of(asked, question(asked), filled({"answer": bearers}))
    chosen = strings({code: [*ids] for code, ids in answer.value.items()}, answer.step)
    assert findings_about(asked.replay, chosen) == []
    after = settled(steps, [*given, chosen], campaign_log=SECTIONS)
    assert after.pending is None
    assert not any(after.state.people[code].story for code in bearers)


@pytest.mark.parametrize("healed", [[ROLAND], [DAISY], [], [ROLAND, DAISY]])
def test_one_medicine_heals_one_deck(healed: list[str]) -> None:
    """Of two decks with the card, one loses it: neither both nor none."""
    steps, given = medicine(1, [ROLAND, DAISY])
    asked = asking(settled(steps, given, campaign_log=SECTIONS), *steps)
    (field,) = question(asked).fields
    assert (field.kind, field.is_needed) == ("one", True)
    assert [each.value for each in field.options] == [ROLAND, DAISY]

    step = question(asked).pending.step
    chosen = strings({code: ["chosen_investigator"] for code in healed}, step)
    expected = [] if len(healed) == 1 else ["answer.how-many"]
    found = findings_about(asked.replay, chosen)
    assert [rule for rule, _cards in found] == expected
    if len(healed) == 1:
        answer = answer_of(asked, question(asked), filled({"answer": healed}))
        assert list(answer.value) == healed
        after = settled(steps, [*given, chosen], campaign_log=SECTIONS).state.people
        still = [code for code in (ROLAND, DAISY) if after[code].story]
        assert still == [code for code in (ROLAND, DAISY) if code not in healed]


def test_decks_that_cannot_be_upgraded_yet_are_not_to_be_upgraded() -> None:
    """The heading and the button say what the step is for."""
    for is_later, heading, button in (
        (False, "Upgrade your decks", "Decks are up to date"),
        (True, "Before you go on", "Continue"),
    ):
        step = {"type": "upgrade_decks", "skip_decks": is_later}
        raw: Raw = {"id": "decks", "type": "input", "input": step}
        found = question(asking(settled([raw]), raw))
        assert (found.heading, found.submit) == (heading, button)


@pytest.mark.parametrize(
    ("earns", "heading"), [(True, "Upgrade your decks"), (False, "Before you go on")]
)
def test_cards_are_saved_without_an_upgrade(earns: bool, heading: str) -> None:
    """Unless the step also pays experience; the log has the same words."""
    raw: Raw = {
        "id": "save",
        "type": "input",
        "input": {"type": "save_decks", "trauma": True, "adjust_xp": earns},
    }
    replay = settled([raw])
    assert replay.pending is not None
    pending = replay.pending._replace(scenario="one")
    asked = asking(replay._replace(pending=pending), raw)
    assert question(asked).heading == heading
    assert asked.names.excerpt("one", "save") == heading


@pytest.mark.parametrize("guide_id", own_guides())
def test_no_deck_is_upgraded_before_the_first_game(guide_id: str) -> None:
    """The set-up only gives decks their weaknesses."""
    own = open_own_guide(guide_id)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    first = own.guide.order[0] if guide_id in ("tcu", "rttcu") else SETUP
    asked = names.excerpt(first, "save_decks")
    assert asked == "Weaknesses in your decks"
    assert names.step("any", scenario_steps.SAVE_ALONE) == asked


def test_supplies_are_used_up_in_turn_by_default() -> None:
    """The form is filled in; the table may share them differently."""
    packed = {
        "type": "supplies",
        "step": "pack",
        "supplies": {ROLAND: {"provisions": 2}, DAISY: {"provisions": 3}},
    }
    log = settled([PACKING, EATING], [packed], campaign_log=SECTIONS)
    fields = question(asking(log, PACKING, EATING)).fields
    assert [(each.hint, each.initial) for each in fields] == [
        ("has 2 left", "1"),
        ("has 3 left", "1"),
    ]


def test_a_single_choice_is_ticked_by_name() -> None:
    """The heading says what; choosing no one is allowed."""
    step = asks(
        "investigator_choice",
        source="scenario",
        investigator="all",
        choices=[{**option("poisoned"), "text": "<i>Poisoned</i>"}],
    )
    asked = asking(settled([step]), step)
    found = question(asked)

    assert found.heading == "Poisoned"
    (field,) = found.fields
    assert (field.kind, field.least) == ("several", 0)
    assert answer_of(asked, found, filled({})).value == {}
    given = answer_of(asked, found, filled({"answer": [f"{ROLAND} poisoned"]}))
    assert given.value == {ROLAND: ("poisoned",)}


def test_a_short_text_is_the_heading_and_is_not_repeated() -> None:
    """Markup stays out of headings and choices."""
    step = {
        **asks("choose_one", choices=[option("a"), option("b")]),
        "text": "You must <b>decide</b>:",
    }
    step["input"]["choices"][0]["text"] = "<i>“Go [skull].”</i>"
    found = question(asking(settled([step]), step))

    assert (found.heading, str(found.text)) == ("You must decide", "")
    assert found.fields[0].options[0].label == "“Go Skull.”"


def test_a_place_has_its_name_on_the_map() -> None:
    """Its scenario is not revealed; side scenarios can be left again."""
    leaving = in_london()._replace(pending=Pending(SETUP, "", START, EMBARK))
    asked = QuestionContext(
        leaving, CampaignNames(embedded_pool(), WORLD_GUIDE, Words({}))
    )
    found = question(asked)

    assert [each.label for each in found.fields[0].options] == [
        "bombay: 1 time",
        "cairo: 1 time · side scenario",
        "rome: 1 time",
        "istanbul: 2 time",
    ]
    assert [each.name for each in found.fields] == ["answer", "passing"]
    given = answer_of(asked, found, filled({"answer": ["cairo"]}))
    assert given.value == Journey(
        "$campaign_setup", "cairo", "london", 1, "travelling", False, True
    )
    given = answer_of(asked, found, filled({"answer": ["rome"], "passing": ["1"]}))
    assert given.value.next_scenario == "travelling"


def test_a_place_shows_what_is_known_of_it() -> None:
    """Leads and files whose dossiers are open; where nothing is known, nothing."""
    own = open_own_guide("tskc")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    state = scene(own.guide, "riddles_and_rain", before=[course.Embark("london")])
    leaving = in_london()._replace(
        state=state, pending=Pending(SETUP, "", START, EMBARK)
    )
    for dossiers, said in (
        ((), "Anchorage: 2 time"),
        (("anchorage",), "Anchorage: 2 time · lead · file #33-K"),
    ):
        state.map = state.map._replace(dossiers=dossiers)
        found = question(QuestionContext(leaving, names))
        labels = {each.value: each.label for each in found.fields[0].options}
        assert labels["anchorage"] == said
        assert labels["moscow"] == "Moscow: 1 time · file #26-G4"
        assert labels["stockholm"] == "Stockholm: 1 time"
        assert "lead" in labels["istanbul"]


def test_ways_to_reach_no_resolution_are_distinguished() -> None:
    """By when each of them comes; by its id where the guide has no words for it."""
    none = {"title": "No resolution was reached", "text": "Over.", "steps": []}
    resigned = {**none, "id": "no_resolution_resigned"}
    defeated = {**none, "id": "no_resolution_defeated", "description": "All fell"}
    words = words_of({"one": {"id": "one", "resolutions": [resigned, defeated]}})
    names = CampaignNames(embedded_pool(), WORLD_GUIDE, Words(words))

    assert names.ending("one", "no_resolution_resigned") == (
        "No resolution was reached: resigned"
    )
    assert names.ending("one", "no_resolution_defeated") == (
        "No resolution was reached: all fell"
    )
    assert names.resolution("one", "no_resolution_defeated") == (
        "No resolution was reached"
    )


def test_the_way_to_no_resolution_is_said_once() -> None:
    """In campaigns kept by hand as well."""
    names = CampaignNames(embedded_pool(), guide_by_hand("ptc"), words_by_hand("ptc"))
    assert names.ending("the_last_king", "no_resolution_resigned") == (
        "No resolution was reached: some resigned"
    )


def test_two_choices_with_one_id_can_both_be_chosen() -> None:
    """Some guides repeat ids; each choice has its own words and outcome."""
    ask = asks(
        "choose_one",
        choices=[
            {**option("fate", a_note("first")), "text": "Help her."},
            {**option("fate", a_note("second")), "text": "Defy her."},
        ],
    )
    stems = {"campaign": {"id": "own", "setup": ["ask"], "steps": [ask]}}
    asking = QuestionContext(
        settled([ask]), CampaignNames(embedded_pool(), settled([ask]).state.guide,
                              Words(words_of(stems)))
    )  # fmt: skip
    question = question_of(asking)
    assert question is not None
    (field,) = question.fields
    assert [each.label for each in field.options] == ["Help her.", "Defy her."]

    value = field.options[1].value
    answer = answer_of(asking, question, QueryDict(f"answer={value}"))
    told = fold(asking.replay.state.guide, [*asking.replay.used, answer], PEOPLE)
    assert notes(reported(told)) == ["second"]
    assert log_entries.text_of(answer, asking.names) == "Defy her."


def test_lines_noted_in_play_have_the_words_of_their_guide() -> None:
    """In every round, on the form and in the timeline; the play step has them."""
    noted = {"id": "rain", "text": "It <i>rains</i>.", "effects": [a_note("rain")]}
    play: Raw = {
        "id": "$play_scenario",
        "type": "input",
        "input": {"type": "play_scenario", "campaign_log": [noted]},
    }
    raw = a_game("one", play=play)
    guide = a_guide(raw)
    names = CampaignNames(embedded_pool(), guide, Words(words_of({"one": raw})))
    asks_more = Answer("choice", "one", "$play_scenario", scenario_steps.NOTE)
    first = Answer("choice", "one", "$play_scenario_campaign_log", 0, choice="rain")
    again = Answer("choice", "one", "$play_scenario#1", scenario_steps.NOTE)
    asked = [*folded(guide, *begun("one", ROLAND)).used, asks_more]

    for answers in (asked, [*asked, first, again]):
        found = question(QuestionContext(fold(guide, answers, PEOPLE), names))
        assert found.heading == "What do you record in the campaign log?"
        (field,) = found.fields
        labels = [each.label for each in field.options]
        assert labels == ["It rains.", "Something else"]
    assert log_entries.text_of(first, names) == "It rains."


def test_going_without_is_shown_with_its_consequences() -> None:
    """In the words of the guide; by name alone if it has none."""
    hungry = {"boolCondition": False, "effects": []}
    for choice, said in (
        ({**hungry, "prompt": "Low on rations"}, "Roland Banks: Low on rations"),
        (hungry, "Roland Banks"),
    ):
        eating = {**EATING, "input": {**EATING["input"], "choices": [choice]}}
        asked = asking(settled([PACKING, eating], campaign_log=SECTIONS), eating)
        given = Answer("string_choices", SETUP, "eat", {ROLAND: ("",)})
        assert log_entries.text_of(given, asked.names) == said
