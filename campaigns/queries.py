"""Which campaigns may somebody see, and as what are they there?"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from arkham.accounts.models import User
from campaigns.models import Campaign, Guest, Guide, Membership

SIDE = "side"  # a package of side scenarios, which is no campaign


def _of(user: User | AnonymousUser | None, guest: Guest | None) -> Q:
    found = Q(pk__in=())
    if isinstance(user, User):
        found |= Q(user=user)
    if guest is not None:
        found |= Q(guest=guest)
    return found


def memberships_of(
    user: User | AnonymousUser | None, guest: Guest | None = None
) -> QuerySet[Membership]:
    """Where somebody sits, with the campaigns and their guides."""
    found = Membership.objects.filter(_of(user, guest), left_at=None)
    return found.select_related(
        "campaign", "campaign__guide", "campaign__linked", "user", "guest"
    ).defer("campaign__guide__prepared", "campaign__guide__words")


def member_of(
    campaign: int, user: User | AnonymousUser | None, guest: Guest | None = None
) -> Membership | None:
    """Somebody as they sit at a table; None for whom there is no such table.

    Who sits there twice, with an account and as a guest, is there with the account.
    """
    found = memberships_of(user, guest).filter(campaign=campaign)
    return found.order_by("guest").first()


def seen_campaigns(
    user: User | AnonymousUser | None, guest: Guest | None = None
) -> QuerySet[Campaign]:
    """The campaigns somebody may see, the latest first."""
    tables = memberships_of(user, guest).values("campaign")
    found = Campaign.objects.filter(pk__in=tables)
    return found.select_related("guide").defer("guide__prepared", "guide__words")


def usable_guides(user: User | AnonymousUser | None) -> QuerySet[Guide]:
    """The guides somebody may start a campaign with; no packages of side scenarios."""
    mine = Q(owner__isnull=True)
    if isinstance(user, User):
        mine |= Q(owner=user)
    return (
        Guide.objects.filter(mine).exclude(guide_id="side").defer("prepared", "words")
    )
