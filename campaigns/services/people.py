"""Joining and leaving a table, with an account or as a guest."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from arkham.accounts.models import User
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.web.quotas import lock_owner
from campaigns.models import (
    Campaign,
    Guest,
    Invitation,
    LogEntry,
    Membership,
    Role,
    Seat,
)
from campaigns.models.people import LONGEST_PERSON
from campaigns.people.rights import (
    EntryRefused,
    Forbidden,
    Right,
    require,
    require_may_play,
    require_room_for_a_campaign,
    require_room_for_a_link,
    require_room_for_an_organiser,
    require_room_for_claims,
    seats_ending_play,
)
from campaigns.people.table import digest_of, guest_behind, is_open, new_guest_key
from decks.lists.content import whole

LIFETIME = timedelta(days=14)
LONGEST_LIFETIME = timedelta(days=365)
A_DAY = timedelta(days=1)
# A higher rank may do more.
_RANK = {Role.SPECTATOR: 0, Role.PLAYER: 1, Role.SCRIBE: 2, Role.ORGANISER: 3}
CLAIMED = "claimed-{pk}"
MOST_MEMBERS = 60  # of one campaign at a time
MOST_USES = 60  # the highest limit a link can have


class InvitationClosed(Exception):
    """The invitation was revoked, used up, or has expired."""


@transaction.atomic
def invite(
    *,
    campaign: Campaign,
    member: Membership,
    now: datetime,
    role: str = Role.PLAYER,
    seat: Seat | None = None,
    lifetime: timedelta = LIFETIME,
    most_uses: int | None = None,
) -> Invitation:
    """Create a link that lets people join, ``most_uses`` of them at most.

    Raises Forbidden; QuotaReached.
    """
    require(member, Right.ORGANISE)
    if seat is not None and seat.campaign_id != campaign.pk:
        raise Forbidden("seat")
    _hold(Campaign.objects.filter(pk=campaign.pk))
    require_room_for_a_link(campaign, now)
    return Invitation.objects.create(
        campaign=campaign,
        role=Role(role),
        seat=seat,
        made_by=member,
        made_at=now,
        expires_at=now + min(max(lifetime, timedelta(0)), LONGEST_LIFETIME),
        most_uses=most_uses and min(max(most_uses, 1), MOST_USES),
    )


@transaction.atomic
def revoke_invitation(
    *, invitation: Invitation, member: Membership, now: datetime
) -> None:
    """Revoke a link: no one can join by it any more. Raises Forbidden."""
    require(member, Right.ORGANISE)
    if invitation.revoked_at is None:
        invitation.revoked_at = now
        invitation.save(update_fields=["revoked_at"])


@transaction.atomic
def join(
    *, invitation: Invitation, user: User, now: datetime, seat: Seat | None = None
) -> Membership:
    """Join a table with an account, and take a free ``seat`` if one was chosen.

    Current members keep their role and don't use up the link; former members come back
    with the invitation's role. Raises InvitationClosed; EntryRefused at a full table;
    QuotaReached for someone who would organise too many.
    """
    lock_owner(user)
    _hold(Campaign.objects.filter(pk=invitation.campaign_id))
    found = Membership.objects.filter(campaign=invitation.campaign, user=user).first()
    is_there = found is not None and found.left_at is None
    if invitation.role == Role.ORGANISER and not is_there:
        _check_open(invitation, now)
        require_room_for_a_campaign(user)
    member = _come(invitation, now, found, user=user)
    _sit_down(invitation, member, seat)
    return member


@transaction.atomic
def join_as_guest(
    *,
    invitation: Invitation,
    name: str,
    now: datetime,
    guest: Guest | None = None,
    key: str = "",
    seat: Seat | None = None,
) -> tuple[Membership, str]:
    """Join a table without an account; return the key for the browser to keep.

    They take the ``seat`` they chose, if it is free.

    A guest of another table keeps their key, so "" is returned. ``key`` is the one a
    page offered: sent twice, it makes one guest. Raises InvitationClosed; EntryRefused
    at a full table.
    """
    _hold(Campaign.objects.filter(pk=invitation.campaign_id))
    if guest is not None:
        key = ""
    else:
        key = key or new_guest_key()
        guest = guest_behind(key)
    if guest is None:
        _check_open(invitation, now)
        called = whole(name).strip()[:LONGEST_PERSON] or "?"
        guest = Guest.objects.create(name=called, digest=digest_of(key), made_at=now)
    found = Membership.objects.filter(campaign=invitation.campaign, guest=guest)
    member = _come(invitation, now, found.first(), guest=guest)
    _sit_down(invitation, member, seat)
    return member, key


@transaction.atomic
def claim(*, guest: Guest, user: User, now: datetime) -> list[Membership]:
    """Move all memberships of a guest to an account; the guest's key becomes invalid.

    At tables where the account is a member it takes over the seats and the better role;
    entries the guest wrote keep their name, and the account may undo them. Raises
    QuotaReached for someone who would organise too many.
    """
    require_room_for_claims(guest, user)
    claimed, has_written = [], False
    _hold(Campaign.objects.filter(memberships__guest=guest), now)
    for member in guest.memberships.select_related("campaign"):
        own = Membership.objects.filter(campaign=member.campaign, user=user).first()
        if own is None:
            member.user, member.guest = user, None
            member.save(update_fields=["user", "guest"])
            claimed.append(member)
            continue
        Seat.objects.filter(member=member).update(member=own)
        _take_over(own, member)
        claimed.append(own)
        if LogEntry.objects.filter(author=member).exists():
            has_written = True
            member.left_at, member.claimed_by = member.left_at or now, own
            member.save(update_fields=["left_at", "claimed_by"])
        else:
            member.delete()
    if has_written:
        guest.digest = CLAIMED.format(pk=guest.pk)  # no key has this one
        guest.save(update_fields=["digest"])
    else:
        guest.delete()
    return claimed


def _take_over(own: Membership, member: Membership) -> None:
    """Take the role of a guest who is still there, if it is the better one."""
    if member.left_at is not None:
        return
    if own.left_at is not None or _RANK[Role(member.role)] > _RANK[Role(own.role)]:
        own.left_at, own.role = None, member.role
        own.save(update_fields=["left_at", "role"])


@transaction.atomic
def leave(*, member: Membership, now: datetime) -> None:
    """Leave a table; its seats stay, without a player.

    The member's own decks leave too and keep what they were given; linked again, they
    are brought up to date with the log. Raises EntryRefused for the last organiser.
    """
    _hold(Campaign.objects.filter(pk=member.campaign_id), now)
    _keep_an_organiser(member)
    if member.user_id is not None:
        own = Seat.objects.filter(
            campaign=member.campaign_id, deck__owner=member.user_id
        )
        own.update(deck=None, kind=Seat.Kind.NONE)
    out = seats_ending_play(Seat.objects.filter(member=member))
    seats = Seat.objects.filter(member=member).exclude(pk__in=out)
    seats.update(member=None, is_up_to_date=False)
    has_written = LogEntry.objects.filter(author=member).exists()
    if member.guest_id is not None and not has_written and not out:
        member.delete()  # no entry needs their name
        return
    member.left_at = now
    member.save(update_fields=["left_at"])


def forget_guests(*, now: datetime) -> int:
    """Delete guests without memberships, and return their number.

    Guests made within the last day may still be about to join a table.
    """
    gone = Guest.objects.filter(memberships=None, made_at__lte=now - A_DAY)
    return gone.delete()[0]


@transaction.atomic
def remove_member(*, member: Membership, actor: Membership, now: datetime) -> None:
    """Remove a member and revoke the open links, since they may have one.

    A link made later lets them in again. Raises Forbidden; EntryRefused like ``leave``.
    """
    require(actor, Right.ORGANISE)
    _hold(Campaign.objects.filter(pk=member.campaign_id))
    _open_links(member, now).update(revoked_at=now)
    leave(member=member, now=now)


@transaction.atomic
def change_role(
    *, member: Membership, actor: Membership, role: str, now: datetime
) -> None:
    """Change a member's role.

    A member who may do less from now on may have an open link: links that would raise
    their role again are revoked. Raises Forbidden; EntryRefused; QuotaReached for
    someone who would organise too many.
    """
    require(actor, Right.ORGANISE)
    if role == Role.ORGANISER:
        require_room_for_an_organiser(member)
    _hold(Campaign.objects.filter(pk=member.campaign_id), now)
    if role != Role.ORGANISER:
        _keep_an_organiser(member)
    if _RANK[Role(role)] < _RANK[Role(member.role)]:
        better = [each for each, rank in _RANK.items() if rank > _RANK[Role(role)]]
        _open_links(member, now).filter(role__in=better).update(revoked_at=now)
    member.role = Role(role)
    member.save(update_fields=["role"])


def _open_links(member: Membership, now: datetime) -> QuerySet[Invitation]:
    """Return the links to a member's table that still let people join."""
    return Invitation.objects.filter(
        campaign=member.campaign_id, revoked_at=None, expires_at__gt=now
    )


@transaction.atomic
def give_seat(*, seat: Seat, member: Membership | None, actor: Membership) -> None:
    """Give a seat to a member, or to no one. Raises Forbidden; EntryRefused."""
    require(actor, Right.ORGANISE)
    if member is not None:
        if member.campaign_id != seat.campaign_id:
            raise Forbidden("member")
        require_may_play(seat, member)
    elif seat.member is not None and (out := seats_ending_play([seat])):
        raise EntryRefused(*out.values())  # else they could begin with another one
    seat.member, seat.is_up_to_date = member, False
    seat.save(update_fields=["member", "is_up_to_date"])


def _check_open(invitation: Invitation, now: datetime) -> None:
    """Read the link again under the lock; raise InvitationClosed if it isn't open."""
    invitation.refresh_from_db(fields=["uses", "revoked_at", "expires_at"])
    if not is_open(invitation, now):
        raise InvitationClosed


def _come(
    invitation: Invitation,
    now: datetime,
    member: Membership | None,
    *,
    user: User | None = None,
    guest: Guest | None = None,
) -> Membership:
    """Return a current member as they are, else let the person join by the link."""
    if member is not None and member.left_at is None:
        if invitation.revoked_at is not None or now >= invitation.expires_at:
            raise InvitationClosed
        return member
    _check_open(invitation, now)
    campaign = invitation.campaign
    if campaign.memberships.filter(left_at=None).count() >= MOST_MEMBERS:
        raise EntryRefused(Finding(_("This table is full."), rule="table.full"))
    Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
    _hold(Campaign.objects.filter(pk=campaign.pk), now)
    if member is not None:
        member.role, member.left_at = invitation.role, None
        member.save(update_fields=["role", "left_at"])
        return member
    return Membership.objects.create(
        campaign=campaign, user=user, guest=guest, role=invitation.role, joined_at=now
    )


def _sit_down(invitation: Invitation, member: Membership, chosen: Seat | None) -> None:
    """Take the seat of an invitation, or the one that was chosen, if it is free."""
    free = Seat.objects.filter(invitations=invitation, member=None)
    if invitation.seat_id is None and chosen and member.role != Role.SPECTATOR:
        free = free_seats(invitation.campaign).filter(pk=chosen.pk)
    for seat in free:
        require_may_play(seat, member)
        Seat.objects.filter(pk=seat.pk, member=None).update(member=member)


def free_seats(campaign: Campaign) -> QuerySet[Seat]:
    """Return the seats without a player, except of investigators that were replaced."""
    replaced = campaign.seats.exclude(instead=None).values("instead")
    return campaign.seats.filter(member=None).exclude(pk__in=replaced)


def _hold(campaigns: QuerySet[Campaign], now: datetime | None = None) -> None:
    """Keep others from writing, joining and leaving until the transaction ends.

    With ``now`` the campaigns are noted as changed.
    """
    held = Campaign.objects.select_for_update().filter(pk__in=campaigns.values("pk"))
    keys = list(held.order_by("pk").values_list("pk", flat=True))
    if now is not None:
        Campaign.objects.filter(pk__in=keys).update(changed_at=now)


def _keep_an_organiser(member: Membership) -> None:
    """Raise EntryRefused if no organiser would be left; the caller holds the table."""
    member.refresh_from_db(fields=["role"])
    others = Membership.objects.filter(
        campaign=member.campaign_id, role=Role.ORGANISER, left_at=None
    )
    if member.role == Role.ORGANISER and not others.exclude(pk=member.pk).exists():
        raise EntryRefused(
            Finding(_("The table needs an organiser."), rule="table.organiser")
        )
