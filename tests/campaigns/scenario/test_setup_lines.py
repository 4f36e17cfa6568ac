"""Which lines of the guide the setup has, and what they say."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.snapshot import embedded_pool
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.pages.board import board_of
from campaigns.pages.set_up import checklist, guide_lines, steps_to_read
from campaigns.words.names import CampaignNames
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.campaigns.scenario.helpers import PLAYERS, START
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import (
    DAISY,
    ROLAND,
    WHO,
    a_scenario,
    a_step,
)

pytestmark = pytest.mark.django_db


def test_a_question_that_is_passed_over_ends_no_setup(alice: User) -> None:
    """On its own a scenario has no decks to save: what follows is read all the same."""
    steps = {"id": "before"}, {"id": "after"}
    guide = a_row(a_game("one", *steps))
    campaign = a_campaign(alice, ROLAND, guide=guide, standalone="one")
    who_plays, drawn = (
        {"step": step, "scenario": "one", "type": kind, "choices": {ROLAND: chosen}}
        for step, kind, chosen in (
            ("$choose_investigators", "string_choices", ["chosen"]),
            ("$draw_standalone_weakness", "choice_list", [0]),
        )
    )
    report(campaign, as_answers(who_plays))
    assert steps_to_read(campaign, replayed(campaign).replay, "one") == []
    report(campaign, as_answers(drawn))
    replay = replayed(campaign).replay
    assert steps_to_read(campaign, replay, "one") == ["before", "after"]


@pytest.mark.parametrize("is_played", [True, False])
def test_an_interlude_that_is_played_needs_the_bag(
    alice: User, is_played: bool
) -> None:
    """Such as the prologue of The Circle Undone; others have nothing to set up."""
    plays = {
        "id": "$play_scenario",
        "type": "input",
        "input": {"type": "play_scenario"},
    }
    asks = {"id": "asks", "type": "input", "input": {"type": "counter", "effects": []}}
    prologue = a_scenario("prologue", plays if is_played else asks, type="interlude")
    bag = a_step({"type": "add_chaos_token", "tokens": ["0", "skull"]}, step_id="bag")
    guide = a_row(prologue, a_game("one"), setup=["who", "bag"], steps=[WHO, bag])
    campaign = a_campaign(alice, ROLAND, guide=guide)
    begins = {"type": "start_scenario", "scenario": "prologue"}
    report(campaign, as_answers(who(ROLAND), begins))
    parts = checklist(board_of(organiser_of(campaign)), "prologue")
    assert ("Chaos bag" in [each.title for each in parts]) == is_played


def test_the_setup_is_in_printed_order(playing: Campaign) -> None:
    """The investigators, the bag, then the scenario (SETUP-01)."""
    titles = [
        each.title for each in checklist(board_of(organiser_of(playing)), "torch")
    ]
    expected = ["Players", "Roland Banks", "Chaos bag", "Encounter sets"]
    assert [each for each in titles if each in expected] == expected


def test_rules_for_play_are_no_setup() -> None:
    """Their name is the line; texts with a heading that place something are setup."""
    own = open_own_guide("tfa")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    steps = ["three_acts_three_decks", "gather_encounter_sets"]
    lines = list(guide_lines(names, "threads_of_fate", steps))
    rules = {each.says: each.points for each in lines if each.is_rule}
    assert [*rules] == ["Three act decks"]
    assert rules["Three act decks"][0].startswith("<p>There are three act decks")
    own = open_own_guide("eoe")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    steps = ["starting_resources", "location_layout"]
    lines = list(guide_lines(names, "ice_and_death_part_2", steps))
    assert len(lines) == 2
    assert not any(each.is_rule for each in lines)


def test_every_line_of_the_setup_has_words() -> None:
    """The first point of a step that has only points is its line."""
    own = open_own_guide("tcu")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    step = ["gather_encounter_sets"]
    (line,) = guide_lines(names, "disappearance_at_the_twilight_estate", step)
    assert line.says == "Use only the 7 Spectral locations of At Death’s Doorstep."
    assert line.points == ()


def test_a_line_about_a_set_names_it() -> None:
    """Its tick is further up, among the sets."""
    own = open_own_guide("core")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    steps = ["gather_encounter_sets", "gather_cult"]
    (line,) = guide_lines(names, "arkham", steps)
    assert line.points == ("<p>Cult of Umôrdhoth</p>",)


def test_a_line_that_names_its_sets_doesnt_repeat_them() -> None:
    """Whatever the apostrophes."""
    own = open_own_guide("tcu")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    for scenario, aside in (
        ("the_witching_hour", "gather_agents"),
        ("union_and_disillusion", "set_aside_encounter_sets"),
    ):
        steps = ["gather_encounter_sets", aside]
        *_others, line = guide_lines(names, scenario, steps)
        assert "Set aside" in str(line.says)
        assert line.points == ()


def test_the_sets_to_tick_are_not_listed_again() -> None:
    """Neither where all are gathered, nor where the points name them."""
    own = open_own_guide("tdc")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    first, *_others = guide_lines(
        names, "obsidian_canyons", ["setup_v2", "spawn_inescapable"]
    )
    assert "Set aside all 11 cards" in str(first.says)
    assert not any("Cosmic Legacy" in point for point in first.points)

    own = open_own_guide("dwl")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    steps = ["gather_encounter_sets", "killed_silas_bishop"]
    *_others, line = guide_lines(names, "where_doom_awaits", steps)
    assert len(line.points) == 1
    assert "Hideous Abominations" in line.points[0]


def _table(client: Client, campaign: Campaign) -> str:
    page = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    return " ".join(page.partition('id="players-title"')[2].split())


def test_the_table_says_who_is_not_in_the_scenario(
    as_alice: Client, campaign: Campaign
) -> None:
    """As soon as it is known who plays."""
    report(campaign, as_answers(START))
    assert "not in this scenario" not in _table(as_alice, campaign)
    report(campaign, as_answers(PLAYERS | {"choices": {DAISY: ["chosen"]}}))
    assert _table(as_alice, campaign).count("not in this scenario") == 1


def test_the_last_lead_is_not_shown_while_a_new_one_is_asked(
    as_alice: Client, playing: Campaign
) -> None:
    """Each scenario has its own."""
    assert "· lead" in _table(as_alice, playing)
    ended = [each | {"scenario": "torch"} for each in won("torch")[3:]]
    report(playing, as_answers(*ended, START | {"scenario": "arkham"}))
    assert "· lead" not in _table(as_alice, playing)
