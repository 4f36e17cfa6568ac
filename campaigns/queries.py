"""The campaigns a person may see, and their role in each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from arkham.accounts.models import User
from campaigns.guides.opening import LARGE, usable_by
from campaigns.models import Campaign, Guest, Guide, Membership, PlayState, Role, Seat
from campaigns.people.table import Visitor

MOST = 2**63 - 1  # the largest key a row can have
Row = TypeVar("Row", Membership, Seat)
SIDE = "side"  # a package of side scenarios, not a campaign


class End(NamedTuple):
    """The end of a log: the sequence of its last entry, and its head."""

    last: int
    head: str


class CampaignMark(NamedTuple):
    """A value that changes when a campaign changes.

    The sequence of its last entry, the sum of the versions of its scenarios in play
    (they only grow), and a number that depends on who has which seat and whose deck is
    up to date.
    """

    last: int
    played: int
    seated: int

    def __str__(self) -> str:
        return f"{self.last}-{self.played}-{self.seated}"

    def is_seen(self, asked: Mapping[str, str]) -> bool:
        """Return whether a page with this mark is still current."""
        if "mark" in asked:
            return asked["mark"] == str(self)
        after, seated = str(self.last), str(self.seated)
        return (asked.get("after"), asked.get("seated", seated)) == (after, seated)


# SQL, because building a query set for every request for news would take longer. The
# sum of play versions, and a number that changes with the seats' members and with whose
# deck is up to date.
_MARK = f"""
SELECT campaign.id, campaign.last, CAST((
    SELECT COALESCE(SUM(play.version), 0) FROM {PlayState._meta.db_table} play
    WHERE play.campaign_id = campaign.id
) AS BIGINT), CAST((
    SELECT COALESCE(SUM(seat.id * (
        COALESCE(seat.member_id, 0) * 2 + CASE WHEN seat.is_up_to_date THEN 3 ELSE 2 END
    )), 0)
    FROM {Seat._meta.db_table} seat WHERE seat.campaign_id = campaign.id
) AS BIGINT) FROM {Campaign._meta.db_table} campaign WHERE
"""  # noqa: S608 (names of our tables)
_SITS = f"""
campaign.id = %s AND EXISTS (
    SELECT 1 FROM {Membership._meta.db_table} member
    LEFT JOIN {Guest._meta.db_table} guest ON guest.id = member.guest_id
    WHERE member.campaign_id = campaign.id AND member.left_at IS NULL
    AND (member.user_id = %s OR guest.digest = %s)
)
"""  # noqa: S608
_SIGNED_IN = f"""
AND EXISTS (
    SELECT 1 FROM {Session._meta.db_table} session
    JOIN {User._meta.db_table} account ON account.id = %s
    WHERE session.session_key = %s AND session.expire_date > %s
    AND account.is_active AND account.password = %s
)
"""  # noqa: S608


def _sits(visitor: Visitor) -> Q:
    found = Q(pk__in=())
    if visitor.user is not None:
        found |= Q(user=visitor.user)
    if visitor.guest:
        found |= Q(guest__digest=visitor.guest)
    return found


_LARGE = [f"campaign__guide__{each}" for each in LARGE]
# PostgreSQL sorts nulls last.
_ACCOUNT_FIRST = F("guest_id").asc(nulls_first=True)


def with_guides(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Return rows with their campaigns and the guides to fold them over.

    Large fields of a guide are only read if the guide isn't in memory.
    """
    guides = ("campaign__guide", "campaign__linked__guide")
    large = (f"{guide}__{field}" for guide in guides for field in LARGE)
    return rows.select_related(*guides).defer(*large)


def memberships_of(visitor: Visitor) -> QuerySet[Membership]:
    """Return a visitor's memberships, with the campaigns and their guides.

    For a member with an account and as a guest, the account comes first.
    """
    found = Membership.objects.filter(_sits(visitor), left_at=None)
    found = with_guides(found).select_related("user", "guest")
    return found.order_by("campaign_id", _ACCOUNT_FIRST)


def member_of(campaign: int, visitor: Visitor) -> Membership | None:
    """Return a visitor's membership at a table; None if there is none."""
    if campaign > MOST:
        return None
    found = Membership.objects.filter(_sits(visitor), campaign=campaign, left_at=None)
    guest = ["guest"] if visitor.guest else []
    found = found.select_related("campaign__guide", *guest).defer(*_LARGE).order_by()
    sitting = min(found, key=lambda each: each.guest_id is not None, default=None)
    if sitting is None:
        return None
    if visitor.user is not None and sitting.user_id == visitor.user.pk:
        sitting.user = visitor.user
    if linked := sitting.campaign.linked_id:  # rarely: cheaper than a join for all
        halves = Campaign.objects.select_related("guide")
        large = (f"guide__{each}" for each in LARGE)
        sitting.campaign.linked = halves.defer(*large).get(pk=linked)
    return sitting


def end_of_log(campaign: int, visitor: Visitor) -> End | None:
    """Return the end of a campaign's log, for one of its members: one query."""
    if campaign > MOST:
        return None
    found = Membership.objects.filter(_sits(visitor), campaign=campaign, left_at=None)
    end = found.values_list("campaign__last", "campaign__head").order_by().first()
    return End(*end) if end is not None else None


def mark_of(
    campaign: int, visitor: Visitor, session: str | None = None
) -> CampaignMark | None:
    """Return the mark of a campaign, for one of its members: one query.

    A session key also requires that the account is still signed in with it.
    """
    if campaign > MOST:
        return None
    user = visitor.user
    asked, values = _SITS, [campaign, user and user.pk, visitor.guest or None]
    if session is not None and user is not None:
        asked += _SIGNED_IN
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        values += [user.pk, session, now, user.password]
    return _marks(asked, values).get(campaign)


def _marks(asked: str, values: Sequence[Any]) -> dict[int, CampaignMark]:
    with connection.cursor() as cursor:
        cursor.execute(_MARK + asked, values)
        return {pk: CampaignMark(*mark) for pk, *mark in cursor.fetchall()}


class MemberKey(NamedTuple):
    """A member of a campaign: an account's key, or the digest of a guest's key."""

    campaign: int
    user: int | None
    guest: str | None


def marks_of(campaigns: Collection[int]) -> dict[int, CampaignMark]:
    """Return the marks of these campaigns, if they exist: one query."""
    places = ", ".join(["%s"] * len(campaigns))
    return _marks(f"campaign.id IN ({places})", [*campaigns]) if campaigns else {}


def mark_at(campaign: Campaign) -> CampaignMark:
    """Return the mark of a campaign whose log was read before."""
    for mark in marks_of([campaign.pk]).values():
        return mark._replace(last=campaign.last)
    raise Campaign.DoesNotExist  # it was just deleted


def sitters(campaigns: Iterable[int]) -> frozenset[MemberKey]:
    """Return the members of these campaigns: with an active account, or as guests."""
    found = Membership.objects.filter(campaign__in=campaigns, left_at=None)
    found = found.exclude(user__is_active=False).order_by()
    rows = found.values_list("campaign", "user", "guest__digest")
    return frozenset(MemberKey(*row) for row in rows)


def seen_campaigns(visitor: Visitor) -> QuerySet[Campaign]:
    """Return the campaigns a visitor may see."""
    sits = Membership.objects.filter(_sits(visitor), left_at=None)
    found = Campaign.objects.filter(pk__in=sits.values("campaign"))
    return found.select_related("guide").defer("guide__prepared", "guide__words")


def linked_to(campaign: Campaign, visitor: Visitor) -> Campaign | None:
    """Return the linked campaign, for a visitor who is a member there too."""
    if campaign.linked_id is None:
        return None
    return seen_campaigns(visitor).filter(pk=campaign.linked_id).first()


def to_be_linked(campaign: Campaign, visitor: Visitor) -> QuerySet[Campaign]:
    """Return the visitor's other campaigns that can be linked to this one."""
    organised = Membership.objects.filter(
        _sits(visitor), left_at=None, role=Role.ORGANISER
    )
    found = Campaign.objects.filter(
        pk__in=organised.values("campaign"), linked=None, archived_at=None
    ).exclude(guide__guide_id=campaign.guide.guide_id)
    return found.select_related("guide")


def usable_guides(visitor: Visitor, *, standalone: bool = False) -> QuerySet[Guide]:
    """Return the guides a visitor may start a campaign with.

    Packages of side scenarios only count for a ``standalone`` scenario.
    """
    found = usable_by(visitor.user or AnonymousUser()).defer(*LARGE)
    return found if standalone else found.exclude(guide_id=SIDE)


def other_versions(campaign: Campaign, visitor: Visitor) -> QuerySet[Guide]:
    """Return the guides the campaign could continue with, newest first.

    A guide by hand asks different questions, so it can't replace a full guide, nor the
    other way round.
    """
    now = campaign.guide
    same = usable_guides(visitor).filter(guide_id=now.guide_id).exclude(pk=now.pk)
    by_hand = Q(origin=Guide.Origin.FACTS)
    is_by_hand = now.origin == Guide.Origin.FACTS
    found = same.filter(by_hand) if is_by_hand else same.exclude(by_hand)
    return found.order_by("-version", "-brought_at")


def imported_before(campaign: Campaign) -> tuple[Campaign, ...]:
    """Return a person's earlier imports of a campaign, latest first."""
    same = Campaign.objects.filter(
        imported_id=campaign.imported_id,
        guide__guide_id=campaign.guide.guide_id,
        memberships__user=campaign.memberships.get().user,
    )
    return tuple(same.exclude(pk=campaign.pk).order_by("-pk"))


def usable_by_hand(usable: QuerySet[Guide], guide_id: str) -> Guide | None:
    """Return the facts a campaign can be kept by hand with, or None."""
    known = usable.filter(guide_id=guide_id, origin=Guide.Origin.FACTS)
    return known.order_by("-brought_at", "-pk").first()
