"""Organize a person's decks: folders, the archive, and the bin.

A deleted deck is only in the bin: its link and its place among the published decks are
gone, its seat at a table is free again, and no one can change it until it is restored.
It comes back private, with its latest revision.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from arkham.accounts.models import User
from arkham.web.quotas import lock_owner, quota_of, require_room
from cardpool.words import fold
from decks.lists.content import whole
from decks.models import BIN_LIFETIME, DRAFT_LIFETIME, LONGEST_FOLDER, Deck, Folder
from decks.services.hooks import leave_tables
from decks.services.sharing import withdraw_deck


class FolderTaken(Exception):
    """The person already has a folder of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@transaction.atomic
def make_folder(*, owner: User, name: str, now: datetime) -> Folder:
    """Create a folder. Raises FolderTaken, QuotaReached, ValueError without a name."""
    lock_owner(owner)
    folders = Folder.objects.filter(owner=owner)
    require_room("folders", folders)
    return Folder.objects.create(
        owner=owner, name=_free_name(name, folders), made_at=now
    )


@transaction.atomic
def rename_folder(*, folder: Folder, name: str) -> None:
    """Rename a folder. Raises FolderTaken, ValueError without a name."""
    lock_owner(folder.owner)
    others = Folder.objects.filter(owner=folder.owner).exclude(pk=folder.pk)
    folder.name = _free_name(name, others)
    folder.save(update_fields=["name"])


def delete_folder(*, folder: Folder) -> None:
    """Delete a folder; its decks stay, in no folder."""
    folder.delete()


def move_to_folder(*, decks: Iterable[Deck], folder: Folder | None) -> None:
    """Move decks into a folder of their owner, or out of their folders (None)."""
    rows = Deck.objects.filter(pk__in=[each.pk for each in decks])
    if folder is None:
        rows.update(folder=None)
    else:
        rows.filter(owner=folder.owner_id).update(folder=folder)


def archive_decks(*, decks: Iterable[Deck], now: datetime) -> None:
    """Archive decks; those already archived keep their date."""
    rows = Deck.objects.filter(pk__in=[each.pk for each in decks])
    rows.filter(archived_at=None).update(archived_at=now)


def unarchive_decks(*, decks: Iterable[Deck]) -> None:
    """Move decks out of the archive."""
    rows = Deck.objects.filter(pk__in=[each.pk for each in decks])
    rows.update(archived_at=None)


# -- the bin --


def put_in_bin(deck: Deck, now: datetime) -> None:
    """Move a deck, locked by the caller, to the bin and out of everything else.

    An owner's bin has room for as many decks as the account; the oldest are deleted.
    """
    withdraw_deck(deck=deck)
    leave_tables(deck)
    Deck.objects.filter(pk=deck.pk).update(deleted_at=now)
    deck.deleted_at = now
    if deck.owner is not None:
        trim_bin(deck.owner)


def trim_bin(owner: User) -> None:
    """Delete decks beyond the limit of a bin, starting with the earliest deleted."""
    lock_owner(owner)
    binned = Deck.binned.filter(owner=owner).values_list("pk", flat=True)
    beyond = binned[quota_of("decks") :]
    Deck.everything.filter(pk__in=list(beyond)).delete()


@transaction.atomic
def restore_deck(*, deck: Deck) -> bool:
    """Restore a deck from the bin: private, and in its folder if that still exists.

    Return False if it was no longer in the bin. Raises QuotaReached.
    """
    if deck.owner is not None:
        lock_owner(deck.owner)
        require_room("decks", Deck.objects.filter(owner=deck.owner))
    is_restored = bool(Deck.binned.filter(pk=deck.pk).update(deleted_at=None))
    if is_restored:
        deck.note_change()
    return is_restored


def delete_for_good(*, decks: Iterable[Deck]) -> int:
    """Delete decks from the bin with all their revisions; return how many."""
    return _removed(Deck.binned.filter(pk__in=[each.pk for each in decks]))


def forget_drafts(*, now: datetime) -> int:
    """Delete drafts that haven't been changed for too long; return how many."""
    left = now - DRAFT_LIFETIME
    return _removed(Deck.everything.filter(owner=None, changed_at__lt=left))


def forget_deleted(*, now: datetime) -> int:
    """Delete decks that were in the bin for too long; return how many."""
    return _removed(Deck.everything.filter(deleted_at__lt=now - BIN_LIFETIME))


# -- private --


@transaction.atomic
def _removed(decks: QuerySet[Deck]) -> int:
    """Delete decks that still match once locked; return how many."""
    locked = list(decks.order_by("pk").select_for_update().values_list("pk", flat=True))
    removed = Deck.everything.filter(pk__in=locked).order_by().delete()
    return removed[1].get("decks.Deck", 0)


def same_folder(name: str) -> str:
    """Return the key by which names of folders count as equal; ``name`` is stripped.

    Without any letters or digits, the name is compared as it is.
    """
    return fold(name) or name


def _free_name(name: str, others: QuerySet[Folder]) -> str:
    wanted = " ".join(whole(name).split())[:LONGEST_FOLDER]
    if not wanted:
        raise ValueError("a folder has a name")
    if same_folder(wanted) in {same_folder(each.name) for each in others}:
        raise FolderTaken(wanted)
    return wanted
