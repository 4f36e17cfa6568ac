"""Our guides of The Dream-Eaters, answers, and corrections of the field's guides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.conditions import LogCheck
from arkham.rules.campaign.model.guide import Branch, CampaignGuide, Plain, Scenario
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.state.state import State
from tests.rules.campaign.helpers.scenes import Scenes, recorded

HALVES = ("tdea", "tdeb")
RANDOLPH, AWAKENING = "06059", "06233"
EARNED = do.EarnExperience("input")  # no experience, but Roland is known
ALONE = recorded("half_campaign", "hidden")
# The victory display is always worth 3; all cards are declined.
GIVEN: dict[str, Any] = {
    **dict.fromkeys(("earn_xp", "earn_xp_plus_5"), 3),
    **dict.fromkeys(("record_evidence_of_kadath", "record_steps_of_the_bridge"), 2),
    "gain_randolph_carter_effects_investigator": {},
    "randolph_escaped_hospital_alone_effects_investigator": {},
    "randolph_escaped_hospital_with_investigators_effects_investigator": {},
    "possess_silver_key_effects_investigator": {},
    "check_final_act": 0,
    "choose_fate": 0,
}


def guide_of(half: str) -> CampaignGuide:
    return open_own_guide(half).guide


def happens(half: str, scenario_id: str, *steps: str, **more: Any) -> State:
    """Run a scene of a half, with the usual answers unless others are given."""
    return Scenes(half, GIVEN)(scenario_id, *steps, **more)


# --- corrections of the field's guides

ENDED = ("send_where_the_gods_dwell_done", "maybe_proceed_campaign_b")


def ended_below(scenario: Scenario) -> Scenario:
    """Correct Where the Gods Dwell, Resolution 5: the other half learns the end.

    The field's guide sends this after every other resolution; without it the other half
    waits before its epilogue forever.
    """
    found = scenario.resolutions["R5"]
    assert found.steps == (
        "dreamers_traveled_beneath_the_monastery",
        "send_dreamers_traveled_beneath_the_monastery",
    )
    ended = replace(found, steps=(*found.steps, *ENDED))
    return replace(scenario, resolutions={**scenario.resolutions, "R5": ended})


def killed_or_driven_insane(scenario: Scenario) -> Scenario:
    """Correct the epilogue of The Dream-Quest: Epilogues 5 and 13 have effects.

    The field's guide only has the text, without effects.
    """
    steps = dict(scenario.steps)
    for step, fate in (
        ("campaign_a_killed", do.Trauma("all", killed=True)),
        ("campaign_a_insane", do.Trauma("all", insane=True)),
    ):
        assert steps[step] == Plain(step)
        steps[step] = Plain(step, do.batch(fate))
    return replace(scenario, steps=steps)


def come_to_the_side(scenario: Scenario) -> Scenario:
    """Correct The Great Ones in The Web of Dreams: the cat joins this group.

    The field's guide says what to record, but does not record it.
    """
    step_id = "move_cat_to_campaign_b_from_nowhere"
    found = scenario.steps[step_id]
    assert isinstance(found, Plain)
    assert found.batch is not None
    (token,) = found.batch.plain
    line = do.LogLine("campaign_notes", "black_cat_at_your_side_2")
    written = replace(found, batch=do.batch(token, line))
    return replace(scenario, steps={**scenario.steps, step_id: written})


def sent_after_all(scenario: Scenario) -> Scenario:
    """Correct The Oneironauts in The Web of Dreams: send that there is no message.

    The field's guide only shows the step that sends it; without it the other half waits
    in this interlude forever, if it threatened the cat.
    """
    found = scenario.steps["check_you_asked_for_it"]
    assert isinstance(found, Branch)
    assert isinstance(found.condition, LogCheck)
    by_key = dict(found.condition.options.by_key)
    assert by_key[True].steps == ()
    by_key[True] = replace(by_key[True], steps=("send_black_cat_mad",))
    options = replace(found.condition.options, by_key=by_key)
    sent = replace(found, condition=replace(found.condition, options=options))
    return replace(scenario, steps={**scenario.steps, found.id: sent})


# By half and scenario.
MENDED: dict[str, dict[str, Callable[[Scenario], Scenario]]] = {
    "tdea": {
        "tde_epilogue": killed_or_driven_insane,
        "where_gods_dwell": ended_below,
    },
    "tdeb": {
        "the_great_ones": come_to_the_side,
        "the_oneironauts": sent_after_all,
    },
}
