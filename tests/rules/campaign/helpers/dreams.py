"""What is wrong with the field's guides of The Dream-Eaters, and how it is mended."""

from __future__ import annotations

from dataclasses import replace

from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import Plain, Scenario

ENDED = ("send_where_the_gods_dwell_done", "maybe_proceed_campaign_b")


def ended_below(scenario: Scenario) -> Scenario:
    """Where the Gods Dwell, Resolution 5: the other half learns that it is over.

    The field's guide sends it after every other end; without it the other half waits
    before its epilogue for ever.
    """
    found = scenario.resolutions["R5"]
    assert found.steps == (
        "dreamers_traveled_beneath_the_monastery",
        "send_dreamers_traveled_beneath_the_monastery",
    )
    ended = replace(found, steps=(*found.steps, *ENDED))
    return replace(scenario, resolutions={**scenario.resolutions, "R5": ended})


def killed_or_driven_insane(scenario: Scenario) -> Scenario:
    """The epilogue of The Dream-Quest: what Epilogues 5 and 13 say of this group.

    The field's guide has the words, and nothing comes of them.
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
    """The Great Ones in The Web of Dreams: the cat that was nowhere is with this group.

    The field's guide says what to write, and does not write it.
    """
    step_id = "move_cat_to_campaign_b_from_nowhere"
    found = scenario.steps[step_id]
    assert isinstance(found, Plain)
    assert found.batch is not None
    (token,) = found.batch.plain
    line = do.LogLine("campaign_notes", "black_cat_at_your_side_2")
    written = replace(found, batch=do.batch(token, line))
    return replace(scenario, steps={**scenario.steps, step_id: written})
