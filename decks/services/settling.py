"""Apply to a deck what a campaign brings, and cards gained between games.

A deck does not know its campaign: it gets experience and cards with a reason. Nothing
is ever erased. If experience is undone after it was spent, the balance is negative,
which every page shows, until it is earned again or corrected. A card added without a
purchase makes a revision besides those that were paid for: a confirmed upgrade keeps
its price, and one in progress continues.
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
from decks.services import ledger
from decks.services.beginning import entries_when_gained, withdrawn
from decks.services.campaign_changes import NOTHING, CampaignChange, apply_change
from decks.services.ledger import Earned, append, expect, note_booked
from decks.services.upgrading import (
    NotPlayed,
    PlayedGame,
    desk_of,
    mark_played,
    new_desk,
    play_again,
    save_desk,
)
from decks.services.windows import base_of, given, with_waived


@transaction.atomic
def settle_game(
    *,
    deck: Deck,
    game: PlayedGame,
    reason: str,
    change: CampaignChange = NOTHING,
    now: datetime,
    actor: User | None,
) -> Revision:
    """Record a game and its results; return the revision it was played with.

    ``change`` are changes of cards apart from the game.
    """
    latest = _latest(deck)
    game = game._replace(is_settled=True)
    write = mark_played if latest.played_at is None else play_again
    played = write(
        deck=deck, game=game, expected_revision=latest.number, now=now, actor=actor
    )
    _move(deck, played, reason, change, now, actor)
    return played


@transaction.atomic
def settle_without_game(
    *,
    deck: Deck,
    reason: str,
    earned: tuple[Earned, ...] = (),
    change: CampaignChange = NOTHING,
    now: datetime,
    actor: User | None,
) -> None:
    """Add or remove experience and cards apart from a game, or correct them."""
    latest = _latest(deck)
    ledger.book(deck, earned, revision=latest.number, author=actor, now=now)
    latest = note_booked(deck, now, actor)
    _move(deck, latest, reason, change, now, actor)


@transaction.atomic
def take_back(
    *,
    deck: Deck,
    earned: tuple[Earned, ...],
    played: int,
    now: datetime,
    actor: User | None,
) -> bool:
    """Undo a game that was played with the revision ``played``.

    Return True if the deck is now as it was before the game: no revision or upgrade
    followed it. Otherwise the game stays in the chain, and only the experience it
    ``earned`` is booked out.
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
    """Return True if a game with this revision is still recorded."""
    return deck.revisions.filter(number=revision, played_at__isnull=False).exists()


def _latest(deck: Deck) -> Revision:
    """Lock the deck and return its latest revision."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    return deck.revisions.get(number=locked.revision)


def _move(
    deck: Deck,
    latest: Revision,
    reason: str,
    change: CampaignChange,
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
        apply_change(held.content, change, current_judge().pool),
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
    """Add cards to a played deck that something in the campaign gave it.

    A basic weakness takes the place of one still to be drawn. Raises Stale; NotPlayed.
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
    """Remove cards that a played deck should not have. Raises as above.

    ``undrawn`` weaknesses are to be drawn again in their place.
    """
    changes = [(code, -1) for code in codes] + [(PLACEHOLDER, 1)] * undrawn
    return _change_copies(deck, changes, reason, expected_revision, now, actor)


@transaction.atomic
def change_cards(
    *,
    deck: Deck,
    change: CampaignChange,
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Change a played deck exactly as a campaign orders. Raises as above."""

    def make(
        content: Content, window: WindowData, _earlier: WindowData
    ) -> tuple[Content, WindowData]:
        return _ordered(content, window, change)

    return _changed(deck, make, reason, expected_revision, now, actor)


# Takes a content, its window, and the circumstances the deck had in its game.
Make = Callable[[Content, WindowData, WindowData], tuple[Content, WindowData]]


def _change_copies(
    deck: Deck,
    changes: list[tuple[str, int]],
    reason: str,
    expected_revision: int,
    now: datetime,
    actor: User | None,
) -> Revision:
    """Add or remove copies, and book the experience that gaining them brings."""
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
    fresh = new_desk(latest, base)
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
        save_desk(
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
    """Return the content and its window with these copies added or removed."""
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
    content: Content, window: WindowData, change: CampaignChange
) -> tuple[Content, WindowData]:
    """Return the content and its window with the cards moved."""
    pool = current_judge().pool
    granted = Counter(window_copies(window, "granted"))
    taken = Counter(window_copies(window, "taken"))
    moves = Counter(change.cards)
    moves.update(change.side)
    for code, copies in moves.items():
        if copies < 0 and code in change.cards:
            copies = max(copies, -_copies_in_both_decks(content, code, pool))
        _count_moved(code, copies, granted, taken)
    counted = {"granted": dict(+granted), "taken": dict(+taken)}
    new_window = window | {
        k: each for k, each in counted.items() if each or k in window
    }
    return apply_change(content, change, pool), new_window


def _copies_in_both_decks(content: Content, code: str, pool: CardPool) -> int:
    """Count the copies of a card in both decks."""
    side = copies_by_card(content.asked().deck.side_deck, pool)
    card = pool.get_card(code)
    return copies_of(content, code, pool) + side[card.code if card else code]


def _count_moved(
    code: str, copies: int, granted: Counter[str], taken: Counter[str]
) -> None:
    """Count copies as granted or, if negative, as taken since the game.

    Copies that were granted and then taken, or the other way round, cancel out.
    """
    undone, made = (taken, granted) if copies > 0 else (granted, taken)
    again = min(undone[code], abs(copies))
    undone[code] -= again
    made[code] += abs(copies) - again


def _makes_room(code: str, pool: CardPool) -> bool:
    """Return True if a card takes the place of a weakness still to be drawn."""
    card = pool.get_card(code)
    return card is not None and is_drawn(card)
