"""Backups of the field's app, made by hand and sent to the page."""

from __future__ import annotations

import copy
import io
import json
from typing import Any

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import campaign_facts
from campaigns import services
from campaigns.people.table import Visitor
from campaigns.queries import usable_guides
from tests.campaigns.helpers.tables import NOW, who
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

ELSEWHERE = "eoe"  # its facts are known, its guide is missing in these tests
PLAYED = campaign_facts(ELSEWHERE).order[0]
INPUTS: list[Raw] = [
    {"type": "start_scenario", "scenario": "$campaign_setup"},
    {"scenario": "$campaign_setup", **who(ROLAND, DAISY)},
    *won("one"),
]


def upload(client: Client, content: bytes) -> Any:
    file = io.BytesIO(content)
    file.name = "backup.acb"
    return client.post("/campaigns/bring/", {"file": file})


def sent(client: Client, data: object) -> Any:
    return upload(client, json.dumps(data).encode())


def backup_of(guide: str = ELSEWHERE, **more: Any) -> dict[str, Any]:
    campaign = {"uuid": "a", "name": "Ours", "cycleCode": guide, "guideVersion": 3}
    inputs: list[Raw] = [
        *INPUTS,
        {"type": "start_scenario", "scenario": PLAYED},
    ]
    return copy.deepcopy(
        {
            "campaigns": [{**campaign, **more}],
            "guides": [{"uuid": "a", "inputs": inputs}],
        }
    )


def restore(user: User, data: object) -> services.BackupOutcome:
    usable = usable_guides(Visitor(user))
    return services.import_backup(organiser=user, data=data, usable=usable, now=NOW)
