"""A correction offers the choices of its own time, not of later events."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns import services
from campaigns.log.replays import replayed
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_row,
    as_answers,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.rules.campaign.helpers.games import a_game, begun, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_step

pytestmark = pytest.mark.django_db
PLAYS = "$choose_investigators"


def _killed() -> Raw:
    """Kill Daisy at the beginning of the second game."""
    killed = {
        "type": "trauma",
        "investigator": "$fixed_investigator",
        "fixed_investigator": DAISY,
        "killed": True,
    }
    return a_game("two", a_step(killed, step_id="killed"))


def test_an_investigator_killed_later_may_have_played_before(
    alice: User, as_alice: Client
) -> None:
    """On the page of the entry, and once the answer was undone."""
    campaign = a_campaign(
        alice, ROLAND, DAISY, guide=a_row(a_game("one"), _killed(), a_game("three"))
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    report(campaign, as_answers(*begun("two", ROLAND, DAISY)))
    assert replayed(campaign).replay.state.is_killed(DAISY)

    entry = sequence_of(campaign, PLAYS)
    page = as_alice.get(f"/campaigns/{campaign.pk}/timeline/{entry}/").content.decode()
    assert f'value="{DAISY}" checked' in page

    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=entry,
        context=write_context(campaign),
    )
    campaign.refresh_from_db()
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert f'value="{DAISY}"' in page
    report(campaign, as_answers(*won("one")[1:2]))
    assert replayed(campaign).replay.state.games["one"].players == (ROLAND, DAISY)
