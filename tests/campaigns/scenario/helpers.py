"""Requests to the page of a scenario, and its stored state."""

from __future__ import annotations

from typing import Any

from django.test import Client

from campaigns.models import Campaign, PlayState
from campaigns.play import in_play
from tests.rules.campaign.helpers.small import DAISY, ROLAND

LEAD = {
    "type": "string_choices",
    "step": "$lead_investigator",
    "scenario": "torch",
    "choices": {DAISY: ["lead"]},
}
START = {"type": "start_scenario", "scenario": "torch"}
PLAYERS = {
    "type": "string_choices",
    "step": "$choose_investigators",
    "scenario": "torch",
    "choices": {ROLAND: ["chosen"], DAISY: ["chosen"]},
}


def scenario_page(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()


def do_at_table(
    client: Client, campaign: Campaign, do: str, seen: int = 0, **more: Any
) -> Any:
    data = {"scenario": "torch", "do": do, "seen": seen, **more}
    return client.post(f"/campaigns/{campaign.pk}/scenario/", data)


def play_as_program(client: Client, campaign: Campaign, **body: Any) -> Any:
    return client.post(
        f"/api/v1/campaigns/{campaign.pk}/play",
        {"scenario": "torch", "seen": 0, **body},
        content_type="application/json",
    )


def kept_play(campaign: Campaign) -> in_play.ScenarioInPlay:
    return in_play.read(PlayState.objects.get(campaign=campaign).content)
