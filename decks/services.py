"""Making, changing, keeping and giving away decks."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.legality import Verdict
from cardpool.catalog import current_pool
from decks.chain import Played, Stale, append, expect, is_played
from decks.content import Content, whole
from decks.models import (
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_TAGS,
    Cause,
    Deck,
    Revision,
    SharedVerdict,
    new_key,
)
from decks.samples import demo_decks
from decks.upgrading import (
    DeskMoved,
    Game,
    NotPlayed,
    Refused,
    clear_desk,
    correct_ledger,
    desk_of,
    lay_out,
    mark_played,
    opened,
    play_again,
    preview_upgrade,
    upgrade_deck,
)

# One door to all that is done with decks; what happens between games has its module.
__all__ = [
    "DeskMoved",
    "Game",
    "NotPlayed",
    "Played",
    "Refused",
    "Stale",
    "clear_desk",
    "copy_deck",
    "correct_ledger",
    "create_deck",
    "delete_deck",
    "desk_of",
    "ensure_demo_decks",
    "forget_drafts",
    "keep_deck",
    "lay_out",
    "mark_played",
    "opened",
    "play_again",
    "preview_upgrade",
    "rename_deck",
    "revise_deck",
    "share_verdict",
    "undo_revision",
    "upgrade_deck",
]

# A draft of nobody's that nobody has changed for so long is forgotten.
DRAFT_LIFETIME = timedelta(days=90)


class Beside(NamedTuple):
    """What a deck has beside its revisions, as it was handed in."""

    name: str = ""
    notes: str = ""
    tags: str = ""


@transaction.atomic
def create_deck(
    *,
    owner: User | None,
    content: Content,
    now: datetime,
    name: str = "",
    notes: str = "",
    tags: str = "",
) -> Deck:
    """Begin a deck; without an owner it is a draft with a key of its own."""
    deck = Deck.objects.create(
        owner=owner,
        key=None if owner else new_key(),
        name=_named(name),
        notes=_noted(notes),
        tags=_tagged(tags),
        made_at=now,
        changed_at=now,
    )
    append(deck, content, now, owner, cause=Cause.BUILT)
    return deck


@transaction.atomic
def revise_deck(
    *,
    deck: Deck,
    content: Content,
    expected_revision: int,
    now: datetime,
    beside: Beside | None = None,
    actor: User | None = None,
) -> Revision:
    """Make this the latest revision of a deck; nothing new if nothing changed.

    What it has ``beside`` is changed as well, if that is told. Raises Stale if the
    latest revision is not ``expected_revision``, Played if the deck has been played.
    """
    theirs = expect(deck, content, expected_revision)
    if beside is not None:
        deck.name = _named(beside.name)
        deck.notes, deck.tags = _noted(beside.notes), _tagged(beside.tags)
        deck.save(update_fields=["name", "notes", "tags"])
    if content == theirs.content:
        return theirs
    if is_played(theirs):
        raise Played(latest=theirs, mine=content)
    return append(deck, content, now, actor, cause=Cause.EDITED)


@transaction.atomic
def undo_revision(
    *,
    deck: Deck,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Bring back what stood before the latest change, as a new revision.

    Undoing again goes one step further back. With nothing to undo, nothing is done.
    Raises Stale and Played as ``revise_deck`` does.
    """
    latest = deck.revisions.get(number=deck.revision)
    latest = expect(deck, latest.content, expected_revision)
    if is_played(latest):
        raise Played(latest=latest, mine=latest.content)
    wanted = (latest.restores or latest.number) - 1
    if wanted < 1:
        return latest
    earlier = deck.revisions.get(number=wanted)
    return append(
        deck, earlier.content, now, actor, cause=Cause.RESTORED, restores=wanted
    )


def rename_deck(*, deck: Deck, name: str) -> None:
    """Give a deck another name."""
    deck.name = _named(name)
    Deck.objects.filter(pk=deck.pk).update(name=deck.name)


@transaction.atomic
def copy_deck(*, deck: Deck, owner: User | None, now: datetime, name: str) -> Deck:
    """A new deck that begins as the latest revision of this one."""
    content = deck.revisions.get(number=deck.revision).content
    return create_deck(
        owner=owner,
        content=content,
        now=now,
        name=name,
        notes=deck.notes,
        tags=deck.tags,
    )


def keep_deck(*, deck: Deck, owner: User) -> None:
    """Give a draft of nobody's an owner; its key opens nothing any more."""
    kept = Deck.objects.filter(pk=deck.pk, owner=None).update(owner=owner, key=None)
    if kept:
        deck.owner, deck.key = owner, None


def delete_deck(*, deck: Deck) -> None:
    """Remove a deck with all its revisions; verdicts shared from it stay."""
    deck.delete()


def share_verdict(
    *, content: Content, verdict: Verdict, now: datetime, name: str = ""
) -> SharedVerdict:
    """Keep a deck and the verdict on it under an address that can be given away."""
    return SharedVerdict.objects.create(
        name=_named(name),
        list=content.deck,
        circumstances=content.circumstances,
        verdict=verdict.as_data(),
        rules_version=verdict.rules_version,
        pool_version=verdict.pool_version,
        made_at=now,
    )


def forget_drafts(*, now: datetime) -> int:
    """Remove the drafts of nobody's that were left alone too long; how many."""
    left = Deck.objects.filter(owner=None, changed_at__lt=now - DRAFT_LIFETIME)
    return left.delete()[1].get("decks.Deck", 0)


@transaction.atomic
def ensure_demo_decks(*, owner: User, now: datetime | None = None) -> None:
    """Give an account without decks a few to look at: one of each verdict."""
    if Deck.objects.filter(owner=owner).exists():
        return
    for name, content in demo_decks(current_pool()):
        create_deck(owner=owner, content=content, now=now or timezone.now(), name=name)


# -- inside --


def _named(name: str) -> str:
    """A name as it is kept."""
    return whole(name).strip()[:LONGEST_NAME]


def _noted(notes: str) -> str:
    """Notes as they are kept: forms send their line ends in pairs."""
    return whole(notes).replace("\r\n", "\n")[:LONGEST_NOTES]


def _tagged(tags: str) -> str:
    """Tags as they are kept: parted by single blanks."""
    return " ".join(whole(tags).split())[:LONGEST_TAGS]
