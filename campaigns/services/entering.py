"""A campaign that began on paper, entered where it stands."""

from __future__ import annotations

from django.db import transaction

from arkham.rules.campaign.entering import Position, entered_at
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns import guides, log, rights
from campaigns.entries import Entry
from campaigns.models import Campaign, Membership
from campaigns.replays import Folded
from campaigns.services.writing import Refused, Sight, written

BEGUN = 1  # the entry every log begins with


@transaction.atomic
def enter_campaign(
    *,
    campaign: Campaign,
    member: Membership,
    position: Position,
    sight: Sight,
    reason: str = "",
) -> log.Appended:
    """Write down where a campaign stands that has only begun here.

    Raises LogMoved, Forbidden; Refused once anything else was said.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require(member, rights.Right.ORGANISE)
        if known.last != BEGUN or campaign.standalone:
            message = _("Something was reported here already.")
            raise Refused(Finding(message, rule="log.begun", actual=known.last))
        guide = guides.opened(campaign.guide)
        return [*entered_at(guide, position, reason=reason)[BEGUN:]]

    return written(campaign, make, member, sight, cause="entered")
