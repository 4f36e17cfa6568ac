"""The demo's campaign: one scenario played, created once, stored like any other."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import NOW, have_our_guides
from tests.decks.helpers import text_of
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db


def test_the_demo_has_played_one_scenario(alice: User) -> None:
    """Both have earned experience, one was defeated, the linked deck has its cards."""
    have_our_guides()
    campaign = services.ensure_demo_campaign(owner=alice, now=NOW)
    assert campaign is not None
    replay = replayed(campaign).replay
    assert replay.problems == ()
    assert replay.pending is not None
    assert (replay.pending.scenario, replay.pending.step) == ("torch", "$upgrade_decks")
    people = replay.state.people
    assert [
        (code, people[code].experience, people[code].physical)
        for code in (DAISY, ROLAND)
    ] == [(DAISY, 5, None), (ROLAND, 5, 1)]
    deck = alice.decks.get()
    assert sum(deck.ledger.values_list("amount", flat=True)) == 5
    latest = deck.revisions.get(number=deck.revision)
    assert latest.aftermath == {"granted": {"01117": 1}}
    slots = latest.content.deck["slots"]
    assert (slots.get("01000"), slots.get("01098")) == (None, 1)


def test_the_demo_is_created_once(alice: User) -> None:
    """Neither for an account with a campaign, nor without the guide."""
    assert services.ensure_demo_campaign(owner=alice, now=NOW) is None
    have_our_guides()
    for _start in range(2):
        services.ensure_demo_campaign(owner=alice, now=NOW)
    assert Campaign.objects.count() == 1
    assert alice.decks.count() == 1


def test_its_timeline_names_the_choices(alice: User) -> None:
    """By their ids, though the demo sends their numbers."""
    have_our_guides()
    campaign = services.ensure_demo_campaign(owner=alice, now=NOW)
    assert campaign is not None
    chosen = [
        each.choice
        for each in replayed(campaign).replay.used
        if isinstance(each, Answer) and each.kind == "choice"
    ]
    assert chosen == ["standard", "$finish", "R1"]


def test_its_log_explains_each_change(alice: User, as_alice: Client) -> None:
    """The answer is quoted beside its own question alone."""
    have_our_guides()
    campaign = services.ensure_demo_campaign(owner=alice, now=NOW)
    assert campaign is not None
    page = text_of(as_alice.get(f"/campaigns/{campaign.pk}/log/"))
    assert "Which weakness was drawn? · “Daisy Walker: Haunted" in page
    assert "Experience from the resolution alice," in page
    assert "1 mental trauma for the lead investigator. alice," in page
    assert "What happened?" not in page
    page = text_of(as_alice.get(f"/campaigns/{campaign.pk}/timeline/"))
    assert "Lita Chantler may join the lead investigator’s deck" in page
    assert "For which investigator?" not in page
