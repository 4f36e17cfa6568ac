"""How is a deck told to programs, and what names the state it is in?"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from arkham.http import etag
from decks.api.writing import Written, beside_data
from decks.content import Content
from decks.models import Deck, Revision

Data = dict[str, Any]
NOTHING: Mapping[str, str] = MappingProxyType({})


def answer_of(revision: Revision, status: int = 200) -> Response:
    """The deck whose latest revision this is, with its ETag."""
    headers = {"ETag": etag_of(revision.deck), "Cache-Control": "private, no-cache"}
    return Response(kept_data(revision), status=status, headers=headers)


def etag_of(deck: Deck) -> str:
    """What the deck is now: its revision, and what it has beside all revisions."""
    beside = json.dumps(beside_data(deck)).encode()
    return etag(deck.pk, deck.revision, f"{zlib.crc32(beside):x}")


def seen_revision(request: Request, deck: Deck) -> int:
    """The revision of this deck that ``If-Match`` speaks of; 0 if there is none."""
    found = re.search(rf'"{deck.pk}-(\d{{1,9}})-', request.headers.get("If-Match", ""))
    return int(found[1]) if found else 0


def kept_data(revision: Revision) -> Data:
    """A deck as it is in its latest revision."""
    deck = revision.deck
    return {
        "id": deck.pk,
        "revision": revision.number,
        "made_at": deck.made_at,
        "changed_at": deck.changed_at,
        **content_data(revision.content, beside_data(deck)),
    }


def content_data(content: Content, beside: Mapping[str, str] = NOTHING) -> Data:
    """A deck and its circumstances, as they are handed in."""
    return {
        "deck": {**beside, **content.deck},
        "circumstances": content.circumstances,
    }


def summary_data(revision: Revision) -> Data:
    """A deck in a list."""
    deck = revision.deck
    return {
        "id": deck.pk,
        "name": deck.name,
        "investigator_code": revision.list["investigator_code"],
        "revision": revision.number,
        "made_at": deck.made_at,
        "changed_at": deck.changed_at,
    }


def marks_data(revision: Revision) -> Data:
    """What marks a revision among the others."""
    return {
        "number": revision.number,
        "made_at": revision.made_at,
        "restores": revision.restores,
    }


def versions_data(theirs: Revision, mine: Written, base: Revision | None) -> Data:
    """What stands there, what was to take its place, and what both grew from."""
    return {
        "current": kept_data(theirs),
        "yours": content_data(mine.content, beside_data(mine.beside)),
        "base": marks_data(base) | content_data(base.content) if base else None,
    }
