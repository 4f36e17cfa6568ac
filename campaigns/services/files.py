"""Export a campaign as one file, and import it from one, as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import SIDE
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from campaigns.files import campaign_file
from campaigns.guides import opening
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, LogEntry, Membership, PlayState, Role
from campaigns.models.campaign import LONGEST_NAME
from campaigns.people.rights import EntryRefused, require_room_for_a_campaign
from campaigns.play import plays
from campaigns.play.plays import in_play_of
from campaigns.services.tables import link_campaigns, seat_all
from decks.lists.content import whole


class Imported(NamedTuple):
    """An imported campaign; ``is_other`` if its guide has another version."""

    campaign: Campaign
    is_other: bool = False


def export_campaign(*, member: Membership) -> dict[str, Any]:
    """Return the whole campaign as JSON, for a member to save.

    It includes the linked campaign if they are at that table too. Raises LogBroken.
    """
    campaign = member.campaign
    other = campaign.linked
    linked = None
    if other is not None and _sits_at(other, member):
        linked = _file_of(other) | {"linked": None}
    return _file_of(campaign, linked)


def _file_of(
    campaign: Campaign, linked: dict[str, Any] | None = None
) -> dict[str, Any]:
    plays = campaign.plays.order_by("pk")
    return campaign_file.file_of(campaign, store.rows(campaign), plays, linked)


def _sits_at(campaign: Campaign, member: Membership) -> bool:
    """Return whether the person behind a member is at this table too."""
    here = campaign.memberships.filter(left_at=None)
    return here.filter(user=member.user_id, guest=member.guest_id).exists()


@transaction.atomic
def import_campaign(
    *, organiser: User, data: object, usable: QuerySet[Guide], now: datetime
) -> Imported:
    """Create a campaign from a file; the importer organises it, with every seat.

    ``usable`` are the guides it may follow: the version that the file names, else the
    newest of the same guide. It is linked again to the same campaign if the importer
    organises that and it is free, else to the one in the file. Raises Unreadable with
    every fault; EntryRefused if the guide is missing or the log can't be folded.
    """
    read = campaign_file.read_file(data)
    imported = _imported(organiser, read, usable, now)
    other = _still_there(organiser, read.linked_id)
    if other is None and read.linked is not None:
        linked = _imported(organiser, read.linked, usable, now)
        other = linked.campaign
        imported = imported._replace(is_other=imported.is_other or linked.is_other)
    if other is not None:
        campaign = imported.campaign
        member = campaign.memberships.get(user=organiser)
        link_campaigns(campaign=campaign, member=member, other=other, now=now)
    count_as_changed(organiser, now)
    return imported


def count_as_changed(organiser: User, began: datetime) -> None:
    """Note what an import made since it began as changed at its end.

    Until then others can't see it, and they look only a little way back.
    """
    made = Campaign.objects.filter(memberships__user=organiser, made_at=began)
    Campaign.objects.filter(pk__in=made.values("pk")).update(changed_at=timezone.now())


def _still_there(organiser: User, linked: str) -> Campaign | None:
    """Return the organiser's unlinked campaign with this file id."""
    theirs = Campaign.objects.filter(
        linked=None,
        memberships__user=organiser,
        memberships__role=Role.ORGANISER,
        memberships__left_at=None,
    )
    if not linked:
        return None
    own = theirs.filter(branched_from=None).order_by("pk")
    return next((each for each in own if campaign_file.file_id(each) == linked), None)


def _imported(
    organiser: User, read: campaign_file.Read, usable: QuerySet[Guide], now: datetime
) -> Imported:
    """Import one campaign of a file."""
    if not read.standalone:  # side scenarios are not a campaign
        usable = usable.exclude(guide_id=SIDE)
    guide = _guide_of(read.guide, usable, read.standalone)
    if read.standalone and read.standalone not in opening.opened(guide).scenarios:
        raise EntryRefused(no_scenario(read.standalone))
    if read.simulated and read.simulated not in opening.opened(guide).order:
        raise EntryRefused(no_scenario(read.simulated))
    campaign = made(
        organiser,
        guide,
        name=read.name,
        rows=read.rows,
        seats=read.seats,
        now=now,
        version=read.guide_version,
        standalone=read.standalone,
        simulated=read.simulated,
        terms=read.terms,
        heard=read.decisions(),
        fronts=read.fronts,
        imported_id=read.id,
    )
    for each in read.plays:
        secret = plays.secret_of(campaign, each.scenario)
        content = in_play_of(each, secret=secret, by=organiser.username)
        PlayState.objects.create(
            campaign=campaign,
            scenario=each.scenario,
            version=1,
            content=content.as_data(),
            changed_at=now,
        )
    return Imported(campaign, guide.digest != read.guide.digest)


def made(
    organiser: User,
    guide: Guide,
    *,
    name: str,
    rows: Sequence[LogEntry],
    seats: Iterable[campaign_file.Seated],
    now: datetime,
    **more: Any,
) -> Campaign:
    """Create a campaign with a log written elsewhere, and fold it once as a check.

    ``rows`` are numbered from 1. The organiser plays every seat.
    """
    require_room_for_a_campaign(organiser)
    campaign = Campaign.objects.create(
        name=whole(name).strip()[:LONGEST_NAME] or guide.name,
        guide=guide,
        last=len(rows),
        head=store.head_of(rows),
        made_at=now,
        changed_at=now,
        **more,
    )
    member = Membership.objects.create(
        campaign=campaign, user=organiser, role=Role.ORGANISER, joined_at=now
    )
    LogEntry.objects.bulk_create(store.copies(rows, campaign))
    seat_all(campaign, ((e.investigator, e.name, e.instead) for e in seats), member)
    replayed(campaign)
    return campaign


def no_scenario(scenario: str) -> Finding:
    return Finding(
        _("The guide doesn’t have this scenario."), rule="log.scenario", actual=scenario
    )


def _guide_of(
    named: campaign_file.GuideNamed, usable: QuerySet[Guide], standalone: str
) -> Guide:
    """Return the guide version that a file names, or the newest of the same guide.

    Not every package of side scenarios contains the one that was played alone.
    """
    same = usable.filter(guide_id=named.id)
    exact = same.filter(digest=named.digest, side_digest=named.side_digest)
    newest = list(same.order_by("-version", "-brought_at", "-pk"))
    having = (
        each
        for each in newest
        if not standalone or standalone in opening.opened(each).scenarios
    )
    found = exact.first() or next(having, None) or next(iter(newest), None)
    if found is None:
        raise EntryRefused(
            Finding(
                _("The guide of this campaign isn’t here. Import it first."),
                rule="campaign.guide",
                actual=named.id,
            )
        )
    return found
