"""Imports an account file.

Nothing of a file is imported unless all of it can be read. A deck that the account has
already, with everything that happened to it, is not imported twice; one that went
another way since comes as a deck beside it. What comes is private, even if it was shown
elsewhere: to show it here is for its owner to decide again.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from arkham.accounts.models import User
from arkham.web.quotas import require_room
from decks.interchange.account_file import (
    AccountFile,
    Booked,
    Chain,
    Copied,
    FileDesk,
    FileDraw,
    FileRevision,
    FileShowing,
    Owned,
    write_account,
)
from decks.models import (
    Collection,
    Correction,
    Deck,
    Desk,
    Draw,
    LedgerEntry,
    Revision,
    Showing,
    Source,
)
from decks.services.judgements import remember
from decks.services.sharing import address_of, showing_of, source_of


def account_text(*, owner: User, now: datetime) -> str:
    """Everything of an account, as the text of its file."""
    account = AccountFile(tuple(chains_of(owner)), tuple(collections_of(owner)))
    return write_account(account, name=owner.username, now=now)


def chains_of(owner: User) -> list[Chain]:
    """The decks, with everything that happened to them."""
    decks = Deck.objects.filter(owner=owner).order_by("pk")
    parts = ("revisions", "ledger", "draws__correction", "desk", "showing", "source")
    return [_chain(deck, owner) for deck in decks.prefetch_related(*parts)]


def _chain(deck: Deck, owner: User) -> Chain:
    draws = list(deck.draws.all())
    places = {draw.pk: place for place, draw in enumerate(draws)}
    desk = getattr(deck, "desk", None)
    return Chain(
        deck.name,
        deck.notes,
        deck.tags,
        deck.made_at,
        deck.changed_at,
        tuple(_step(each, owner) for each in deck.revisions.all()),
        tuple(
            Booked(
                each.kind,
                each.amount,
                each.reason,
                each.revision,
                each.author_id == owner.pk,
                each.made_at,
            )
            for each in deck.ledger.all()
        ),
        tuple(_drawn(each, places) for each in draws),
        desk
        and FileDesk(
            desk.seen, desk.version, desk.content, desk.window, desk.changed_at
        ),
        _shown(deck),
        _copied(deck),
    )


def _shown(deck: Deck) -> FileShowing | None:
    showing = showing_of(deck)
    if showing is None:
        return None
    return FileShowing(showing.kind, showing.revision, showing.since)


def _copied(deck: Deck) -> Copied | None:
    source = source_of(deck)
    if source is None:
        return None
    return Copied(
        source.kind, source.name, source.author, source.address, source.copied_at
    )


def _step(revision: Revision, owner: User) -> FileRevision:
    return FileRevision(
        revision.content,
        revision.restores,
        revision.made_at,
        revision.cause,
        revision.made_by_id == owner.pk,
        revision.base,
        revision.window,
        revision.invoice,
        revision.reason,
        revision.played_at,
        revision.aftermath,
        revision.scenario,
    )


def _drawn(draw: Draw, places: dict[int, int]) -> FileDraw:
    wrong = getattr(draw, "correction", None)
    return FileDraw(
        draw.revision,
        draw.made,
        draw.record,
        None if draw.follows_id is None else places[draw.follows_id],
        draw.made_at,
        wrong.reason if wrong else "",
        wrong.made_at if wrong else None,
    )


def collections_of(owner: User) -> list[Owned]:
    """The collections."""
    return [
        Owned(
            each.name,
            each.products,
            each.missing,
            each.lends,
            each.advises,
            each.changed_at,
        )
        for each in Collection.objects.filter(owner=owner)
    ]


class TakenIn(NamedTuple):
    """What came of a file: decks made, and decks that were here already.

    ``collections`` counts those made, ``shown`` the decks made that others saw where
    the file was written; here they are private.
    """

    made: int
    known: int
    collections: int = 0
    shown: int = 0


@transaction.atomic
def take_in(*, owner: User, account: AccountFile) -> TakenIn:
    """Give an account what a file holds, all of it or nothing."""
    User.objects.select_for_update().get(pk=owner.pk)  # a second press waits
    here: dict[datetime, list[Chain]] = {}
    for chain in chains_of(owner):
        here.setdefault(chain.made_at, []).append(chain)
    made = shown = 0
    for chain in account.chains:
        alike = here.setdefault(chain.made_at, [])
        if any(_holds(each, chain) for each in alike):
            continue
        require_room("decks", Deck.objects.filter(owner=owner))
        _make(owner, chain)
        alike.append(chain)
        made += 1
        shown += chain.shown is not None
    collections = _take_collections(owner, account.collections)
    return TakenIn(made, len(account.chains) - made, collections, shown)


# -- is it here already? --


def _holds(here: Chain, file: Chain) -> bool:
    """Whether a deck has everything that a file says of one."""
    steps = here.steps[: len(file.steps)]
    if not file.has_life:
        return [*map(_lasting, steps)] == [*map(_lasting, file.steps)]
    return (
        len(steps) == len(file.steps)
        and all(map(_was, steps, file.steps))
        and here.ledger[: len(file.ledger)] == file.ledger
        and len(here.draws) >= len(file.draws)
        and all(map(_was_drawn, here.draws, file.draws))
    )


def _lasting(step: FileRevision) -> tuple[object, ...]:
    """What a file says of a revision without a history."""
    return step.content, step.restores, step.made_at


def _was(here: FileRevision, file: FileRevision) -> bool:
    """Whether a revision is that of the file, perhaps played since."""
    if file.played_at is None:
        here = FileRevision(*(getattr(here, key) for key in _UNPLAYED))
        file = FileRevision(*(getattr(file, key) for key in _UNPLAYED))
    return here == file


_UNPLAYED = (
    "content", "restores", "made_at", "cause", "own", "base", "window", "invoice",
    "reason",
)  # fmt: skip


def _was_drawn(here: FileDraw, file: FileDraw) -> bool:
    """Whether a draw is that of the file, perhaps corrected since."""
    draw = (here.revision, here.made, here.record, here.follows, here.made_at)
    same = draw == (file.revision, file.made, file.record, file.follows, file.made_at)
    corrected = (here.wrong, here.wrong_at) == (file.wrong, file.wrong_at)
    return same and (corrected or file.wrong_at is None)


# -- taking in --


def _make(owner: User, chain: Chain) -> None:
    deck = Deck.objects.create(
        owner=owner,
        name=chain.name,
        notes=chain.notes,
        tags=chain.tags,
        revision=len(chain.steps),
        made_at=chain.made_at,
        changed_at=chain.changed_at,
    )
    Revision.objects.bulk_create(
        Revision(
            deck=deck,
            number=number,
            list=step.content.deck,
            circumstances=step.content.circumstances,
            cause=step.cause,
            made_by=owner if step.own else None,
            restores=step.restores,
            base=step.base,
            window=step.window,
            invoice=step.invoice,
            reason=step.reason,
            played_at=step.played_at,
            aftermath=step.aftermath,
            scenario=step.scenario,
            made_at=step.made_at,
        )
        for number, step in enumerate(chain.steps, 1)
    )
    remember(deck, deck.revision, chain.steps[-1].content)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            deck=deck,
            number=number,
            kind=each.kind,
            amount=each.amount,
            reason=each.reason,
            revision=each.revision,
            author=owner if each.own else None,
            made_at=each.made_at,
        )
        for number, each in enumerate(chain.ledger, 1)
    )
    _make_draws(deck, chain.draws)
    if chain.desk is not None:
        laid = chain.desk
        Desk.objects.create(
            deck=deck,
            seen=laid.seen,
            version=laid.version,
            list=laid.content.deck,
            circumstances=laid.content.circumstances,
            window=laid.window,
            changed_at=laid.changed_at,
        )
    if chain.source is not None:
        _make_source(deck, chain.source)


def _make_source(deck: Deck, copied: Copied) -> None:
    """What the deck was copied from; with a way there if that is shown here."""
    showings = Showing.objects.filter(
        kind=copied.kind,
        deck__owner__username=copied.author,
        since__lte=copied.copied_at,
    ).select_related("deck")
    Source.objects.create(
        deck=deck,
        showing=next((s for s in showings if address_of(s) == copied.address), None),
        kind=copied.kind,
        name=copied.name,
        author=copied.author,
        address=copied.address,
        copied_at=copied.copied_at,
    )


def _make_draws(deck: Deck, drawn: tuple[FileDraw, ...]) -> None:
    made: list[Draw] = []
    for each in drawn:
        draw = Draw.objects.create(
            deck=deck,
            revision=each.revision,
            made=each.made,
            record=each.record,
            follows=None if each.follows is None else made[each.follows],
            made_at=each.made_at,
        )
        made.append(draw)
        if each.wrong_at is not None:
            Correction.objects.create(
                draw=draw, reason=each.wrong, made_at=each.wrong_at
            )


def _take_collections(owner: User, collections: tuple[Owned, ...]) -> int:
    """The collections that are not here as they are in the file; how many came.

    Decks are built from one collection at most: from the one that is here, if any.
    """
    here = {_possession(each) for each in collections_of(owner)}
    advised = Collection.objects.filter(owner=owner, advises=True).exists()
    made = 0
    for each in collections:
        if _possession(each) in here:
            continue
        advises = each.advises and not advised
        advised = advised or advises
        require_room("collections", Collection.objects.filter(owner=owner))
        Collection.objects.create(
            owner=owner,
            name=each.name,
            products=dict(each.products),
            missing=dict(each.missing),
            lends=each.lends,
            advises=advises,
            changed_at=each.changed_at,
        )
        here.add(_possession(each))
        made += 1
    return made


def _possession(owned: Owned) -> tuple[object, ...]:
    products, missing = (
        tuple(sorted(each.items())) for each in (owned.products, owned.missing)
    )
    return owned.name, products, missing
