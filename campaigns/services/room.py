"""How many campaigns and copies one person organises, and how many links each has."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from arkham.accounts.models import User
from arkham.quotas import require_room, take_turns
from campaigns.invitations import is_open
from campaigns.models import Campaign, Membership, Role


def require_room_for_a_campaign(organiser: User) -> None:
    """Raise QuotaReached where an account organises as many as it may."""
    take_turns(organiser)
    own = Membership.objects.filter(user=organiser, role=Role.ORGANISER, left_at=None)
    require_room("campaigns", own)


def require_room_for_a_copy(campaign: Campaign, member: Membership) -> None:
    """Raise QuotaReached for one copy more than a member may have.

    A guest may organise no more copies than that in all, copies of copies included.
    """
    if member.guest is not None:
        take_turns(member.guest)
    copies = Membership.objects.filter(
        role=Role.ORGANISER, user=member.user, guest=member.guest
    )
    if member.user is not None:
        require_room_for_a_campaign(member.user)
        copies = copies.filter(campaign__branched_from=campaign)
    require_room("branches", copies)


def require_room_for_a_link(campaign: Campaign, now: datetime) -> None:
    """Delete the oldest closed links where there are as many as there may be.

    Raises QuotaReached where all of them are open.
    """
    made = campaign.invitations.order_by("pk")
    closed = [each.pk for each in made if not is_open(each, now)]
    too_many = max(0, len(made) + 1 - settings.ORNE_QUOTAS["links"])
    made.filter(pk__in=closed[:too_many]).delete()
    require_room("links", made.all())
