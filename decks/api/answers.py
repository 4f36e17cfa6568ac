"""Decks as the API answers them, and their ETags."""

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
from decks.api.bodies import WrittenDeck, labels_data
from decks.lists.content import Content
from decks.models import Deck, Desk, Revision, Showing
from decks.queries import number_of
from decks.serializers.decks import (
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
    """Answer with a deck, given by its latest revision, and its ETag."""
    data = kept_data(request, revision)
    named = etag_of(revision, data["balance"])
    headers = {"ETag": named, "Cache-Control": "private, no-cache"}
    return Response(data, status=status, headers=headers)


def etag_of(revision: Revision, balance: int | None = None) -> str:
    """Return the deck's ETag: latest revision, experience, labels and sharing.

    ``balance`` is that of its ledger, if the caller knows it already.
    """
    deck, showing = revision.deck, showing_of(revision.deck)
    balance = to_spend(revision) if balance is None else balance
    shown = [visibility_of(deck), getattr(showing, "pk", None)]
    shown.append(getattr(showing, "revision", None))
    shown.append(getattr(showing, "shows_history", False))
    shown.append(str(showing.key) if showing and showing.has_link else None)
    source = source_of(deck)
    shown.append(source is not None and not source.is_shown)
    parts = [labels_data(deck), shown, str(revision.played_at), balance]
    return etag(deck.pk, deck.revision, _digest(parts))


def etag_of_desk(desk: Desk) -> str:
    """Return the ETag of an upgrade in progress: its base and number of changes.

    Before the first change it depends on what the last game left, which may be
    corrected.
    """
    left = [] if desk.pk else [_digest(desk_data(desk))]
    return etag(desk.deck_id, "desk", desk.mark, *left)


def _digest(parts: Any) -> str:
    return f"{zlib.crc32(json.dumps(parts).encode()):x}"


def seen_revision(request: Request, revision: Revision) -> Revision | None:
    """Return the revision of the same deck that ``If-Match`` names, if it does."""
    header = request.headers.get("If-Match", "")
    found = re.search(rf'"{revision.deck_id}-(\d{{1,9}})-', header)
    number = int(found[1]) if found else 0
    return revision.deck.revisions.filter(number=number).first()


def kept_data(request: Request, revision: Revision) -> Data:
    """Return a deck as in its latest revision; addresses are those of this server."""
    deck = revision.deck
    return KeptDeckShape.data(
        revision,
        **shown_data(request, deck),
        source=source_data(request, deck),
        **content_data(revision.content, labels_data(deck)),
    )


def content_data(content: Content, labels: Mapping[str, str] = NOTHING) -> Data:
    """Return a deck and its circumstances in the format that requests use."""
    return {
        "deck": {**labels, **content.deck},
        "circumstances": content.circumstances,
    }


def shown_data(request: Request, deck: Deck) -> Data:
    """Return where others see a deck, by which numbers, and which revision of it."""
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
    """Return the deck that a deck was copied from."""
    source = source_of(deck)
    if source is None:
        return None
    return SourcePart.data(source, page=request.build_absolute_uri(source.address))


def revision_data(revision: Revision) -> Data:
    """Return a revision with its cause and the game played with it."""
    invoice = revision.invoice
    priced = {"id": revision.deck_id, **invoice} if invoice else None
    content = content_data(revision.content)
    return RevisionShape.data(revision, invoice=priced, **content)


def desk_data(desk: Desk) -> Data:
    """Return an upgrade in progress."""
    return DeskShape.data(desk, **content_data(desk.content))


def versions_data(
    request: Request, theirs: Revision, mine: WrittenDeck, base: Revision | None
) -> Data:
    """Return three versions for a conflict: current, sent, and their common base."""
    yours = content_data(mine.content, labels_data(mine.labels))
    return conflict_data(request, theirs, yours, base)


def conflict_data(
    request: Request, theirs: Revision, yours: Data, base: Revision | None
) -> Data:
    """Return the versions for a conflict, when something other than a deck was sent."""
    return {
        "current": kept_data(request, theirs),
        "yours": yours,
        "base": RevisionPart.data(base) | content_data(base.content) if base else None,
    }
