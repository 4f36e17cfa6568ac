"""What a table agrees on: terms, ultimatums, its FAQ, and achievements it ticks.

Some terms are not the table’s to give, and an ultimatum can forbid others. The FAQ
decides only which rules are shown. What a table reports is always settled by the newest
one: the engine has no older rules.
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
from arkham.rules.campaign.state.answers import UltimatumChosen, effective, holding
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
from campaigns.settling.terms import TableTerms, orthodoxy, read_terms, terms_data
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
    """Write down an ultimatum, boon or refraction the whole table has agreed to.

    Raises LogMoved, Forbidden; EntryRefused, also for Orthodoxy while the terms say
    that somebody plays without taboos.
    """

    def make(campaign: Campaign, known: Folded) -> list[UltimatumChosen]:
        rights.require(member, rights.Right.ORGANISE)
        judge(chosen, known)
        if under((chosen.ultimatum,), UltimatumEffect.FOLLOWS_TABOOS) and (
            found := [*orthodoxy(read_terms(campaign.terms))]
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
    """Draw what holds for the next game, and write it down with the record of the draw.

    ``also`` are those of ``ultimatum_choice.AFTER_PLAY`` the table leaves in. Raises
    LogMoved, Forbidden; EntryRefused where nothing is to be drawn.
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
    """What a table has chosen and not dropped, in the order of its log."""
    return [
        each
        for each in effective(folded(known.entries))
        if isinstance(each, UltimatumChosen)
    ]


def next_game(known: Folded) -> str:
    """The scenario that is played next, or is being set up; "" if there is none."""
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
    """Requested terms as they are kept; ``known`` has the ultimatums chosen.

    Raises Unreadable; EntryRefused for somebody else's collection, or for decks without
    taboos under Orthodoxy.
    """
    terms = read_terms(dict(requested))
    before = campaign.terms.get("collection") if campaign is not None else None
    found = [*_collection(terms, user, before)]
    chosen = [each.ultimatum for each in chosen_ultimatums(known)] if known else []
    if under(chosen, UltimatumEffect.FOLLOWS_TABOOS):
        found += orthodoxy(terms)
    if found:
        raise EntryRefused(*found)
    return terms_data(terms)


def _collection(
    terms: TableTerms, user: User | None, before: int | None
) -> Iterator[Finding]:
    """Weaknesses come from one's own collection, or the one chosen before."""
    if terms.collection is None or terms.collection == before:
        return
    own = Collection.objects.filter(owner__isnull=False, owner=user)
    if not own.filter(pk=terms.collection).exists():
        yield Finding(
            _("This isn’t one of your collections."),
            rule="terms.collection",
            actual=terms.collection,
        )


# The entries that say so, and those that take entries back.
_KINDS = ("pinned", "retracted", "released")


def pinned(campaign: Campaign) -> str:
    """A version of the FAQ: what the log pinned last, or the table began with.

    The newest where nothing was agreed on. One query a log; nothing is folded.
    """
    try:
        found = _pinned_in(campaign.pk, campaign.head)
    except store.LogBroken:
        return NEWEST  # the page of the log says what is broken
    begun = campaign.terms.get("faq", "")
    return found or (begun if begun in VERSIONS else NEWEST)


@lru_cache(maxsize=1_000)
def _pinned_in(campaign: int, _head: str) -> str:
    """What a log pinned last, or "": by its head, which every entry changes."""
    rows = LogEntry.objects.filter(campaign=campaign, kind__in=_KINDS)
    found = holding(map(store.entry_of, rows.order_by("sequence")))
    pins = [e.faq for e in found if isinstance(e, Pinned) and e.faq in VERSIONS]
    return pins[-1] if pins else ""


MOST = 999  # of an achievement that is counted without a limit
COUNT, LIST = "count", "list"


@transaction.atomic
def tick_achievement(
    *, campaign: Campaign, member: Membership, ticked: Ticked, context: WriteContext
) -> store.Appended:
    """Write down how an achievement stands. Raises LogMoved, Forbidden, EntryRefused.

    Everybody who plays may; it takes the place of what was ticked before.
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
    """Keep to a version of the FAQ from here on. Raises LogMoved, Forbidden,
    EntryRefused.

    Rules are shown to the table as they were then; what it reports is settled by the
    newest all the same.
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
                _("This isn’t a list of what the achievement asks for."),
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
    """How far an achievement is counted: once, but where it counts something."""
    return (achievement.most or MOST) if achievement.kind == COUNT else 1
