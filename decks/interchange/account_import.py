"""Import an account file.

Either all of a file is imported or nothing. A deck that the account already has, with
its whole history, is not imported again; if its history differs, or it was described
later, the file's deck is added as another one. Everything is imported as private, even
if it was shown on the other server: its owner decides again what to show here.
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
    """Return everything in an account as the text of its file."""
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
    """Yield the decks with their history, including those in the bin."""
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
    """Make a part of the file from a row; ``known`` overrides its values."""
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
    """Return the collections of an account."""
    rows = Collection.objects.filter(owner=owner)
    return [_part_of(FileCollection, each) for each in rows]


class ImportResult(NamedTuple):
    """The result of an import: decks created, and decks that were already here.

    ``collections`` counts those created, ``shown`` the created decks that others saw on
    the server of the file; here they are private. ``binned`` counts those in the bin,
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
        """The result in words."""
        said = [_("Decks imported: %(made)d. Already here: %(known)d.")]
        if self.binned:
            said.append(_("Imported decks in the bin: %(binned)d."))
        if self.collections:
            said.append(_("Collections imported: %(collections)d."))
        if self.preferences:
            said.append(_("Preferences imported: %(preferences)d."))
        return " ".join(said) % self._asdict()


@transaction.atomic
def import_account(
    *, owner: User, account: AccountFile, browser: Preferences = NO_PREFERENCES
) -> ImportResult:
    """Import a file into an account, all of it or nothing.

    ``browser`` are the preferences that apply while the account has none.
    """
    began = timezone.now()
    User.objects.select_for_update().get(pk=owner.pk)  # a second request waits
    preferences = _import_preferences(owner, account.preferences, browser)
    folders = _import_folders(owner, account)
    here: dict[datetime, list[FileDeck]] = {}
    for deck in _decks_of(owner):
        here.setdefault(deck.made_at, []).append(deck)
    made = shown = binned = 0
    for deck in account.decks:
        alike = here.setdefault(deck.made_at, [])
        # A deck in the bin here is imported again if the file has it outside its bin.
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
    # Only at the end can others see them, and they look only a little way back.
    noted = Deck.objects.filter(owner=owner, noted_at__gte=began)
    noted.update(noted_at=timezone.now())
    collections = _import_collections(owner, account.collections)
    known = len(account.decks) - made
    return ImportResult(made, known, collections, shown, binned, preferences)


# -- decks that are already here --


def _holds(here: FileDeck, file: FileDeck) -> bool:
    """Return True if a deck has everything that the file says about it."""
    described = [(each.name, each.notes, each.tags) for each in (here, file)]
    if described[0] != described[1] and file.changed_at > here.changed_at:
        return False
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
    """Return True unless only the deck here is in the bin."""
    return here.deleted_at is None or file.deleted_at is not None


def _lasting(step: FileRevision) -> tuple[object, ...]:
    """Return what files without a history say about a revision."""
    return step.content, step.restores, step.made_at


def _was(here: FileRevision, file: FileRevision) -> bool:
    """Return True if a revision is that of the file, apart from being played since."""
    if file.played_at is None:
        here, file = (
            replace(each, played_at=None, aftermath={}, scenario="")
            for each in (here, file)
        )
    return here == file


def _was_drawn(here: FileDraw, file: FileDraw) -> bool:
    """Return True if a draw is that of the file, apart from a later correction."""
    same = replace(here, correction=None) == replace(file, correction=None)
    return same and file.correction in (None, here.correction)


# -- importing --


def _make(owner: User, file: FileDeck, folder: Folder | None) -> None:
    now = timezone.now()
    deck = Deck.everything.create(
        owner=owner,
        folder=folder,
        archived_at=file.archived_at,
        deleted_at=file.deleted_at and min(file.deleted_at, now),
        name=file.name,
        notes=file.notes,
        tags=file.tags,
        revision=len(file.revisions),
        made_at=file.made_at,
        changed_at=min(file.changed_at, now),  # clocks differ, and files are edited
        noted_at=now,
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
    """Return the values of a part by name, as a row takes them."""
    names = {each.name for each in fields(part)}.difference(without)
    return {name: getattr(part, name) for name in names}


def _make_source(deck: Deck, source: FileSource) -> None:
    """Record the deck's source, linked if that deck is shown on this server."""
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


def _import_preferences(
    owner: User, file: FilePreferences, browser: Preferences
) -> int:
    """Fill in preferences that have no value here; return how many."""
    mine = asdict(kept_preferences(owner, browser))
    theirs = _values(file)
    chosen = {name: value for name, value in theirs.items() if value and not mine[name]}
    if chosen:
        save_preferences(user=owner, changed=chosen, browser=browser)
    return len(chosen)


def _import_folders(owner: User, account: AccountFile) -> dict[str, Folder]:
    """Return the file's folders by name, creating those that are missing."""
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


def _import_collections(owner: User, collections: tuple[FileCollection, ...]) -> int:
    """Create the collections that are not here yet; return how many.

    Decks are built from one collection at most: the one that is here, if any.
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
