"""Requests of programs to a campaign."""

from __future__ import annotations

from typing import Any

from django.test import Client

from campaigns.models import Campaign
from tests.rules.campaign.helpers.small import DAISY, ROLAND

API = "/api/v1/campaigns/"
JSON = "application/json"
WHO = {
    "kind": "string_choices",
    "payload": {
        "scenario": "$campaign_setup",
        "step": "who",
        "value": [[ROLAND, ["chosen"]], [DAISY, ["chosen"]]],
    },
}
COUNTED = {
    "kind": "count",
    "payload": {"scenario": "one", "step": "victory", "value": 5},
}


def post(client: Client, path: str, body: Any, **headers: str) -> Any:
    return client.post(f"{API}{path}", body, content_type=JSON, headers=headers)


def append_who(client: Client, campaign: Campaign, after: int, **headers: str) -> Any:
    body = {"after": after, "entry": WHO}
    return post(client, f"{campaign.pk}/entries/", body, **headers)


def problem_of(answer: Any) -> str:
    return str(answer.json()["type"]).removeprefix("urn:orne:problem:")
