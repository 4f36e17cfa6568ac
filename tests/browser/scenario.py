"""A campaign of Alice and Bob in the middle of The Gathering."""

from __future__ import annotations

from arkham.accounts.models import User
from campaigns import services
from campaigns.models import Campaign, Role
from cardpool.services import ensure_embedded_pool
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step


def the_gathering(*tokens: str) -> Campaign:
    """Begin the scenario with these tokens in the bag."""
    ensure_embedded_pool()
    alice = User.objects.create_user("alice", password="alice-of-arkham")
    bob = User.objects.create_user("bob", password="bob-of-arkham")
    bag = a_step({"type": "add_chaos_token", "tokens": [*tokens]}, step_id="bag")
    found = a_campaign(alice, DAISY, guide=a_row(a_game("torch", bag), id="core"))
    a_member(found, bob, Role.PLAYER)
    services.add_seat(
        campaign=found,
        member=organiser_of(found),
        sitting=services.Sitting(ROLAND),
        now=NOW,
    )
    report(found, as_answers(who(ROLAND, DAISY), *begun("torch", DAISY, ROLAND)))
    return found
