"""Seat and retire investigators, and mark decks as up to date."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import transaction

from arkham.rules.campaign.judging.roster import (
    Candidate,
    Roster,
    RosterReason,
    findings_of,
    may_be_chosen,
)
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Answer, Stated
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Severity
from arkham.rules.finding import gettext_noop as _
from campaigns.log import store
from campaigns.log.replays import Folded, replayed
from campaigns.models import Campaign, Membership, Role, Seat
from campaigns.people import rights
from campaigns.people.rights import EntryRefused, Forbidden
from campaigns.services.writing import (
    WriteContext,
    answer,
    not_upgrading,
    require_open,
    written,
)


def may_sit(
    campaign: Campaign, codes: Iterable[str], instead: Seat | None = None
) -> tuple[str, ...]:
    """Return those of these investigators that may take a seat now, in their order.

    ``instead`` is the seat of a lost investigator who is replaced, if any.
    """
    state = replayed(campaign).replay.state
    lost = _lost(state, instead)
    return may_be_chosen(
        state, codes, _entering(lost), others=_others(campaign, state), lost=lost
    )


def require_may_sit(
    campaign: Campaign, code: str, instead: Seat | None, player: Membership | None
) -> None:
    """Raise EntryRefused if an investigator may not be chosen now.

    Investigators who play already only get a seat. A ``player`` who lost an
    investigator can't avoid that loss by not naming whom they replace.
    """
    state = replayed(campaign).replay.state
    if code in state.players:
        return
    lost, others = _lost(state, instead), _others(campaign, state)
    choosing = Candidate(code, Roster(state), _entering(lost), others, lost)
    found = [
        each for each in findings_of(choosing) if each.severity is Severity.ILLEGAL
    ]
    if instead is None and player is not None:
        found += rights.seats_ending_play(campaign.seats.filter(member=player)).values()
    if found:
        raise EntryRefused(*found)


def require_seating(member: Membership, instead: Seat | None) -> None:
    """Raise Forbidden if a member may not seat an investigator.

    Organisers may; players may replace a lost investigator of their own.
    """
    own = instead is not None and instead.member_id == member.pk
    gone = instead is not None and _lost_at(instead) is not Fate.ALIVE
    if own and gone and member.role != Role.SPECTATOR and member.left_at is None:
        return
    rights.require(member, rights.Right.ORGANISE)


@transaction.atomic
def retire(
    *, seat: Seat, member: Membership, reason: str, context: WriteContext
) -> store.Appended:
    """Retire an investigator from this campaign; they keep what they have.

    Raises LogMoved, Forbidden; EntryRefused without a reason, during a game, or for an
    investigator who has left the campaign.
    """

    def make(campaign: Campaign, known: Folded) -> list[Stated]:
        code, state = seat.investigator, known.replay.state
        fact = Stated(known.replay.begun[-1], do.Retire(), (code,), (), reason.strip())
        rights.require_fact(member, fact)
        found = list(_against_retiring(code, state, fact.reason))
        if found:
            raise EntryRefused(*found)
        return [fact]

    cause = f"retired {seat.investigator}"
    return written(seat.campaign, make, member, context, cause=cause)


@transaction.atomic
def mark_up_to_date(
    *,
    campaign: Campaign,
    codes: Collection[str],
    member: Membership,
    now: datetime,
    is_done: bool = True,
) -> None:
    """Mark whether the decks of these investigators are up to date.

    Once all decks are, this is the table's answer, if the member may give it. Raises
    Forbidden; EntryRefused if the campaign isn't asking for upgrades.
    """
    held = store.locked_with_linked(campaign)
    require_open(held)
    pending = replayed(held).replay.pending
    if pending is None or not pending.is_upgrade or {*codes} - {*pending.codes}:
        raise EntryRefused(not_upgrading())
    if not rights.may_answer_for(member, codes):
        raise Forbidden("seat")
    for seat in held.seats.filter(investigator__in=codes):
        seat.is_up_to_date = is_done
        seat.save(update_fields=["is_up_to_date"])
    are_done = not rights.decks_awaited(held, pending).exists()
    if is_done and are_done and rights.may_answer(member, pending):
        given = Answer(pending.kind, pending.scenario, pending.step, True)
        context = WriteContext(held.last, now)
        answer(campaign=held, member=member, given=given, context=context)
    store.sync_head(campaign, held)


def _against_retiring(code: str, state: State, reason: str) -> Iterable[Finding]:
    if not reason:
        yield Finding(_("Give the reason for the correction."), rule="log.reason")
    if fate_of(state, code) is not Fate.ALIVE:
        yield Finding(
            _("This investigator has already left."), rule="seat.gone", cards=(code,)
        )
    if Roster(state).is_playing and code in state.players:
        yield Finding(
            _("Finish this scenario first."),
            rule="roster.between-games",
            cards=(code,),
            actual=state.scenario,
        )


def _entering(lost: Fate) -> RosterReason:
    return RosterReason.JOINING if lost is Fate.ALIVE else RosterReason.REPLACING


def _lost(state: State, instead: Seat | None) -> Fate:
    return Fate.ALIVE if instead is None else fate_of(state, instead.investigator)


def _lost_at(seat: Seat) -> Fate:
    return _lost(replayed(seat.campaign).replay.state, seat)


def _others(campaign: Campaign, state: State) -> tuple[str, ...]:
    """Return the players' investigators, except those killed, insane or retired."""
    codes = campaign.seats.values_list("investigator", flat=True)
    return tuple(each for each in codes if fate_of(state, each) is Fate.ALIVE)
