"""What a table reports is judged, written into the log, and settled in its decks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from arkham.rules.campaign import answers, judging
from arkham.rules.campaign.answering import findings_of
from arkham.rules.campaign.answers import (
    Answer,
    Asserted,
    Released,
    Retracted,
    SideScenario,
    Stated,
    Sworn,
    effective,
)
from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.choosing import with_choice
from arkham.rules.campaign.fixed import CHOOSE_INVESTIGATORS
from arkham.rules.campaign.replay import Replay
from arkham.rules.campaign.victory import Limit
from arkham.rules.finding import Finding, Severity
from arkham.rules.finding import gettext_noop as _
from campaigns import log, rights
from campaigns.by_cards import UPGRADE, answer_with
from campaigns.dealing import misnamed
from campaigns.display_limits import limits_at
from campaigns.display_questions import misvalued
from campaigns.entries import Corrected, Entry, folded
from campaigns.models import Campaign, LogEntry, Membership
from campaigns.replays import Folded, folded_over, replayed
from campaigns.services.settling import settle_decks
from cardpool.catalog import current_pool
from decks.ledger import balances_of

LONGEST_REASON = 300


class Refused(Exception):
    """What was reported cannot be so; ``findings`` say why, all at once."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(each.rule or each.message for each in findings))
        self.findings = findings


class KeyReused(Refused):
    """Something else was written under this key before."""

    def __init__(self) -> None:
        message = _("Something else was written from this form before. Look again.")
        super().__init__(Finding(message, rule="log.key"))


class LogFull(Refused):
    """No campaign is so long."""

    def __init__(self) -> None:
        super().__init__(Finding(_("The log is full."), rule="log.full"))


class Sight(NamedTuple):
    """What somebody saw when they wrote, and the name they gave what they wrote."""

    after: int
    now: datetime
    key: str = ""


Make = Callable[[Campaign, Folded], Iterable[Entry]]


@transaction.atomic
def answer(
    *, campaign: Campaign, member: Membership, given: Answer, sight: Sight
) -> log.Appended:
    """Write an answer down.

    Raises LogMoved, Forbidden; Refused where it is not asked, or cannot be had.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        replay = known.replay
        rights.require_answer(member, given, replay.pending)
        limits = limits_at(campaign, replay.pending, replay.state)
        judge(given, known, _unspent(campaign, known, given), limits)
        return [with_choice(given, replay.pending)]

    return written(campaign, make, member, sight, last=given)


@transaction.atomic
def tell_of_decks(
    *,
    campaign: Campaign,
    member: Membership,
    told: Mapping[str, Mapping[str, int]],
    done: Answer | None,
    sight: Sight,
) -> log.Appended:
    """Write down what cards brought: experience by card, for each investigator.

    With ``done`` the decks are up to date too. Raises LogMoved, Forbidden; Refused
    where decks are not brought up to date now.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        replay = known.replay
        asked = replay.pending
        if asked is None or asked.prompt != UPGRADE:
            raise Refused(_not_upgrading())
        given = [answer_with(replay, code, told[code]) for code in told]
        entries = [each for each in (*given, done) if each is not None]
        for each in entries:
            rights.require_answer(member, each, asked)
            judge(each, known)
        return [*entries]

    return written(campaign, make, member, sight, last=done)


@transaction.atomic
def state_fact(
    *, campaign: Campaign, member: Membership, fact: Stated | Asserted, sight: Sight
) -> log.Appended:
    """Write down what the table states or asserts itself.

    A statement has a reason, and means something. An assertion that is not so is
    written all the same: it is found in the log. Raises LogMoved, Forbidden, Refused.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require_fact(member, fact)
        if isinstance(fact, Stated) and not fact.reason.strip():
            raise Refused(Finding(_("A correction has a reason."), rule="log.reason"))
        _check_scenario(fact.scenario, known)
        judge(fact, known)
        if isinstance(fact, Stated):
            _refuse_new_problems(campaign, known, [fact])
        return [fact]

    return written(campaign, make, member, sight, last=fact)


@transaction.atomic
def correct(
    *,
    campaign: Campaign,
    member: Membership,
    target: int,
    given: Answer,
    reason: str,
    sight: Sight,
) -> log.Appended:
    """Put an earlier answer right: another one takes its place, and what follows too.

    Raises LogMoved, Forbidden, Refused.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        row = _row(campaign, target)
        rights.require_retraction(member, row)
        return correction(campaign, known, target, given, reason)

    return written(campaign, make, member, sight, last=given)


@transaction.atomic
def retract(
    *,
    campaign: Campaign,
    member: Membership,
    target: int,
    sight: Sight,
    reason: str = "",
) -> log.Appended:
    """Take an entry back, or a retraction; it stays to be read.

    An ultimatum that was sworn to by mistake is released by an organiser, with a
    ``reason``. Raises LogMoved, Forbidden; Refused if there is no such entry that
    holds.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require_retraction(member, _row(campaign, target))
        if isinstance(_holding(known).get(target), Sworn):
            rights.require(member, rights.Right.ORGANISE)
        return retraction(known, target, reason)

    gone = _taken_back(target, reason)
    return written(campaign, make, member, sight, last=gone)


@transaction.atomic
def return_to_start(
    *, campaign: Campaign, member: Membership, scenario: str, sight: Sight
) -> log.Appended:
    """Go back to the start of a scenario: what was reported since is taken back.

    Raises LogMoved, Forbidden; Refused for a scenario that was not begun.
    """

    def make(campaign: Campaign, known: Folded) -> list[Entry]:
        rights.require(member, rights.Right.WRITE)
        return since_the_start(known, scenario)

    return written(campaign, make, member, sight, cause=f"return {scenario}"[:100])


# -- what would be written --


def correction(
    campaign: Campaign, known: Folded, target: int, given: Answer, reason: str
) -> list[Entry]:
    """The entries that put an answer right. Raises Refused."""
    old = _holding(known).get(target)
    if not isinstance(old, Answer):
        raise Refused(_not_there(target))
    if given.question != old.question:
        raise Refused(
            Finding(
                _("A correction answers the same question."),
                rule="log.correction",
                actual=" ".join((given.kind, given.scenario, given.step)),
                expected=" ".join((old.kind, old.scenario, old.step)),
            )
        )
    given = _judged_again(campaign, known, given)
    reason = reason.strip()[:LONGEST_REASON]
    return [Corrected(target, reason), given] if reason else [given]


def retraction(known: Folded, target: int, reason: str = "") -> list[Entry]:
    """The entry that takes another one back. Raises Refused."""
    gone = _retracted(known.entries)
    if not any(each.sequence == target for each in known.entries) or target in gone:
        raise Refused(_not_there(target))
    taken_back = _taken_back(target, reason)
    judge(taken_back, known)
    return [taken_back]


def _taken_back(target: int, reason: str) -> Retracted | Released:
    """The entry that takes one back; with a reason, an ultimatum sworn by mistake."""
    told = reason.strip()[:LONGEST_REASON]
    return Released(target, told) if told else Retracted(target)


def since_the_start(known: Folded, scenario: str) -> list[Entry]:
    """The entries that take back a scenario and all after it. Raises Refused."""
    order = [each.id for each in known.replay.scenarios]
    if scenario not in order:
        raise Refused(_not_begun(scenario))
    # Not those after it: what was reported of a scenario that a correction has left
    # out would hold again as soon as the campaign came there.
    before = frozenset(("", *order[: order.index(scenario)]))
    begun = ("start_scenario", "start_side_scenario")
    return [
        Retracted(sequence)
        for sequence, entry in _holding(known).items()
        if entry.scenario not in before
        and not isinstance(entry, Sworn)  # it holds to the end
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
    sight: Sight,
    *,
    last: Entry | None = None,
    cause: str = "",
) -> log.Appended:
    """Write what ``make`` makes of the campaign as it is, and settle its decks.

    ``last`` is the last entry of it, if it is known before, by which another one under
    the same key is told apart; else its ``cause`` tells. Raises LogMoved, KeyReused,
    LogFull, and what ``make`` raises.
    """
    key = log.key_of(member, sight.key)
    held = log.held(campaign, after=sight.after, key=key)
    if held.known:
        if not _is_same(held.known[-1], last, cause):
            raise KeyReused
        log.tell(campaign, held.campaign)
        return log.Appended(held.known, False)
    if not held.campaign.memberships.filter(pk=member.pk, left_at=None).exists():
        raise rights.Forbidden("member")  # has gone meanwhile
    require_open(held.campaign)
    before = replayed(held.campaign)
    entries = list(make(held.campaign, before))
    try:
        appended = log.append(
            held.campaign,
            entries,
            after=sight.after,
            author=member,
            now=sight.now,
            key=key,
            cause=cause,
        )
    except log.LogFull as error:
        raise LogFull from error
    settle_decks(held.campaign, replayed(held.campaign).replay, now=sight.now)
    log.tell(campaign, held.campaign)
    return appended


def require_open(campaign: Campaign) -> None:
    """Refuse to write at a table that was put away."""
    if campaign.archived_at is not None:
        message = _("This campaign is put away. Take it out again to write in it.")
        raise Refused(Finding(message, rule="log.archived"))


def _is_same(row: LogEntry, last: Entry | None, cause: str) -> bool:
    """Whether a row is what would be written last.

    Who told a choice by its number sends it again by its number: the id was added.
    """
    if last is None:
        return row.cause == cause
    if isinstance(last, Answer) and not last.choice:
        last = last._replace(choice=row.payload.get("choice", ""))
    return log.says(row, last)


# -- judged --


def _unspent(campaign: Campaign, known: Folded, given: Answer) -> dict[str, int]:
    """What those who pay for a side scenario have, whose decks are kept here.

    Those who played last as it begins, and then those who are told to play it.
    """
    if isinstance(given.value, SideScenario):
        paying = known.replay.state.alive()
    elif given.step == CHOOSE_INVESTIGATORS and given.kind == "string_choices":
        paying = [*given.value]
    else:
        return {}
    seats = campaign.seats.filter(deck__isnull=False, investigator__in=paying)
    decks = {
        seat.investigator: seat.deck
        for seat in seats.select_related("deck")
        if seat.deck is not None
    }
    left = balances_of(decks.values())
    return {code: left.get(deck.pk, 0) for code, deck in decks.items()}


def judge(
    given: answers.Entry,
    known: Folded,
    unspent: Mapping[str, int] | None = None,
    limits: tuple[Limit, ...] = (),
) -> None:
    """Refuse what anything but advice stands against."""
    log_before = tuple(folded(known.entries))
    found = judging.findings_of(given, known.replay, log_before, unspent, limits)
    if isinstance(given, Answer) and not found:
        found = _misnamed(given, known.replay.pending)
    if any(each.severity is not Severity.ADVICE for each in found):
        raise Refused(*found)


def _judged_again(campaign: Campaign, known: Folded, given: Answer) -> Answer:
    """An answer judged by what was asked when the first one to it was given."""
    if given.kind in _STARTS:
        judge(given, _before(campaign, known, given))
        return given
    asked = asked_then(campaign, known, given)
    if asked is None or asked.pending is None:
        return given  # nobody asks for what may be told unasked
    limits = limits_at(campaign, asked.pending, asked.state)
    found = findings_of(given, asked.pending, asked.state, limits)
    if found := found or _misnamed(given, asked.pending):
        raise Refused(*found)
    return with_choice(given, asked.pending)


def _misnamed(given: Answer, pending: Pending | None) -> tuple[Finding, ...]:
    """What stands against the cards an answer names, by what is printed on them."""
    return misnamed(given, pending) or misvalued(given, pending, current_pool())


_STARTS = frozenset({"start_scenario", "start_side_scenario"})


def _before(campaign: Campaign, known: Folded, given: Answer) -> Folded:
    """The campaign as it was before this was told first; what was taken back apart."""
    first = min(
        entry.sequence
        for entry in known.entries
        if isinstance(entry, Answer) and entry.question == given.question
    )
    entries = tuple(
        entry for sequence, entry in _holding(known).items() if sequence < first
    )
    return Folded(entries, folded_over(campaign, entries), first - 1, "")


def asked_then(campaign: Campaign, known: Folded, answer: Answer) -> Replay | None:
    """The campaign as it was when what an answer answers was asked.

    None where nobody asks for it, as for what may be told unasked.
    """
    without = [
        entry
        for entry in known.entries
        if not isinstance(entry, Answer) or entry.question != answer.question
    ]
    asked = folded_over(campaign, without)
    if asked.pending is None or asked.pending.question != answer.question:
        return None
    return asked


def _check_scenario(scenario: str, known: Folded) -> None:
    begun = [each.id for each in known.replay.scenarios if each.status in _BEGUN]
    if scenario not in begun:
        raise Refused(_not_begun(scenario))


_BEGUN = frozenset({"started", "completed"})


def _refuse_new_problems(
    campaign: Campaign, known: Folded, entries: list[Entry]
) -> None:
    """Refuse what the campaign cannot hold, as an eleventh bless token."""
    after = folded_over(campaign, (*known.entries, *entries))
    had = {(each.rule, each.scenario, each.found) for each in known.replay.problems}
    new = [
        Finding(_("This cannot be so."), rule=each.rule, actual=each.found)
        for each in after.problems
        if (each.rule, each.scenario, each.found) not in had
    ]
    if new:
        raise Refused(*new)


def _holding(known: Folded) -> dict[int, answers.Held]:
    """Answers and facts that hold, by their place in the log."""
    return {each.sequence: each for each in effective(folded(known.entries))}


def _retracted(entries: Iterable[Entry]) -> set[int]:
    """The places of everything that is taken back."""
    gone: set[int] = set()
    for entry in reversed(list(entries)):
        if isinstance(entry, Retracted | Released) and entry.sequence not in gone:
            gone.add(entry.target)
    return gone


def _row(campaign: Campaign, sequence: int) -> LogEntry:
    row = campaign.entries.filter(sequence=sequence).first()
    if row is None:
        raise Refused(_not_there(sequence))
    return row


def _not_there(sequence: int) -> Finding:
    return Finding(
        _("No entry that holds stands there."), rule="log.entry", actual=sequence
    )


def _not_upgrading() -> Finding:
    return Finding(_("Decks are not brought up to date now."), rule="answer.not-asked")


def _not_begun(scenario: str) -> Finding:
    return Finding(
        _("This scenario was not begun."), rule="log.scenario", actual=scenario
    )
