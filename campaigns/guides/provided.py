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
from arkham.rules.campaign.by_hand.guide import digest_by_hand
from arkham.rules.campaign.by_hand.keeping import kept_facts, open_by_hand
from arkham.rules.campaign.reading.bringing import bring_own
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from campaigns.guides.opening import packed
from campaigns.models import Guide

ORIGINS = (Guide.Origin.OURS, Guide.Origin.FACTS)
Row = dict[str, Any]


@transaction.atomic
def provide_guides(*, now: datetime) -> int:
    """Keep every guide that comes with this Orne; how many were new.

    What an earlier one brought goes, unless a campaign is played by it. Those that are
    kept already are not made again: a server does this whenever it starts.
    """
    side = digest_by_hand(SIDE)
    by_hand = {(digest_by_hand(each), ""): each for each in (SIDE, *known_campaigns())}
    ours = {(open_own_guide(each).guide.digest, side): each for each in own_guides()}
    kept = {
        (digest, side_digest): pk
        for pk, digest, side_digest in Guide.objects.filter(
            origin__in=ORIGINS, owner=None
        ).values_list("pk", "digest", "side_digest")
    }
    rows = [_by_hand(each) for key, each in by_hand.items() if key not in kept]
    if ours.keys() - kept.keys():
        rows += [row for row in _ours(side) if (row["digest"], side) not in kept]
    Guide.objects.bulk_create(Guide(**row, brought_at=now) for row in rows)
    gone = [pk for key, pk in kept.items() if key not in by_hand and key not in ours]
    Guide.objects.filter(pk__in=gone, campaigns__isnull=True).delete()
    return len(rows)


def _ours(side: str) -> Iterator[Row]:
    """What we wrote; side scenarios are kept by hand beside it."""
    for each in bring_own().guides:
        yield {
            "digest": each.digest,
            "side_digest": side,
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
