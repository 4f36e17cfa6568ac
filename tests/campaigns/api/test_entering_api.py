"""A program enters a campaign that began on paper at its current position."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Role
from tests.campaigns.helpers.tables import NOW, a_campaign, a_member, have_our_guides
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS

POISONED = "04102"
KENSLER = "08720"


def kept(alice: User, guide: str) -> Campaign:
    """A campaign kept by hand without any answers."""
    row = services.guide_by_hand(campaign=guide, now=NOW)
    return a_campaign(alice, ROLAND, DAISY, guide=row)


def enter(browser: Client, campaign: Campaign, **body: Any) -> tuple[int, Any]:
    """Send a position; return the response."""
    people = [{"investigator": ROLAND}, {"investigator": DAISY}]
    sent = browser.post(
        f"/api/v1/campaigns/{campaign.pk}/standing",
        {"after": campaign.last, "people": people, **body},
        content_type="application/json",
    )
    return sent.status_code, sent.json()


def test_supplies_numbers_and_crossed_out_lines_are_entered(
    as_alice: Client, alice: User
) -> None:
    """The Forgotten Age, at The Boundary Beyond."""
    campaign = kept(alice, "tfa")
    status, _written = enter(
        as_alice,
        campaign,
        scenario="the_boundary_beyond",
        people=[
            {
                "investigator": ROLAND,
                "experience": 6,
                "physical": 1,
                "counts": {"supplies.provisions": 2, "supplies.chalk": 1},
            },
            {"investigator": DAISY, "weaknesses": ["01097"]},
            {"investigator": SKIDS, "fate": "driven_insane"},
        ],
        bag={"skull": 2, "-1": 3},
        difficulty="hard",
        crossed_out=["campaign_notes.the_gone"],
        words=[{"section": "campaign_notes", "words": "the_gone"}],
        counts={"yigs_fury": 4},
    )
    assert status == 201
    state = replayed(Campaign.objects.get()).replay.state
    own = state.seat_sections["supplies"][ROLAND]
    assert (own.number("provisions"), own.number("chalk")) == (2, 1)
    assert [(e.id, e.crossed_out) for e in state.section("campaign_notes").lines] == [
        ("the_gone", True)
    ]
    assert (state.counts["yigs_fury"], state.people[ROLAND].experience) == (4, 6)
    assert state.people[SKIDS].insane
    assert state.bag == {"skull": 2, "-1": 3}


def test_a_story_weakness_is_a_card_of_the_campaign(
    as_alice: Client, alice: User
) -> None:
    """In either list, unlike a basic one; poison is counted by it."""
    campaign = kept(alice, "tfa")
    status, _written = enter(
        as_alice,
        campaign,
        scenario="the_boundary_beyond",
        people=[{"investigator": ROLAND, "weaknesses": [POISONED], "cards": ["01097"]}],
    )
    assert status == 201
    person = replayed(Campaign.objects.get()).replay.state.people[ROLAND]
    assert (person.story, person.added) == ((POISONED,), ["01097"])


def test_partners_and_the_place_on_the_map_are_entered(
    as_alice: Client, alice: User
) -> None:
    """Of Edge of the Earth and The Scarlet Keys."""
    south = kept(alice, "eoe")
    status, _written = enter(
        as_alice,
        south,
        scenario="ice_and_death_part_2",
        partners=[{"code": KENSLER, "damage": 2, "states": ["resolute"]}],
    )
    assert status == 201
    state = replayed(Campaign.objects.get(pk=south.pk)).replay.state
    assert state.people[KENSLER].story == ("resolute",)
    assert not state.is_eliminated(KENSLER)  # resolute she has 3 health

    keys = kept(alice, "tskc")
    status, _written = enter(
        as_alice,
        keys,
        scenario="havana",
        location="havana",
        visited=["london", "rome"],
        opened=["reykjavik"],
        keys={"eye_of_ravens": DAISY},
        counts={"time": 7},
    )
    assert status == 201
    replay = replayed(Campaign.objects.get(pk=keys.pk)).replay
    held = replay.state.map
    assert (held.location, held.visited) == ("havana", ("london", "rome", "havana"))
    assert held.keys == (("eye_of_ravens", DAISY, ""),)
    assert replay.pending is not None
    assert replay.pending.scenario == "havana"


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"scenario": "nowhere"}, "log.entered-unknown"),
        ({"people": [{"investigator": "99999"}]}, "log.entered-unknown"),
        ({"people": [{"investigator": ROLAND}] * 2}, "log.entered-players"),
        (
            {"people": [{"investigator": ROLAND}, {"investigator": "90024"}]},
            "log.entered-players",
        ),
        ({"people": [{"investigator": ROLAND, "physical": 9}]}, "log.entered-players"),
        ({"played": ["wilds", "eztli"]}, "log.entered-played"),
        ({"keys": {"eye_of_ravens": ROLAND}}, "log.entered-unknown"),
        ({"bag": {"frost": 9}}, "log.entered-number"),
        ({"bag": {"bless": 1}}, "log.entered-unknown"),
        ({"counts": {"nothing": 1}}, "log.entered-unknown"),
        ({"counts": {"yigs_fury": -1}}, "log.entered-number"),
        ({"lines": ["nothing.at_all"]}, "log.entered-unknown"),
        ({"partners": [{"code": KENSLER}]}, "log.entered-unknown"),
        ({"keys": {"eye_of_ravens": SKIDS}}, "log.entered-unknown"),
        ({"location": "rome"}, "log.entered-unknown"),
        (
            {"people": [{"investigator": ROLAND, "cards": ["x"]}]},
            "log.entered-unknown",
        ),
    ],
)
def test_an_impossible_position_is_refused(
    as_alice: Client, alice: User, wrong: dict[str, Any], rule: str
) -> None:
    """And nothing is written."""
    campaign = kept(alice, "tfa")
    status, told = enter(as_alice, campaign, **{"scenario": "eztli", **wrong})
    assert (status, {each["rule"] for each in told["findings"]}) == (422, {rule})
    assert Campaign.objects.get().last == campaign.last


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"lines": ["no point"]}, "/lines/0"),
        ({"people": [{"investigator": ROLAND, "fate": "gone"}]}, "/people/0/fate"),
        ({"bag": {"skull": "2"}}, "/bag/skull"),
        ({"nonsense": 1}, "/nonsense"),
    ],
)
def test_an_unreadable_body_is_refused_with_its_place(
    as_alice: Client, alice: User, wrong: dict[str, Any], pointer: str
) -> None:
    status, told = enter(as_alice, kept(alice, "tfa"), scenario="eztli", **wrong)
    assert status == 422
    assert pointer in {each["pointer"] for each in told["errors"]}


def test_an_unknown_key_is_refused(as_alice: Client, alice: User) -> None:
    campaign = kept(alice, "tskc")
    status, told = enter(as_alice, campaign, scenario="havana", keys={"no_key": ""})
    assert status == 422
    (found,) = told["findings"]
    assert (found["rule"], found["actual"]) == ("log.entered-unknown", "no_key")


def test_only_an_organiser_enters_a_campaign(
    alice: User, bob: User, as_bob: Client
) -> None:
    campaign = kept(alice, "tfa")
    a_member(campaign, bob, Role.PLAYER)
    assert enter(as_bob, campaign, scenario="eztli")[0] == 403


def test_a_section_can_be_crossed_out_as_a_whole(as_alice: Client, alice: User) -> None:
    """Of single lines each has its section and its id."""
    have_our_guides()
    guide = Guide.objects.get(guide_id="fhv", origin=Guide.Origin.OURS)
    campaign = a_campaign(alice, ROLAND, guide=guide)
    place = {"scenario": "the_longest_night", "people": [{"investigator": ROLAND}]}
    status, refused = enter(as_alice, campaign, **place, lines=["leah"])
    assert (status, refused["errors"][0]["pointer"]) == (422, "/lines/0")
    other = ["campaign_notes"]  # no scenario ever crosses it out
    status, refused = enter(as_alice, campaign, **place, crossed_out=other)
    (found,) = refused["findings"]
    assert (status, found["actual"]) == (422, "campaign_notes")
    assert found["message"] == "You can’t cross out this section as a whole."
    status, _written = enter(as_alice, campaign, **place, crossed_out=["leah"])
    assert status == 201
    assert replayed(Campaign.objects.get()).replay.state.section("leah").crossed_out


def test_names_and_experience_that_waits(as_alice: Client, alice: User) -> None:
    """The Innsmouth Conspiracy; an empty list of what was played is not left out."""
    have_our_guides()
    row = Guide.objects.get(guide_id="tic", origin=Guide.Origin.OURS)
    campaign = a_campaign(alice, ROLAND, DAISY, guide=row)
    people = [{"investigator": ROLAND, "waiting": 2}]
    body = {"scenario": "in_too_deep", "people": people, "played": []}
    named = {"campaign_notes.possesses_a_diving_suit": ["99999"]}
    status, refused = enter(as_alice, campaign, **body, named=named)
    assert (status, refused["findings"][0]["actual"]) == (422, "99999")
    named = {"campaign_notes.possesses_a_diving_suit": [ROLAND]}
    assert enter(as_alice, campaign, **body, named=named)[0] == 201
    replay = replayed(Campaign.objects.get()).replay
    assert replay.state.people[ROLAND].pools == {"unspect_xp": 2}
    section = replay.state.section("campaign_notes")
    assert section.cards("possesses_a_diving_suit") == [(ROLAND, 1)]
    assert "the_pit_of_despair" not in replay.state.statuses
