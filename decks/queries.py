"""Which decks may somebody see or change? All other decks do not exist for them."""

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

from decks.models import Deck, Folder, Notice, PlayedCard, Revision, Showing

# Whether what a deck was copied from is shown still.
_SOURCE = "deck__source__showing__deck__owner"

LEAST = 1 << 52
# The bits of a key, from the highest: 48 random ones, the version (4), random ones.
_VERSION = 4 << 76
_FIRST, _SECOND = 80, 72  # bits below the first twelve digits, and the one after "4"
_DIGIT = 0xF


def number_of(key: UUID) -> int:
    """The number of the link that is made of this key."""
    return LEAST | key.int >> _FIRST << 4 | key.int >> _SECOND & _DIGIT


def keys_of(number: int) -> tuple[UUID, UUID] | None:
    """The first and the last key whose link has this number; None if none can have."""
    if not LEAST <= number < 2 * LEAST:
        return None
    bits = number - LEAST
    first = bits >> 4 << _FIRST | _VERSION | (bits & _DIGIT) << _SECOND
    return UUID(int=first), UUID(int=first | (1 << _SECOND) - 1)


# Earlier versions of published decks have numbers beyond those of decks, in as few
# digits as leave room: 10 000 000 000 000, the deck's number, the version's.
EARLIER = 10**13
VERSIONS = 10_000  # of one deck that can be numbered
MOST_DECKS = 10**9


def earlier_number(showing: Showing, revision: int) -> int:
    """The number of a version that a published deck grew from."""
    return EARLIER + showing.pk * VERSIONS + revision


def earlier(number: int) -> tuple[Showing, int] | None:
    """The published deck that shows a version of this number, and which version.

    None if no version can have it, or its deck shows none: whether that version is
    among those shown is for others to say.
    """
    if not EARLIER <= number < EARLIER + MOST_DECKS * VERSIONS:
        return None
    pk, revision = divmod(number - EARLIER, VERSIONS)
    published = shown(Showing.Kind.PUBLISHED).filter(pk=pk, shows_history=True)
    showing = published.first()
    return (showing, revision) if showing is not None else None


# Where our pages of shown decks are.
_SHOWN_AT = re.compile(
    r"/?decks/(?:published/(?P<number>\d{1,9})"
    r"|shared/(?P<link>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}))(?:/.*)?",
    re.ASCII,
)

Person = AbstractBaseUser | AnonymousUser


def visible_to(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """The decks somebody may look at: their own, and the drafts they hold keys of."""
    return Deck.objects.filter(_held_by(user, keys))


def in_bin(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """Decks a person deleted and may restore, the last deleted first."""
    return Deck.binned.filter(_held_by(user, keys))


def folders_of(user: Person) -> QuerySet[Folder]:
    """The folders of a person, by name; none without an account."""
    return Folder.objects.filter(owner=user.pk) if user.pk else Folder.objects.none()


def editable_by(user: Person, keys: Collection[str] = ()) -> QuerySet[Deck]:
    """The decks somebody may change. Today whoever may see a deck may change it."""
    return visible_to(user, keys)


def latest(decks: QuerySet[Deck]) -> QuerySet[Revision]:
    """The latest revision of each of these decks, with the deck, newest first."""
    return (
        Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
        .select_related("deck__showing", _SOURCE)
        .order_by("-deck__changed_at", "-deck_id")
    )


def latest_of_one(decks: QuerySet[Deck], pk: int) -> Revision | None:
    """The latest revision of one of these decks; how it is shared isn't read along.

    Every press in the builder asks for it, and the builder shows nothing of that.
    """
    found = Revision.objects.filter(deck__in=decks.filter(pk=pk).order_by())
    found = found.filter(number=F("deck__revision")).select_related("deck")
    return found.order_by().first()


def investigator_codes(decks: QuerySet[Deck]) -> dict[int, str]:
    """The code of the investigator of each of these decks, by the deck's key."""
    latest = Revision.objects.filter(deck__in=decks, number=F("deck__revision"))
    code = KeyTextTransform("investigator_code", "list")
    return dict(latest.values_list("deck_id", code))


def to_be_read(decks: QuerySet[Deck]) -> QuerySet[Notice]:
    """What is found otherwise of these decks and was not dismissed, deck by deck."""
    unread = Notice.objects.filter(dismissed_at=None, is_serious=True)
    return unread.filter(deck__in=decks).order_by("deck_id", "pk")


def shown(kind: str) -> QuerySet[Showing]:
    """The decks that are shown to others in this way, with their owners."""
    return Showing.objects.filter(
        kind=kind, deck__owner__is_active=True
    ).select_related("deck__owner", _SOURCE)


def linked(key: UUID | str) -> Showing | None:
    """The deck that a private link opens, as it is seen by it; None if it opens none.

    ``key`` is what the link is made of.
    """
    found = _with_link().filter(key=key).first()
    return found.by_link() if found is not None else None


def numbered(number: int) -> Showing | None:
    """The deck that has this number for others; None if none is shown under it.

    It is the number of a private link, or a published deck's own. Should two links
    have the same number, it opens neither: the wrong deck is shown to nobody.
    """
    keys = keys_of(number)
    if keys is None:
        return shown(Showing.Kind.PUBLISHED).filter(deck__pk=number).first()
    found = _with_link().filter(key__range=keys)[:2]
    return found[0].by_link() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Sought:
    """What published decks are searched by; what is empty does not narrow.

    ``investigator`` is a base code; ``since`` a day; ``name`` and ``tag`` are folded.
    """

    name: str = ""
    investigator: str = ""
    tag: str = ""
    since: date | None = None
    oldest_first: bool = False


def published(sought: Sought) -> QuerySet[Showing]:
    """The published decks that are sought, the newest first unless asked otherwise."""
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

    ``decks`` there are; ``cards`` has the number of those with a card, by its code,
    most of them first.
    """

    decks: int
    cards: Mapping[str, int]


def played_cards(investigator: str = "") -> PlayCounts:
    """What was counted last: of an investigator by their code, or of all."""
    rows = PlayedCard.objects.all()
    if investigator:
        rows = rows.filter(investigator=investigator)
    sums = rows.values("card").annotate(number=Sum("decks"))
    found: dict[str, int] = dict(
        sums.order_by("-number", "card").values_list("card", "number")
    )
    return PlayCounts(found.pop("", 0), found)


def shown_revisions(showings: Iterable[Showing]) -> list[tuple[Showing, Revision]]:
    """Each with the revision that others see, in the same order, in one query.

    What was deleted since is left out.
    """
    wanted = {each.deck_id: each for each in showings}
    number = Coalesce("deck__showing__revision", "deck__revision")
    seen = Revision.objects.filter(deck__in=wanted, number=number)
    found = {each.deck_id: each for each in seen}
    for pk, revision in found.items():
        revision.deck = wanted[pk].deck
    return [(wanted[pk], found[pk]) for pk in wanted if pk in found]


def shown_at(path: str) -> Showing | None:
    """The deck that others see at an address of this server; None if there is none."""
    found = _SHOWN_AT.fullmatch(path)
    if found is None:
        return None
    if found["link"]:
        return linked(found["link"])
    return shown(Showing.Kind.PUBLISHED).filter(pk=int(found["number"])).first()


def _with_link() -> QuerySet[Showing]:
    """The decks that a private link opens."""
    has_link = Q(kind=Showing.Kind.LINK) | Q(keeps_link=True)
    return Showing.objects.filter(has_link, deck__owner__is_active=True).select_related(
        "deck__owner", _SOURCE
    )


def _held_by(user: Person, keys: Collection[str]) -> Q:
    held = Q(owner=None, key__in=keys)
    return held | Q(owner=user) if user.is_authenticated else held
