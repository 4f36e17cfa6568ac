"""Open stored guides, for those who may read them.

Each is opened once per process while in use. A guide without an owner is for everyone
on this server. A guide that an account imported is private: others can't see it or
start with it, but members of tables that use it can read it.
"""

from __future__ import annotations

import json
import zlib
from collections import OrderedDict
from collections.abc import Collection, Iterable
from threading import Lock
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from arkham.rules.campaign.by_hand import (
    open_by_hand,
    open_sides,
    words_of_kept,
    words_of_sides,
)
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.reading.own import with_sides
from arkham.rules.campaign.reading.prepared import open_guide
from campaigns.models import Guide, Membership
from campaigns.models import Guide as KeptGuide

MOST_OPEN = 8  # per process; an imported guide takes about 10 MB
MOST_BYTES = 40_000_000  # of one guide in its prepared form


class GuideMissing(Exception):
    """The content of a guide is no longer stored, only its digest."""


class InUse(NamedTuple):
    """A guide, and where its steps are found; both are made once."""

    guide: CampaignGuide
    scopes: Scopes


NO_WORDS = Words({})

_open: OrderedDict[tuple[str, str], InUse] = OrderedDict()
_words: OrderedDict[tuple[str, str, str, int | None], Words] = OrderedDict()
_lock = Lock()


def opened(row: KeptGuide) -> CampaignGuide:
    """Return the guide of a row, with the side scenarios it came with.

    Raises GuideMissing if its content is not available.
    """
    return in_use(row).guide


def in_use(row: KeptGuide) -> InUse:
    """Return the guide of a row with what folding needs. Raises GuideMissing."""
    place = (row.digest, row.side_digest)
    with _lock:
        found = _open.get(place)
        if found is not None:
            _open.move_to_end(place)
            return found
    guide = _read(row)
    found = InUse(guide, Scopes(guide))
    with _lock:
        _open[place] = found
        while len(_open) > MOST_OPEN:
            _open.popitem(last=False)
    return found


def _read(row: KeptGuide) -> CampaignGuide:
    if not row.prepared:
        raise GuideMissing(_("The guide “%(name)s” is missing.") % {"name": row.name})
    content = unpacked(bytes(row.prepared))
    if row.origin == KeptGuide.Origin.FACTS:
        return open_by_hand(content)
    package = _package_of(row)
    if package is None:
        return open_guide(content)
    if package.origin == KeptGuide.Origin.FACTS:
        guide = open_guide(content)
        by_hand = open_sides(unpacked(bytes(package.prepared)), guide)
        return with_sides(guide, by_hand)
    return open_guide(content, opened(package).scenarios)


def guided_sides(row: KeptGuide) -> Collection[str]:
    """Return the ids of the side scenarios that this guide guides: none by hand."""
    package = _package_of(row)
    if package is not None and package.origin == KeptGuide.Origin.FACTS:
        return open_guide(unpacked(bytes(row.prepared))).side.keys()
    return opened(row).side.keys()


def words_of(row: KeptGuide) -> Words:
    """Return the texts of a guide and of its side scenarios.

    Callers have checked who may read them.
    """
    # Two accounts that imported the same guide may have different texts for it.
    place = (row.digest, row.side_digest, row.origin, row.owner_id)
    with _lock:
        found = _words.get(place)
        if found is not None:
            _words.move_to_end(place)
            return found
    found = _read_words(row)
    with _lock:
        _words[place] = found
        while len(_words) > MOST_OPEN:
            _words.popitem(last=False)
    return found


def _read_words(row: KeptGuide) -> Words:
    if row.origin == KeptGuide.Origin.FACTS:
        return words_of_kept(unpacked(bytes(row.prepared)))
    own = Words(json.loads(unpacked(bytes(row.words)))) if row.words else NO_WORDS
    package = _package_of(row)
    if package is None:
        return own
    if package.origin == KeptGuide.Origin.FACTS:
        content = unpacked(bytes(package.prepared))
        return own.beside(words_of_sides(content, opened(row)))
    return own.beside(words_of(package))


def _package_of(row: KeptGuide) -> KeptGuide | None:
    """Return the package of side scenarios a guide came with, if stored."""
    if not row.side_digest:
        return None
    return (
        KeptGuide.objects.filter(digest=row.side_digest)
        .filter(Q(owner=row.owner_id) | Q(owner__isnull=True))
        .first()
    )


def packed(content: bytes) -> bytes:
    """Return compressed content, as stored."""
    return zlib.compress(content, 9)


def unpacked(content: bytes) -> bytes:
    """Return unpacked content; raises ValueError if it is larger than any guide."""
    reader = zlib.decompressobj()
    found = reader.decompress(content, MOST_BYTES)
    if reader.unconsumed_tail:
        raise ValueError("A guide in its prepared form is smaller than this.")
    return found


Person = AbstractBaseUser | AnonymousUser
LARGE = ("prepared", "words")  # not needed by a list of guides


def for_everybody() -> Q:
    """Return a condition for guides without an account, and not left to tables."""
    return Q(owner__isnull=True) & ~Q(origin=Guide.Origin.LEFT)


def usable_by(user: Person) -> QuerySet[Guide]:
    """Return the guides an account may start campaigns with: public ones and own."""
    for_all = for_everybody()
    held = for_all | Q(owner=user.pk) if user.is_authenticated else for_all
    return Guide.objects.filter(held)


def readable_by(user: Person) -> QuerySet[Guide]:
    """Return the guides whose texts an account may read.

    Public ones, its own, and those of campaigns whose tables it belongs to.
    """
    if not user.is_authenticated:
        return Guide.objects.none()
    tables = Membership.objects.filter(user=user.pk, left_at__isnull=True)
    at_tables = Q(pk__in=tables.values("campaign__guide"))
    held = for_everybody() | Q(owner=user.pk) | at_tables
    return Guide.objects.filter(held)


def listed(guides: QuerySet[Guide]) -> QuerySet[Guide]:
    """Prepare guides for a list: without large fields, counting campaigns (``played``).

    Newer versions of a guide come first.
    """
    return guides.annotate(played=Count("campaigns", distinct=True)).defer(*LARGE)


def newest(guides: Iterable[Guide]) -> list[Guide]:
    """Return the newest version of each guide from one source and owner, by name."""
    listed = list(guides)
    found: dict[tuple[str, str, int | None], Guide] = {}
    for guide in sorted(listed, key=lambda each: (each.brought_at, each.pk)):
        found[guide.guide_id, guide.origin, guide.owner_id] = guide
    kept = {guide.pk for guide in found.values()}
    shown = (guide for guide in listed if guide.pk in kept)
    return sorted(shown, key=lambda each: each.name.removeprefix("The ").casefold())


def words_for(guide: Guide, user: Person) -> Words:
    """Return the texts of a guide, if the account may read them; else none."""
    if not readable_by(user).filter(pk=guide.pk).exists():
        return NO_WORDS
    return words_of(guide)


def words_at(membership: Membership) -> Words:
    """Return the texts of a table's guide, for current members, guests included."""
    if membership.left_at is not None:
        return NO_WORDS
    return words_of(membership.campaign.guide)


def words_text(guide: Guide) -> str:
    """Return the texts of a guide as JSON; the caller has checked the right to them."""
    return unpacked(bytes(guide.words)).decode() if guide.words else "{}"
