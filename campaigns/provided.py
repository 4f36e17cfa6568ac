"""The guides that come with Orne: those we wrote, and facts to keep any campaign by.

They are kept like all others, so that a campaign goes on with the guide it began with
although a newer Orne brings a newer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from arkham.rules.campaign.by_hand.facts import SIDE, known_campaigns
from arkham.rules.campaign.by_hand.keeping import kept_facts, open_by_hand
from arkham.rules.campaign.reading.own_bringing import bring_own
from campaigns.guides import packed
from campaigns.models import Guide

ORIGINS = (Guide.Origin.OURS, Guide.Origin.FACTS)
Row = dict[str, Any]


@transaction.atomic
def provide_guides(*, now: datetime) -> int:
    """Keep every guide that comes with this Orne; how many were new.

    What an earlier one brought goes, unless a campaign is played by it.
    """
    current: set[int] = set()
    new = 0
    for row in _rows():
        guide, is_new = Guide.objects.get_or_create(
            digest=row.pop("digest"),
            side_digest=row.pop("side_digest", ""),
            owner=None,
            defaults={**row, "brought_at": now},
        )
        current.add(guide.pk)
        new += is_new
    older = Guide.objects.filter(origin__in=ORIGINS, campaigns__isnull=True)
    older.exclude(pk__in=current).delete()
    return new


def _rows() -> Iterator[Row]:
    """Facts of every campaign, then what we wrote, with side scenarios by hand."""
    side = _by_hand(SIDE)
    yield {**side}
    yield from map(_by_hand, known_campaigns())
    for each in bring_own().guides:
        yield {
            "digest": each.digest,
            "side_digest": side["digest"],
            "guide_id": each.guide_id,
            "name": each.name,
            "version": each.version,
            "origin": Guide.Origin.OURS,
            "prepared": packed(each.prepared),
            "words": packed(each.words),
            "scenarios": each.scenarios,
        }


def _by_hand(campaign: str) -> Row:
    content = kept_facts(campaign)
    guide = open_by_hand(content)
    return {
        "digest": guide.digest,
        "guide_id": guide.id,
        "name": guide.name,
        "version": guide.version,
        "origin": Guide.Origin.FACTS,
        "prepared": packed(content),
        "scenarios": len(guide.scenarios),
    }
