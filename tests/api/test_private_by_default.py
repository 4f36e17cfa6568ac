"""Personal pages aren't cached by proxies, and a stolen cookie is useless."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign
from campaigns.people.table import token_of
from tests.campaigns.helpers.tables import a_campaign, organiser_of
from tests.rules.campaign.helpers.small import ROLAND

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """One of Alice's."""
    return a_campaign(alice, ROLAND)


@pytest.mark.parametrize(
    "path",
    ["/", "/decks/", "/decks/new/", "/campaigns/", "/campaigns/{pk}/", "/account/keys/",
     "/campaigns/{pk}/log/", "/cards/", "/rules/", "/api/v1/decks/", "/api/v1/me/",
     "/api/v1/campaigns/{pk}/", "/nothing"],
)  # fmt: skip
def test_pages_are_private(as_alice: Client, campaign: Campaign, path: str) -> None:
    """Only the browser may keep them, and must revalidate."""
    answer = as_alice.get(path.format(pk=campaign.pk))
    control = answer["Cache-Control"]

    assert "public" not in control
    assert "private" in control or "no-store" in control
    assert "no-cache" in control or "no-store" in control


@pytest.mark.parametrize("path", ["/api/v1/packs/", "/api/public/factions/"])
def test_public_responses_may_be_cached(client: Client, path: str) -> None:
    """By shared caches."""
    assert "public" in client.get(path)["Cache-Control"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("null", 403),
        ("http://testserver.evil.example", 403),
        ("http://testserver", 422),
        (None, 422),
    ],
)
def test_a_guests_cookie_is_useless_to_another_site(
    campaign: Campaign, origin: str | None, status: int
) -> None:
    """Its pages are refused; programs and our own pages get to the body (422)."""
    link = services.invite(
        campaign=campaign, member=organiser_of(campaign), now=datetime.now(UTC)
    )
    client = Client()
    client.post(
        "/api/v1/campaigns/join",
        {"token": token_of(link), "name": "Guest"},
        content_type="application/json",
    )
    answer = client.post(
        f"/api/v1/campaigns/{campaign.pk}/entries/",
        {},
        content_type="application/json",
        headers={"Origin": origin} if origin else {},
    )
    assert answer.status_code == status, answer.content
