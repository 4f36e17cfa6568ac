"""Achievements ticked by hand, and the version of the FAQ a table keeps to.

The FAQ decides only which rules are shown. What a table reports is always settled by
the newest one: the engine has no older rules.
"""

from __future__ import annotations

from functools import lru_cache

from django.db import transaction

from arkham.rules.campaign.model.guide import Achievement
from arkham.rules.campaign.state.answers import holding
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.library import NEWEST, VERSIONS
from campaigns.log import store
from campaigns.log.entries import Pinned, Ticked
from campaigns.log.replays import Folded
from campaigns.models import Campaign, LogEntry, Membership
from campaigns.people import rights
from campaigns.people.rights import EntryRefused
from campaigns.services.writing import WriteContext, written

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
