"""Every change by hand is put in words."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect, Mark, Tally
from arkham.rules.campaign.paper import EnteredInvestigator, Position, entered_at
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.answers import Answer, Changes, SideScenario
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.snapshot import embedded_pool
from campaigns.log.entries import Ticked
from campaigns.words import log_entries
from campaigns.words.names import CampaignNames
from campaigns.words.statements import _STATEMENTS, stated
from tests.campaigns.helpers.entries import effects
from tests.rules.campaign.helpers.by_hand import words_by_hand
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def names_of(campaign: str) -> CampaignNames:
    """Names of things in a campaign kept by hand."""
    guide, words = guide_by_hand(campaign), words_by_hand(campaign)
    return CampaignNames(embedded_pool(), guide, words)


def names_of_ours(campaign: str) -> CampaignNames:
    """Names of things in a campaign with our guide."""
    own = open_own_guide(campaign)
    return CampaignNames(embedded_pool(), own.guide, own.words)


@given(effects, st.lists(st.sampled_from([ROLAND, DAISY]), max_size=2).map(tuple))
def test_every_effect_has_words(effect: Effect, codes: tuple[str, ...]) -> None:
    """No effect is shown by the name of its class."""
    assert set(_STATEMENTS) == set(get_args(Effect))
    words = stated(effect, codes, names_of("core"))
    assert isinstance(words, str)


@pytest.mark.parametrize(
    ("effect", "codes", "words"),
    [
        (course.Bank(), (), "Decks are up to date"),
        (course.PlayedBefore("the_last_king"), (), "The Last King was played"),
        (
            do.LogLine("campaign_notes", "police_are_suspicious"),
            (),
            "Campaign Notes: recorded: “the police are suspicious of you.”",
        ),
        (do.LogCount("doubt", "", Tally.SET, 3), (), "Doubt: 3"),
        (do.LogLine("vips_slain", "", Mark.CROSS_OUT), (), "crossed out: VIPs Slain"),
        (course.Tokens(("skull", "skull", "0"), 1), (), "+2 × Skull, +1 × 0"),
        (course.SetDifficulty("hard"), (), "Difficulty: Hard"),
        (course.SetResult("win"), (), "The campaign is won"),
        (course.NextScenario("dim_carcosa"), (), "Dim Carcosa is next"),
        (course.Players(), (ROLAND, DAISY), "Players: Roland Banks, Daisy Walker"),
        (course.Outcome("resigned"), (ROLAND,), "Roland Banks: Resigned"),
        (do.Retire(), (ROLAND,), "Roland Banks: retires"),
        (do.EarnExperience("input", bonus=2), (DAISY,), "Daisy Walker: +2 experience"),
    ],
)
def test_effects_in_words(effect: Effect, codes: tuple[str, ...], words: str) -> None:
    assert stated(effect, codes, names_of("ptc")) == words


def test_items_of_achievements_have_names() -> None:
    """Those of the guide, else of their cards."""
    by_hand = names_of("tskc")
    assert by_hand.item("heart", "eye_of_ravens") == "The Eye of Ravens"
    words = {"achievements": {"heart": {"eye_of_ravens": "Eyes"}}}
    brought = CampaignNames(embedded_pool(), by_hand.guide, Words(words))
    assert brought.item("heart", "eye_of_ravens") == "Eyes"
    ticked = Ticked("heart", 0, ("eye_of_ravens",))
    assert log_entries.text_of(ticked, by_hand).endswith(": The Eye of Ravens")


def test_a_choice_of_several_is_shown_once() -> None:
    """With all names."""
    choice = {"03065": ("interviewed",), "03066": ("interviewed",), "03067": ()}
    given = Answer("string_choices", "the_last_king", "vips_interviewed", choice)
    names = names_of_ours("ptc")
    said = log_entries.text_of(given, names)
    assert said.count("Interviewed") == 1
    who = f"{names.card('03065')}, {names.card('03066')}"
    assert said == f"{names.card('03067')}; {who}: Interviewed"


def test_lines_that_are_sentences_are_joined_without_their_full_stops() -> None:
    """All but the last one’s."""
    lines = ("ghoul_priest_alive", "lita_finds_others", "house_burned")
    ticked = {f"campaign_notes.{line}": ("checked",) for line in lines}
    said = log_entries.text_of(
        Answer("string_choices", "torch", "lines", ticked), names_of("core")
    )
    assert said.startswith("the Ghoul Priest is still alive; Lita ")
    assert "cause; your house has burned" in said
    notes = Answer("inter_scenario", "torch", "", Changes((), ("Late.", "On and on…")))
    assert log_entries.text_of(notes, names_of("core")) == "Late; On and on…"


def test_a_symbol_that_repeats_a_word_is_left_out() -> None:
    words = Words({"log": {"current_day": {"night": "Night 1 ([night])"}}})
    names = CampaignNames(embedded_pool(), guide_by_hand("fhv"), words)
    assert names.line("current_day", WrittenLine("basic", "night")) == "Night 1"


def test_a_log_begun_on_paper_names_played_scenarios() -> None:
    names = names_of("ptc")
    position = Position("echoes_of_the_past", (EnteredInvestigator(ROLAND),), {"0": 1})
    words = [
        log_entries.text_of(each, names) for each in entered_at(names.guide, position)
    ]
    assert "Curtain Call was played" in words
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("campaign", "value", "words"),
    [
        ("core", 0, "Curse of the Rougarou, for 1 experience"),  # as it is printed
        ("tskc", 0, "Curse of the Rougarou"),  # free in that campaign
    ],
)
def test_a_side_scenario_shows_its_price(campaign: str, value: int, words: str) -> None:
    aside: Any = SideScenario("torch", "official", "", value)
    entry = Answer("start_side_scenario", "curse_of_the_rougarou", "", aside, 9)
    assert log_entries.text_of(entry, names_of(campaign)) == words


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("52013", "Unspeakable Oath: Cowardice"),
        ("52011", "Unspeakable Oath: Bloodthirst"),
        ("02040", "Dr. Henry Armitage"),  # another campaign has him too
        (ROLAND, "Roland Banks"),
        ("01098", "Haunted"),
    ],
)
def test_weaknesses_of_one_title_are_distinguished(code: str, name: str) -> None:
    assert names_of("core").card(code) == name


@pytest.mark.parametrize(
    ("effect", "codes"),
    [
        (do.LogLine("hidden", "always_true"), ()),
        (
            do.LogLine(do.INPUT, "a_curse", seat_section="hemlock_curse_count"),
            (ROLAND,),
        ),
        (do.LogCount("hidden", "dance_count", Tally.SET, 2), ()),
        (do.LogCards("hidden", "bravest_investigator", "$input_value"), (ROLAND,)),
        (do.SeatCount("hemlock_curse_count", "$count", "input", value=1), (ROLAND,)),
        (do.LogText("hidden"), ("seen",)),
    ],
)
def test_hidden_lines_are_not_named(effect: Effect, codes: tuple[str, ...]) -> None:
    """They matter to later scenarios and aren't on the sheet."""
    said = stated(effect, codes, names_of_ours("fhv"))
    assert said == "Something for a later scenario, not on the log sheet"


def test_a_number_marked_on_a_track_is_named_by_its_track() -> None:
    """The table entered it from its sheet, though its section is hidden."""
    effect = do.LogCount("hidden", "sr_theta_time", Tally.SET, 24)
    said = stated(effect, (), names_of_ours("tskc"))
    assert said == "Time Passed: Theta is written at 24"


def test_a_line_of_one_investigator_is_named_by_its_section() -> None:
    line = do.LogLine(do.INPUT, "do_no_harm", seat_section="task_progress")
    said = stated(line, (ROLAND,), names_of_ours("tdc"))
    assert said == "Task progress: recorded: “Roland Banks: Do No Harm”"
