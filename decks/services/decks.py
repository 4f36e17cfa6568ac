"""Create, revise, copy, keep and delete decks; share verdicts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from arkham.accounts.models import User
from arkham.rules.legality import Verdict
from arkham.rules.pool import CardPool
from arkham.web.quotas import lock_owner, require_room
from cardpool.catalog import current_judge, current_pool
from decks.lists.content import Content
from decks.lists.editing import apply
from decks.models import (
    Cause,
    Deck,
    LedgerEntry,
    Notice,
    Revision,
    SharedVerdict,
    Showing,
    new_key,
)
from decks.services import ledger
from decks.services.beginning import (
    DEMO_GAMES,
    begun,
    continued,
    demo_beginning,
    demo_decks,
)
from decks.services.filing import put_in_bin
from decks.services.hooks import lock_tables, notify_watchers, require_out_of_play
from decks.services.ledger import (
    AlreadyPlayed,
    Earned,
    append,
    expect,
    is_played,
    note_booked,
    require_room_for_a_change,
)
from decks.services.sharing import (
    DeckLabels,
    copied_content,
    describe_deck,
    note_source,
    pass_on_source,
    shown_revision,
)
from decks.services.upgrading import (
    PlayedGame,
    mark_played,
    opened,
    upgrade_deck,
)

A_DAY = timedelta(days=1)
A_WEEK = timedelta(days=7)


@transaction.atomic
def create_deck(
    *,
    owner: User | None,
    content: Content,
    now: datetime,
    name: str = "",
    notes: str = "",
    tags: str = "",
    carried: int = 0,
) -> Deck:
    """Create a deck; without an owner it is a draft with a key of its own.

    Unless the content has a mode, the deck is a first deck, or that of a campaign under
    way if its list shows so. ``carried`` is unspent experience that it brings along.
    """
    labels = DeckLabels(name, notes, tags)
    return _create(owner, begun(content, current_judge()), labels, carried, now)


def _create(
    owner: User | None,
    content: Content,
    labels: DeckLabels,
    carried: int,
    now: datetime,
) -> Deck:
    if owner is None:
        require_room("drafts", Deck.everything.filter(owner=None))
    else:
        lock_owner(owner)
        require_room("decks", Deck.objects.filter(owner=owner))
    deck = Deck.objects.create(
        owner=owner,
        key=None if owner else new_key(),
        **labels.kept()._asdict(),
        made_at=now,
        changed_at=now,
    )
    _bring_along(deck, carried, revision=1, actor=owner, now=now)
    append(deck, content, now, owner, cause=Cause.BUILT)
    return deck


@transaction.atomic
def revise_deck(
    *,
    deck: Deck,
    content: Content,
    expected_revision: int,
    now: datetime,
    labels: DeckLabels | None = None,
    seen: str = "",
    carried: int | None = None,
    actor: User | None = None,
) -> Revision:
    """Make the content the latest revision; add none if nothing changed.

    ``labels`` replace name, notes and tags, provided that their mark is still
    ``seen``. ``carried`` corrects the ledger to that balance. Raises Stale if the
    latest revision isn't ``expected_revision``; LabelsMoved; AlreadyPlayed if the deck
    has been played, DeckInPlay while it is being played; QuotaReached.
    """
    lock_tables(deck)
    latest = theirs = expect(deck, content, expected_revision)
    content = continued(content, theirs.content)
    if labels is not None:
        describe_deck(deck=deck, labels=labels, seen=seen, now=now)
    if content != theirs.content or carried is not None:
        require_out_of_play(deck)
    if is_played(theirs) and (content != theirs.content or carried is not None):
        raise AlreadyPlayed(latest=theirs, mine=content)
    if content != theirs.content:
        require_room_for_a_change(deck)
        latest = append(deck, content, now, actor, cause=Cause.EDITED)
    if carried is not None:
        more = carried - ledger.balance_of(deck)
        _bring_along(deck, more, revision=latest.number, actor=actor, now=now)
        latest = note_booked(deck, now, actor)
    if latest.number != theirs.number:
        notify_watchers(deck, now)
    return latest


class Steps(NamedTuple):
    """Numbers of the revisions that undo and redo restore; 0 for none."""

    undo: int
    redo: int


def steps_of(latest: Revision, before: Revision | None = None) -> Steps:
    """Return which revisions undo and redo restore, seen from the latest revision.

    A revision made by undo or redo takes the place of the one it restores, so that
    undone revisions are skipped; so are those that only the ledger made. After a new
    change there is nothing to redo. ``before`` may be the revision before the latest:
    after two new changes no other revision is read.
    """
    if before and before.number == latest.number - 1:
        restored = {latest.restores, before.restores}
        if restored == {None}:
            return Steps(before.number, 0)
    made = latest.deck.revisions.exclude(restores=None).order_by()
    known = made.values_list("number", "restores")
    restores = {number: other for number, other in known if other is not None}

    def place(number: int) -> int:
        while restores.get(number, number) < number:
            number = restores[number]
        return number

    top, current = latest.number, place(latest.number)
    while top in restores:
        top -= 1
    redo = top if top > current else 0
    while redo and place(redo - 1) != current:
        redo = place(redo - 1)
    return Steps(place(current - 1), redo)


def undo_revision(
    *, deck: Deck, expected_revision: int, now: datetime, actor: User | None = None
) -> Revision:
    """Restore the list from before the latest change, as a new revision.

    Undoing again goes one step further back. Does nothing if there is nothing to undo.
    Raises Stale, AlreadyPlayed and QuotaReached as ``revise_deck`` does.
    """
    return _step(deck, expected_revision, now, actor, "undo")


def redo_revision(
    *, deck: Deck, expected_revision: int, now: datetime, actor: User | None = None
) -> Revision:
    """Restore what was undone last, as a new revision; do nothing if nothing was.

    Raises Stale, AlreadyPlayed and QuotaReached as ``revise_deck`` does.
    """
    return _step(deck, expected_revision, now, actor, "redo")


@transaction.atomic
def copy_deck(*, deck: Deck, owner: User | None, now: datetime, name: str) -> Deck:
    """Create a deck from this one as it is now, after its last game.

    Its unspent experience becomes the first entry of the new ledger; games, other
    revisions and draws are not copied.
    """
    latest = deck.revisions.get(number=deck.revision)
    content = opened(latest) if latest.played_at else latest.content
    labels = DeckLabels(name, deck.notes, deck.tags)
    # The mode is copied too, so that deck creation grants experience only once.
    copy = _create(owner, content, labels, ledger.balance_of(deck), now)
    pass_on_source(deck, copy)
    return copy


@transaction.atomic
def copy_shown(*, showing: Showing, owner: User | None, now: datetime) -> Deck:
    """Create a copy of a deck that someone else shows, and record its source."""
    revision = shown_revision(showing)
    deck = showing.deck
    copy = create_deck(
        owner=owner,
        content=copied_content(revision),
        now=now,
        name=deck.name,
        notes=deck.notes,
        tags=deck.tags,
    )
    note_source(copy, showing, now)
    return copy


@transaction.atomic
def keep_deck(*, deck: Deck, owner: User) -> None:
    """Give a draft an owner; its key opens nothing afterwards.

    Raises QuotaReached if the owner has no room for it.
    """
    lock_owner(owner)
    require_room("decks", Deck.objects.filter(owner=owner))
    kept = Deck.objects.filter(pk=deck.pk, owner=None).update(owner=owner, key=None)
    if kept:
        deck.owner, deck.key = owner, None
        deck.note_change()


@transaction.atomic
def delete_deck(*, deck: Deck, expected_revision: int, now: datetime) -> None:
    """Move a deck to the bin; verdicts shared from it stay.

    Raises Stale if there is a revision that the caller has not seen.
    """
    lock_tables(deck)
    latest = deck.revisions.get(number=deck.revision)
    expect(deck, latest.content, expected_revision)
    put_in_bin(deck, now)


def share_verdict(
    *, content: Content, verdict: Verdict, now: datetime, name: str = ""
) -> SharedVerdict:
    """Store a deck and its verdict under an address that can be shared.

    Raises QuotaReached if the server has as many verdicts as it may.
    """
    require_room("verdicts", SharedVerdict.objects.all())
    return SharedVerdict.objects.create(
        name=DeckLabels(name).kept().name,
        list=content.deck,
        circumstances=content.circumstances,
        verdict=verdict.as_data(),
        rules_version=verdict.rules_version,
        pool_version=verdict.pool_version,
        made_at=now,
        seen_at=now,
    )


def note_seen(*, shared: SharedVerdict, now: datetime) -> None:
    """Record that a verdict was viewed, once a day at most."""
    if shared.seen_at < now - A_DAY:
        SharedVerdict.objects.filter(pk=shared.pk).update(seen_at=now)


def forget_verdicts(*, now: datetime) -> int:
    """Delete shared verdicts that haven't been viewed for long; return how many."""
    lifetime = timedelta(days=settings.ORNE_VERDICT_DAYS)
    return SharedVerdict.objects.filter(seen_at__lt=now - lifetime).delete()[0]


def dismiss_notices(*, deck: Deck, last: int, now: datetime) -> None:
    """Dismiss the unread notices of a deck up to the last one the owner saw."""
    unread = Notice.objects.filter(deck=deck, pk__lte=last, dismissed_at=None)
    unread.update(dismissed_at=now)


@transaction.atomic
def ensure_demo_decks(*, owner: User, now: datetime | None = None) -> None:
    """Give an account without decks some demo decks: one per verdict, one played."""
    if Deck.everything.filter(owner=owner).exists():
        return
    now = now or timezone.now()
    pool = current_pool()
    for name, content in demo_decks(pool):
        create_deck(owner=owner, content=content, now=now, name=_(name))
    _play_demo(owner, pool, now)


# -- private --


@transaction.atomic
def _step(
    deck: Deck, expected: int, now: datetime, actor: User | None, which: str
) -> Revision:
    """Undo or redo one revision of a deck."""
    lock_tables(deck)
    latest = deck.revisions.get(number=deck.revision)
    latest = expect(deck, latest.content, expected)
    if is_played(latest):
        raise AlreadyPlayed(latest=latest, mine=latest.content)
    require_out_of_play(deck)
    wanted: int = getattr(steps_of(latest), which)
    if not wanted:
        return latest
    require_room_for_a_change(deck)
    earlier = deck.revisions.get(number=wanted)
    restored = append(
        deck, earlier.content, now, actor, cause=Cause.RESTORED, restores=wanted
    )
    notify_watchers(deck, now)
    return restored


def _bring_along(
    deck: Deck, amount: int, *, revision: int, actor: User | None, now: datetime
) -> None:
    """Book the experience that a list brings along, if any."""
    entry = Earned(
        LedgerEntry.Kind.CORRECTION, amount, _("Experience from the imported list")
    )
    ledger.book(deck, [entry], revision=revision, author=actor, now=now)


def _play_demo(owner: User, pool: CardPool, now: datetime) -> None:
    """Create a deck that was played and upgraded, one game a week up to now."""
    begun = now - len(DEMO_GAMES) * A_WEEK
    name, content = demo_beginning(pool)
    deck = create_deck(owner=owner, content=content, now=begun, name=_(name))
    for week, each in enumerate(DEMO_GAMES, 1):
        earned = [
            Earned(kind, n, _(reason) if reason else "")
            for kind, n, reason in each.earned
        ]
        exiled = {code: each.exiled.count(code) for code in each.exiled}
        played = mark_played(
            deck=deck,
            game=PlayedGame(tuple(earned), {"exiled": exiled} if exiled else {}),
            expected_revision=deck.revision,
            now=begun + week * A_WEEK,
            actor=owner,
        )
        upgrade_deck(
            deck=deck,
            content=apply(opened(played), each.changes, pool),
            expected_revision=deck.revision,
            now=begun + week * A_WEEK,
            actor=owner,
        )
