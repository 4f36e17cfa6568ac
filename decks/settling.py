"""What a campaign does to a deck when a scenario is settled, and how it is taken back.

A deck knows no campaign: it is told what it earned, gained and lost, and for what.
Nothing of it is ever erased. What is taken back after it was spent leaves the balance
below zero, where every page shows it, until it is earned again or put right.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db import transaction

from arkham.accounts.models import User
from decks import ledger
from decks.chain import append, expect
from decks.content import Content
from decks.editing import apply, copies_of
from decks.gaining import change_cards
from decks.judging import current_judge
from decks.ledger import Earned
from decks.models import LONGEST_REASON, Cause, Deck, Desk, Revision
from decks.upgrading import Game, mark_played, play_again
from decks.windows import base_of

NO_CARDS: Mapping[str, int] = MappingProxyType({})


class Brought(NamedTuple):
    """What a scenario brought a deck, or took of it (below zero), and for what.

    ``earned`` are points by their source; ``cards`` copies by code that came or went;
    ``exiled`` those that were exiled.
    """

    reason: str
    earned: tuple[Earned, ...] = ()
    cards: Mapping[str, int] = NO_CARDS
    exiled: Mapping[str, int] = NO_CARDS

    def reversed(self) -> Brought:
        """The same, taken back."""
        return Brought(
            self.reason,
            tuple(each._replace(amount=-each.amount) for each in self.earned),
            {code: -copies for code, copies in self.all_cards.items()},
        )

    @property
    def all_cards(self) -> dict[str, int]:
        """Copies more or fewer by code, those exiled among them."""
        found = dict(self.cards)
        for code, copies in self.exiled.items():
            found[code] = found.get(code, 0) - copies
        return {code: copies for code, copies in found.items() if copies}


@transaction.atomic
def settle_game(
    *, deck: Deck, brought: Brought, now: datetime, actor: User | None
) -> Revision:
    """Write a game down with what it brought; the revision it was played with."""
    latest = _latest(deck)
    game = Game(brought.earned, _aftermath(brought))
    write = mark_played if latest.played_at is None else play_again
    return write(
        deck=deck, game=game, expected_revision=latest.number, now=now, actor=actor
    )


@transaction.atomic
def settle_beside(
    *, deck: Deck, brought: Brought, now: datetime, actor: User | None
) -> None:
    """Give or take what did not come with a game, or is other than it was."""
    latest = _latest(deck)
    ledger.book(deck, brought.earned, revision=latest.number, author=actor, now=now)
    _move_cards(deck, latest, brought, now, actor)


@transaction.atomic
def take_back(
    *, deck: Deck, brought: Brought, played: int, now: datetime, actor: User | None
) -> None:
    """Take back what a game brought that was played with the revision ``played``.

    The deck is as before the game where nothing grew from it yet. Otherwise the game
    stays in its chain, and what it brought is booked out of it.
    """
    latest = _latest(deck)
    back = brought.reversed()
    if latest.number != played or Desk.objects.filter(deck=deck).exists():
        settle_beside(deck=deck, brought=back, now=now, actor=actor)
        return
    latest.played_at, latest.aftermath = None, {}
    latest.save(update_fields=["played_at", "aftermath"])
    ledger.book(deck, back.earned, revision=latest.number, author=actor, now=now)
    Deck.objects.filter(pk=deck.pk).update(changed_at=now)


def is_written_down(*, deck: Deck, revision: int) -> bool:
    """Whether a game played with this revision still stands in the chain."""
    return deck.revisions.filter(number=revision, played_at__isnull=False).exists()


def _latest(deck: Deck) -> Revision:
    """The latest revision; the deck is held."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    return deck.revisions.get(number=locked.revision)


def _aftermath(brought: Brought) -> dict[str, Any]:
    exiled = {code: copies for code, copies in brought.exiled.items() if copies > 0}
    rest = {
        code: copies + exiled.get(code, 0) for code, copies in _named(brought).items()
    }
    told = {
        "granted": {code: copies for code, copies in rest.items() if copies > 0},
        "taken": {code: -copies for code, copies in rest.items() if copies < 0},
        "exiled": exiled,
    }
    return {key: copies for key, copies in told.items() if copies}


def _named(brought: Brought) -> dict[str, int]:
    """Copies more or fewer by code, also where what came and was exiled is even."""
    return dict.fromkeys(brought.exiled, 0) | brought.all_cards


def _move_cards(
    deck: Deck, latest: Revision, brought: Brought, now: datetime, actor: User | None
) -> None:
    cards = brought.all_cards
    if not cards:
        return
    if base_of(latest) is not None:
        change_cards(
            deck=deck,
            copies=cards,
            reason=brought.reason,
            expected_revision=latest.number,
            now=now,
            actor=actor,
        )
        return
    held = expect(deck, latest.content, latest.number)
    append(
        deck,
        _with(held.content, cards),
        now,
        actor,
        cause=Cause.EDITED,
        reason=brought.reason[:LONGEST_REASON],
    )


def _with(content: Content, cards: Mapping[str, int]) -> Content:
    """A deck before its first game with copies more or fewer, as far as it has them."""
    pool = current_judge().pool
    changes = []
    for code, copies in cards.items():
        if copies > 0:
            changes.append(("add", f"{code}:{copies}"))
        elif here := min(copies_of(content, code, pool), -copies):
            changes.append(("remove", f"{code}:{here}"))
    return apply(content, changes, pool)
