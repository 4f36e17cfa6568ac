"""Keeps the guides that an account imports and those Orne brings, and deletes them.

Reading them (``arkham.rules.campaign.reading.prepared``) comes before; here either all
of what was read is kept, or nothing. Orne’s own are kept like all others, so that a
campaign goes on with the guide it began with although a newer Orne brings a newer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from typing import IO, Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q, QuerySet, Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import known_campaigns
from arkham.rules.campaign.by_hand.guide import digest_by_hand
from arkham.rules.campaign.by_hand.keeping import kept_facts, open_by_hand
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from arkham.rules.campaign.reading.prepared import Bringing, Brought, bring, bring_own
from campaigns.guides.files import guide_files_at, zipped_guide_files
from campaigns.guides.opening import packed
from campaigns.models import Campaign, Guide
from campaigns.models.campaign import stay_with_tables

MOST_KEPT = 300  # guides of one account, older versions among them
MOST_KEPT_BYTES = 64 * 1024 * 1024  # all of them together, packed; today two
LONGEST_PART = 300  # letters of each part of a flaw


class NoGuideFound(Exception):
    """There was no guide in the import; ``flaws`` say why."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        super().__init__(_("We couldn’t read any guide in the zip."))
        self.flaws = tuple(flaws)


class TooMuchKept(Exception):
    """An account keeps no more than so many guides."""


class GuideInUse(Exception):
    """Campaigns are played by a guide: it stays; ``campaigns`` is how many."""

    def __init__(self, campaigns: int) -> None:
        super().__init__(f"{campaigns} campaigns are played by it")
        self.campaigns = campaigns


class GuideChange(Enum):
    """What became of an imported guide."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class Taken(NamedTuple):
    """A guide as it is kept now, and whether that is new."""

    guide: Guide
    change: GuideChange


class ImportReport(NamedTuple):
    """The imported guides, one by one, and the flaws that belong to none."""

    taken: tuple[Taken, ...]
    flaws: tuple[Flaw, ...]

    def count(self, change: GuideChange) -> int:
        """How many guides this became of."""
        return sum(each.change is change for each in self.taken)


def take_in_guides(
    *, bringing: Bringing, owner: User | None, now: datetime
) -> ImportReport:
    """Keep every imported guide; without an owner they are for everybody.

    What is here already with the same content stays as it is. What is here otherwise is
    kept beside it while campaigns are played by it, and let go of if none is. Raises
    NoGuideFound and TooMuchKept.
    """
    if not bringing.guides:
        raise NoGuideFound(bringing.flaws)
    # Packing takes its time: others need not wait for it.
    kept = [_kept(each) for each in bringing.guides]
    with transaction.atomic():
        if owner is not None:
            User.objects.select_for_update().get(pk=owner.pk)  # one after the other
        side = _side_digest(bringing, owner)
        taken = tuple(_taken(each, side, owner, now) for each in kept)
        _let_go_of_older(owner)
        if owner is not None:
            _check_room(owner)
    return ImportReport(taken, bringing.flaws)


def kept_of(owner: User | None) -> QuerySet[Guide]:
    """The guides of an account; without an owner, those of the whole server."""
    guides = Guide.objects.filter(origin=Guide.Origin.FIELD)
    if owner is None:
        return guides.filter(owner__isnull=True)
    return guides.filter(owner=owner)


def _side_digest(bringing: Bringing, owner: User | None) -> str:
    """The side scenarios these guides play with: imported with them, or here before."""
    if bringing.side is not None:
        return bringing.side.digest
    for holder in dict.fromkeys((owner, None)):
        newest = kept_of(holder).filter(guide_id=SIDE).order_by("-brought_at", "-pk")
        if (digest := newest.values_list("digest", flat=True).first()) is not None:
            return digest
    return ""


def _taken(
    kept: Mapping[str, Any], side: str, owner: User | None, now: datetime
) -> Taken:
    is_side = kept["guide_id"] == SIDE
    versions = kept_of(owner).filter(guide_id=kept["guide_id"])
    newest = versions.order_by("-brought_at", "-pk").defer("prepared", "words").first()
    guide, is_new = Guide.objects.exclude(origin=Guide.Origin.LEFT).get_or_create(
        digest=kept["digest"],
        side_digest="" if is_side else side,
        owner=owner,
        defaults={**kept, "brought_at": now},
    )
    if is_new:
        return Taken(guide, GuideChange.CHANGED if newest else GuideChange.ADDED)
    is_newest = newest is not None and newest.pk == guide.pk
    # The linter may know more by now, and words may come later or not at all.
    renewed = {**kept, "brought_at": guide.brought_at if is_newest else now}
    Guide.objects.filter(pk=guide.pk).update(**renewed)
    guide.refresh_from_db()
    return Taken(guide, GuideChange.UNCHANGED if is_newest else GuideChange.CHANGED)


def _kept(guide: Brought) -> dict[str, Any]:
    serious = [flaw for flaw in guide.flaws if flaw.rule not in HARMLESS]
    return {
        "digest": guide.digest,
        "guide_id": guide.guide_id,
        "name": guide.name,
        "version": guide.version,
        "origin": Guide.Origin.FIELD,
        "prepared": packed(guide.prepared),
        "words": packed(guide.words) if guide.words else None,
        "scenarios": guide.scenarios,
        "flaws": [[part[:LONGEST_PART] for part in flaw] for flaw in guide.flaws],
        "serious": len(serious),
    }


def _let_go_of_older(owner: User | None) -> None:
    """Delete versions that were followed by another and that no campaign uses."""
    seen: set[str] = set()
    older: list[int] = []
    rows = kept_of(owner).order_by("-brought_at", "-pk")
    for pk, guide_id in rows.values_list("pk", "guide_id"):
        if guide_id in seen:
            older.append(pk)
        seen.add(guide_id)
    unplayed = Guide.objects.filter(pk__in=older, campaigns__isnull=True)
    unplayed.exclude(guide_id=SIDE).delete()
    for side in unplayed.filter(guide_id=SIDE):
        if not _relying_on(side).exists():
            side.delete()


def _relying_on(side: Guide) -> QuerySet[Guide]:
    """The guides that came with these side scenarios."""
    guides = Guide.objects.filter(side_digest=side.digest)
    return guides if side.owner_id is None else guides.filter(owner=side.owner_id)


def _check_room(owner: User) -> None:
    kept = kept_of(owner)
    sizes = kept.aggregate(
        size=Sum(Length("prepared")), words=Sum(Length("words"), default=0)
    )
    if sizes["size"] + sizes["words"] > MOST_KEPT_BYTES or kept.count() > MOST_KEPT:
        raise TooMuchKept(_("You have too many guides. Remove some first."))


def remove_guide(*, guide: Guide) -> None:
    """Let go of a guide; raises GuideInUse while campaigns are played by it."""
    campaigns = played_by(guide).count()
    if campaigns:
        raise GuideInUse(campaigns)
    try:
        with transaction.atomic():
            guide.delete()
    except (ProtectedError, IntegrityError):  # begun in this moment
        raise GuideInUse(1) from None


def let_go_of_left() -> None:
    """Delete what was left to tables of which none plays by it any more."""
    left = Guide.objects.filter(origin=Guide.Origin.LEFT, campaigns__isnull=True)
    left.exclude(guide_id=SIDE).delete()
    for side in left.filter(guide_id=SIDE):
        if not _relying_on(side).exists():
            side.delete()


def played_by(guide: Guide) -> QuerySet[Campaign]:
    """The campaigns that need a guide.

    Side scenarios are needed where a guide is played that came with them.
    """
    played = Q(guide=guide)
    if guide.guide_id == SIDE:
        played |= Q(guide__in=_relying_on(guide))
    return Campaign.objects.filter(played)


def guides_from(source: IO[bytes] | str) -> Bringing:
    """The guides of a zip, or of one at an address; raises Unusable, saying why."""
    if isinstance(source, str):
        return bring(guide_files_at(source))
    return bring(zipped_guide_files(source))


ORIGINS = (Guide.Origin.OURS, Guide.Origin.FACTS)
Row = dict[str, Any]


@transaction.atomic
def provide_guides(*, now: datetime) -> int:
    """Keep every guide that comes with this Orne; how many were new.

    What an earlier one brought goes, unless a campaign needs it. Those that are
    kept already are not made again: a server does this whenever it starts.
    """
    side = digest_by_hand(SIDE)
    by_hand = {(digest_by_hand(each), ""): each for each in (SIDE, *known_campaigns())}
    ours = {
        (open_own_guide(each).guide.digest, side): each
        for each in (*own_guides(), SIDE)
    }
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
    older = Guide.objects.filter(pk__in=gone)
    older.exclude(pk__in=stay_with_tables(older)).delete()
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
