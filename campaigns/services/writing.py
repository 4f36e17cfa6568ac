"""Judge what a table reports, write it to the log, and settle it in its decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.db import transaction

from arkham.rules.campaign.asking import Pending, with_choice
from arkham.rules.campaign.state.answers import (
    TRANSFERRED,
    Answer,
    Asserted,
    Retracted,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
    gone_by,
)
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.log import store
from campaigns.log.entries import Entry, EntryCorrection
from campaigns.log.replays import Folded, replayed
from campaigns.models import Campaign, LogEntry, Membership, Seat
from campaigns.people import rights
from campaigns.people.rights import EntryRefused, KeyReused, LogFull
from campaigns.questions.display import limits_at
from campaigns.services.decks import state_purchases
from campaigns.services.judging import (
    cards_of,
    entries_in_force,
    judge,
    judge_stated,
    judged_again,
    not_begun,
    require_begun,
    unspent_of,
)
from campaigns.services.settling import settle_decks
from campaigns.settling.cards import UPGRADE, answer_with, with_decks
from campaigns.settling.corrected_cards import corrected_answers
from campaigns.settling.trauma import with_killed

LONGEST_REASON = 300


class WriteContext(NamedTuple):
    """The last entry the writer had seen, the time, and an idempotency key."""

    after: int
    now: datetime
    key: str = ""


Make = Callable[[Campaign, Folded], Iterable[Entry]]


@transaction.atomic
def answer(
    *, campaign: Campaign, member: Membership, given: Answer, context: WriteContext
) -> store.Appended:
    """Log an answer.

    Raises LogMoved, Forbidden; EntryRefused if it isn't asked for or isn't possible.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        require_possible(campaign, member, known, given)
        beside = with_killed(campaign, known.replay, given)
        return [*beside, with_choice(given, known.replay.pending)]

    return written(campaign, make, member, context, last=given)


def require_possible(
    campaign: Campaign, member: Membership, known: Folded, given: Answer
) -> None:
    """Raise the error that would refuse an answer now; write nothing."""
    replay = known.replay
    rights.require_answer(member, given, replay.pending)
    limits = limits_at(campaign, replay.pending, replay.as_asked.state)
    unspent = unspent_of(campaign, known, replay.as_asked, given)
    judge(given, known, unspent, limits, cards_of(campaign, unspent))


@transaction.atomic
def report_card_gains(
    *,
    campaign: Campaign,
    member: Membership,
    gains: Mapping[str, Mapping[str, int]],
    done: Answer | None,
    context: WriteContext,
) -> store.Appended:
    """Log the experience that cards gave, by card, for each investigator.

    ``done`` also marks the decks as up to date. Raises LogMoved, Forbidden;
    EntryRefused if the campaign isn't asking for upgrades.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        replay = known.replay
        asked = replay.pending
        if asked is None or asked.prompt != UPGRADE:
            raise EntryRefused(not_upgrading())
        given = [answer_with(replay, code, gains[code]) for code in gains]
        cards = [each for each in given if each is not None]
        beside = with_killed(campaign, replay, done, cards) if done else []
        steps = {each.step for each in beside}
        cards = [each for each in cards if each.step not in steps]
        entries = [*cards, *beside, *([done] if done else ())]
        for each in entries:
            rights.require_answer(member, each, asked)
            judge(each, known)
        return [*entries]

    return written(campaign, make, member, context, last=done)


@transaction.atomic
def state_fact(
    *,
    campaign: Campaign,
    member: Membership,
    fact: Stated | Asserted,
    context: WriteContext,
) -> store.Appended:
    """Log a fact that the table states or asserts itself.

    A statement needs a reason and an effect. An assertion is logged even if it doesn't
    match the campaign. Raises LogMoved, Forbidden, EntryRefused.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require_fact(member, fact)
        if isinstance(fact, Stated) and not fact.reason.strip():
            missing = Finding(
                _("Give the reason for the correction."), rule="log.reason"
            )
            raise EntryRefused(missing)
        require_begun(fact.scenario, known)
        judge_stated(campaign, known, fact)
        return [fact]

    return written(campaign, make, member, context, last=fact)


@transaction.atomic
def correct(
    *,
    campaign: Campaign,
    member: Membership,
    target: int,
    given: Answer,
    reason: str,
    context: WriteContext,
) -> store.Appended:
    """Correct an earlier answer; everything that follows from it changes too.

    Raises LogMoved, Forbidden, EntryRefused.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        row = _row(campaign, target)
        rights.require_retraction(member, row)
        return correction(campaign, known, target, given, reason)

    return written(campaign, make, member, context, last=given)


@transaction.atomic
def retract(
    *,
    campaign: Campaign,
    member: Membership,
    target: int,
    context: WriteContext,
    reason: str = "",
) -> store.Appended:
    """Undo an entry, or an earlier retraction; it stays readable in the log.

    With a ``reason``, an organiser drops an ultimatum that was chosen by mistake.
    Raises LogMoved, Forbidden; EntryRefused if there is no such entry in force.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require_retraction(member, _row(campaign, target))
        if isinstance(entries_in_force(known).get(target), UltimatumChosen):
            rights.require(member, rights.Right.ORGANISE)
        return retraction(known, target, reason)

    gone = _taken_back(target, reason)
    return written(campaign, make, member, context, last=gone)


@transaction.atomic
def return_to_start(
    *, campaign: Campaign, member: Membership, scenario: str, context: WriteContext
) -> store.Appended:
    """Go back to the start of a scenario: undo everything reported since.

    Raises LogMoved, Forbidden; EntryRefused for a scenario that was not begun.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require(member, rights.Right.WRITE)
        return entries_to_undo(known, scenario)

    return written(campaign, make, member, context, cause=f"return {scenario}"[:100])


# -- what would be written --


def correction(
    campaign: Campaign, known: Folded, target: int, given: Answer, reason: str
) -> list[Entry]:
    """Return the entries that correct an answer. Raises EntryRefused."""
    old = entries_in_force(known).get(target)
    if not isinstance(old, Answer):
        raise EntryRefused(_not_there(target))
    if given.question != old.question:
        other = Finding(
            _("A correction must answer the same question."),
            rule="log.correction",
            actual=" ".join((given.kind, given.scenario, given.step)),
            expected=" ".join((old.kind, old.scenario, old.step)),
        )
        raise EntryRefused(other)
    given = judged_again(campaign, known, given)
    reason = reason.strip()[:LONGEST_REASON]
    return [EntryCorrection(target, reason), given] if reason else [given]


def retraction(known: Folded, target: int, reason: str = "") -> list[Entry]:
    """Return the entry that undoes another one. Raises EntryRefused."""
    gone = gone_by(known.entries)
    if not any(each.sequence == target for each in known.entries) or target in gone:
        raise EntryRefused(_not_there(target))
    taken_back = _taken_back(target, reason)
    judge(taken_back, known)
    return [taken_back]


def _taken_back(target: int, reason: str) -> Retracted | UltimatumDropped:
    """Return the entry that undoes one; with a reason, it drops an ultimatum."""
    why = reason.strip()[:LONGEST_REASON]
    return UltimatumDropped(target, why) if why else Retracted(target)


def entries_to_undo(known: Folded, scenario: str) -> list[Entry]:
    """Return the entries that undo a scenario and all after it. Raises EntryRefused.

    Ultimatums stay, and so do facts brought from another campaign.
    """
    order = [each.id for each in known.replay.scenarios]
    if scenario not in order:
        raise EntryRefused(not_begun(scenario))
    # Entries of later scenarios too: those of a scenario that a correction has left out
    # would apply again as soon as the campaign reached it.
    before = frozenset(("", *order[: order.index(scenario)]))
    begun = ("start_scenario", "start_side_scenario")
    return [
        Retracted(sequence)
        for sequence, entry in entries_in_force(known).items()
        if entry.scenario not in before
        and not isinstance(entry, UltimatumChosen)
        and not (isinstance(entry, Stated) and entry.reason == TRANSFERRED)
        and not (
            entry.scenario == scenario
            and isinstance(entry, Answer)
            and entry.kind in begun
        )
    ]


def written(
    campaign: Campaign,
    make: Make,
    member: Membership,
    context: WriteContext,
    *,
    last: Entry | None = None,
    cause: str = "",
) -> store.Appended:
    """Log the entries that ``make`` returns for the campaign, and settle its decks.

    A request repeated under the same key is recognised by ``last``, the last entry, if
    that is known beforehand, else by ``cause``. Raises LogMoved, KeyReused, LogFull,
    and the errors of ``make``.
    """
    key = store.key_of(member, context.key)
    held = store.locked_at(campaign, after=context.after, key=key)
    if held.known:
        if not _is_same(held.known[-1], last, cause):
            raise KeyReused
        store.sync_head(campaign, held.campaign)
        return store.Appended(held.known, False)
    if not held.campaign.memberships.filter(pk=member.pk, left_at=None).exists():
        raise rights.Forbidden("member")  # has left meanwhile
    require_open(held.campaign)
    before = replayed(held.campaign)
    entries = list(make(held.campaign, before))
    add = partial(store.add, held.campaign, author=member, now=context.now)
    try:
        appended = add(entries, key=key, cause=cause)
        fresh = range(before.last + 1, held.campaign.last + 1)
        now = replayed(held.campaign).replay
        if more := corrected_answers(held.campaign, before, now, fresh):
            add(more, cause="cards again")
    except store.LogTooLong as error:
        raise LogFull from error
    after = replayed(held.campaign).replay
    settle_decks(held.campaign, after, now=context.now)
    if after.pending is None or not after.pending.is_upgrade:
        held.campaign.seats.filter(is_up_to_date=True).update(is_up_to_date=False)
    for seat in _brought_up_to_date(held.campaign, before.replay.pending, entries):
        state_purchases(held.campaign, seat, now=context.now)
    store.sync_head(campaign, held.campaign)
    return appended


def _brought_up_to_date(
    campaign: Campaign, asked: Pending | None, entries: list[Entry]
) -> Iterable[Seat]:
    """Yield the seats whose decks an entry has just brought up to date."""
    if asked is None or asked.prompt != UPGRADE:
        return
    if any(isinstance(each, Answer) and each.step == asked.step for each in entries):
        yield from with_decks(campaign, asked.codes)


def require_open(campaign: Campaign) -> None:
    """Raise EntryRefused if the campaign is archived."""
    if campaign.archived_at is not None:
        message = _("This campaign is archived. Unarchive it to continue.")
        raise EntryRefused(Finding(message, rule="log.archived"))


def _is_same(row: LogEntry, last: Entry | None, cause: str) -> bool:
    """Return whether a row is what would be written last.

    A choice sent by its number is repeated by its number: its id was added here.
    """
    if last is None:
        return row.cause == cause
    if isinstance(last, Answer) and not last.choice:
        last = last._replace(choice=row.payload.get("choice", ""))
    return store.has_entry(row, last)


# -- what is there --


def _row(campaign: Campaign, sequence: int) -> LogEntry:
    row = campaign.entries.filter(sequence=sequence).first()
    if row is None:
        raise EntryRefused(_not_there(sequence))
    return row


def _not_there(sequence: int) -> Finding:
    message = _("This entry can’t be corrected: it was undone or doesn’t exist.")
    return Finding(message, rule="log.entry", actual=sequence)


def not_upgrading() -> Finding:
    """Return the finding that decks can't be upgraded now."""
    return Finding(_("You can’t upgrade decks now."), rule="answer.not-asked")
