"""Decks as the API answers them, and the tags that name their state."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from arkham.web.http import etag
from decks.api.bodies import WrittenDeck, beside_data
from decks.lists.content import Content
from decks.models import Deck, Desk, Revision, Showing
from decks.queries import number_of
from decks.serializers.kept import (
    KeptDeckShape,
    RevisionPart,
    RevisionShape,
    SourcePart,
)
from decks.serializers.life import DeskShape
from decks.services.beginning import to_spend
from decks.services.sharing import (
    address_of,
    link_of,
    showing_of,
    source_of,
    visibility_of,
)

Data = dict[str, Any]
NOTHING: Mapping[str, str] = MappingProxyType({})


def answer_of(request: Request, revision: Revision, status: int = 200) -> Response:
    """The deck whose latest revision this is, with its ETag."""
    data = kept_data(request, revision)
    named = etag_of(revision, data["balance"])
    headers = {"ETag": named, "Cache-Control": "private, no-cache"}
    return Response(data, status=status, headers=headers)


def etag_of(revision: Revision, balance: int | None = None) -> str:
    """What the deck is now: its latest revision, its life, what it has beside.

    ``balance`` is that of its ledger, if it was asked for already.
    """
    deck, showing = revision.deck, showing_of(revision.deck)
    balance = to_spend(revision) if balance is None else balance
    shown = [visibility_of(deck), getattr(showing, "pk", None)]
    shown.append(getattr(showing, "revision", None))
    shown.append(getattr(showing, "shows_history", False))
    shown.append(str(showing.key) if showing and showing.has_link else None)
    source = source_of(deck)
    shown.append(source is not None and not source.is_shown)
    parts = [beside_data(deck), shown, str(revision.played_at), balance]
    return etag(deck.pk, deck.revision, _digest(parts))


def etag_of_desk(desk: Desk) -> str:
    """What lies on the desk: in sight of which revision, changed how often.

    Where nothing was moved yet, it is what the last game left, also once that is
    corrected.
    """
    left = [] if desk.pk else [_digest(desk_data(desk))]
    return etag(desk.deck_id, "desk", desk.mark, *left)


def _digest(parts: Any) -> str:
    return f"{zlib.crc32(json.dumps(parts).encode()):x}"


def seen_revision(request: Request, revision: Revision) -> Revision | None:
    """The revision of the same deck that ``If-Match`` speaks of, if it does."""
    header = request.headers.get("If-Match", "")
    found = re.search(rf'"{revision.deck_id}-(\d{{1,9}})-', header)
    number = int(found[1]) if found else 0
    return revision.deck.revisions.filter(number=number).first()


def kept_data(request: Request, revision: Revision) -> Data:
    """A deck as it is in its latest revision; addresses are those of this server."""
    deck = revision.deck
    return KeptDeckShape.data(
        revision,
        **shown_data(request, deck),
        source=source_data(request, deck),
        **content_data(revision.content, beside_data(deck)),
    )


def content_data(content: Content, beside: Mapping[str, str] = NOTHING) -> Data:
    """A deck and its circumstances, as they are handed in."""
    return {
        "deck": {**beside, **content.deck},
        "circumstances": content.circumstances,
    }


def shown_data(request: Request, deck: Deck) -> Data:
    """Where others see a deck, under which numbers, and which revision of it."""
    showing = showing_of(deck)
    link = showing if showing and showing.has_link else None
    is_published = showing and showing.kind == Showing.Kind.PUBLISHED
    here = request.build_absolute_uri
    return {
        "page": here(address_of(showing)) if showing else None,
        "decklist": showing.pk if showing and is_published else None,
        "link": here(link_of(link)) if link else None,
        "link_number": number_of(link.key) if link else None,
        "shows_history": showing.shows_history if showing else False,
        "shown_revision": showing.revision or deck.revision if showing else None,
    }


def source_data(request: Request, deck: Deck) -> Data | None:
    """What a deck was copied from."""
    source = source_of(deck)
    if source is None:
        return None
    return SourcePart.data(source, page=request.build_absolute_uri(source.address))


def revision_data(revision: Revision) -> Data:
    """A deck as it stood once, how it came to be and what was played with it."""
    invoice = revision.invoice
    priced = {"id": revision.deck_id, **invoice} if invoice else None
    content = content_data(revision.content)
    return RevisionShape.data(revision, invoice=priced, **content)


def desk_data(desk: Desk) -> Data:
    """An upgrade under way."""
    return DeskShape.data(desk, **content_data(desk.content))


def versions_data(
    request: Request, theirs: Revision, mine: WrittenDeck, base: Revision | None
) -> Data:
    """What stands there, what was to take its place, and what both grew from."""
    yours = content_data(mine.content, beside_data(mine.beside))
    return distinct_subtitle(request, theirs, yours, base)


def distinct_subtitle(
    request: Request, theirs: Revision, yours: Data, base: Revision | None
) -> Data:
    """The same where something else than a deck was sent."""
    return {
        "current": kept_data(request, theirs),
        "yours": yours,
        "base": RevisionPart.data(base) | content_data(base.content) if base else None,
    }
