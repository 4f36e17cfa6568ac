"""The revisions of a deck and its ledger of experience: chains that only grow.

The other services stand on this; nothing else writes revisions. What a first deck's
ledger holds already is spent at its creation: investigators who come on from another
campaign, or are given experience as they enter a running one, have it before their
first game. It stays where it was booked; the deck's circumstances say how much it is,
so that the deck is judged with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
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


def as_asked(points: int) -> int:
    """Experience as the judge is asked about it: nothing depends on more."""
    return max(-MOST_ASKED, min(points, MOST_ASKED))


def balances_of(decks: Iterable[Deck]) -> dict[int, int]:
    """The experience of several decks by their keys; none where nothing was booked."""
    entries = LedgerEntry.objects.filter(deck__in=list(decks)).order_by()
    return dict(entries.values_list("deck").annotate(sum=Sum("amount")))


def earned_by(deck: Deck) -> int:
    """The experience a deck has earned since its campaign began."""
    earned = deck.ledger.filter(kind__in=EARNED)
    return earned.aggregate(sum=Sum("amount"))["sum"] or 0


def earned_in_campaign(base: Revision) -> int | None:
    """What a deck has earned since its campaign began; None where it is unknown.

    One that came here with its campaign under way may have earned some before.
    """
    circumstances = _first_played(base).circumstances
    before = circumstances.get(
        EXPERIENCE_EARNED, 0 if circumstances.get("mode") == Mode.START else None
    )
    if before is None:
        return None
    return as_asked(max(before + earned_by(base.deck), 0))


def _first_played(base: Revision) -> Revision:
    """The revision of a deck that its first game, or purchase, was made with."""
    if base.base is None:
        return base
    built = Revision.objects.filter(deck_id=base.deck_id, base=None)
    return built.latest("number")


def spent_since(deck: Deck, base: int) -> int:
    """What was spent on revisions after this one, and not returned since."""
    booked = deck.ledger.filter(kind__in=(Kind.SPENT, Kind.RETURNED), revision__gt=base)
    return -(booked.aggregate(sum=Sum("amount"))["sum"] or 0)


def bought_after(deck: Deck, moment: datetime) -> int:
    """What upgrades cost that were agreed to after this moment."""
    upgrades = deck.revisions.filter(invoice__isnull=False).values("number")
    booked = deck.ledger.filter(
        kind__in=(Kind.SPENT, Kind.RETURNED),
        revision__in=upgrades,
        made_at__gt=moment,
    )
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


class LedgerMoved(Exception):
    """Something was written in a ledger since its page was opened."""


def require_room_for(deck: Deck, more: int = 1) -> None:
    """Raise QuotaReached where the ledger would have more entries than are kept.

    A game that is taken back stays in it, with what takes it back.
    """
    require_room("revisions", deck.ledger.count(), more)


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
    balance = as_asked(max(balance_of(deck), 0)) if is_first(content) else 0
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


SUMMED_EVERY = 16
LARGE = 80  # an edit is, that takes more than such a part of a draft's room


class Stale(Exception):
    """The deck was changed since: both versions, and what both grew from.

    ``theirs`` is the latest revision, ``mine`` what was to become it, ``base`` the
    revision the change was made in sight of (None if there never was one).
    """

    def __init__(self, *, theirs: Revision, mine: Content, base: Revision | None):
        super().__init__(f"{theirs}: a change made in sight of {base}")
        self.theirs = theirs
        self.mine = mine
        self.base = base


class AlreadyPlayed(Exception):
    """The deck has been played: it is upgraded and no longer edited.

    ``latest`` is its latest revision, ``mine`` what the deck was to become.
    """

    def __init__(self, *, latest: Revision, mine: Content) -> None:
        super().__init__(f"{latest}: played, not to be edited")
        self.latest = latest
        self.mine = mine


def expect(deck: Deck, mine: Content, expected_revision: int) -> Revision:
    """The latest revision, if it is the one expected; the deck is held until then."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    deck.revision = locked.revision
    theirs = deck.revisions.get(number=locked.revision)
    if expected_revision != locked.revision:
        base = deck.revisions.filter(number=expected_revision).first()
        raise Stale(theirs=theirs, mine=mine, base=base)
    return theirs


def is_played(latest: Revision) -> bool:
    """Whether the deck was played with this revision, or it grew from one played."""
    return latest.played_at is not None or latest.base is not None


def require_room_for_a_change(deck: Deck) -> None:
    """Raise QuotaReached where a deck has as many revisions as are kept of one.

    ``append`` does for a draft, and where it has as many letters as are kept of one.
    """
    require_room("revisions", deck.revision)


def _is_summed_before(deck: Deck, content: Content) -> bool:
    """Whether all letters of a draft are summed before it is edited so.

    That takes longer than the rest of a small edit: they are at every
    ``SUMMED_EVERY``th, and before any that takes much of the room. What was not summed
    takes a fifth of it at most.
    """
    added = len(json.dumps([content.deck, content.circumstances])) + len(deck.notes)
    is_large = added > settings.ORNE_QUOTAS["draft_letters"] // LARGE
    return is_large or deck.revision % SUMMED_EVERY == 0


def _letters_of(deck: Deck) -> int:
    """How much all revisions of a deck and its notes take."""
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
    """One revision more, which is the latest from now on.

    Before the first game it knows what the ledger holds. Raises QuotaReached for a
    draft; what a campaign does to the deck of an account is always kept.
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
    """The latest revision, with what the ledger holds now if it is a first deck's.

    Undo passes over the new one: its list is that of the one before.
    """
    latest = deck.revisions.get(number=deck.revision)
    if is_played(latest):
        return latest
    content = with_carried(deck, latest.content)
    if content == latest.content:
        return latest
    return append(deck, content, now, actor, cause=Cause.EDITED, restores=latest.number)
