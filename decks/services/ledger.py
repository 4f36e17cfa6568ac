"""The revisions of a deck and its experience ledger: both are append-only.

Only this module creates revisions; the other services build on it. Experience already
in the ledger of a first deck can be spent at deck creation: investigators from another
campaign, or who join a running one with experience, have it before their first game. It
stays in the ledger; the circumstances repeat the amount, so that the deck is judged
with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Sum, TextField
from django.db.models.functions import Cast, Length

from arkham.accounts.models import User
from arkham.rules.notation.circumstances_json import MOST as MOST_ASKED
from arkham.rules.vocabulary import Mode
from arkham.web.quotas import require_room
from decks.lists.content import Content, whole
from decks.models import LONGEST_REASON, Cause, Deck, LedgerEntry, Revision
from decks.services.judgements import remember

Kind = LedgerEntry.Kind
EARNED = (Kind.VICTORY, Kind.BONUS, Kind.CARD)
EXPERIENCE_EARNED = "experience_earned"  # the circumstance
MOST_EARNED = 99  # in one entry, positive or negative
MOST_CORRECTED = 999  # at once, positive or negative


class Earned(NamedTuple):
    """Experience of one kind that a scenario brought; ``reason`` says what for."""

    kind: str
    amount: int
    reason: str = ""


class EntryBalance(NamedTuple):
    """A ledger entry with the balance after it."""

    entry: LedgerEntry
    balance: int


def balance_of(deck: Deck) -> int:
    """Return the experience of a deck: the sum of its ledger."""
    return deck.ledger.aggregate(sum=Sum("amount"))["sum"] or 0


def as_asked(points: int) -> int:
    """Limit experience to the range that the rules read."""
    return max(-MOST_ASKED, min(points, MOST_ASKED))


def balances_of(decks: Iterable[Deck]) -> dict[int, int]:
    """Return the balances of several decks by primary key, without empty ledgers."""
    entries = LedgerEntry.objects.filter(deck__in=list(decks)).order_by()
    return dict(entries.values_list("deck").annotate(sum=Sum("amount")))


def earned_by(deck: Deck) -> int:
    """Return the experience a deck has earned since its campaign began."""
    earned = deck.ledger.filter(kind__in=EARNED)
    return earned.aggregate(sum=Sum("amount"))["sum"] or 0


def earned_in_campaign(base: Revision) -> int | None:
    """Return what a deck has earned since its campaign began; None if unknown.

    A deck imported with its campaign under way may have earned some before.
    """
    circumstances = _first_played(base).circumstances
    before = circumstances.get(
        EXPERIENCE_EARNED, 0 if circumstances.get("mode") == Mode.START else None
    )
    if before is None:
        return None
    return as_asked(max(before + earned_by(base.deck), 0))


def _first_played(base: Revision) -> Revision:
    """Return the revision that the first game, or first purchase, was made with."""
    if base.base is None:
        return base
    built = Revision.objects.filter(deck_id=base.deck_id, base=None)
    return built.latest("number")


def spent_since(deck: Deck, base: int) -> int:
    """Return what was spent on revisions after this one, less what was returned."""
    booked = deck.ledger.filter(kind__in=(Kind.SPENT, Kind.RETURNED), revision__gt=base)
    return -(booked.aggregate(sum=Sum("amount"))["sum"] or 0)


def bought_after(deck: Deck, moment: datetime) -> int:
    """Return what upgrades confirmed after this moment have cost."""
    upgrades = deck.revisions.filter(invoice__isnull=False).values("number")
    booked = deck.ledger.filter(
        kind__in=(Kind.SPENT, Kind.RETURNED),
        revision__in=upgrades,
        made_at__gt=moment,
    )
    return -(booked.aggregate(sum=Sum("amount"))["sum"] or 0)


def experience_until_game(revision: Revision) -> tuple[int, int]:
    """Return what an upgraded revision could spend until its game, and what it did."""
    could = spent = 0
    booked = revision.deck.ledger.filter(revision__lte=revision.number)
    for at, kind, amount, made_at in booked.values_list(
        "revision", "kind", "amount", "made_at"
    ):
        is_payment = kind in (Kind.SPENT, Kind.RETURNED)
        game = revision.played_at if at == revision.number else None
        if is_payment and at > (revision.base or 0):
            spent -= amount
        elif is_payment or game is None or made_at < game:
            could += amount
    return could, spent


def balance_before(entry: LedgerEntry) -> int:
    """Return the balance before this entry."""
    earlier = LedgerEntry.objects.filter(deck=entry.deck_id, number__lt=entry.number)
    return earlier.aggregate(sum=Sum("amount"))["sum"] or 0


def with_balances(
    entries: Iterable[LedgerEntry], balance: int = 0
) -> tuple[EntryBalance, ...]:
    """Return the entries in order, each with the balance after it.

    ``balance`` is the balance before the first of them.
    """
    found = []
    for entry in entries:
        balance += entry.amount
        found.append(EntryBalance(entry, balance))
    return tuple(found)


class LedgerMoved(Exception):
    """The ledger was changed after its page was opened."""


def require_room_for(deck: Deck, more: int = 1) -> None:
    """Raise QuotaReached if the ledger would have more entries than allowed.

    A game that is undone stays in it, along with the entries that cancel it.
    """
    require_room("revisions", deck.ledger.count(), more)


def last_number(deck: Deck) -> int:
    """Return the number of the last entry; 0 if there is none."""
    return deck.ledger.aggregate(last=Max("number"))["last"] or 0


def book(
    deck: Deck,
    entries: Iterable[Earned],
    *,
    revision: int,
    author: User | None,
    now: datetime,
) -> None:
    """Append entries to the ledger, leaving out those with amount 0.

    The caller has locked the deck, so that numbers have no gaps.
    """
    last = last_number(deck)
    worth = [each for each in entries if each.amount]
    if worth:
        deck.note_change()
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
    """Return a reason as the ledger stores it."""
    return whole(text).strip()[:LONGEST_REASON]


CARRIED = "experience_carried"


def with_carried(deck: Deck, content: Content) -> Content:
    """Return the content of a first deck with the ledger's balance in it."""
    balance = as_asked(max(balance_of(deck), 0)) if is_first(content) else 0
    if balance == content.circumstances.get(CARRIED, 0):
        return content
    circumstances = {
        key: each for key, each in content.circumstances.items() if key != CARRIED
    }
    circumstances |= {CARRIED: balance} if balance else {}
    return replace(content, circumstances=dict(sorted(circumstances.items())))


def is_first(content: Content) -> bool:
    """Return True for a first deck, which pays for its cards from deck creation.

    A list with a balance of its own has paid for its cards elsewhere.
    """
    is_start = content.circumstances.get("mode") == Mode.START
    return is_start and not content.deck.get("xp")


SUMMED_EVERY = 16
LARGE = 80  # edits above 1/80 of a draft’s room are large


class Stale(Exception):
    """The deck was changed meanwhile: both versions, and their common base.

    ``theirs`` is the latest revision, ``mine`` the content that was sent, ``base`` the
    revision that the sender had seen (None if it never existed).
    """

    def __init__(self, *, theirs: Revision, mine: Content, base: Revision | None):
        super().__init__(f"{theirs}: a change made in sight of {base}")
        self.theirs = theirs
        self.mine = mine
        self.base = base


class AlreadyPlayed(Exception):
    """The deck has been played, so it can be upgraded but not edited.

    ``latest`` is its latest revision, ``mine`` the content that was sent.
    """

    def __init__(self, *, latest: Revision, mine: Content) -> None:
        super().__init__(f"{latest}: played, not to be edited")
        self.latest = latest
        self.mine = mine


def expect(deck: Deck, mine: Content, expected_revision: int) -> Revision:
    """Lock the deck and return its latest revision; raise Stale if it changed."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    theirs = deck.revisions.get(number=locked.revision)
    if expected_revision != locked.revision:
        base = deck.revisions.filter(number=expected_revision).first()
        raise Stale(theirs=theirs, mine=mine, base=base)
    return theirs


def is_played(latest: Revision) -> bool:
    """Return True if the deck has been played, with this revision or before it."""
    return latest.played_at is not None or latest.base is not None


def require_room_for_a_change(deck: Deck) -> None:
    """Raise QuotaReached if a deck has as many revisions as allowed.

    For a draft ``append`` does this, and checks the number of characters as well.
    """
    require_room("revisions", deck.revision)


def _is_summed_before(deck: Deck, content: Content) -> bool:
    """Return True if all characters of a draft are counted before this edit.

    Counting takes longer than the rest of a small edit. It is done at every
    ``SUMMED_EVERY``th, and before any that takes much of the room. What is not counted
    is a fifth of the limit at most.
    """
    added = len(json.dumps([content.deck, content.circumstances])) + len(deck.notes)
    is_large = added > settings.ORNE_QUOTAS["draft_letters"] // LARGE
    return is_large or deck.revision % SUMMED_EVERY == 0


def _letters_of(deck: Deck) -> int:
    """Count the characters of all revisions of a deck and of its notes."""
    columns = ("list", "circumstances", "window", "invoice", "aftermath")
    sizes = deck.revisions.aggregate(
        **{
            f"of_{name}": Sum(Length(Cast(name, TextField())), default=0)
            for name in columns
        }
    )
    letters: int = sum(sizes.values())
    return len(deck.notes) + letters


def append(
    deck: Deck, content: Content, now: datetime, made_by: User | None, **facts: Any
) -> Revision:
    """Create the next revision, which becomes the latest.

    Before the first game it includes the ledger's balance. Raises QuotaReached for a
    draft; what a campaign does to an account's deck is always stored.
    """
    is_edit = facts.get("base") is None
    if deck.owner_id is None:
        require_room_for_a_change(deck)
        if not is_edit or _is_summed_before(deck, content):
            require_room("draft_letters", _letters_of(deck))
    if is_edit:
        content = with_carried(deck, content)
    Deck.objects.filter(pk=deck.pk).update(revision=F("revision") + 1, changed_at=now)
    deck.revision += 1
    deck.changed_at = now
    revision = Revision.objects.create(
        deck=deck,
        number=deck.revision,
        list=content.deck,
        circumstances=content.circumstances,
        made_by=made_by,
        made_at=now,
        **facts,
    )
    remember(deck, deck.revision, content)
    return revision


def note_booked(deck: Deck, now: datetime, actor: User | None) -> Revision:
    """Return the latest revision; first add one if a first deck's balance changed.

    Undo skips the new revision, because its list is that of the previous one.
    """
    latest = deck.revisions.get(number=deck.revision)
    if is_played(latest):
        return latest
    content = with_carried(deck, latest.content)
    if content == latest.content:
        return latest
    return append(deck, content, now, actor, cause=Cause.EDITED, restores=latest.number)


@transaction.atomic
def correct_ledger(
    *,
    deck: Deck,
    amount: int,
    reason: str,
    now: datetime,
    actor: User | None = None,
    after: int | None = None,
) -> LedgerEntry:
    """Correct the experience of a deck with a reason; return the entry.

    ``after`` is the number of the last entry the author saw: the same correction sent
    twice is stored once. Raises LedgerMoved if something else was booked meanwhile;
    QuotaReached if the ledger is full; ValueError if the amount is 0.
    """
    if not amount:
        raise ValueError("A correction by 0 would change nothing.")
    deck.revision = Deck.objects.select_for_update().get(pk=deck.pk).revision
    since = deck.ledger.filter(number__gt=after).first() if after is not None else None
    if since is not None:
        wanted = LedgerEntry.Kind.CORRECTION, amount, reason_of(reason)
        if (since.kind, since.amount, since.reason) == wanted:
            return since
        raise LedgerMoved
    require_room_for(deck)
    entry = Earned(LedgerEntry.Kind.CORRECTION, amount, reason)
    book(deck, [entry], revision=deck.revision, author=actor, now=now)
    note_booked(deck, now, actor)
    return deck.ledger.latest("number")
