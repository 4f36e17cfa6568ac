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

MOST = 2**63 - 1  # no row has a higher key
Row = TypeVar("Row", Membership, Seat)
SIDE = "side"  # a package of side scenarios, which is no campaign


class End(NamedTuple):
    """How far a log is: the sequence of its last entry, and its head."""

    last: int
    head: str


class CampaignMark(NamedTuple):
    """What differs once a campaign has changed.

    The sequence of its last entry, the sum of the versions of its scenarios in play
    (they only grow), and a number that depends on who sits where and whose deck is up
    to date.
    """

    last: int
    played: int
    seated: int

    def __str__(self) -> str:
        return f"{self.last}-{self.played}-{self.seated}"

    def is_seen(self, asked: Mapping[str, str]) -> bool:
        """Whether a page that was made at what this names is as it would be now."""
        if "mark" in asked:
            return asked["mark"] == str(self)
        after, seated = str(self.last), str(self.seated)
        return (asked.get("after"), asked.get("seated", seated)) == (after, seated)


# As SQL, which every look for news would else make of a query set: that takes longer.
# How much was played, and a number that changes with who sits on a seat, and whose
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
# PostgreSQL has what is not there last.
_ACCOUNT_FIRST = F("guest_id").asc(nulls_first=True)


def with_guides(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Rows with their campaigns and the guides those are replayed over.

    What is large of a guide is read only where the guide isn't in memory.
    """
    guides = ("campaign__guide", "campaign__linked__guide")
    large = (f"{guide}__{field}" for guide in guides for field in LARGE)
    return rows.select_related(*guides).defer(*large)


def memberships_of(visitor: Visitor) -> QuerySet[Membership]:
    """Where somebody sits, with the campaigns and their guides.

    Who sits there twice, with an account and as a guest, is there with the account.
    """
    found = Membership.objects.filter(_sits(visitor), left_at=None)
    found = with_guides(found).select_related("user", "guest")
    return found.order_by("campaign_id", _ACCOUNT_FIRST)


def member_of(campaign: int, visitor: Visitor) -> Membership | None:
    """Somebody as they sit at a table; None for whom there is no such table."""
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
    if linked := sitting.campaign.linked_id:  # of few: no join for all
        halves = Campaign.objects.select_related("guide")
        large = (f"guide__{each}" for each in LARGE)
        sitting.campaign.linked = halves.defer(*large).get(pk=linked)
    return sitting


def end_of_log(campaign: int, visitor: Visitor) -> End | None:
    """How far the log of a campaign is, for one of its members: one query."""
    if campaign > MOST:
        return None
    found = Membership.objects.filter(_sits(visitor), campaign=campaign, left_at=None)
    end = found.values_list("campaign__last", "campaign__head").order_by().first()
    return End(*end) if end is not None else None


def mark_of(
    campaign: int, visitor: Visitor, session: str | None = None
) -> CampaignMark | None:
    """The mark of a campaign, for one of its members: one query.

    With the key of a session, for an account that is signed in by it still.
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
    """A member of a campaign: the key of an account, or the digest of a guest's key."""

    campaign: int
    user: int | None
    guest: str | None


def marks_of(campaigns: Collection[int]) -> dict[int, CampaignMark]:
    """The marks of the campaigns there are among these: one query."""
    places = ", ".join(["%s"] * len(campaigns))
    return _marks(f"campaign.id IN ({places})", [*campaigns]) if campaigns else {}


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


def imported_before(campaign: Campaign) -> tuple[Campaign, ...]:
    """What the person who imports a campaign has of it already, the latest first."""
    same = Campaign.objects.filter(
        imported_id=campaign.imported_id,
        guide__guide_id=campaign.guide.guide_id,
        memberships__user=campaign.memberships.get().user,
    )
    return tuple(same.exclude(pk=campaign.pk).order_by("-pk"))


def usable_by_hand(usable: QuerySet[Guide], guide_id: str) -> Guide | None:
    """The facts a campaign can be kept by."""
    known = usable.filter(guide_id=guide_id, origin=Guide.Origin.FACTS)
    return known.order_by("-brought_at", "-pk").first()
