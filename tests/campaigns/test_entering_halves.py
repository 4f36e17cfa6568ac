"""A half of The Dream-Eaters begun on paper, with or without the other half."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.paper import EnteredInvestigator, Position
from arkham.rules.campaign.state.answers import Answer
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    have_our_guides,
    organiser_of,
    write_context,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PLACE = Position("the_search_for_kadath", (EnteredInvestigator(ROLAND),), {"0": 2})


def _dreams() -> Guide:
    have_our_guides()
    return Guide.objects.get(guide_id="tdea", origin=Guide.Origin.OURS)


def _entered(campaign: Campaign) -> set[str]:
    """Return the half's lines that are on no paper, once it is entered."""
    services.enter_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        position=PLACE,
        context=write_context(campaign),
    )
    replay = replayed(campaign).replay
    assert replay.problems == ()
    return {each.id for each in replay.state.sections["hidden"].lines}


def test_halves_begun_together_stay_together(alice: User) -> None:
    campaign = services.start_halves(
        organiser=alice,
        guide=_dreams(),
        usable=Guide.objects.all(),
        name="",
        now=NOW,
        sitting=[services.Sitting(ROLAND)],
    )
    assert "interconnected_campaign" in _entered(campaign)


@pytest.mark.parametrize(
    ("choice", "line"), [(0, "interconnected_campaign"), (1, "half_campaign")]
)
def test_the_answer_of_the_setup_is_kept(alice: User, choice: int, line: str) -> None:
    """Whether all eight parts are played, or these four alone."""
    campaign = a_campaign(alice, ROLAND, DAISY, guide=_dreams())
    for _question in range(6):
        pending = replayed(campaign).replay.pending
        assert pending is not None
        asked = pending.step == "ask_8_part_campaign"
        if pending.kind == "choice":
            value: object = choice if asked else pending.open_offers[0].number
        else:
            value = {ROLAND: ("chosen",)}
        given = Answer(pending.kind, pending.scenario, pending.step, value)
        services.answer(
            campaign=campaign,
            member=organiser_of(campaign),
            given=given,
            context=write_context(campaign),
        )
        if asked:
            break
    assert line in _entered(campaign)


def test_a_half_without_the_other_is_played_alone(alice: User) -> None:
    """Nothing of the other half is asked, and no interlude of both comes."""
    campaign = a_campaign(alice, ROLAND, guide=_dreams())
    assert _entered(campaign) == {"half_campaign"}
