"""Campaigns as files: exported, imported, refused."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from campaigns import services
from campaigns.models import Campaign
from campaigns.people.table import Visitor
from campaigns.play.in_play import Act
from campaigns.queries import usable_guides
from campaigns.services import Imported
from tests.campaigns.helpers.entries import FIXTURES
from tests.campaigns.helpers.tables import NOW, organiser_of

FILES = FIXTURES / "files"  # one of each version, as it was written then
API = "/api/v1/campaigns/"


def import_as(user: User, data: object) -> Imported:
    return services.import_campaign(
        organiser=user, data=data, usable=usable_guides(Visitor(user)), now=NOW
    )


def exported(campaign: Campaign) -> dict[str, Any]:
    """Return an exported file as another program would read it."""
    data = services.export_campaign(member=organiser_of(campaign))
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


def without_uuid(data: dict[str, Any]) -> dict[str, Any]:
    """Return all but the campaign's id in files: an imported campaign has a new one."""
    return data | {"id": ""}


def faults_of(user: User, data: object) -> list[str]:
    with pytest.raises(Unreadable) as caught:
        import_as(user, data)
    return [each.pointer for each in caught.value.faults]


def play_acts(campaign: Campaign, *acts: str, what: str = "") -> None:
    member = organiser_of(campaign)
    for act in acts:
        do, _colon, named = act.partition(":")
        services.play(
            campaign=campaign,
            member=member,
            scenario="two",
            act=Act(do, named or what, 999),
            now=NOW,
        )


def send_file(client: Client, text: str | bytes) -> Any:
    content = text.encode() if isinstance(text, str) else text
    file = io.BytesIO(content)
    file.name = "campaign.json"
    return client.post("/campaigns/bring/", {"file": file})
