"""What a campaign does to a deck when a scenario is settled, and how it is taken back.

A deck knows no campaign: it is given what it earned, gained and lost, and for what.
Nothing of it is ever erased. What is taken back after it was spent leaves the balance
below zero, where every page shows it, until it is earned again or put right.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from arkham.accounts.models import User
from cardpool.catalog import current_judge
from decks.models import LONGEST_REASON, Cause, Deck, Desk, Revision
from decks.services import ledger, ordering
from decks.services.beginning import withdrawn
from decks.services.chain import append, expect, note_booked
from decks.services.gaining import change_cards
from decks.services.ledger import Earned
from decks.services.ordering import NOTHING, OrderedChange
from decks.services.upgrading import PlayedGame, mark_played, play_again
from decks.services.windows import base_of


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
