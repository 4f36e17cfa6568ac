"""Guides whose user closes their account."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from campaigns import queries, services
from campaigns.guides import keeping, opening
from campaigns.guides.opening import opened, packed
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from campaigns.people.table import Visitor
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    experience,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
TOLD = "What only its bringer may hand on"


@pytest.fixture
def brought(bob: User) -> Guide:
    """A guide of Bob's, with words."""
    guide = a_row(owner=bob, version=41)
    steps = {"who": {"text": TOLD}}
    words = {"scenarios": {SETUP: {"steps": steps}}, "log": {}}
    guide.words = packed(json.dumps(words).encode())
    guide.save()
    return guide


@pytest.fixture
def played(alice: User, bob: User, brought: Guide) -> Campaign:
    """Alice's campaign that uses it, with Bob as a member."""
    campaign = a_campaign(alice, ROLAND, DAISY, guide=brought)
    a_member(campaign, bob)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def test_its_campaign_goes_on(
    as_alice: Client, bob: User, played: Campaign, brought: Guide
) -> None:
    """With the same version, without its words and without an owner."""
    before = replayed(played).replay.state
    bob.delete()
    brought.refresh_from_db()

    assert (brought.owner, brought.words) == (None, None)
    assert replayed(Campaign.objects.get()).replay.state == before
    assert experience(played, ROLAND) == 3
    for page in ("", "log/", "timeline/", "people/", "settings/", "scenario/"):
        answer = as_alice.get(f"/campaigns/{played.pk}/{page}")
        assert answer.status_code == 200
    report(Campaign.objects.get(), as_answers(*won("two")))


def test_words_read_before_are_not_cached(
    as_alice: Client, alice: User, bob: User, brought: Guide
) -> None:
    """Not in the server's memory either."""
    campaign = a_campaign(alice, ROLAND, guide=brought)
    page = f"/campaigns/{campaign.pk}/"
    assert TOLD in as_alice.get(page).content.decode()
    bob.delete()
    answer = as_alice.get(page)
    assert answer.status_code == 200
    assert TOLD not in answer.content.decode()
    assert opening.words_text(Guide.objects.get()) == "{}"


def test_the_same_guide_with_other_words_keeps_its_own(
    as_alice: Client, alice: User, brought: Guide
) -> None:
    """Users who imported it without words don't get those of another."""
    page = f"/campaigns/{a_campaign(alice, ROLAND, guide=brought).pk}/"
    assert TOLD in as_alice.get(page).content.decode()
    hers = a_row(owner=alice, version=41)
    assert hers.digest == brought.digest
    page = f"/campaigns/{a_campaign(alice, ROLAND, guide=hers).pk}/"
    assert TOLD not in as_alice.get(page).content.decode()


def test_an_ownerless_guide_is_hidden(
    alice: User, charlie: User, bob: User, played: Campaign, api: APIClient
) -> None:
    """It doesn't become public: no campaign begins with it."""
    bob.delete()
    for user in (alice, charlie):
        assert not opening.usable_by(user).exists()
        assert not queries.usable_guides(Visitor(user, "")).exists()
    assert not opening.readable_by(charlie).exists()
    api.force_authenticate(alice)
    told_of = api.get(f"/api/v1/campaigns/{played.pk}/").json()["guide"]
    assert (told_of["origin"], told_of["private"]) == ("left", True)
    assert "Our own" not in api.get("/api/v1/guides/").content.decode()


def test_an_unused_guide_is_deleted(bob: User, brought: Guide) -> None:
    """With the account."""
    bob.delete()
    assert not Guide.objects.exists()


def test_side_scenarios_of_used_guides_are_kept(
    alice: User, bob: User, brought: Guide
) -> None:
    """The package that a used guide came with stays; another does not."""
    for digest in ("needed", "other"):
        side = a_row(owner=bob, version=9)
        Guide.objects.filter(pk=side.pk).update(digest=digest, guide_id=queries.SIDE)
    Guide.objects.filter(pk=brought.pk).update(side_digest="needed")
    brought.refresh_from_db()
    content = opened(Guide.objects.get(digest="needed")).scenarios
    campaign = a_campaign(alice, ROLAND, guide=brought)
    bob.delete()
    left = Guide.objects.filter(guide_id=queries.SIDE)
    assert [(each.digest, each.origin) for each in left] == [("needed", "left")]
    kept = Guide.objects.get(pk=brought.pk)
    assert content.keys() <= opened(kept).scenarios.keys()

    services.delete_campaign(campaign=campaign, member=organiser_of(campaign), now=NOW)
    assert not Guide.objects.exists()


def test_several_accounts_may_leave_the_same_guide(
    alice: User, bob: User, charlie: User, brought: Guide
) -> None:
    """Beside the public one; the operator may import it again."""
    for owner in (charlie, None):
        twin = Guide.objects.get(pk=brought.pk)
        twin.pk, twin.owner = None, owner
        twin.save()
    for guide in Guide.objects.filter(owner__isnull=False):
        a_campaign(alice, ROLAND, guide=guide)
    bob.delete()
    charlie.delete()
    assert Guide.objects.filter(origin=Guide.Origin.LEFT).count() == 2
    assert keeping.kept_of(None).count() == 1


def test_an_ownerless_guide_is_deleted_with_its_last_campaign(
    bob: User, played: Campaign, alice: User, brought: Guide
) -> None:
    """Not before."""
    other = services.branch(campaign=played, member=organiser_of(played), now=NOW)
    bob.delete()
    for campaign, is_there in ((played, True), (other, False)):
        services.delete_campaign(
            campaign=campaign, member=organiser_of(campaign), now=NOW
        )
        assert Guide.objects.filter(pk=brought.pk).exists() is is_there
