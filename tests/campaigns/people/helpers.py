"""Members who answer, and how they join."""

from __future__ import annotations

from typing import Any

from campaigns import services
from campaigns.models import Campaign, Invitation
from tests.campaigns.helpers.tables import NOW, organiser_of, who
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PEOPLE = who(ROLAND, DAISY)


def link_of(campaign: Campaign, **more: Any) -> Invitation:
    return services.invite(
        campaign=campaign, member=organiser_of(campaign), now=NOW, **more
    )
