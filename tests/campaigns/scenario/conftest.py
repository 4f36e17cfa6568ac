"""A campaign before The Gathering, and in the middle of it."""

from __future__ import annotations

import pytest

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Role
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.campaigns.scenario.helpers import LEAD, PLAYERS, START
from tests.rules.campaign.helpers.games import a_game
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

BAG = a_step(
    {
        "type": "add_chaos_token",
        "tokens": ["0", "-1", "skull", "cultist", "auto_fail", "elder_sign", "frost"],
    },
    step_id="bag",
)
HURT = a_step(
    {"type": "trauma", "investigator": "all", "physical": 1},
    {"type": "add_card", "investigator": "all", "card": STORY},
    step_id="hurt",
)


@pytest.fixture
def campaign(alice: User, bob: User) -> Campaign:
    """Alice's deck is Roland's; Bob writes; they are before The Gathering."""
    guide = a_row(
        a_game("torch"),
        a_game("arkham"),
        id="core",
        setup=["who", "bag", "hurt"],
        steps=[{"id": "who", "type": "input",
                "input": {"type": "scenario_investigators"}}, BAG, HURT],
    )  # fmt: skip
    begun = a_campaign(alice, DAISY, guide=guide)
    a_member(begun, bob, Role.SCRIBE)
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.add_seat(
        campaign=begun,
        member=organiser_of(begun),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(begun, as_answers(who(ROLAND, DAISY)))
    return begun


@pytest.fixture
def playing(campaign: Campaign) -> Campaign:
    """They play it; Daisy leads."""
    report(campaign, as_answers(START, PLAYERS, LEAD))
    return campaign
