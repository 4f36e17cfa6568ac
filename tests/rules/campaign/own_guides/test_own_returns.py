"""Our guides of Return to boxes, which are based on our guides of the originals."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.reading.own import open_own_guide, read_own
from tests.rules.campaign.helpers.own_reading import CAMPAIGN
from tests.rules.campaign.helpers.scenes import ROLAND, recorded, scene


def test_a_return_to_guide_extends_the_original() -> None:
    """Its own scenarios, those it keeps unchanged, and no others."""
    files = {
        "below/campaign": CAMPAIGN.replace('["one"]', '["one", "two"]'),
        "below/one": 'name = "One"\nsetup = ["x"]\n[steps.x]\ncites = ["set-up"]\n'
        '[steps.y]\ncites = ["set-up"]\ntext = "As below"\n',
        "below/two": 'like = "one"\nkind = "interlude"\nname = "Two"\n',
        "below/three": 'name = "Three"\nsetup = []\n',
        "campaign": 'over = "own"\nkeeps = ["two"]\nname = "Return"\n'
        'scenarios = ["new", "two"]\n[lines.campaign_notes]\nb = "b was written"\n',
        "new": 'like = "below/one"\nwithout = ["x"]\nname = "New"\nsetup = ["y"]\n',
    }
    reading = read_own("rtown", {name: text.encode() for name, text in files.items()})
    own = reading.own

    assert reading.flaws == ()
    assert (own.guide.name, own.guide.order) == ("Return", ("new", "two"))
    assert {each.id: each.name for each in own.guide.scenarios.values()} == {
        "new": "New",
        "two": "Two",
    }
    assert set(own.guide.scenarios["new"].steps) == {"y"}
    assert set(own.guide.scenarios["two"].steps) == {"x", "y"}
    assert own.words.step("new", "y")["text"] == "As below"
    assert own.words.step("new", "y")["cites"] == ["New, set-up"]
    assert own.guide.setup.steps.keys() == {"who"}
    lines = own.raw_words["log"]["campaign_notes"]
    assert lines == {"a": "a was written", "b": "b was written"}


@pytest.mark.parametrize(
    ("tokens", "choice"),
    [("cultist tablet", 3), ("cultist elder_thing", 4), ("tablet elder_thing", 5)],
)
def test_three_more_acts_of_curtain_call_change_the_bag(
    tokens: str, choice: int
) -> None:
    """Each adds two symbols."""
    state = scene(
        open_own_guide("rtptc").guide,
        "return_to_curtain_call",
        ["add_chaos_token"],
        given={"add_chaos_token": choice},
    )
    assert dict(state.bag) == dict.fromkeys(tokens.split(), 1)


@pytest.mark.parametrize(
    ("conviction", "doubt", "act"),
    [(2, 1, "more_or_equal_conviction_act_2_v3"),
     (1, 1, "more_or_equal_conviction_act_2_v3"),
     (1, 2, "more_doubt_act_2_v4")],
)  # fmt: skip
def test_conviction_and_doubt_decide_the_act_in_the_asylum(
    conviction: int, doubt: int, act: str
) -> None:
    """Not the clasp."""
    state = scene(
        open_own_guide("rtptc").guide,
        "return_to_the_unspeakable_oath",
        ["select_act_2_compare_doubt_conviction"],
        before=[
            do.LogCount("conviction", value=conviction),
            do.LogCount("doubt", value=doubt),
        ],
    )
    assert [each.step for each in state.texts][-1] == act


def test_naomi_may_join_a_deck_on_the_hill() -> None:
    """If she has your back; in the original she gives clues instead."""
    state = scene(
        open_own_guide("rtdwl").guide,
        "return_to_where_doom_awaits",
        ["check_naomi_has_back"],
        before=[recorded("naomi_has_back")],
        given={"gain_naomi_award_effects_investigator": {ROLAND: (0,)}},
    )
    assert state.people[ROLAND].story == ("51052",)


@pytest.mark.parametrize(
    ("guide", "scenario"),
    [("core", "arkham"), ("rtnotz", "return_to_the_midnight_masks")],
)
def test_the_map_of_the_midnight_masks_leaves_out_a_burned_house(
    guide: str, scenario: str
) -> None:
    words = open_own_guide(guide).words
    standing = words.step(scenario, "start_at_house")["layout"]
    burned = words.step(scenario, "remove_house")["layout"]
    assert standing[-1] == ["St. Mary’s Hospital", "Southside", "Your House"]
    assert burned == [*standing[:-1], ["St. Mary’s Hospital", "Southside", ""]]
    assert "layout" not in words.step(scenario, "setup_locations")
