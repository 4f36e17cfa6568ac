"""Lines that name cards or people, in a campaign that began on paper."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.reading.references import listed_cards
from arkham.rules.campaign.state.state import State
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from tests.campaigns.helpers.tables import a_campaign, have_our_guides
from tests.rules.campaign.helpers.small import DAISY, ROLAND

LEO = "01048"


@pytest.fixture(autouse=True)
def _guides(db: None) -> None:
    have_our_guides()


def _begun(alice: User, guide_id: str) -> Campaign:
    guide = Guide.objects.get(guide_id=guide_id, origin=Guide.Origin.OURS)
    return a_campaign(alice, ROLAND, DAISY, guide=guide)


def _entered(client: Client, campaign: Campaign, scenario: str, **more: Any) -> State:
    data = {"scenario": scenario, "difficulty": "hard", "key": "a", "reason": "Paper."}
    address = f"/campaigns/{campaign.pk}/enter/"
    response = client.post(address, {**data, "after": str(campaign.last), **more})
    assert response.status_code == 303, response.text
    replay = replayed(Campaign.objects.get(pk=campaign.pk)).replay
    assert replay.problems == ()
    return replay.state


def test_sacrificed_people_are_ticked_or_named(as_alice: Client, alice: User) -> None:
    """The Dunwich Legacy: characters of the scenario, and an ally of a deck."""
    campaign = _begun(alice, "dwl")
    chosen = {"scenario": "undimensioned_and_unseen", "difficulty": "hard"}
    page = as_alice.get(f"/campaigns/{campaign.pk}/enter/", chosen).text
    assert "Dr. Henry Armitage" in page
    state = _entered(
        as_alice,
        campaign,
        "undimensioned_and_unseen",
        **{"lines sacrificed": ["02040"], "words sacrificed": "Leo De Luca\nThe dog"},
    )
    section = state.section("sacrificed")
    assert [each.id for each in section.lines] == ["02040", LEO, "The dog"]
    assert list(state.banished) == ["02040", LEO]


def test_interviewed_people_are_ticked(as_alice: Client, alice: User) -> None:
    """The Path to Carcosa: later scenarios ask for each of them."""
    campaign = _begun(alice, "ptc")
    interviewed = {
        "words vips_interviewed": "Jordan Perry",
        "printing": "ask_reprint.reprint",
    }
    state = _entered(as_alice, campaign, "the_unspeakable_oath", **interviewed)
    (line,) = state.section("vips_interviewed").lines
    assert line.id in listed_cards(state.guide)["vips_interviewed"]


def test_people_of_a_line_are_asked_for(as_alice: Client, alice: User) -> None:
    """The Feast of Hemlock Vale: only those who ate suffer for it."""
    campaign = _begun(alice, "fhv")
    named = {"named campaign_notes.eat": "Daisy Walker"}
    state = _entered(as_alice, campaign, "dawn_of_the_second_day", **named)
    assert state.section("campaign_notes").cards("eat") == [(DAISY, 1)]


def test_an_enemy_may_bear_a_key(as_alice: Client, alice: User) -> None:
    """The Scarlet Keys."""
    campaign = _begun(alice, "tskc")
    chosen = {"scenario": "buenos_aires", "difficulty": "hard"}
    page = as_alice.get(f"/campaigns/{campaign.pk}/enter/", chosen).text
    (name,) = re.findall('<option value="ztsk_thorne">(.*?)<', page)[:1]
    assert "ztsk" not in name
    borne = {"key sable_glass": "ztsk_thorne"}
    state = _entered(as_alice, campaign, "buenos_aires", **borne)
    assert state.map.keys == (("sable_glass", "", "ztsk_thorne"),)
