"""Pages of the log of a campaign, and facts that are stated."""

from __future__ import annotations

from typing import Any

from django.test import Client

from arkham.rules.campaign.state.answers import Asserted, Stated
from campaigns import services
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import organiser_of, write_context


def page_of(client: Client, campaign: Campaign, path: str, status: int = 200) -> str:
    answer = client.get(f"/campaigns/{campaign.pk}/{path}")
    assert answer.status_code == status
    return str(answer.content.decode())


def post_to(client: Client, campaign: Campaign, path: str, **fields: Any) -> Any:
    sent = {"after": campaign.last, "key": "one", **fields}
    return client.post(f"/campaigns/{campaign.pk}/{path}", sent)


def state_fact(campaign: Campaign, fact: Stated | Asserted) -> None:
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        context=write_context(campaign),
    )
