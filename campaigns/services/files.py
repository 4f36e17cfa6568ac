"""A campaign leaves as one file, and comes from one; nothing is half written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from arkham.accounts.models import User
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns import files, guides, log
from campaigns.models import Campaign, Guide, LogEntry, Membership, Role, Seat
from campaigns.models.campaign import LONGEST_NAME, new_seed
from campaigns.replays import replayed
from campaigns.services.writing import Refused
from decks.content import whole


class Imported(NamedTuple):
    """A campaign that came in; ``is_other`` if its guide is another version."""

    campaign: Campaign
    is_other: bool


def export_campaign(*, campaign: Campaign) -> dict[str, Any]:
    """The whole campaign as JSON. Raises LogBroken."""
    return files.file_of(campaign, log.rows(campaign))


@transaction.atomic
def import_campaign(
    *, organiser: User, data: object, usable: QuerySet[Guide], now: datetime
) -> Imported:
    """Make a campaign of a file; whoever brings it organises it, with every seat.

    ``usable`` are the guides it may be played by: the very version the file names is
    taken, else the newest of the same guide. Raises Unreadable with every fault;
    Refused where there is no such guide, or the log cannot be folded.
    """
    read = files.read_file(data)
    guide = _guide_of(read.guide, usable)
    if read.standalone and read.standalone not in guides.opened(guide).scenarios:
        raise Refused(
            Finding(
                _("The guide has no such scenario."),
                rule="log.scenario",
                actual=read.standalone,
            )
        )
    campaign = made(
        organiser,
        guide,
        name=read.name,
        rows=read.rows,
        seats=read.seats,
        now=now,
        version=read.guide_version,
        standalone=read.standalone,
        terms=read.terms,
        seed=read.seed or new_seed(),
    )
    return Imported(campaign, guide.digest != read.guide.digest)


def made(
    organiser: User,
    guide: Guide,
    *,
    name: str,
    rows: Sequence[LogEntry],
    seats: Iterable[files.Seated],
    now: datetime,
    **more: Any,
) -> Campaign:
    """A campaign with a log that was written elsewhere, folded once to see it can be.

    ``rows`` are numbered from 1. Whoever makes it plays every seat.
    """
    campaign = Campaign.objects.create(
        name=whole(name).strip()[:LONGEST_NAME] or guide.name,
        guide=guide,
        last=len(rows),
        head=log.head_of(rows),
        made_at=now,
        changed_at=now,
        **more,
    )
    member = Membership.objects.create(
        campaign=campaign, user=organiser, role=Role.ORGANISER, joined_at=now
    )
    LogEntry.objects.bulk_create(log.copies(rows, campaign))
    for seat in seats:
        Seat.objects.create(
            campaign=campaign,
            investigator=seat.investigator,
            member=member,
            name=seat.name,
            made_at=now,
        )
    replayed(campaign)
    return campaign


def _guide_of(named: files.GuideNamed, usable: QuerySet[Guide]) -> Guide:
    """The version a file names, or the newest one of the same guide."""
    same = usable.filter(guide_id=named.id)
    exact = same.filter(digest=named.digest, side_digest=named.side_digest)
    found = exact.first() or same.order_by("-version", "-brought_at", "-pk").first()
    if found is None:
        raise Refused(
            Finding(
                _("There is no guide of this campaign here; bring it first."),
                rule="campaign.guide",
                actual=named.id,
            )
        )
    return found
