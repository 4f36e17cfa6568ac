"""What a campaign does to a deck, and cards that come in between games.

A deck knows no campaign: it is told what it earned, gained and lost, and for what.
Nothing of it is ever erased. What is taken back after it was spent leaves the balance
below zero, where every page shows it, until it is earned again or put right.

A card added other than by purchase is in the deck from then on, as a revision beside
those that were paid for: an upgrade agreed to already keeps its price, and one under
way on the desk goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from arkham.accounts.models import User
from arkham.rules.draws.weaknesses import is_drawn
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.upgrade.window import read_window, window_copies
from cardpool.catalog import current_judge
from decks.lists.content import Content
from decks.lists.editing import Edit, apply, copies_of
from decks.models import LONGEST_REASON, Cause, Deck, Desk, Revision
from decks.services import ledger, ordering
from decks.services.beginning import entries_when_gained, withdrawn
from decks.services.ledger import Earned, append, expect, note_booked
from decks.services.ordering import NOTHING, OrderedChange, moved
from decks.services.upgrading import (
    NotPlayed,
    PlayedGame,
    desk_of,
    laid_out_first,
    lay_out,
    mark_played,
    play_again,
)
from decks.services.windows import base_of, given, with_waived


@transaction.atomic
def settle_game(
    *,
    deck: Deck,
    game: PlayedGame,
    reason: str,
    moved: OrderedChange = NOTHING,
    now: datetime,
    actor: User | None,
) -> Revision:
    """Write a game down with what it brought; the revision it was played with.

    ``moved`` is what becomes of the deck beside it.
    """
    latest = _latest(deck)
    game = game._replace(is_settled=True)
    write = mark_played if latest.played_at is None else play_again
    played = write(
        deck=deck, game=game, expected_revision=latest.number, now=now, actor=actor
    )
    _move(deck, played, reason, moved, now, actor)
    return played


@transaction.atomic
def settle_beside(
    *,
    deck: Deck,
    reason: str,
    earned: tuple[Earned, ...] = (),
    moved: OrderedChange = NOTHING,
    now: datetime,
    actor: User | None,
) -> None:
    """Give or take what did not come with a game, or is other than it was."""
    latest = _latest(deck)
    ledger.book(deck, earned, revision=latest.number, author=actor, now=now)
    latest = note_booked(deck, now, actor)
    _move(deck, latest, reason, moved, now, actor)


@transaction.atomic
def take_back(
    *,
    deck: Deck,
    earned: tuple[Earned, ...],
    played: int,
    now: datetime,
    actor: User | None,
) -> bool:
    """Take back what a game brought that was played with the revision ``played``.

    The deck is as before the game where nothing grew from it yet: then its cards are,
    too, and this is True. Otherwise the game stays in its chain, and what it ``earned``
    is booked out of it.
    """
    latest = _latest(deck)
    gone = tuple(each._replace(amount=-each.amount) for each in earned)
    ledger.book(deck, gone, revision=latest.number, author=actor, now=now)
    if latest.number != played or Desk.objects.filter(deck=deck).exists():
        note_booked(deck, now, actor)
        return False
    back = withdrawn(latest)
    ledger.book(deck, back, revision=latest.number, author=actor, now=now)
    latest.played_at, latest.aftermath, latest.scenario = None, {}, ""
    latest.save(update_fields=["played_at", "aftermath", "scenario"])
    note_booked(deck, now, actor)
    Deck.objects.filter(pk=deck.pk).update(changed_at=now)
    return True


def is_written_down(*, deck: Deck, revision: int) -> bool:
    """Whether a game played with this revision still stands in the chain."""
    return deck.revisions.filter(number=revision, played_at__isnull=False).exists()


def _latest(deck: Deck) -> Revision:
    """The latest revision; the deck is held."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    return deck.revisions.get(number=locked.revision)


def _move(
    deck: Deck,
    latest: Revision,
    reason: str,
    change: OrderedChange,
    now: datetime,
    actor: User | None,
) -> None:
    if not any(change):
        return
    if base_of(latest) is not None:
        change_cards(
            deck=deck,
            change=change,
            reason=reason,
            expected_revision=latest.number,
            now=now,
            actor=actor,
        )
        return
    held = expect(deck, latest.content, latest.number)
    append(
        deck,
        ordering.moved(held.content, change, current_judge().pool),
        now,
        actor,
        cause=Cause.EDITED,
        reason=reason[:LONGEST_REASON],
    )


WindowData = dict[str, Any]


@transaction.atomic
def gain_cards(
    *,
    deck: Deck,
    codes: Iterable[str],
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Put cards into a played deck that something in the campaign gave it.

    A weakness still to be drawn makes room for a basic weakness. Raises Stale;
    NotPlayed.
    """
    changes = [(code, 1) for code in codes]
    return _change_copies(deck, changes, reason, expected_revision, now, actor)


@transaction.atomic
def give_cards_up(
    *,
    deck: Deck,
    codes: Iterable[str],
    reason: str,
    expected_revision: int,
    now: datetime,
    undrawn: int = 0,
    actor: User | None = None,
) -> Revision:
    """Take cards out of a played deck that it should not have. Raises as above.

    ``undrawn`` weaknesses are to be drawn again in their place.
    """
    changes = [(code, -1) for code in codes] + [(PLACEHOLDER, 1)] * undrawn
    return _change_copies(deck, changes, reason, expected_revision, now, actor)


@transaction.atomic
def change_cards(
    *,
    deck: Deck,
    change: OrderedChange,
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Make of a played deck what a campaign orders: exactly that. Raises as above."""

    def make(
        content: Content, window: WindowData, _earlier: WindowData
    ) -> tuple[Content, WindowData]:
        return _ordered(content, window, change)

    return _changed(deck, make, reason, expected_revision, now, actor)


# Of a content and its window, and the circumstances the deck had in its game.
Make = Callable[[Content, WindowData, WindowData], tuple[Content, WindowData]]


def _change_copies(
    deck: Deck,
    changes: list[tuple[str, int]],
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None,
) -> Revision:
    """The deck with these copies more or fewer, and what gaining them brings."""
    make = _one_by_one(changes)
    made = _changed(deck, make, reason, expected_revision, now, actor)
    copies: Counter[str] = Counter()
    for code, more in changes:
        copies[code] += more
    gained = entries_when_gained(made.content, copies)
    ledger.book(deck, gained, revision=made.number, author=actor, now=now)
    return made


def _one_by_one(changes: list[tuple[str, int]]) -> Make:
    return lambda content, window, earlier: _with(content, window, changes, earlier)


def _changed(
    deck: Deck,
    make: Make,
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None,
) -> Revision:
    latest = deck.revisions.get(number=deck.revision)
    latest = expect(deck, latest.content, expected_revision)
    base, desk = base_of(latest), desk_of(latest)
    if base is None or desk is None:
        raise NotPlayed(str(deck))
    fresh = laid_out_first(latest, base)
    content, window = make(fresh.content, fresh.window, base.circumstances)
    made = append(
        deck,
        content,
        now,
        actor,
        cause=Cause.UPGRADED,
        base=base.number,
        window=window,
        reason=reason[:LONGEST_REASON],
    )
    if desk.pk is not None:
        Desk.objects.filter(pk=desk.pk).update(seen=made.number)
        content, window = make(desk.content, desk.window, base.circumstances)
        lay_out(
            deck=deck,
            content=content,
            window=window,
            seen=made.number,
            expected_version=desk.version,
            now=now,
        )
    return made


def _with(
    content: Content,
    window: WindowData,
    changes: list[tuple[str, int]],
    earlier: WindowData,
) -> tuple[Content, WindowData]:
    """The content and its window, both with copies more or fewer."""
    pool = current_judge().pool
    granted = Counter(window_copies(window, "granted"))
    taken = Counter(window_copies(window, "taken"))
    for code, more in changes:
        if more > 0:
            if _makes_room(code, pool) and copies_of(content, PLACEHOLDER, pool):
                content = apply(content, [Edit("remove", PLACEHOLDER)], pool)
                _count_moved(PLACEHOLDER, -1, granted, taken)
            content = apply(content, given(code, 1, pool), pool)
            _count_moved(code, 1, granted, taken)
        elif copies_of(content, code, pool):
            content = apply(content, [Edit("remove", code)], pool)
            _count_moved(code, -1, granted, taken)
    counted = {"granted": dict(+granted), "taken": dict(+taken)}
    new_window = window | {
        k: each for k, each in counted.items() if each or k in window
    }
    windows = read_window(dict(window)), read_window(new_window)
    return with_waived(content, *windows, pool, earlier), new_window


def _ordered(
    content: Content, window: WindowData, change: OrderedChange
) -> tuple[Content, WindowData]:
    """The content and its window, both once the cards are moved."""
    pool = current_judge().pool
    granted = Counter(window_copies(window, "granted"))
    taken = Counter(window_copies(window, "taken"))
    moves = Counter(change.cards)
    moves.update(change.side)
    for code, copies in moves.items():
        if copies < 0:
            here = _held(content, code, pool) if code in change.cards else -copies
            copies = -min(here, -copies)
        _count_moved(code, copies, granted, taken)
    counted = {"granted": dict(+granted), "taken": dict(+taken)}
    new_window = window | {
        k: each for k, each in counted.items() if each or k in window
    }
    return moved(content, change, pool), new_window


def _held(content: Content, code: str, pool: CardPool) -> int:
    """Copies of a card in both decks."""
    beside = copies_by_card(content.asked().deck.side_deck, pool)
    card = pool.get_card(code)
    return copies_of(content, code, pool) + beside[card.code if card else code]


def _count_moved(
    code: str, copies: int, granted: Counter[str], taken: Counter[str]
) -> None:
    """Count copies that came, or went if below zero, among those since the game.

    What had come since and goes again counts no more, nor what had gone and comes.
    """
    undone, made = (taken, granted) if copies > 0 else (granted, taken)
    again = min(undone[code], abs(copies))
    undone[code] -= again
    made[code] += abs(copies) - again


def _makes_room(code: str, pool: CardPool) -> bool:
    """Whether a card takes the place of a weakness that was still to be drawn."""
    card = pool.get_card(code)
    return card is not None and is_drawn(card)
