"""A campaign printed as two halves is begun as two that hear of each other."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter.linked import HALVES
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.models import Campaign, Guide
from campaigns.people.rights import EntryRefused
from campaigns.services.tables import link_campaigns, start_campaign


def other_half(guide: Guide, usable: QuerySet[Guide]) -> Guide | None:
    """The guide of the other half, from where this one is; None if there is none."""
    found = usable.filter(guide_id=HALVES.get(guide.guide_id, ""), origin=guide.origin)
    return found.order_by("-version", "-brought_at", "-pk").first()


@transaction.atomic
def start_halves(
    *,
    organiser: User,
    guide: Guide,
    usable: QuerySet[Guide],
    name: str,
    now: datetime,
    sworn: Iterable[tuple[str, str]] = (),
    **more: Any,
) -> Campaign:
    """Begin one half as it is told, and the other one beside it, linked.

    What is sworn holds in both: they are one campaign. Nobody sits down at the other
    yet: its investigators are others. Raises EntryRefused where there is no other half.
    """
    other = other_half(guide, usable)
    if other is None:
        message = _("There is no other half of this campaign here.")
        raise EntryRefused(
            Finding(message, rule="campaign.linked", actual=guide.guide_id)
        )
    sworn = tuple(sworn)
    campaign = start_campaign(
        organiser=organiser, guide=guide, name=name, now=now, sworn=sworn, **more
    )
    beside = start_campaign(
        organiser=organiser,
        guide=other,
        name=f"{name}: {other.name}" if name.strip() else "",
        now=now,
        terms=_shared(more.get("terms") or {}),
        sworn=sworn,
    )
    member = campaign.memberships.get(user=organiser)
    link_campaigns(campaign=campaign, member=member, other=beside, now=now)
    return campaign


def _shared(terms: dict[str, Any]) -> dict[str, Any]:
    """What both halves agree on; lists of single investigators stay with theirs."""
    return {key: value for key, value in terms.items() if key != "taboos"}
