"""Who answers at a table, and how they come to it."""

from __future__ import annotations

from typing import Any

from campaigns import services
from campaigns.log import store
from campaigns.models import Campaign, Invitation, Membership
from tests.campaigns.helpers.tables import NOW, organiser_of, told, who, write_context
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PEOPLE = who(ROLAND, DAISY)


def answer_as(campaign: Campaign, member: Membership, raw: Any) -> store.Appended:
    (given,) = told(raw)
    return services.answer(
        campaign=campaign,
        member=member,
        given=given._replace(sequence=0),
        context=write_context(campaign),
    )


def link_of(campaign: Campaign, **more: Any) -> Invitation:
    return services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, **more
    )
