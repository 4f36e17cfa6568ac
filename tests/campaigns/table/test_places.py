"""Random locations: drawn in play, recorded, without further effects."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.record import draw_replays
from arkham.rules.replaying import reported
from campaigns import services
from campaigns.log import store
from campaigns.log.entries import DrawEntry
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.pages.board import board_of
from campaigns.play.plays import branches_that_draw, places_of
from campaigns.services import EntryRefused, Forbidden
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    a_row,
    as_answers,
    organiser_of,
    report,
    rules_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import PLAY, a_game, begun
from tests.rules.campaign.helpers.small import ROLAND, Raw, a_guide

pytestmark = pytest.mark.django_db
HEATH, YARD, GLEN = "02242", "02244", "02246"


def _random(**more: object) -> Raw:
    prompt = {"type": "random_location", "cards": [HEATH, YARD, GLEN], **more}
    return {"id": "place", "type": "input", "input": prompt}


def _playing(alice: User, **more: object) -> Campaign:
    branch = {"id": "somewhere", "text": "A place is needed", "steps": ["place"]}
    play = {**PLAY, "input": {**PLAY["input"], "branches": [branch]}}
    game = a_game("one", _random(**more), play=play)
    game["setup"] = ["$play_scenario"]
    campaign = a_campaign(alice, ROLAND, guide=a_row(game))
    report(campaign, as_answers(who(ROLAND), *begun("one", ROLAND)[:2]))
    return campaign


def _draw(campaign: Campaign, count: int = 1, step: str = "place") -> DrawEntry:
    services.draw_place(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="one",
        step=step,
        count=count,
        context=write_context(campaign),
    )
    found = store.entries(campaign)[-1]
    assert isinstance(found, DrawEntry)
    return found


def test_a_place_is_drawn_and_recorded(alice: User) -> None:
    """From the campaign's seed, so that anyone can repeat the draw."""
    campaign = _playing(alice)
    Campaign.objects.update(secret="twelve draws that find each place")
    campaign.refresh_from_db()
    before = reported(replayed(campaign).replay)
    records = [DrawRecord.from_data(_draw(campaign).record) for _each in range(12)]

    assert {record.result[0] for record in records} == {HEATH, YARD, GLEN}
    assert all([*draw_replays(record)] == [] for record in records)
    assert reported(replayed(campaign).replay) == before
    assert replayed(campaign).replay.problems == ()


def test_several_are_drawn_only_where_the_scenario_wants_them(alice: User) -> None:
    many = _playing(alice, multiple=True)
    assert sorted(DrawRecord.from_data(_draw(many, 3).record).result) == [
        HEATH,
        YARD,
        GLEN,
    ]
    one = _playing(alice)
    for campaign, count in ((many, 4), (many, 0), (one, 2)):
        with pytest.raises(EntryRefused) as refused:
            _draw(campaign, count)
        assert rules_of(refused.value) == ["draw.few"]


def test_other_places_are_not_drawn(alice: User, bob: User) -> None:
    """Nor in another scenario, nor by a spectator."""
    campaign = _playing(alice)
    with pytest.raises(EntryRefused) as refused:
        _draw(campaign, step="$play_scenario")
    assert rules_of(refused.value) == ["draw.not-asked"]
    looks_on = a_member(campaign, bob, Role.SPECTATOR)
    for member, scenario in ((looks_on, "one"), (organiser_of(campaign), "two")):
        with pytest.raises((Forbidden, EntryRefused)):
            services.draw_place(
                campaign=campaign,
                member=member,
                scenario=scenario,
                step="place",
                context=write_context(campaign),
            )


def test_the_scenario_draws_places_and_the_question_does_not(
    alice: User, as_alice: Client
) -> None:
    """The page of the scenario has the button, and the results."""
    campaign = _playing(alice)
    question = board_of(organiser_of(campaign)).question
    assert question is not None
    offered = {option.value for field in question.fields for option in field.options}
    assert "somewhere" not in offered
    page = as_alice.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()
    assert "Draw it at random" in page
    sent = {"after": campaign.last, "key": "k", "scenario": "one", "step": "place"}
    for _again in range(2):  # sent twice, drawn once
        answer = as_alice.post(f"/campaigns/{campaign.pk}/scenario/place", sent)
        assert answer.status_code == 303
    campaign.refresh_from_db()
    assert campaign.last == sent["after"] + 1  # type: ignore[operator]
    page = as_alice.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()
    assert "Checked: this seed gives this result." in page


def test_a_program_draws_it_too(alice: User, as_alice: Client) -> None:
    campaign = _playing(alice)
    address = f"/api/v1/campaigns/{campaign.pk}/draws/"
    body = {"after": campaign.last, "step": "place"}
    made = as_alice.post(address, body, content_type="application/json")
    wrong = {"after": campaign.last + 1, "step": "place", "number": 7}
    refused = as_alice.post(address, wrong, content_type="application/json")

    assert made.status_code == 201
    assert refused.status_code == 422
    assert refused.json()["findings"][0]["rule"] == "draw.few"


def test_a_side_scenario_has_places_too() -> None:
    """Though it is not one of the campaign's own."""
    branch = {"id": "somewhere", "text": "", "steps": ["place"]}
    play = {**PLAY, "input": {**PLAY["input"], "branches": [branch]}}
    aside = a_guide(a_game("aside", _random(), play=play))
    campaign = replace(a_guide(a_game("one")), side=aside.scenarios)

    (places,) = places_of(campaign, "aside#1")
    assert places.cards == (HEATH, YARD, GLEN)
    assert branches_that_draw(campaign, "aside") == {"somewhere"}
    assert not [*places_of(campaign, "nowhere")]
