"""Store the guides that an account imports and those Orne provides, and delete them.

They are read first (``arkham.rules.campaign.reading.prepared``); then all are stored,
or none. Orne’s own are stored too, so that a campaign keeps its guide when a newer Orne
provides a newer one.
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
from arkham.rules.campaign.by_hand import kept_facts, open_by_hand
from arkham.rules.campaign.by_hand.facts import known_campaigns
from arkham.rules.campaign.by_hand.guide import digest_by_hand
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from arkham.rules.campaign.reading.prepared import (
    GuideImport,
    ImportedGuide,
    import_guides,
    import_own_guides,
)
from campaigns.guides.files import guide_files_at, zipped_guide_files
from campaigns.guides.opening import packed
from campaigns.models import Campaign, Guide
from campaigns.models.campaign import stay_with_tables

MOST_KEPT = 300  # guides of one account, older versions included
MOST_KEPT_BYTES = 64 * 1024 * 1024  # together, packed; today two
LONGEST_PART = 300  # letters in each part of a flaw


class NoGuideFound(Exception):
    """The import has no guide; ``flaws`` say why."""

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        super().__init__(_("We couldn’t read any guide in the zip."))
        self.flaws = tuple(flaws)


class TooMuchKept(Exception):
    """The account has reached its limit of guides."""


class GuideInUse(Exception):
    """Campaigns use a guide, so it can't be deleted; ``campaigns`` is their number."""

    def __init__(self, campaigns: int) -> None:
        super().__init__(f"{campaigns} campaigns are played by it")
        self.campaigns = campaigns


class GuideChange(Enum):
    """The effect of importing a guide."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


class StoredGuide(NamedTuple):
    """A guide as stored now, and whether it is new."""

    guide: Guide
    change: GuideChange


class ImportReport(NamedTuple):
    """The imported guides, and the flaws that belong to none of them."""

    guides: tuple[StoredGuide, ...]
    flaws: tuple[Flaw, ...]

    def count(self, change: GuideChange) -> int:
        """Return the number of guides with this effect."""
        return sum(each.change is change for each in self.guides)


def store_guides(
    *, guide_import: GuideImport, owner: User | None, now: datetime
) -> ImportReport:
    """Store every imported guide; without an owner they are for everyone.

    A stored guide with the same content stays as it is. A version with other content is
    kept too if campaigns use it, and deleted if none does. Raises NoGuideFound and
    TooMuchKept.
    """
    if not guide_import.guides:
        raise NoGuideFound(guide_import.flaws)
    # Compression takes time: do it before the lock.
    kept = [_kept(each) for each in guide_import.guides]
    with transaction.atomic():
        if owner is not None:
            User.objects.select_for_update().get(pk=owner.pk)  # one import at a time
        side = _side_digest(guide_import, owner)
        stored = tuple(_stored_guide(each, side, owner, now) for each in kept)
        _let_go_of_older(owner)
        if owner is not None:
            _check_room(owner)
    return ImportReport(stored, guide_import.flaws)


def kept_of(owner: User | None) -> QuerySet[Guide]:
    """Return the imported guides of an account; without an owner, the server's."""
    guides = Guide.objects.filter(origin=Guide.Origin.FIELD)
    if owner is None:
        return guides.filter(owner__isnull=True)
    return guides.filter(owner=owner)


def _side_digest(guide_import: GuideImport, owner: User | None) -> str:
    """Return the digest of these guides' side scenarios, imported now or before."""
    if guide_import.side is not None:
        return guide_import.side.digest
    for holder in dict.fromkeys((owner, None)):
        newest = kept_of(holder).filter(guide_id=SIDE).order_by("-brought_at", "-pk")
        if (digest := newest.values_list("digest", flat=True).first()) is not None:
            return digest
    return ""


def _stored_guide(
    kept: Mapping[str, Any], side: str, owner: User | None, now: datetime
) -> StoredGuide:
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
        return StoredGuide(guide, GuideChange.CHANGED if newest else GuideChange.ADDED)
    is_newest = newest is not None and newest.pk == guide.pk
    # The linter may know more by now, and texts may be added or left out.
    renewed = {**kept, "brought_at": guide.brought_at if is_newest else now}
    Guide.objects.filter(pk=guide.pk).update(**renewed)
    guide.refresh_from_db()
    return StoredGuide(
        guide, GuideChange.UNCHANGED if is_newest else GuideChange.CHANGED
    )


def _kept(guide: ImportedGuide) -> dict[str, Any]:
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
    """Delete older versions that no campaign uses."""
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
    """Return the guides that use these side scenarios."""
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
    """Delete a guide; raises GuideInUse while campaigns use it."""
    campaigns = played_by(guide).count()
    if campaigns:
        raise GuideInUse(campaigns)
    try:
        with transaction.atomic():
            guide.delete()
    except (ProtectedError, IntegrityError):  # one has just started
        raise GuideInUse(1) from None


def delete_unused_left_guides() -> None:
    """Delete guides left to tables if no table uses them any more."""
    left = Guide.objects.filter(origin=Guide.Origin.LEFT, campaigns__isnull=True)
    left.exclude(guide_id=SIDE).delete()
    for side in left.filter(guide_id=SIDE):
        if not _relying_on(side).exists():
            side.delete()


def played_by(guide: Guide) -> QuerySet[Campaign]:
    """Return the campaigns that need a guide.

    Side scenarios are needed by campaigns whose guide came with them.
    """
    played = Q(guide=guide)
    if guide.guide_id == SIDE:
        played |= Q(guide__in=_relying_on(guide))
    return Campaign.objects.filter(played)


def guides_from(source: IO[bytes] | str) -> GuideImport:
    """Return the guides of a zip, or of one at an address; raises UnusableGuides."""
    if isinstance(source, str):
        return import_guides(guide_files_at(source))
    return import_guides(zipped_guide_files(source))


ORIGINS = (Guide.Origin.OURS, Guide.Origin.FACTS)
Row = dict[str, Any]


@transaction.atomic
def provide_guides(*, now: datetime) -> int:
    """Store every guide that comes with this Orne; return the number of new ones.

    Guides of an earlier Orne are deleted unless a campaign needs them. Stored ones are
    not made again, because a server does this at every start.
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
    """Yield rows of our own guides; their side scenarios are kept by hand."""
    for each in import_own_guides().guides:
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
