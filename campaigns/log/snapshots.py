"""The state of a campaign as it was folded last: kept to be compared, never to be used.

Whatever another version of the rules, the cards or a guide makes of the same log shows
itself here, before a table finds it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from arkham.rules.campaign.records.report import reported
from arkham.rules.legality.verdict import RULES_VERSION
from campaigns.guides.opening import GuideMissing
from campaigns.log import store
from campaigns.log.replays import folded_over
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Snapshot


class Checked(NamedTuple):
    """What came of folding one campaign anew; ``found`` is "" if it is as it was."""

    campaign: int
    entries: int
    found: str = ""


def check_campaigns() -> Iterator[Checked]:
    """Fold every campaign and compare it with what it was; nothing is written."""
    for campaign in _campaigns():
        yield _checked(campaign, campaign.last)


def remember_campaigns() -> Iterator[Checked]:
    """Fold every campaign and keep what it came to."""
    for campaign in _campaigns():
        try:
            state = _state(campaign)
        except (LogBroken, GuideMissing) as error:
            yield Checked(campaign.pk, campaign.last, str(error))
            continue
        Snapshot.objects.update_or_create(
            campaign=campaign,
            defaults={
                "up_to": campaign.last,
                "engine": RULES_VERSION,
                "state": state,
            },
        )
        yield Checked(campaign.pk, campaign.last)


def _campaigns() -> Iterator[Campaign]:
    found = Campaign.objects.select_related("guide", "linked__guide")
    yield from found.order_by("pk").iterator(chunk_size=50)


def _checked(campaign: Campaign, entries: int) -> Checked:
    kept = Snapshot.objects.filter(campaign=campaign).first()
    try:
        rows = store.rows(campaign)
        if store.head_of(rows) != campaign.head:
            return Checked(campaign.pk, entries, "The log is not what was written.")
        state = _state(campaign, None if kept is None else kept.up_to)
    except LogBroken as error:
        return Checked(campaign.pk, entries, f"Entry {error.sequence} is broken.")
    except GuideMissing as error:
        return Checked(campaign.pk, entries, str(error))
    if kept is not None and kept.state != state:
        keys = sorted(
            key
            for key in {**kept.state, **state}
            if kept.state.get(key) != state.get(key)
        )
        return Checked(
            campaign.pk, entries, f"Otherwise than before: {', '.join(keys)}"
        )
    return Checked(campaign.pk, entries)


def _state(campaign: Campaign, up_to: int | None = None) -> dict[str, Any]:
    """The state after an entry, as JSON types."""
    entries = store.entries(campaign)
    if up_to is not None:
        entries = [entry for entry in entries if entry.sequence <= up_to]
    state = reported(folded_over(campaign, entries))
    found: dict[str, Any] = json.loads(json.dumps(state))
    return found
