"""Names of a campaign's things: none is an id, no two are alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Mark
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide
from arkham.rules.campaign.reading.files import Words, words_of
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.settlement import (
    LogChange,
    MapDifference,
    PersonDifference,
    ReplayDifference,
)
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.snapshot import embedded_pool
from campaigns.log.entries import DrawEntry
from campaigns.pages.paper import _became
from campaigns.questions.form import cards_named
from campaigns.words import log_entries
from campaigns.words.changes import PersonChanges, SectionChanges, describe_changes
from campaigns.words.names import CampaignNames
from campaigns.words.problems import problem_found
from campaigns.words.reasons import is_asked_by
from tests.rules.campaign.helpers.by_hand import words_by_hand
from tests.rules.campaign.helpers.prompts import PARTNER as PARTNERS
from tests.rules.campaign.helpers.prompts import asks
from tests.rules.campaign.helpers.small import DAISY, ROLAND, WHO, a_guide

POOL = embedded_pool()
OWN = CampaignNames(POOL, open_own_guide("core").guide, open_own_guide("core").words)
PARTNER = "08720"


def _asking(prompt: to.Prompt) -> CampaignGuide:
    """A campaign whose setup asks this."""
    guide = a_guide()
    setup = replace(guide.setup, steps={"ask": Ask("ask", prompt)})
    return replace(guide, setup=setup)


def _said(guide: CampaignGuide, value: dict[str, tuple[str, ...]]) -> str:
    names = CampaignNames(POOL, guide, Words({}))
    return log_entries.text_of(
        Answer("string_choices", "$campaign_setup", "ask", value), names
    )


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("zai_00301", "Bloodstone Knife"),  # of a side scenario no product has
        ("90009", "On the Lam (advanced)"),
        ("01010", "On the Lam"),
    ],
)
def test_cards_are_called_by_name(code: str, name: str) -> None:
    assert OWN.card(code) == name


def test_chosen_lines_are_shown_in_the_timeline() -> None:
    """Those of the guide in its words, the table's own as written."""
    chosen = ("campaign_notes", "doubt.$count", "campaign_notes.Rain-soaked. Late.",
              "campaign_notes.one$0")  # fmt: skip
    describe_changes = _said(
        _asking(to.ChooseLines(Mark.CIRCLE)), dict.fromkeys(chosen, ("chosen",))
    )

    assert describe_changes == (
        "Campaign Notes; Doubt: Count; Campaign Notes: Rain-soaked. Late; "
        "Campaign Notes: a note on One"
    )


def test_partners_are_shown_with_their_companions() -> None:
    """Also those who go alone."""
    go = asks("investigator_choice_partner", condition=PARTNERS, prompt="")
    guide = a_guide(setup=["who", "ask"], steps=[WHO, go])
    describe_changes = _said(guide, {ROLAND: (PARTNER,), DAISY: ("none",)})
    names = CampaignNames(POOL, guide_by_hand("eoe"), words_by_hand("eoe"))
    lines = [
        WrittenLine("card", f"$investigator_partner_{code}", cards=((partner, 1),))
        for code, partner in ((ROLAND, PARTNER), (DAISY, "none"))
    ]

    assert describe_changes.endswith("Daisy Walker: No one")
    assert [names.line("expedition_team", line) for line in lines] == [
        "Roland Banks with Dr. Amy Kensler",
        "Daisy Walker without a partner",
    ]


def test_a_missing_number_leaves_no_placeholder() -> None:
    counted = {
        "type": "campaign_log_count",
        "section": "campaign_notes",
        "id": "broken",
        "text": "the boundary is broken (#X#, #Y#).",
    }
    stems = {"campaign": {"id": "own", "steps": [{"id": "a", "effects": [counted]}]}}
    names = CampaignNames(POOL, a_guide(), Words(words_of(stems)))
    line = WrittenLine("count", "broken", number=2)

    assert names.line("campaign_notes", line) == "the boundary is broken (2, 0)."
    assert "#" not in names.phrase("campaign_notes", "broken")


def test_scenarios_of_one_title_are_numbered() -> None:
    """Fatal Mirage can be played three times."""
    names = CampaignNames(POOL, guide_by_hand("eoe"), words_by_hand("eoe"))
    describe_changes = [
        names.choice("ice_and_death", "skip", each)
        for each in ("fatal_mirage", "fatal_mirage_2", "fatal_mirage_3")
    ]
    assert len({*describe_changes}) == 3


def test_a_weakness_is_named_with_its_subtitle() -> None:
    """If several have its name."""
    (code,) = cards_named("Unspeakable Oath: Cowardice", POOL)
    assert POOL[code].subname == "Cowardice"
    assert OWN.card(code) == "Unspeakable Oath: Cowardice"
    with pytest.raises(LookupError, match="Cowardice"):
        cards_named("Unspeakable Oath", POOL)
    assert cards_named("Paranoia", POOL) == ["01097"]


def test_a_partners_status_is_shown() -> None:
    """Except words that only a guide uses."""
    assert [_became(each) for each in ("eliminated", "mia", "the_entity")] == [
        "crossed out",
        "missing",
        None,
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("$record_trauma#1", "Daisy Walker: Mental trauma"),
        (
            "$r_r1*investigator_status",
            "Daisy Walker: Defeated by horror: 1 mental trauma",
        ),
    ],
)
def test_trauma_is_a_defeat_only_at_the_end_of_a_scenario(step: str, said: str) -> None:
    answer = Answer("string_choices", "the_gathering", step, {DAISY: ("mental",)})
    assert log_entries.text_of(answer, OWN) == said


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        ("$record_trauma#1", "Who suffers trauma?"),
        ("$record_trauma#1_effects_trauma", "Physical or mental trauma?"),
        ("$draw_weakness#2_effects_weakness", "Which weakness was drawn?"),
    ],
)
def test_what_follows_a_question_has_its_own_heading(step: str, asked: str) -> None:
    assert OWN.step("the_gathering", step) == asked


def test_experience_saved_for_later_is_named() -> None:
    """A pool that the log sheet doesn't show has a name too."""
    saved = PersonDifference(DAISY, fate_is_new=False, pools=(("unspect_xp", 3),))
    changes = describe_changes(ReplayDifference((saved,)), OWN)
    assert changes.people[0].phrases == ("Experience saved for later: +3",)


def test_results_are_in_a_players_order() -> None:
    """Experience, trauma and cards; the log as its sheet has it."""
    person = PersonDifference(
        DAISY, 2, mental=1, gained=("01117",), pools=(("unspect_xp", 3),)
    )
    line = (WrittenLine("", "it"),)
    found = ("supplies", line), ("unknown", line), ("campaign_notes", line)
    changes = ReplayDifference((person,), tuple(LogChange(*each) for each in found))
    sections = [
        {"id": "campaign_notes", "title": "N"},
        {"id": "supplies", "title": "S"},
    ]
    guide = a_guide(campaign_log=sections)
    described = describe_changes(changes, CampaignNames(POOL, guide, Words({})))
    assert described.people[0].phrases == (
        "+2 experience",
        "Experience saved for later: +3",
        "+1 mental trauma",
        "gets Lita Chantler",
    )
    assert [each.title for each in described.sections] == ["N", "S", "Unknown"]


def test_removed_facts_are_shown() -> None:
    """Fates, results, marks, places and what each has of their own."""
    back = ReplayDifference(
        (PersonDifference(DAISY, fate_is_new=True, pools=(("resupply_points", -2),)),),
        (
            LogChange("campaign_notes", circled=(("it", False),), struck=False),
            LogChange(
                "supplies", (WrittenLine("count", "food", number=2),), code=ROLAND
            ),
        ),
        result_gone="lose",
        map=MapDifference("", closed=("rome",), keys=(("eye", ROLAND), ("ear", ""))),
    )
    names = CampaignNames(POOL, a_guide(), Words({}))
    found = describe_changes(back, names)
    assert not found.is_nothing
    assert found.people == (
        PersonChanges(
            "Daisy Walker",
            ("Resupply points: −2",),
            "Back in the campaign",
            (DAISY,),
        ),
    )
    assert found.sections == (
        SectionChanges(
            names.section("campaign_notes"),
            ("The whole section is no longer crossed out",),
            (),
            ("It, circled",),
        ),
        SectionChanges("Roland Banks: Supplies", ("Food: 2",), (), ()),
    )
    assert found.places == (
        "You haven’t set out yet",
        "Not open: Rome",
        "Eye: Roland Banks",
        "Ear: no one",
    )
    assert found.result == ("No longer: The investigators have lost.")
    assert describe_changes(ReplayDifference(), names).is_nothing


def test_random_results_are_named_as_offered() -> None:
    """A choice by its words though its id looks like a code; places are cards."""
    choices = (to.PromptChoice("r14"), to.PromptChoice("north_road"))
    describe_changes = {"steps": {"ask": {"choices": {"r14": "Fourteen"}}}}
    of_choice = _asking(to.ChooseOne(choices))
    names = CampaignNames(
        POOL, of_choice, Words({"scenarios": {"$campaign_setup": describe_changes}})
    )
    asked = DrawEntry("$campaign_setup", "ask", {"result": ["r14", "north_road"]})
    assert log_entries.text_of(asked, names) == "Fourteen, North road"

    of_place = _asking(to.RandomPlaces(("zxx_00189",)))
    names = CampaignNames(POOL, of_place, Words({}))
    place = DrawEntry("$campaign_setup", "ask", {"result": ["zxx_00189"]})
    assert log_entries.text_of(place, names) == "Unknown card (zxx_00189)"


def test_cards_that_leave_a_deck_are_named() -> None:
    """Of players' own campaigns too."""
    given = Answer("choice_list", "one", f"$upgrade_decks#{DAISY}", {"zxx_00033": (1,)})
    said = log_entries.text_of(given, CampaignNames(POOL, a_guide(), Words({})))
    assert said == "Unknown card (zxx_00033): 1"


def test_impossible_choices_are_named() -> None:
    """By the words of the choice, or the name of a card."""
    describe_changes = {"steps": {"ask": {"choices": {"old_man": "The old man"}}}}
    words = Words({"scenarios": {"$campaign_setup": describe_changes}})
    names = CampaignNames(
        POOL, _asking(to.ChooseOne((to.PromptChoice("old_man"),))), words
    )

    def found(what: str) -> str:
        problem = Problem("answer.unknown-choice", "$campaign_setup", "ask", what)
        return problem_found(problem, names).text.partition(": ")[2]

    assert found("old_man") == "You can’t choose this here: The old man"
    assert found(DAISY) == "You can’t choose this here: Daisy Walker"


@pytest.mark.parametrize(
    ("rule", "what", "named"),
    [
        ("log.suffered", f"osiris {DAISY}", "Boon of Osiris, Daisy Walker"),
        ("log.suffered", f"seeing-red {DAISY}", "Seeing Red, Daisy Walker"),
        ("bag.limit", "frost", "Frost"),
    ],
)
def test_things_in_problems_are_named(rule: str, what: str, named: str) -> None:
    """Who would suffer what gives no trauma; a token there are no more of."""
    problem = Problem(rule, "$campaign_setup", "ask", what)
    text = problem_found(problem, CampaignNames(POOL, a_guide(), Words({}))).text
    assert text.endswith(f": {named}")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (
            "Alarm level: #name# (#X#)",
            "Alarm level: Roland Banks (3), Daisy Walker (2)",
        ),
        ("they watch (#name# x#X#).", "they watch (Roland Banks x3, Daisy Walker x2)."),
        ("#X# of #name#", "3 of Roland Banks, 2 of Daisy Walker"),
        ("Saved: #name#", "Saved: Roland Banks, Daisy Walker"),
    ],
)
def test_a_line_gives_each_card_its_number(words: str, shown: str) -> None:
    """Each card of a line is followed by its count."""
    names = CampaignNames(POOL, OWN.guide, Words({"log": {"notes": {"line": words}}}))
    line = WrittenLine("card", "line", cards=(("01001", 3), ("01002", 2)))
    assert names.line("notes", line) == shown


def test_a_glyph_is_shown_with_its_meaning() -> None:
    own = open_own_guide("tdc")
    names = CampaignNames(POOL, own.guide, own.words)
    assert names.line("glyphs", WrittenLine("", "tdc_rune_a")) == "Rune A: Depths"


def test_a_question_with_a_notes_id_keeps_its_words() -> None:
    """Only the play step asks what to record."""
    ask = "ask_damage_campaign_log"
    prompt = to.ChooseOne((to.PromptChoice("yes"),))
    guide = a_guide()
    setup = replace(guide.setup, steps={ask: Ask(ask, prompt)})
    step = {"prompt": "How much damage?", "choices": {"yes": "Very much"}}
    words = Words({"scenarios": {SETUP: {"steps": {ask: step}}}})
    names = CampaignNames(POOL, replace(guide, setup=setup), words)
    assert names.step(SETUP, ask) == "How much damage?"
    assert names.choice(SETUP, ask, "yes") == "Very much"
    asked = names.step(SETUP, "$play_scenario_campaign_log")
    assert asked == "What do you record in the campaign log?"


@pytest.mark.parametrize(
    ("campaign", "scenario", "step", "asked", "expected"),
    [
        ("eoe", "endless_night", "choose_fatal_mirage", "choose_fatal_mirage", True),
        ("eoe", "endless_night", "choose_fatal_mirage", "choose_fatal_mirage#2", True),
        (
            "eoe", "endless_night", "choose_fatal_mirage",
            "choose_fatal_mirage_effects_investigator", True,
        ),
        (
            "eoe", "endless_night", "choose_fatal_mirage",
            "choose_fatal_mirage_again#2", False,
        ),
        ("ptc", "a_phantom_of_truth", "dream_1", "dream_10_choice", False),
    ],
)  # fmt: skip
def test_a_question_belongs_to_its_own_step(
    campaign: str, scenario: str, step: str, asked: str, expected: bool
) -> None:
    own = open_own_guide(campaign)
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    assert is_asked_by(scenario, step, asked, names) is expected
