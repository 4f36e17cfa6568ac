"""How many campaigns and copies one person organises, and how many links each has."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import ngettext

from arkham.accounts.models import User
from arkham.web.quotas import QuotaReached, require_room, take_turns
from campaigns.models import Campaign, Guest, Membership, Role
from campaigns.people.guests import is_open


def require_room_for_a_campaign(organiser: User, more: int = 1) -> None:
    """Raise QuotaReached where an account would organise more than it may."""
    take_turns(organiser)
    require_room("campaigns", _organised(organiser), more)


def require_room_for_an_organiser(member: Membership) -> None:
    """Raise QuotaReached where somebody can't organise one more campaign.

    Of their account, which isn't that of who asks. Guests have no number of their own.
    """
    if member.user is None or _organised(member.user).filter(pk=member.pk).exists():
        return
    take_turns(member.user)
    most = settings.ORNE_QUOTAS["campaigns"]
    if _organised(member.user).count() < most:
        return
    text = ngettext(
        "%(name)s organises %(number)d campaign, the most an account can have.",
        "%(name)s organises %(number)d campaigns, the most an account can have.",
        most,
    )
    raise QuotaReached(text % {"name": member.name, "number": most}, "organisers")


def require_room_for_claims(guest: Guest, user: User) -> None:
    """Raise QuotaReached where an account can't organise all that a guest does."""
    theirs = Membership.objects.filter(guest=guest, role=Role.ORGANISER, left_at=None)
    own = _organised(user).values("campaign")
    if more := theirs.exclude(campaign__in=own).count():
        require_room_for_a_campaign(user, more)


def _organised(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user, role=Role.ORGANISER, left_at=None)


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
