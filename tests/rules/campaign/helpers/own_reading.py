"""Campaigns of one scenario in our own format, read from lines of TOML."""

from __future__ import annotations

from arkham.rules.campaign.model.guide import Step
from arkham.rules.campaign.reading.own import OwnReading, read_own

CAMPAIGN = """
name = "Ours"
version = 1
scenarios = ["one"]
setup = ["who"]

[bags]
easy = "0 skull"
standard = "-1 skull"
hard = "-2 skull"
expert = "-3 skull"

[sections.campaign_notes]
title = "Notes"

[sections.hidden]
title = "Hidden"
hidden = true

[lines.campaign_notes]
a = "a was written"

[encounter_sets]
rats = "Rats"

[steps.who]
ask = "investigators"
cites = ["set-up"]
"""


def reading_of(step: str, more: str = "", campaign: str = CAMPAIGN) -> OwnReading:
    """Read a campaign whose only scenario has one step with these lines."""
    scenario = (
        f'name = "One"\nsetup = ["x", "$play_scenario"]\n{more}\n'
        f'[steps.x]\ncites = ["set-up"]\n{step}\n'
    )
    return read_own("own", {"campaign": campaign.encode(), "one": scenario.encode()})


def step_of(step: str) -> Step:
    """Return the step that these lines define, and assert that they have no flaws."""
    reading = reading_of(step)
    assert reading.flaws == ()
    return reading.own.guide.scenarios["one"].steps["x"]
