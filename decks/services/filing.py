"""Keeps the decks of a person in order: folders, the archive, and the bin.

A deck in the bin exists nowhere else: its link and its place among the published decks
end when it is deleted, its seat at a table is free again, and no one changes it until
it is restored. It comes back private, as it was in its latest revision.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from arkham.accounts.models import User
from arkham.web.quotas import quota_of, require_room, take_turns
from cardpool.words import fold
from decks.lists.content import whole
from decks.models import BIN_LIFETIME, DRAFT_LIFETIME, LONGEST_FOLDER, Deck, Folder
from decks.services.hooks import leave_tables
from decks.services.sharing import withdraw_deck


class FolderTaken(Exception):
    """The person has a folder of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@transaction.atomic
def make_folder(*, owner: User, name: str, now: datetime) -> Folder:
    """Begin a folder. Raises FolderTaken, QuotaReached, ValueError without a name."""
    take_turns(owner)
    folders = Folder.objects.filter(owner=owner)
    require_room("folders", folders)
    return Folder.objects.create(
        owner=owner, name=_free_name(name, folders), made_at=now
    )


@transaction.atomic
def rename_folder(*, folder: Folder, name: str) -> None:
    """Give a folder another name. Raises FolderTaken, ValueError without a name."""
    take_turns(folder.owner)
    others = Folder.objects.filter(owner=folder.owner).exclude(pk=folder.pk)
    folder.name = _free_name(name, others)
    folder.save(update_fields=["name"])


def delete_folder(*, folder: Folder) -> None:
    """Remove a folder; the decks in it stay, in none."""
    folder.delete()


def move_to_folder(*, decks: Iterable[Deck], folder: Folder | None) -> None:
    """Put decks into a folder of their owner's, or take them out of theirs."""
    held = Deck.objects.filter(pk__in=[each.pk for each in decks])
    if folder is None:
        held.update(folder=None)
    else:
        held.filter(owner=folder.owner_id).update(folder=folder)


def archive_decks(*, decks: Iterable[Deck], now: datetime) -> None:
    """Put decks out of sight; those that were stay as they were put away."""
    held = Deck.objects.filter(pk__in=[each.pk for each in decks])
    held.filter(archived_at=None).update(archived_at=now)


def unarchive_decks(*, decks: Iterable[Deck]) -> None:
    """Have decks in the list again."""
    held = Deck.objects.filter(pk__in=[each.pk for each in decks])
    held.update(archived_at=None)


# -- the bin --


def put_in_bin(deck: Deck, now: datetime) -> None:
    """Have a deck, which the caller holds, nowhere but in the bin.

    An owner's bin holds as many decks as an account: the oldest make room.
    """
    withdraw_deck(deck=deck)
    leave_tables(deck)
    Deck.objects.filter(pk=deck.pk).update(deleted_at=now)
    deck.deleted_at = now
    if deck.owner is not None:
        trim_bin(deck.owner)


def trim_bin(owner: User) -> None:
    """Delete for good what a bin has beyond its limit, the oldest first."""
    take_turns(owner)
    binned = Deck.binned.filter(owner=owner).values_list("pk", flat=True)
    beyond = binned[quota_of("decks") :]
    Deck.everything.filter(pk__in=list(beyond)).delete()


@transaction.atomic
def restore_deck(*, deck: Deck) -> bool:
    """Take a deck out of the bin; it is private, and has its folder if that is left.

    Whether it was there still. Raises QuotaReached.
    """
    if deck.owner is not None:
        take_turns(deck.owner)
        require_room("decks", Deck.objects.filter(owner=deck.owner))
    return bool(Deck.binned.filter(pk=deck.pk).update(deleted_at=None))


def delete_for_good(*, decks: Iterable[Deck]) -> int:
    """Remove decks of the bin with all their revisions; how many there were."""
    return _removed(Deck.binned.filter(pk__in=[each.pk for each in decks]))


def forget_drafts(*, now: datetime) -> int:
    """Remove drafts without an owner that were left alone too long; how many."""
    left = now - DRAFT_LIFETIME
    return _removed(Deck.everything.filter(owner=None, changed_at__lt=left))


def forget_deleted(*, now: datetime) -> int:
    """Remove what was in the bin for too long; how many decks."""
    return _removed(Deck.everything.filter(deleted_at__lt=now - BIN_LIFETIME))


# -- inside --


@transaction.atomic
def _removed(decks: QuerySet[Deck]) -> int:
    """Remove decks; how many. One that was restored, saved or changed first stays."""
    held = list(decks.order_by("pk").select_for_update().values_list("pk", flat=True))
    removed = Deck.everything.filter(pk__in=held).order_by().delete()
    return removed[1].get("decks.Deck", 0)


def same_folder(name: str) -> str:
    """What the names of folders share that are one; signs count if there are no words.

    ``name`` has no blanks around it.
    """
    return fold(name) or name


def _free_name(name: str, others: QuerySet[Folder]) -> str:
    wanted = " ".join(whole(name).split())[:LONGEST_FOLDER]
    if not wanted:
        raise ValueError("a folder has a name")
    if same_folder(wanted) in {same_folder(each.name) for each in others}:
        raise FolderTaken(wanted)
    return wanted
