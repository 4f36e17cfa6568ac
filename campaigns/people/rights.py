"""Rights at a table, and limits on what one person may store.

An organiser may do everything. A scribe writes for the whole table. A player answers
the table's questions and changes their own investigators. A spectator reads. If the
organiser restricts answers, a player answers only for their own investigators, and a
scribe not for those of other members.

One person organises a limited number of campaigns and copies, and each campaign has a
limited number of links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from enum import Enum, auto

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import ngettext

from arkham.accounts.models import User
from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.judging import concerned
from arkham.rules.campaign.judging.roster import (
    Candidate,
    Roster,
    RosterReason,
    survives,
)
from arkham.rules.campaign.model.effects import Retire
from arkham.rules.campaign.settlement import fate_of
from arkham.rules.campaign.state.answers import Answer, Asserted, Stated
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.web.quotas import QuotaReached, lock_owner, require_room
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Guest, LogEntry, Membership, Role, Seat
from campaigns.people.table import is_open
from campaigns.settling.terms import everybody_answers


def require_room_for_a_campaign(organiser: User, more: int = 1) -> None:
    """Raise QuotaReached if an account would organise too many campaigns."""
    lock_owner(organiser)
    require_room("campaigns", _organised(organiser), more)


def require_room_for_an_organiser(member: Membership) -> None:
    """Raise QuotaReached if a member can't organise one more campaign.

    It concerns the member's account, not the account that asks. Guests have no quota.
    """
    if member.user is None or _organised(member.user).filter(pk=member.pk).exists():
        return
    lock_owner(member.user)
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
    """Raise QuotaReached if an account can't organise all that a guest organises."""
    theirs = Membership.objects.filter(guest=guest, role=Role.ORGANISER, left_at=None)
    own = _organised(user).values("campaign")
    if more := theirs.exclude(campaign__in=own).count():
        require_room_for_a_campaign(user, more)


def _organised(user: User) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user, role=Role.ORGANISER, left_at=None)


def require_room_for_a_copy(campaign: Campaign, member: Membership) -> None:
    """Raise QuotaReached if a member can't have another copy.

    For guests the limit counts all their copies, copies of copies included.
    """
    if member.guest is not None:
        lock_owner(member.guest)
    copies = Membership.objects.filter(
        role=Role.ORGANISER, user=member.user, guest=member.guest
    )
    if member.user is not None:
        require_room_for_a_campaign(member.user)
        copies = copies.filter(campaign__branched_from=campaign)
    require_room("branches", copies)


def require_room_for_a_link(campaign: Campaign, now: datetime) -> None:
    """Delete the oldest closed links if the campaign has too many.

    Raises QuotaReached if all of them are open.
    """
    made = campaign.invitations.order_by("pk")
    closed = [each.pk for each in made if not is_open(each, now)]
    too_many = max(0, len(made) + 1 - settings.ORNE_QUOTAS["links"])
    made.filter(pk__in=closed[:too_many]).delete()
    require_room("links", made.all())


class EntryRefused(Exception):
    """A report is not possible; ``findings`` say why, all at once."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(each.rule or each.text for each in findings))
        self.findings = findings


class KeyReused(EntryRefused):
    """Something else was written under this key before."""

    def __init__(self) -> None:
        message = _(
            "This form was already sent with a different answer. Check what "
            "was recorded."
        )
        super().__init__(Finding(message, rule="log.key"))


class LogFull(EntryRefused):
    """The log has reached its maximum length."""

    def __init__(self) -> None:
        super().__init__(Finding(_("The log is full."), rule="log.full"))


# These concern everyone, and one member answers for all.
_OF_THE_TABLE = frozenset({"choose_investigators", "upgrade_decks", "save_decks"})
# Given without a question; they concern the whole table.
_UNASKED = frozenset({"inter_scenario", "start_scenario", "start_side_scenario"})
# Only writers give these, even if everyone may answer.
_OF_WRITERS = frozenset({"inter_scenario", "start_side_scenario"})


class Forbidden(Exception):
    """The member may not do this at this table; ``needs`` names the role they would
    need."""

    def __init__(self, needs: str) -> None:
        super().__init__(needs)
        self.needs = needs


class Right(Enum):
    """Rights that depend on the role, apart from the log."""

    ORGANISE = auto()
    WRITE = auto()


_WRITERS = frozenset({Role.ORGANISER, Role.SCRIBE})


def require(member: Membership, right: Right) -> None:
    """Raise Forbidden if the member doesn't have the right."""
    if member.left_at is not None:
        raise Forbidden("member")
    if right is Right.ORGANISE and member.role != Role.ORGANISER:
        raise Forbidden(Role.ORGANISER)
    if right is Right.WRITE and member.role not in _WRITERS:
        raise Forbidden(Role.SCRIBE)


def require_play(member: Membership) -> None:
    """Raise Forbidden for spectators: everyone else draws and counts."""
    if member.left_at is not None:
        raise Forbidden("member")
    if member.role == Role.SPECTATOR:
        raise Forbidden(Role.PLAYER)


def own_codes(member: Membership) -> frozenset[str]:
    """Return the investigators a member plays."""
    seats = member.campaign.seats.filter(member=member)
    return frozenset(seats.values_list("investigator", flat=True))


def seats_ending_play(seats: Iterable[Seat]) -> dict[int, Finding]:
    """Return the seats whose loss ends their players' part, with reasons (ULT-15)."""
    found: dict[int, Finding] = {}
    for seat in seats:
        with suppress(GuideMissing, LogBroken):
            state, code = replayed(seat.campaign).replay.state, seat.investigator
            who = code, Roster(state), RosterReason.REPLACING, (), fate_of(state, code)
            found.update((seat.pk, each) for each in survives(Candidate(*who)))
    return found


def require_may_play(seat: Seat, player: Membership) -> None:
    """Raise EntryRefused if another seat's loss ends the player's part (ULT-15)."""
    left = seats_ending_play(Seat.objects.filter(member=player))
    if left and not seats_ending_play([seat]):
        raise EntryRefused(*left.values())


def _taken_codes(campaign: Campaign) -> frozenset[str]:
    """Return the investigators that a present member plays."""
    seats = campaign.seats.filter(member__isnull=False, member__left_at=None)
    return frozenset(seats.values_list("investigator", flat=True))


def addressed(pending: Pending | None) -> tuple[str, ...]:
    """Return the investigators a prompt is for; empty if it is for the table."""
    if pending is None or pending.prompt in _OF_THE_TABLE:
        return ()
    return pending.codes if len(pending.codes) == 1 else ()


def require_answer(member: Membership, answer: Answer, pending: Pending | None) -> None:
    """Raise Forbidden for an answer that is someone else's to give."""
    concerned = () if answer.kind in _UNASKED else addressed(pending)
    own = _deck_of(answer, pending)
    if own:
        _require_for(member, (own,))
    elif pending and pending.is_upgrade and pending.is_answered_by(answer):
        _require_asked(member, pending)
    elif answer.kind in _OF_WRITERS:
        _require_for(member, concerned)
    else:
        _require_to_answer(member, concerned)


def may_answer(member: Membership, pending: Pending | None) -> bool:
    """Return whether a member may answer the current question."""
    return pending is not None and _may(_require_asked, member, pending)


def decks_awaited(campaign: Campaign, pending: Pending | None) -> QuerySet[Seat]:
    """Return the seats whose players are still upgrading; none for other questions.

    Where no experience is spent there is nothing to wait for.
    """
    if pending is None or not pending.spends:
        return campaign.seats.none()
    return campaign.seats.filter(
        investigator__in=pending.codes,
        is_up_to_date=False,
        member__left_at=None,
        member__role__in=(Role.ORGANISER, Role.SCRIBE, Role.PLAYER),
    ).select_related("member__user", "member__guest")


def own_upgrades(member: Membership, pending: Pending | None) -> frozenset[str]:
    """Return the investigators whose decks a member plays and is upgrading."""
    if pending is None or not pending.spends:
        return frozenset()
    return reportable_decks(member, pending) & own_codes(member)


def may_answer_for(member: Membership, codes: Iterable[str] = ()) -> bool:
    """Return whether a member may answer for these investigators, or for the table."""
    return _may(_require_for, member, codes)


def may_retract(member: Membership, sequence: int) -> bool:
    """Return whether a member may undo an entry; only a player's depends on it."""
    if member.role != Role.PLAYER:
        return may_write(member)
    row = member.campaign.entries.filter(sequence=sequence).first()
    return row is not None and _may(require_retraction, member, row)


def may_write(member: Membership) -> bool:
    """Return whether a member writes for the table."""
    return _may(require, member, Right.WRITE)


def may_organise(member: Membership) -> bool:
    """Return whether a member organises a table that isn't archived."""
    return _may(require, member, Right.ORGANISE)


def may_play(member: Membership) -> bool:
    """Return whether a member draws and counts at a table that isn't archived."""
    return _may(require_play, member)


def _may(require: Callable[..., None], member: Membership, *args: object) -> bool:
    """Return whether a check passes; never at an archived table."""
    if member.campaign.archived_at is not None:
        return False
    try:
        require(member, *args)
    except Forbidden:
        return False
    return True


def _deck_of(answer: Answer, pending: Pending | None) -> str:
    """Return whose deck an answer corrects during upgrades, or ""."""
    step, mark, code = answer.step.rpartition("#")
    if answer.kind != "choice_list" or pending is None or not mark:
        return ""
    return code if step == pending.step and code in pending.codes else ""


def reportable_decks(member: Membership, pending: Pending | None) -> frozenset[str]:
    """Return the investigators whose decks a member may report on in an upgrade."""
    if pending is None or member.left_at is not None:
        return frozenset()
    codes = frozenset(pending.codes)
    if member.role == Role.ORGANISER:
        return codes
    own = own_codes(member)
    if member.role == Role.SCRIBE:
        return codes - (_taken_codes(member.campaign) - own)
    return codes & own if member.role == Role.PLAYER else frozenset()


def require_fact(member: Membership, fact: Stated | Asserted) -> None:
    """Raise Forbidden if a player states a fact about others, or the table.

    A scribe states facts about everyone; but retirement is for the investigator's own
    player to state, if they have one.
    """
    retires = isinstance(fact, Stated) and isinstance(fact.effect, Retire)
    if member.left_at is None and member.role in _WRITERS and not retires:
        return
    _require_for(member, concerned(fact))


def require_retraction(member: Membership, row: LogEntry) -> None:
    """Raise Forbidden unless it is a player's own entry, or a writer undoes it."""
    if member.role == Role.PLAYER and member.left_at is None:
        if not _wrote(member, row):
            raise Forbidden(Role.SCRIBE)
        return
    require(member, Right.WRITE)


def _wrote(member: Membership, row: LogEntry) -> bool:
    """Return whether a member wrote an entry, as the account or a claimed guest."""
    if row.author_id in (None, member.pk):
        return row.author_id is not None
    return member.claimed.filter(pk=row.author_id).exists()


def _require_to_answer(member: Membership, codes: Iterable[str]) -> None:
    """Raise Forbidden if a member may not answer for investigators, or the table."""
    plays = member.left_at is None and member.role != Role.SPECTATOR
    if not (plays and everybody_answers(member.campaign)):
        _require_for(member, codes)


def _require_asked(member: Membership, pending: Pending) -> None:
    """Raise Forbidden unless a member may answer the current question.

    To finish an upgrade takes the last player or a writer (``mark_up_to_date``).
    """
    _require_to_answer(member, addressed(pending))
    if member.role in _WRITERS:
        return
    if decks_awaited(member.campaign, pending).exclude(member=member).exists():
        raise Forbidden(Role.SCRIBE)


def _require_for(member: Membership, codes: Iterable[str]) -> None:
    """Raise Forbidden if a member may not act for investigators, or the table."""
    if member.left_at is not None:
        raise Forbidden("member")
    if member.role == Role.ORGANISER:
        return
    concerned = frozenset(codes)
    if member.role == Role.SPECTATOR:
        raise Forbidden(Role.PLAYER)
    own = own_codes(member)
    if concerned and concerned <= own:
        return
    if member.role == Role.PLAYER:
        raise Forbidden("seat" if concerned else Role.SCRIBE)
    if concerned & (_taken_codes(member.campaign) - own):
        raise Forbidden("seat")
