"""The campaigns a person may see, and their role in each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from campaigns.guides.opening import LARGE, usable_by
from campaigns.models import Campaign, Guide, Membership, Role, Seat
from campaigns.people.table import Visitor

MOST = 2**63 - 1  # no row has a higher key
SIDE = "side"  # a package of side scenarios, which is no campaign


class End(NamedTuple):
    """How far a log is: the sequence of its last entry, and its head."""

    last: int
    head: str


class CampaignMark(NamedTuple):
    """What differs once a campaign has changed.

    The sequence of its last entry, the sum of the versions of its scenarios in play
    (they only grow), and a number that depends on who sits where.
    """

    last: int
    played: int
    seated: int

    def __str__(self) -> str:
        return f"{self.last}-{self.played}-{self.seated}"


def _seated(campaign: str) -> Coalesce:
    """A number of the campaign of a row that another one on a seat changes."""
    seats = Seat.objects.filter(campaign=OuterRef(campaign)).order_by()
    who = F("pk") * (Coalesce("member_id", 0) + 1)
    sums = seats.values("campaign").annotate(sum=Sum(who)).values("sum")
    return Coalesce(Subquery(sums), 0)


def _sits(visitor: Visitor) -> Q:
    found = Q(pk__in=())
    if visitor.user is not None:
        found |= Q(user=visitor.user)
    if visitor.guest:
        found |= Q(guest__digest=visitor.guest)
    return found


def memberships_of(visitor: Visitor) -> QuerySet[Membership]:
    """Where somebody sits, with the campaigns and their guides.

    Who sits there twice, with an account and as a guest, is there with the account.
    """
    found = Membership.objects.filter(_sits(visitor), left_at=None)
    found = found.select_related(
        "campaign", "campaign__guide", "campaign__linked__guide", "user", "guest"
    ).defer(
        "campaign__guide__prepared",
        "campaign__guide__words",
        "campaign__linked__guide__prepared",
        "campaign__linked__guide__words",
    )
    return found.order_by("campaign", "guest")


def member_of(campaign: int, visitor: Visitor) -> Membership | None:
    """Somebody as they sit at a table; None for whom there is no such table."""
    if campaign > MOST:
        return None
    return memberships_of(visitor).filter(campaign=campaign).first()


def end_of_log(campaign: int, visitor: Visitor) -> End | None:
    """How far the log of a campaign is, for one of its members: one query."""
    if campaign > MOST:
        return None
    found = Membership.objects.filter(_sits(visitor), campaign=campaign, left_at=None)
    end = found.values_list("campaign__last", "campaign__head").order_by().first()
    return End(*end) if end is not None else None


def mark_of(campaign: int, visitor: Visitor) -> CampaignMark | None:
    """The mark of a campaign, for one of its members: one query."""
    if campaign > MOST:
        return None
    found = Membership.objects.filter(_sits(visitor), campaign=campaign, left_at=None)
    played = Sum("campaign__plays__version", default=0)
    # One row a membership: a visitor may have two.
    values = "campaign__last", played, _seated("campaign")
    mark = found.order_by("pk").values_list(*values).first()
    return CampaignMark(*mark) if mark is not None else None


class MemberKey(NamedTuple):
    """A member of a campaign: the key of an account, or the digest of a guest's key."""

    campaign: int
    user: int | None
    guest: str | None


def marks_of(campaigns: Iterable[int]) -> dict[int, CampaignMark]:
    """The marks of the campaigns there are among these: one query."""
    found = Campaign.objects.filter(pk__in=campaigns).order_by()
    played = Sum("plays__version", default=0)
    rows = found.values_list("pk", "last", played, _seated("pk"))
    return {pk: CampaignMark(*mark) for pk, *mark in rows}


def mark_at(campaign: Campaign) -> CampaignMark:
    """The mark of a campaign of which the log was read before, all else is not."""
    for mark in marks_of([campaign.pk]).values():
        return mark._replace(last=campaign.last)
    raise Campaign.DoesNotExist  # deleted meanwhile


def sitters(campaigns: Iterable[int]) -> frozenset[MemberKey]:
    """The members of these campaigns: with an account that is open, or as guests."""
    found = Membership.objects.filter(campaign__in=campaigns, left_at=None)
    found = found.exclude(user__is_active=False).order_by()
    rows = found.values_list("campaign", "user", "guest__digest")
    return frozenset(MemberKey(*row) for row in rows)


def seen_campaigns(visitor: Visitor) -> QuerySet[Campaign]:
    """The campaigns somebody may see."""
    sits = Membership.objects.filter(_sits(visitor), left_at=None)
    found = Campaign.objects.filter(pk__in=sits.values("campaign"))
    return found.select_related("guide").defer("guide__prepared", "guide__words")


def linked_to(campaign: Campaign, visitor: Visitor) -> Campaign | None:
    """The campaign that is played beside one, for somebody who sits there too."""
    if campaign.linked_id is None:
        return None
    return seen_campaigns(visitor).filter(pk=campaign.linked_id).first()


def to_be_linked(campaign: Campaign, visitor: Visitor) -> QuerySet[Campaign]:
    """Other campaigns somebody organises that could be played beside this one."""
    organised = Membership.objects.filter(
        _sits(visitor), left_at=None, role=Role.ORGANISER
    )
    found = Campaign.objects.filter(
        pk__in=organised.values("campaign"), linked=None, archived_at=None
    ).exclude(guide__guide_id=campaign.guide.guide_id)
    return found.select_related("guide")


def usable_guides(visitor: Visitor, *, standalone: bool = False) -> QuerySet[Guide]:
    """The guides somebody may start a campaign with.

    A package of side scenarios is none; a scenario of it is played ``standalone``.
    """
    found = usable_by(visitor.user or AnonymousUser()).defer(*LARGE)
    return found if standalone else found.exclude(guide_id=SIDE)


def other_versions(campaign: Campaign, visitor: Visitor) -> QuerySet[Guide]:
    """Guides the campaign could go on with, the newest first.

    Keeping it by hand asks other things than a guide does, so neither goes on with the
    other.
    """
    now = campaign.guide
    same = usable_guides(visitor).filter(guide_id=now.guide_id).exclude(pk=now.pk)
    by_hand = Q(origin=Guide.Origin.FACTS)
    is_by_hand = now.origin == Guide.Origin.FACTS
    found = same.filter(by_hand) if is_by_hand else same.exclude(by_hand)
    return found.order_by("-version", "-brought_at")
