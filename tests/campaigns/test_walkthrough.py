"""The document that keeps a campaign by API alone does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from campaigns.models import Campaign
from campaigns.provided import provide_guides
from campaigns.replays import replayed
from tests.campaigns.tables import NOW
from tests.campaigns.walkthrough import Walk, steps_of

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "api-walkthrough.md"


@pytest.mark.django_db
def test_a_campaign_is_kept_by_api_alone(alice: User, bob: User) -> None:
    """From two decks to the end of the campaign, every answer as it is written."""
    provide_guides(now=NOW)
    walk = Walk(ALICE=_key(alice), BOB=_key(bob))

    steps = list(steps_of(DOCUMENT.read_text(encoding="utf-8")))
    for step in steps:
        walk.take(step)

    assert len(steps) > 40
    campaign = Campaign.objects.get()
    assert replayed(campaign).replay.pending is None
    assert replayed(campaign).replay.state.campaign_result == "win"


def _key(owner: User) -> str:
    _key, text = accounts.make_key(
        owner=owner, name="walk", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return text
