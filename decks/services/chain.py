"""How does the chain of a deck grow? One revision at a time, by whoever saw the last.

The services stand on this; nothing else writes revisions.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F, Sum, TextField
from django.db.models.functions import Cast, Length

from arkham.accounts.models import User
from arkham.web.quotas import require_room
from decks.lists.content import Content
from decks.models import Cause, Deck, Revision
from decks.services.judgements import remember
from decks.services.ledger import with_carried

SUMMED_EVERY = 16
LARGE = 80  # an edit is, that takes more than such a part of a draft's room


class Stale(Exception):
    """The deck was changed since: both versions, and what both grew from.

    ``theirs`` is the latest revision, ``mine`` what was to become it, ``base`` the
    revision the change was made in sight of (None if there never was one).
    """

    def __init__(self, *, theirs: Revision, mine: Content, base: Revision | None):
        super().__init__(f"{theirs}: a change made in sight of {base}")
        self.theirs = theirs
        self.mine = mine
        self.base = base


class AlreadyPlayed(Exception):
    """The deck has been played: it is upgraded and no longer edited.

    ``latest`` is its latest revision, ``mine`` what the deck was to become.
    """

    def __init__(self, *, latest: Revision, mine: Content) -> None:
        super().__init__(f"{latest}: played, not to be edited")
        self.latest = latest
        self.mine = mine


def expect(deck: Deck, mine: Content, expected_revision: int) -> Revision:
    """The latest revision, if it is the one expected; the deck is held until then."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    theirs = deck.revisions.get(number=locked.revision)
    if expected_revision != locked.revision:
        base = deck.revisions.filter(number=expected_revision).first()
        raise Stale(theirs=theirs, mine=mine, base=base)
    return theirs


def is_played(latest: Revision) -> bool:
    """Whether the deck was played with this revision, or it grew from one played."""
    return latest.played_at is not None or latest.base is not None


def require_room_for_a_change(deck: Deck) -> None:
    """Raise QuotaReached where a deck has as many revisions as are kept of one.

    ``append`` does for a draft, and where it has as many letters as are kept of one.
    """
    require_room("revisions", deck.revision)


def _is_summed_before(deck: Deck, content: Content) -> bool:
    """Whether all letters of a draft are summed before it is edited so.

    That takes longer than the rest of a small edit: they are at every
    ``SUMMED_EVERY``th, and before any that takes much of the room. What was not summed
    takes a fifth of it at most.
    """
    added = len(json.dumps([content.deck, content.circumstances])) + len(deck.notes)
    is_large = added > settings.ORNE_QUOTAS["draft_letters"] // LARGE
    return is_large or deck.revision % SUMMED_EVERY == 0


def _letters_of(deck: Deck) -> int:
    """How much all revisions of a deck and its notes take."""
    columns = ("list", "circumstances", "window", "invoice", "aftermath")
    sizes = deck.revisions.aggregate(
        **{
            f"of_{name}": Sum(Length(Cast(name, TextField())), default=0)
            for name in columns
        }
    )
    letters: int = sum(sizes.values())
    return len(deck.notes) + letters


def append(
    deck: Deck, content: Content, now: datetime, made_by: User | None, **facts: Any
) -> Revision:
    """One revision more, which is the latest from now on.

    Before the first game it knows what the ledger holds. Raises QuotaReached for a
    draft; what a campaign does to the deck of an account is always kept.
    """
    is_edit = facts.get("base") is None
    if deck.owner_id is None:
        require_room_for_a_change(deck)
        if not is_edit or _is_summed_before(deck, content):
            require_room("draft_letters", _letters_of(deck))
    if is_edit:
        content = with_carried(deck, content)
    Deck.objects.filter(pk=deck.pk).update(revision=F("revision") + 1, changed_at=now)
    deck.revision += 1
    deck.changed_at = now
    revision = Revision.objects.create(
        deck=deck,
        number=deck.revision,
        list=content.deck,
        circumstances=content.circumstances,
        made_by=made_by,
        made_at=now,
        **facts,
    )
    remember(deck, deck.revision, content)
    return revision


def note_booked(deck: Deck, now: datetime, actor: User | None) -> Revision:
    """The latest revision, with what the ledger holds now if it is a first deck's."""
    latest = deck.revisions.get(number=deck.revision)
    if is_played(latest):
        return latest
    content = with_carried(deck, latest.content)
    if content == latest.content:
        return latest
    return append(deck, content, now, actor, cause=Cause.EDITED)
