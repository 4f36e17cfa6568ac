"""Play, pay for and upgrade a deck: everything that happens between two games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db import transaction

from arkham.accounts.models import User
from arkham.rules.upgrade.window import read_window, window_copies
from cardpool.catalog import current_judge
from decks.lists.content import Content, whole
from decks.models import (
    LONGEST_REASON,
    LONGEST_SCENARIO,
    Cause,
    Deck,
    Desk,
    LedgerEntry,
    Revision,
)
from decks.services import ledger
from decks.services.beginning import (
    creation_of,
    entries_of,
    entries_when_gained,
    require_paid,
)
from decks.services.hooks import (
    Closed,
    closing_of,
    lock_tables,
    notify_watchers,
    require_out_of_play,
)
from decks.services.ledger import (
    AlreadyPlayed,
    Earned,
    append,
    expect,
    require_room_for_a_change,
)
from decks.services.windows import (
    PricedUpgrade,
    after_game,
    aftermath_of,
    as_listed,
    lost_in,
    preview,
    start_of,
    window_after,
    with_earned,
    with_moved,
)

_MOVED = ("granted", "taken")


class UpgradeRefused(Exception):
    """The rules forbid the upgrade; ``preview`` contains the findings."""

    def __init__(self, preview: PricedUpgrade) -> None:
        super().__init__("; ".join(each.rule for each in preview.findings))
        self.preview = preview


class NotPlayed(Exception):
    """The deck has not been played, so it is edited and not upgraded."""


class DeskMoved(Exception):
    """The upgrade in progress was changed meanwhile; ``desk`` is its current state."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(str(desk))
        self.desk = desk


class PlayedGame(NamedTuple):
    """The results of a scenario for a deck.

    ``scenario`` is its name, or "" if unknown. ``aftermath`` is what the next window
    has to know (see ``window_json``), ``tasks`` what the campaign log records from now
    on. ``is_settled`` means that a campaign recorded the game, and itself tells the
    deck which cards are no longer required.
    """

    earned: tuple[Earned, ...] = ()
    aftermath: Mapping[str, Any] = MappingProxyType({})
    tasks: tuple[str, ...] = ()
    is_settled: bool = False
    scenario: str = ""


@transaction.atomic
def mark_played(
    *,
    deck: Deck,
    game: PlayedGame,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Record that a scenario was played with the deck, and its results.

    Raises Stale; AlreadyPlayed if a game was recorded with this revision, so that no
    game counts twice; DeckInPlay while a campaign plays the deck; Unpayable;
    QuotaReached if its ledger is full; Unreadable for the aftermath.
    """
    latest = _lock_latest(deck, expected_revision)
    if latest.played_at is not None:
        raise AlreadyPlayed(latest=latest, mine=latest.content)
    if not game.is_settled:
        require_out_of_play(deck)
    return _write_down(deck, latest, game, now, actor)


@transaction.atomic
def play_again(
    *,
    deck: Deck,
    game: PlayedGame,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
) -> Revision:
    """Record another scenario, played without an upgrade since the last one.

    The deck continues as the last game left it. Raises as ``mark_played`` does;
    NotPlayed if there was no game, or an upgrade since.
    """
    played = _lock_latest(deck, expected_revision)
    if played.played_at is None:
        raise NotPlayed(str(deck))
    if not game.is_settled:
        require_out_of_play(deck)
        require_room_for_a_change(deck)
    content = opened(played)
    latest = append(deck, content, now, actor, cause=Cause.UPGRADED, base=played.number)
    return _write_down(deck, latest, game, now, actor)


def opened(base: Revision) -> Content:
    """Return the content that an upgrade begins with: the deck after its game."""
    return after_game(base, current_judge().pool)


def preview_upgrade(
    *, deck: Deck, content: Content, window: Mapping[str, Any] | None = None
) -> PricedUpgrade:
    """Return the price of an upgrade and the findings on it, without storing it.

    The price is from the latest played revision. ``window`` is the time between the
    games; what it leaves out is as recorded after the game. Raises NotPlayed;
    Unreadable for the window.
    """
    latest = deck.revisions.get(number=deck.revision)
    return _previewed(deck, latest, content, window or {})


@transaction.atomic
def upgrade_deck(
    *,
    deck: Deck,
    content: Content,
    expected_revision: int,
    now: datetime,
    actor: User | None = None,
    window: Mapping[str, Any] | None = None,
    repair: str = "",
) -> Revision:
    """Pay for this content and make it the deck to be played next.

    An earlier upgrade in the same window is refunded first. An upgrade with findings is
    refused unless ``repair`` gives a reason for it. Raises Closed while a campaign
    forbids the deck to spend that much; Stale, UpgradeRefused, NotPlayed, QuotaReached;
    Unreadable for the window.
    """
    lock_tables(deck)
    latest = expect(deck, content, expected_revision)
    upgrade = _previewed(deck, latest, content, window or {})
    closing = closing_of(deck)
    if closing is not None and (closing.is_whole or _spends_more(deck, upgrade)):
        raise Closed(closing)
    require_room_for_a_change(deck)
    reason = whole(repair).strip()[:LONGEST_REASON]
    if upgrade.invoice.lawful:
        return _agreed(deck, upgrade, now, actor, cause=Cause.UPGRADED)
    if not reason:
        raise UpgradeRefused(upgrade)
    return _agreed(deck, upgrade, now, actor, cause=Cause.REPAIRED, reason=reason)


def desk_of(revision: Revision) -> Desk | None:
    """Return the upgrade in progress, or a new one; None while the deck is built."""
    base = start_of(revision)
    if base is None:
        return None
    kept = Desk.objects.filter(deck=revision.deck, seen=revision.number).first()
    if kept is None:
        return new_desk(revision, base)
    kept.circumstances = with_earned(kept.content, base).circumstances
    return kept


def new_desk(revision: Revision, base: Revision) -> Desk:
    """Return a new upgrade: the deck as the game, or an upgrade since, left it."""
    content, window = opened(base), window_after(base)
    if revision.number != base.number:
        content = with_earned(revision.content, base)
        window |= {k: value for k, value in revision.window.items() if k != "available"}
    return Desk(
        deck=revision.deck,
        seen=revision.number,
        list=content.deck,
        circumstances=content.circumstances,
        window=window,
        changed_at=base.played_at or base.made_at,
    )


@transaction.atomic
def save_desk(
    *,
    deck: Deck,
    content: Content,
    window: Mapping[str, Any],
    seen: int,
    expected_version: int,
    now: datetime,
) -> Desk:
    """Store an upgrade in progress, to be continued on any device.

    Raises DeskMoved if the stored version isn't ``expected_version``; Unreadable for
    the window.
    """
    read_window(dict(window), "")
    latest, kept = _locked_latest_and_desk(deck)
    if seen != latest.number or (kept.version if kept else 0) != expected_version:
        current = kept or desk_of(latest)
        raise DeskMoved(current) if current else NotPlayed(str(latest))
    # An upgrade that was begun from another revision is replaced.
    desk = kept or Desk.objects.filter(deck=deck).first() or Desk(deck=deck)
    desk.seen, desk.version, desk.changed_at = seen, expected_version + 1, now
    desk.list, desk.circumstances = content.deck, content.circumstances
    desk.window = dict(window)
    desk.save()
    return desk


@transaction.atomic
def clear_desk(*, deck: Deck, expected_version: int) -> None:
    """Drop an upgrade in progress; nothing was bought.

    Raises DeskMoved if the stored version isn't ``expected_version``.
    """
    _latest, kept = _locked_latest_and_desk(deck)
    if kept is not None and kept.version != expected_version:
        raise DeskMoved(kept)
    Desk.objects.filter(deck=deck).delete()


# -- private --


def _locked_latest_and_desk(deck: Deck) -> tuple[Revision, Desk | None]:
    """Lock the deck; return its latest revision and the upgrade begun from it."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    latest = locked.revisions.get(number=locked.revision)
    return latest, Desk.objects.filter(deck=locked, seen=latest.number).first()


def _lock_latest(deck: Deck, expected_revision: int) -> Revision:
    """Lock the deck and return its latest revision; raise Stale if it changed."""
    latest = deck.revisions.get(number=deck.revision)
    return expect(deck, latest.content, expected_revision)


def _write_down(
    deck: Deck, latest: Revision, game: PlayedGame, now: datetime, actor: User | None
) -> Revision:
    aftermath = as_listed(game.aftermath, latest.content, current_judge().pool)
    window = read_window(aftermath, "")
    creation = creation_of(latest.content) if latest.base is None else None
    earned = (*(entries_of(creation) if creation else ()), *game.earned)
    lost: Counter[str] = Counter()
    if not game.is_settled:
        require_paid(latest, game.earned)
        earned = (*earned, *entries_when_gained(latest.content, window.granted))
        lost = lost_in(latest.content, window, current_judge().pool)
        ledger.require_room_for(deck, sum(bool(each.amount) for each in earned))
    latest.aftermath = aftermath_of(aftermath, game.tasks, lost.elements())
    latest.played_at = now
    latest.scenario = whole(game.scenario).strip()[:LONGEST_SCENARIO]
    latest.save(update_fields=["played_at", "aftermath", "scenario"])
    ledger.book(deck, earned, revision=latest.number, author=actor, now=now)
    Desk.objects.filter(deck=deck).delete()
    Deck.objects.filter(pk=deck.pk).update(changed_at=now)
    return latest


def _agreed(
    deck: Deck, upgrade: PricedUpgrade, now: datetime, actor: User | None, **why: str
) -> Revision:
    """Store the upgraded deck and pay for it; refund earlier upgrades of the window."""
    base = upgrade.base.number
    latest = deck.revisions.get(number=deck.revision)
    entries = [
        *_gained(latest, upgrade.base, upgrade.window_data),
        Earned(LedgerEntry.Kind.RETURNED, ledger.spent_since(deck, base)),
        Earned(LedgerEntry.Kind.SPENT, -upgrade.invoice.total),
    ]
    revision = append(
        deck,
        upgrade.content,
        now,
        actor,
        base=base,
        window=upgrade.window_data,
        invoice=upgrade.invoice.as_data(),
        **why,
    )
    ledger.book(deck, entries, revision=revision.number, author=actor, now=now)
    Desk.objects.filter(deck=deck).delete()
    notify_watchers(deck, now)
    return revision


def _previewed(
    deck: Deck, latest: Revision, content: Content, window: Mapping[str, Any]
) -> PricedUpgrade:
    base = start_of(latest)
    if base is None:
        raise NotPlayed(str(deck))
    available = ledger.balance_of(deck) + ledger.spent_since(deck, base.number)
    # Cards that came or left since the game without a purchase are not bought. The
    # window of the played revision itself is from before the game.
    is_since = latest.number != base.number
    since = {k: v for k, v in latest.window.items() if is_since and k in _MOVED}
    window_data = since | dict(window)
    known, moved = (window_after(base) | each for each in (since, window_data))
    content = with_moved(content, base, known, moved)
    gained = _gained(latest, base, moved)
    available = ledger.as_asked(available + sum(each.amount for each in gained))
    upgrade = preview(current_judge(), base, content, window_data, available)
    if _spends_more(deck, upgrade) and closing_of(deck) is not None:
        window_data["spending"] = False
        return preview(current_judge(), base, content, window_data, available)
    return upgrade


def _gained(
    latest: Revision, base: Revision, window: Mapping[str, Any]
) -> list[Earned]:
    """Return entries for cards gained since the game that are recorded only now."""
    is_since = latest.number != base.number
    copies = Counter(window_copies(window, "granted"))
    known = window_after(base) | (latest.window if is_since else {})
    copies.subtract(window_copies(known, "granted"))
    return entries_when_gained(latest.content, copies)


def _spends_more(deck: Deck, upgrade: PricedUpgrade) -> bool:
    """Return True if an upgrade costs more than was spent in its window so far."""
    return upgrade.invoice.total > ledger.spent_since(deck, upgrade.base.number)
