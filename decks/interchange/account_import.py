"""Imports an account file.

Nothing of a file is imported unless all of it can be read. A deck that the account has
already, with everything that happened to it, is not imported twice; one that went
another way since comes as a deck beside it. What comes is private, even if it was shown
elsewhere: to show it here is for its owner to decide again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.accounts.preferences import (
    NO_PREFERENCES,
    Preferences,
    kept_preferences,
    save_preferences,
)
from arkham.web.quotas import require_room
from decks.interchange.account_file import (
    AccountFile,
    FileCollection,
    FileCorrection,
    FileDeck,
    FileDesk,
    FileDraw,
    FileEntry,
    FileExperience,
    FilePart,
    FilePreferences,
    FileRevision,
    FileShowing,
    FileSource,
    Own,
    write_account,
)
from decks.models import (
    Collection,
    Correction,
    Deck,
    Desk,
    Draw,
    Folder,
    LedgerEntry,
    Revision,
    Showing,
    Source,
)
from decks.queries import folders_of
from decks.services.filing import make_folder, same_folder, trim_bin
from decks.services.judgements import remember
from decks.services.ledger import EARNED
from decks.services.sharing import address_of, showing_of, source_of

Part = TypeVar("Part", bound=FilePart)


def account_text(
    *, owner: User, now: datetime, browser: Preferences = NO_PREFERENCES
) -> str:
    """Everything of an account, as the text of its file."""
    return write_account(
        AccountFile(
            account=owner.username,
            written_at=now.isoformat(),
            decks=tuple(_decks_of(owner)),
            collections=tuple(_collections_of(owner)),
            folders=tuple(each.name for each in folders_of(owner)),
            preferences=_part_of(FilePreferences, kept_preferences(owner, browser)),
        )
    )


def _decks_of(owner: User) -> Iterator[FileDeck]:
    """The decks, those in the bin too, with everything that happened to them."""
    decks = Deck.everything.filter(owner=owner).order_by("pk").select_related("folder")
    parts = ("revisions", "ledger", "draws__correction", "desk", "showing", "source")
    for deck in decks.prefetch_related(*parts):
        entries, draws = list(deck.ledger.all()), list(deck.draws.all())
        places = {draw.pk: place for place, draw in enumerate(draws)}
        desk, showing, source = (
            getattr(deck, "desk", None), showing_of(deck), source_of(deck)
        )  # fmt: skip
        yield _part_of(
            FileDeck,
            deck,
            folder=deck.folder.name if deck.folder else "",
            revisions=tuple(
                _part_of(
                    FileRevision,
                    each,
                    made_by=Own(each.made_by_id == owner.pk),
                    deck=each.list,
                )
                for each in deck.revisions.all()
            ),
            ledger=tuple(
                _part_of(FileEntry, each, author=Own(each.author_id == owner.pk))
                for each in entries
            ),
            experience=_experience(entries, deck.revision),
            draws=tuple(_draw(each, places) for each in draws),
            desk=desk and _part_of(FileDesk, desk, deck=desk.list),
            shown=showing and _part_of(FileShowing, showing),
            source=source and _part_of(FileSource, source),
        )


def _part_of(part: type[Part], row: object, **known: object) -> Part:
    """A part of the file made of a row, but for what is known."""
    names = (each.name for each in fields(part))
    values = {name: getattr(row, name) for name in names if name not in known}
    return part(**values, **known)


def _experience(entries: list[LedgerEntry], latest: int) -> FileExperience:
    earned = [each for each in entries if each.kind in EARNED]
    return FileExperience(
        balance=sum(each.amount for each in entries),
        total=sum(each.amount for each in earned),
        gained=sum(each.amount for each in earned if each.revision == latest),
        since=latest,
    )


def _draw(draw: Draw, places: dict[int, int]) -> FileDraw:
    wrong = getattr(draw, "correction", None)
    return _part_of(
        FileDraw,
        draw,
        follows=None if draw.follows_id is None else places[draw.follows_id],
        correction=wrong and _part_of(FileCorrection, wrong),
    )


def _collections_of(owner: User) -> list[FileCollection]:
    """The collections."""
    rows = Collection.objects.filter(owner=owner)
    return [_part_of(FileCollection, each) for each in rows]


class TakenIn(NamedTuple):
    """What came of a file: decks made, and decks that were here already.

    ``collections`` counts those made, ``shown`` the decks made that others saw where
    the file was written; here they are private. ``binned`` counts those in the bin,
    ``preferences`` those that changed.
    """

    made: int
    known: int
    collections: int = 0
    shown: int = 0
    binned: int = 0
    preferences: int = 0

    @property
    def summary(self) -> str:
        """What was imported, in words."""
        said = [_("Decks imported: %(made)d. Already here: %(known)d.")]
        if self.binned:
            said.append(_("Imported decks in the bin: %(binned)d."))
        if self.collections:
            said.append(_("Collections imported: %(collections)d."))
        if self.preferences:
            said.append(_("Preferences imported: %(preferences)d."))
        return " ".join(said) % self._asdict()


@transaction.atomic
def take_in(
    *, owner: User, account: AccountFile, browser: Preferences = NO_PREFERENCES
) -> TakenIn:
    """Give an account what a file holds, all of it or nothing.

    ``browser`` is what is preferred as long as the account has no preferences.
    """
    User.objects.select_for_update().get(pk=owner.pk)  # a second press waits
    preferences = _take_preferences(owner, account.preferences, browser)
    folders = _take_folders(owner, account)
    here: dict[datetime, list[FileDeck]] = {}
    for deck in _decks_of(owner):
        here.setdefault(deck.made_at, []).append(deck)
    made = shown = binned = 0
    for deck in account.decks:
        alike = here.setdefault(deck.made_at, [])
        # What was deleted here comes back where the file has it, and stays in the bin.
        if any(_holds(each, deck) for each in alike if _is_kept_as(each, deck)):
            continue
        if deck.deleted_at is None:
            require_room("decks", Deck.objects.filter(owner=owner))
        _make(owner, deck, folders.get(deck.folder))
        alike.append(deck)
        made += 1
        shown += deck.shown is not None
        binned += deck.deleted_at is not None
    if binned:
        trim_bin(owner)
    collections = _take_collections(owner, account.collections)
    known = len(account.decks) - made
    return TakenIn(made, known, collections, shown, binned, preferences)


# -- is it here already? --


def _holds(here: FileDeck, file: FileDeck) -> bool:
    """Whether a deck has everything that a file says of one."""
    steps = here.revisions[: len(file.revisions)]
    if not file.has_life:
        return [*map(_lasting, steps)] == [*map(_lasting, file.revisions)]
    return (
        len(steps) == len(file.revisions)
        and all(map(_was, steps, file.revisions))
        and here.ledger[: len(file.ledger)] == file.ledger
        and len(here.draws) >= len(file.draws)
        and all(map(_was_drawn, here.draws, file.draws))
    )


def _is_kept_as(here: FileDeck, file: FileDeck) -> bool:
    """Whether a deck here counts as that of the file: not one in the bin."""
    return here.deleted_at is None or file.deleted_at is not None


def _lasting(step: FileRevision) -> tuple[object, ...]:
    """What a file says of a revision without a history."""
    return step.content, step.restores, step.made_at


def _was(here: FileRevision, file: FileRevision) -> bool:
    """Whether a revision is that of the file, perhaps played since."""
    if file.played_at is None:
        here, file = (
            replace(each, played_at=None, aftermath={}, scenario="")
            for each in (here, file)
        )
    return here == file


def _was_drawn(here: FileDraw, file: FileDraw) -> bool:
    """Whether a draw is that of the file, perhaps corrected since."""
    same = replace(here, correction=None) == replace(file, correction=None)
    return same and file.correction in (None, here.correction)


# -- taking in --


def _make(owner: User, file: FileDeck, folder: Folder | None) -> None:
    deck = Deck.everything.create(
        owner=owner,
        folder=folder,
        archived_at=file.archived_at,
        deleted_at=file.deleted_at,
        name=file.name,
        notes=file.notes,
        tags=file.tags,
        revision=len(file.revisions),
        made_at=file.made_at,
        changed_at=file.changed_at,
    )
    Revision.objects.bulk_create(
        Revision(
            deck=deck,
            list=each.deck,
            made_by=owner if each.made_by else None,
            **_values(each, "deck", "made_by"),
        )
        for each in file.revisions
    )
    remember(deck, deck.revision, file.revisions[-1].content)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            deck=deck, author=owner if each.author else None, **_values(each, "author")
        )
        for each in file.ledger
    )
    _make_draws(deck, file.draws)
    if file.desk is not None:
        Desk.objects.create(
            deck=deck, list=file.desk.deck, **_values(file.desk, "deck")
        )
    if file.source is not None:
        _make_source(deck, file.source)


def _values(part: FilePart, *without: str) -> dict[str, Any]:
    """The values of a part by their names, as a row has them."""
    names = {each.name for each in fields(part)}.difference(without)
    return {name: getattr(part, name) for name in names}


def _make_source(deck: Deck, source: FileSource) -> None:
    """What the deck was copied from; with a way there if that is shown here."""
    showings = Showing.objects.filter(
        kind=source.kind,
        deck__owner__username=source.author,
        since__lte=source.copied_at,
    ).select_related("deck")
    found = (each for each in showings if address_of(each) == source.address)
    Source.objects.create(deck=deck, showing=next(found, None), **_values(source))


def _make_draws(deck: Deck, drawn: tuple[FileDraw, ...]) -> None:
    made: list[Draw] = []
    for each in drawn:
        follows = None if each.follows is None else made[each.follows]
        values = _values(each, "follows", "correction")
        draw = Draw.objects.create(deck=deck, follows=follows, **values)
        made.append(draw)
        if each.correction is not None:
            Correction.objects.create(draw=draw, **_values(each.correction))


def _take_preferences(owner: User, file: FilePreferences, browser: Preferences) -> int:
    """Prefer what the file does where nothing is preferred here; how often."""
    mine = asdict(kept_preferences(owner, browser))
    theirs = _values(file)
    chosen = {name: value for name, value in theirs.items() if value and not mine[name]}
    if chosen:
        save_preferences(user=owner, changed=chosen, browser=browser)
    return len(chosen)


def _take_folders(owner: User, account: AccountFile) -> dict[str, Folder]:
    """The folders of the file by its names; those that aren't here are made."""
    here = {same_folder(each.name): each for each in folders_of(owner)}
    found = {}
    for name in (*account.folders, *(each.folder for each in account.decks)):
        same = same_folder(" ".join(name.split()))
        if not same:
            continue
        if same not in here:
            here[same] = make_folder(owner=owner, name=name, now=timezone.now())
        found[name] = here[same]
    return found


def _take_collections(owner: User, collections: tuple[FileCollection, ...]) -> int:
    """The collections that are not here as they are in the file; how many came.

    Decks are built from one collection at most: from the one that is here, if any.
    """
    here = {_possession(each) for each in _collections_of(owner)}
    advised = Collection.objects.filter(owner=owner, advises=True).exists()
    made = 0
    for each in collections:
        if _possession(each) in here:
            continue
        advises = each.advises and not advised
        advised = advised or advises
        require_room("collections", Collection.objects.filter(owner=owner))
        values = _values(each, "advises")
        Collection.objects.create(owner=owner, advises=advises, **values)
        here.add(_possession(each))
        made += 1
    return made


def _possession(owned: FileCollection) -> tuple[object, ...]:
    products, missing = (
        tuple(sorted(each.items())) for each in (owned.products, owned.missing)
    )
    return owned.name, products, missing
