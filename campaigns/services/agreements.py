"""What a table agrees on: terms, ultimatums, FAQ version, and achievements it ticks.

A table can't choose every term freely, and an ultimatum can forbid some. The FAQ
version only decides which rules are shown: answers are always settled by the newest
FAQ, because the engine has no older rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.db import transaction

from arkham.accounts.models import User
from arkham.rules.campaign import judging
from arkham.rules.campaign.judging import ultimatum_choice
from arkham.rules.campaign.model.guide import SETUP, Achievement
from arkham.rules.campaign.state.answers import (
    UltimatumChosen,
    effective,
    not_retracted,
)
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.library import NEWEST, VERSIONS
from arkham.rules.ultimatums import UltimatumEffect, under
from campaigns.log import store
from campaigns.log.entries import Pinned, Ticked, folded
from campaigns.log.replays import Folded
from campaigns.models import Campaign, LogEntry, Membership
from campaigns.models.log import LONGEST_CAUSE
from campaigns.people import rights
from campaigns.people.rights import EntryRefused
from campaigns.play import plays
from campaigns.services.judging import judge
from campaigns.services.writing import WriteContext, written
from campaigns.settling.terms import (
    TableTerms,
    orthodoxy_findings,
    read_terms,
    terms_data,
)
from decks.models import Collection

CAUSE = "ultimatum drawn"


@transaction.atomic
def choose_ultimatum(
    *,
    campaign: Campaign,
    member: Membership,
    chosen: UltimatumChosen,
    context: WriteContext,
) -> store.Appended:
    """Log an ultimatum, boon or refraction that the whole table has agreed to.

    Raises LogMoved, Forbidden; EntryRefused, also for Orthodoxy while the terms let
    someone play without taboos.
    """

    def make(campaign: Campaign, known: Folded) -> list[UltimatumChosen]:
        rights.require(member, rights.Right.ORGANISE)
        judge(chosen, known)
        if under((chosen.ultimatum,), UltimatumEffect.FOLLOWS_TABOOS) and (
            found := [*orthodoxy_findings(read_terms(campaign.terms))]
        ):
            raise EntryRefused(*found)
        return [chosen]

    return written(campaign, make, member, context, last=chosen)


@transaction.atomic
def draw_ultimatum(
    *,
    campaign: Campaign,
    member: Membership,
    context: WriteContext,
    also: Iterable[str] = (),
) -> store.Appended:
    """Draw an ultimatum or boon for the next game, and log it with the draw.

    ``also`` are those of ``ultimatum_choice.AFTER_PLAY`` that the table includes.
    Raises LogMoved, Forbidden; EntryRefused if nothing can be drawn.
    """

    also = tuple(also)

    def make(campaign: Campaign, known: Folded) -> list[UltimatumChosen]:
        rights.require(member, rights.Right.ORGANISE)
        scenario = next_game(known)
        drawn = ultimatum_choice.draw_ultimatum(
            known.replay.state, plays.next_seed(campaign), also
        )
        chosen = UltimatumChosen(
            scenario, next(iter(drawn.result), ""), "", drawn.as_data()
        )
        found = list(
            judging.findings_of(chosen, known.replay, tuple(folded(known.entries)))
        )
        if not scenario or any(
            each.scenario == scenario and each.record
            for each in chosen_ultimatums(known)
        ):
            found = [Finding(_("There is nothing to draw now."), rule="oath.drawn")]
        if found:
            raise EntryRefused(*found)
        return [chosen]

    cause = " ".join((CAUSE, *sorted(also)))[:LONGEST_CAUSE]
    return written(campaign, make, member, context, cause=cause)


def chosen_ultimatums(known: Folded) -> list[UltimatumChosen]:
    """Return the ultimatums a table has chosen and not dropped, in log order."""
    return [
        each
        for each in effective(folded(known.entries))
        if isinstance(each, UltimatumChosen)
    ]


def next_game(known: Folded) -> str:
    """Return the scenario that is played next or being set up; "" if there is none."""
    games = known.replay.state.games
    for each in known.replay.scenarios:
        if each.status == "playable":
            return each.id
        game = games.get(each.id)
        is_set_up = game is not None and bool(game.players)
        if each.status == "started" and each.id != SETUP and not is_set_up:
            return each.id
    return ""


def agreed(
    requested: Mapping[str, Any],
    user: User | None,
    campaign: Campaign | None = None,
    known: Folded | None = None,
) -> dict[str, Any]:
    """Return requested terms as they are stored; ``known`` has the chosen ultimatums.

    Raises Unreadable; EntryRefused for another account's collection, or for decks
    without taboos under Orthodoxy.
    """
    terms = read_terms(dict(requested))
    before = campaign.terms.get("collection") if campaign is not None else None
    found = [*_collection(terms, user, before)]
    chosen = [each.ultimatum for each in chosen_ultimatums(known)] if known else []
    if under(chosen, UltimatumEffect.FOLLOWS_TABOOS):
        found += orthodoxy_findings(terms)
    if found:
        raise EntryRefused(*found)
    return terms_data(terms)


def _collection(
    terms: TableTerms, user: User | None, before: int | None
) -> Iterator[Finding]:
    """Require a collection of the user's own, or the one chosen before."""
    if terms.collection is None or terms.collection == before:
        return
    own = Collection.objects.filter(owner__isnull=False, owner=user)
    if not own.filter(pk=terms.collection).exists():
        yield Finding(
            _("This isn’t one of your collections."),
            rule="terms.collection",
            actual=terms.collection,
        )


# The kinds of entries that pin an FAQ, and those that undo entries.
_KINDS = ("pinned", "retracted", "released")


def pinned(campaign: Campaign) -> str:
    """Return the FAQ version last pinned in the log, or agreed on at the beginning.

    The newest version if there is neither. One query per log; nothing is folded.
    """
    try:
        found = _pinned_in(campaign.pk, campaign.head)
    except store.LogBroken:
        return NEWEST  # the log's own page reports the fault
    begun = campaign.terms.get("faq", "")
    return found or (begun if begun in VERSIONS else NEWEST)


@lru_cache(maxsize=1_000)
def _pinned_in(campaign: int, _head: str) -> str:
    """Return what the log pinned last, or ""; ``_head`` is part of the cache key."""
    rows = LogEntry.objects.filter(campaign=campaign, kind__in=_KINDS)
    found = not_retracted(map(store.entry_of, rows.order_by("sequence")))
    pins = [e.faq for e in found if isinstance(e, Pinned) and e.faq in VERSIONS]
    return pins[-1] if pins else ""


MOST = 999  # the highest count of an achievement without a limit
COUNT, LIST = "count", "list"


@transaction.atomic
def tick_achievement(
    *, campaign: Campaign, member: Membership, ticked: Ticked, context: WriteContext
) -> store.Appended:
    """Log an achievement's state. Raises LogMoved, Forbidden, EntryRefused.

    Every player may; it replaces what was ticked before.
    """

    def make(_campaign: Campaign, known: Folded) -> list[Ticked]:
        rights.require_play(member)
        _judge(ticked, known)
        return [ticked]

    return written(campaign, make, member, context, last=ticked)


@transaction.atomic
def pin_faq(
    *, campaign: Campaign, member: Membership, faq: str, context: WriteContext
) -> store.Appended:
    """Pin a version of the FAQ. Raises LogMoved, Forbidden, EntryRefused.

    The table sees the rules of that version; its answers are still settled by the
    newest one.
    """
    entry = Pinned(faq)

    def make(_campaign: Campaign, _known: Folded) -> list[Pinned]:
        rights.require(member, rights.Right.ORGANISE)
        if faq not in VERSIONS:
            raise EntryRefused(
                Finding(
                    _("We don’t know this version of the FAQ."),
                    rule="log.faq",
                    actual=faq[:40],
                    expected=", ".join(VERSIONS),
                )
            )
        return [entry]

    return written(campaign, make, member, context, last=entry)


def _judge(ticked: Ticked, known: Folded) -> None:
    listed = known.replay.state.guide.achievements
    achievement = next((e for e in listed if e.id == ticked.achievement), None)
    if achievement is None:
        raise EntryRefused(
            Finding(
                _("This campaign has no such achievement."),
                rule="log.achievement",
                actual=ticked.achievement[:80],
            )
        )
    unknown = set(ticked.items) - set(achievement.items)
    if unknown or len(set(ticked.items)) < len(ticked.items):
        raise EntryRefused(
            Finding(
                _("These aren’t the items of this achievement."),
                rule="log.achievement",
                actual=", ".join(ticked.items)[:200],
                expected=", ".join(achievement.items),
            )
        )
    most = most_of(achievement)
    if not 0 <= ticked.number <= most:
        raise EntryRefused(
            Finding(
                _("This is more than the achievement counts."),
                rule="log.achievement",
                actual=ticked.number,
                expected=f"0 … {most}",
            )
        )


def most_of(achievement: Achievement) -> int:
    """Return the highest count of an achievement: 1, unless it counts something."""
    return (achievement.most or MOST) if achievement.kind == COUNT else 1
