"""Gives a first deck what its ledger holds already, to be spent at its creation.

Investigators who come on from another campaign, or are given experience as they enter a
running one, have it before their first game. It stays where it was booked; the deck's
circumstances say how much it is, so that the deck is judged with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Sum

from arkham.accounts.models import User
from arkham.rules.vocabulary import Mode
from decks.lists.content import Content, whole
from decks.models import LONGEST_REASON, Deck, LedgerEntry

Kind = LedgerEntry.Kind
EARNED = (Kind.VICTORY, Kind.BONUS, Kind.CARD)
MOST_EARNED = 99  # in one entry, either way
MOST_CORRECTED = 999  # at once, either way


class Earned(NamedTuple):
    """Experience a scenario brought, of one kind; ``reason`` says for what."""

    kind: str
    amount: int
    reason: str = ""


class Running(NamedTuple):
    """An entry of the ledger, and what the deck had after it."""

    entry: LedgerEntry
    balance: int


def balance_of(deck: Deck) -> int:
    """The experience a deck has: the sum of its ledger."""
    return deck.ledger.aggregate(sum=Sum("amount"))["sum"] or 0


def balances_of(decks: Iterable[Deck]) -> dict[int, int]:
    """The experience of several decks by their keys; none where nothing was booked."""
    entries = LedgerEntry.objects.filter(deck__in=list(decks)).order_by()
    return dict(entries.values_list("deck").annotate(sum=Sum("amount")))


def earned_by(deck: Deck) -> int:
    """The experience a deck has earned since its campaign began."""
    earned = deck.ledger.filter(kind__in=EARNED)
    return earned.aggregate(sum=Sum("amount"))["sum"] or 0


def spent_since(deck: Deck, base: int) -> int:
    """What was spent on revisions after this one, and not returned since."""
    booked = deck.ledger.filter(kind__in=(Kind.SPENT, Kind.RETURNED), revision__gt=base)
    return -(booked.aggregate(sum=Sum("amount"))["sum"] or 0)


def balance_before(entry: LedgerEntry) -> int:
    """What the deck had before this entry."""
    earlier = LedgerEntry.objects.filter(deck=entry.deck_id, number__lt=entry.number)
    return earlier.aggregate(sum=Sum("amount"))["sum"] or 0


def running(entries: Iterable[LedgerEntry], balance: int = 0) -> tuple[Running, ...]:
    """The entries in order, each with the balance after it.

    ``balance`` is what there was before the first of them.
    """
    found = []
    for entry in entries:
        balance += entry.amount
        found.append(Running(entry, balance))
    return tuple(found)


def last_number(deck: Deck) -> int:
    """The number of the last entry; 0 where there is none."""
    return deck.ledger.aggregate(last=Max("number"))["last"] or 0


def book(
    deck: Deck,
    entries: Iterable[Earned],
    *,
    revision: int,
    author: User | None,
    now: datetime,
) -> None:
    """Write entries at the end of the ledger; those of nothing are left out.

    The caller holds the deck, so that numbers run without a gap.
    """
    last = last_number(deck)
    worth = [each for each in entries if each.amount]
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            deck=deck,
            number=number,
            kind=each.kind,
            amount=each.amount,
            reason=reason_of(each.reason),
            revision=revision,
            author=author,
            made_at=now,
        )
        for number, each in enumerate(worth, last + 1)
    )


def reason_of(text: str) -> str:
    """A reason as the ledger keeps it."""
    return whole(text).strip()[:LONGEST_REASON]


CARRIED = "experience_carried"


def with_carried(deck: Deck, content: Content) -> Content:
    """The content of a deck before its first game with what is booked of the deck."""
    balance = max(balance_of(deck), 0) if is_first(content) else 0
    if balance == content.circumstances.get(CARRIED, 0):
        return content
    circumstances = {
        key: each for key, each in content.circumstances.items() if key != CARRIED
    }
    circumstances |= {CARRIED: balance} if balance else {}
    return replace(content, circumstances=dict(sorted(circumstances.items())))


def is_first(content: Content) -> bool:
    """Whether this is a first deck, that pays for its cards with what it is granted.

    A list with a balance of its own has paid for its cards elsewhere.
    """
    is_start = content.circumstances.get("mode") == Mode.START
    return is_start and not content.deck.get("xp")
