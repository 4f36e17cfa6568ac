"""Select the decks that a person may see or change, and those shown to others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from decks.models import (
    Deck,
    Folder,
    Notice,
    PlayedCard,
    Report,
    Revision,
    Showing,
)

# Joined to find out if the deck that a deck was copied from is still shown.
_SOURCE = "deck__source__showing__deck__owner"

LEAST = 1 << 52
# Bits of a version 4 UUID, highest first: 48 random, 4 for the version, then random.
_VERSION = 4 << 76
_FIRST, _SECOND = 80, 72  # bits below 12 hex digits, and below the digit after "4"
_DIGIT = 0xF


def number_of(key: UUID) -> int:
    """Return the number of the link that this key makes."""
    return LEAST | key.int >> _FIRST << 4 | key.int >> _SECOND & _DIGIT


def keys_of(number: int) -> tuple[UUID, UUID] | None:
    """Return the lowest and the highest key with this number; None if no key has it."""
    if not LEAST <= number < 2 * LEAST:
        return None
    bits = number - LEAST
    first = bits >> 4 << _FIRST | _VERSION | (bits & _DIGIT) << _SECOND
    return UUID(int=first), UUID(int=first | (1 << _SECOND) - 1)


# Earlier versions of published decks have numbers beyond those of decks, in as few
# digits as possible: 10 000 000 000 000, then the deck's number, then the version's.
EARLIER = 10**13
VERSIONS = 10_000  # with a number, of one deck
MOST_DECKS = 10**9


def earlier_number(showing: Showing, revision: int) -> int:
    """Return the number of an earlier version of a published deck."""
    return EARLIER + showing.pk * VERSIONS + revision


def earlier(number: int) -> tuple[Showing, int] | None:
    """Return the published deck and the version with this number.

    None if the number is no version's, or if the deck hides its earlier versions. The
    caller must check that this version is among those shown.
    """
    if not EARLIER <= number < EARLIER + MOST_DECKS * VERSIONS:
        return None
    pk, revision = divmod(number - EARLIER, VERSIONS)
    published = shown(Showing.Kind.PUBLISHED).filter(pk=pk, shows_history=True)
    showing = published.first()
    return (showing, revision) if showing is not None else None


# Addresses of our pages of shown decks.
_SHOWN_AT = re.compile(
    r"/?decks/(?:published/(?P<number>\d{1,9})"
    r"|shared/(?P<link>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}))(?:/.*)?",
    re.ASCII,
)

Person = AbstractBaseUser | AnonymousUser


def visible_to(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """Decks that a person may see: their own, and drafts whose keys they have."""
    return Deck.objects.filter(_held_by(user, keys))


def in_bin(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """Decks that a person deleted and may restore, the last deleted first."""
    return Deck.binned.filter(_held_by(user, keys))


def folders_of(user: Person) -> QuerySet[Folder]:
    """A person's folders, by name; none without an account."""
    return Folder.objects.filter(owner=user.pk) if user.pk else Folder.objects.none()


def editable_by(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """Decks that a person may change: at present, all that they may see."""
    return visible_to(user, keys)


def latest(decks: QuerySet[Deck]) -> QuerySet[Revision]:
    """The latest revision of each of these decks, with the deck, newest first."""
    return (
        Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
        .select_related("deck__showing", _SOURCE)
        .order_by("-deck__changed_at", "-deck_id")
    )


def latest_of_one(decks: QuerySet[Deck], pk: int) -> Revision | None:
    """Return the latest revision of one of these decks, without how it is shared.

    Every change in the builder calls this, and the builder doesn't show sharing.
    """
    found = Revision.objects.filter(deck__in=decks.filter(pk=pk).order_by())
    found = found.filter(number=F("deck__revision")).select_related("deck")
    return found.order_by().first()


def investigator_codes(decks: QuerySet[Deck]) -> dict[int, str]:
    """Return the investigator code of each of these decks, by primary key."""
    latest = Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
    code = KeyTextTransform("investigator_code", "list")
    return dict(latest.values_list("deck_id", code))


def to_be_read(decks: QuerySet[Deck]) -> QuerySet[Notice]:
    """Serious notices of these decks that were not dismissed, ordered by deck."""
    unread = Notice.objects.filter(dismissed_at=None, is_serious=True)
    return unread.filter(deck__in=decks).order_by("deck_id", "pk")


def shown(kind: str) -> QuerySet[Showing]:
    """Decks shown to others in this way, with their owners."""
    return Showing.objects.filter(
        kind=kind, deck__owner__is_active=True
    ).select_related("deck__owner", _SOURCE)


def linked(key: UUID | str) -> Showing | None:
    """Return the deck that a private link opens, as the link shows it; None if no deck.

    ``key`` is the key in the link.
    """
    found = _with_link().filter(key=key).first()
    return found.by_link() if found is not None else None


def numbered(number: int) -> Showing | None:
    """Return the deck that others see under this number; None if there is none.

    The number is that of a private link, or a published deck's own. If two links have
    the same number it opens neither, so that no one sees the wrong deck.
    """
    keys = keys_of(number)
    if keys is None:
        return shown(Showing.Kind.PUBLISHED).filter(deck__pk=number).first()
    found = _with_link().filter(key__range=keys)[:2]
    return found[0].by_link() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class DeckFilters:
    """Filters of the search for published decks; empty ones don't narrow it.

    ``investigator`` is a base code; ``since`` a day; ``name`` and ``tag`` are folded.
    """

    name: str = ""
    investigator: str = ""
    tag: str = ""
    since: date | None = None
    oldest_first: bool = False


def published(sought: DeckFilters) -> QuerySet[Showing]:
    """Published decks that match, newest first unless ``oldest_first``."""
    found = shown(Showing.Kind.PUBLISHED)
    for word in sought.name.split():
        found = found.filter(folded_name__contains=word)
    if sought.investigator:
        found = found.filter(investigator=sought.investigator)
    if sought.tag:
        found = found.filter(folded_tags__contains=f"|{sought.tag}|")
    if sought.since is not None:
        found = found.filter(since__gte=datetime.combine(sought.since, time(), UTC))
    return found.order_by(
        *(("since", "pk") if sought.oldest_first else ("-since", "-pk"))
    )


class PlayCounts(NamedTuple):
    """How often cards are in the published decks of one investigator, or of all.

    ``decks`` is the number of decks, ``cards`` the number of decks with each card by
    its code, highest first.
    """

    decks: int
    cards: Mapping[str, int]


def played_cards(investigator: str = "") -> PlayCounts:
    """Return the latest counts: for an investigator by code, or for all."""
    rows = PlayedCard.objects.all()
    if investigator:
        rows = rows.filter(investigator=investigator)
    sums = rows.values("card").annotate(number=Sum("decks"))
    found: dict[str, int] = dict(
        sums.order_by("-number", "card").values_list("card", "number")
    )
    return PlayCounts(found.pop("", 0), found)


def shown_revisions(showings: Iterable[Showing]) -> list[tuple[Showing, Revision]]:
    """Pair each with the revision that others see, in the same order, in one query.

    Decks deleted meanwhile are left out.
    """
    wanted = {each.deck_id: each for each in showings}
    number = Coalesce("deck__showing__revision", "deck__revision")
    seen = Revision.objects.filter(deck__in=wanted, number=number)
    found = {each.deck_id: each for each in seen}
    for pk, revision in found.items():
        revision.deck = wanted[pk].deck
    return [(wanted[pk], found[pk]) for pk in wanted if pk in found]


def shown_at(path: str) -> Showing | None:
    """Return the deck that others see at a path of this server; None if no deck."""
    found = _SHOWN_AT.fullmatch(path)
    if found is None:
        return None
    if found["link"]:
        return linked(found["link"])
    return shown(Showing.Kind.PUBLISHED).filter(pk=int(found["number"])).first()


def open_reports() -> QuerySet[Report]:
    """Reports of published decks that no operator has decided, oldest first."""
    undecided = Report.objects.filter(decision="", deck__owner__is_active=True)
    return undecided.filter(deck__showing__kind=Showing.Kind.PUBLISHED).select_related(
        "deck__showing", "deck__owner", "reporter"
    )


def decided_reports() -> QuerySet[Report]:
    """Reports that operators have decided, the last first."""
    return (
        Report.objects.exclude(decision="")
        .select_related("deck__owner", "decided_by")
        .order_by("-decided_at", "-pk")
    )


def withdrawal_of(deck: Deck) -> Report | None:
    """Return the report that got a deck withdrawn, until its owner shows it again."""
    return Report.objects.filter(
        deck=deck, decision=Report.Decision.WITHDRAWN, ended_at=None
    ).last()


def _with_link() -> QuerySet[Showing]:
    """Decks that a private link opens."""
    has_link = Q(kind=Showing.Kind.LINK) | Q(keeps_link=True)
    return Showing.objects.filter(has_link, deck__owner__is_active=True).select_related(
        "deck__owner", _SOURCE
    )


def _held_by(user: Person, keys: Collection[str]) -> Q:
    held = Q(owner=None, key__in=keys)
    return held | Q(owner=user) if user.is_authenticated else held
