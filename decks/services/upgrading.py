"""What happens to a deck between two games: it is played, paid for and upgraded."""

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
from decks.services.beginning import creation_of, entries_of, entries_when_gained
from decks.services.hooks import (
    Closed,
    closing_of,
    hold,
    notify_watchers,
    require_out_of_play,
)
from decks.services.ledger import (
    AlreadyPlayed,
    Earned,
    append,
    expect,
    note_booked,
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
    """The rules forbid it; ``preview`` holds the findings."""

    def __init__(self, preview: PricedUpgrade) -> None:
        super().__init__("; ".join(each.rule for each in preview.findings))
        self.preview = preview


class NotPlayed(Exception):
    """The deck is still built: it is edited, not upgraded."""


class DeskMoved(Exception):
    """The upgrade on the desk was changed since; ``desk`` is how it lies there now."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(str(desk))
        self.desk = desk


class PlayedGame(NamedTuple):
    """What a scenario brought a deck.

    ``scenario`` is its name, "" if nobody said. ``aftermath`` is what the window after
    it has to know (see ``window_json``),
    ``tasks`` what the campaign log records from now on. ``is_settled``: a campaign
    wrote it down, and gives the deck by itself which cards are required no more.
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
    """Write down that a scenario was played with the deck, and what it brought.

    Raises Stale; Played if a game was written down already, so that no game counts
    twice; InPlay while a campaign plays the deck; QuotaReached where its ledger is
    full; Unreadable for what happened.
    """
    latest = _held(deck, expected_revision)
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
    """Write down another scenario, played with no upgrade since the one before.

    The deck goes on as the last game left it. Raises as ``mark_played`` does;
    NotPlayed if there was no game, or an upgrade since.
    """
    played = _held(deck, expected_revision)
    if played.played_at is None:
        raise NotPlayed(str(deck))
    if not game.is_settled:
        require_out_of_play(deck)
        require_room_for_a_change(deck)
    content = opened(played)
    latest = append(deck, content, now, actor, cause=Cause.UPGRADED, base=played.number)
    return _write_down(deck, latest, game, now, actor)


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
    """Correct the experience of a deck, with the reason; the entry that does it.

    ``after`` is the number of the last entry the author saw: the same correction sent
    twice is written once. Raises LedgerMoved where something else was written since;
    QuotaReached where a deck has as many entries as are kept of one.
    """
    deck.revision = Deck.objects.select_for_update().get(pk=deck.pk).revision
    since = deck.ledger.filter(number__gt=after).first() if after is not None else None
    if since is not None:
        wanted = LedgerEntry.Kind.CORRECTION, amount, ledger.reason_of(reason)
        if (since.kind, since.amount, since.reason) == wanted:
            return since
        raise ledger.LedgerMoved
    ledger.require_room_for(deck)
    entry = Earned(LedgerEntry.Kind.CORRECTION, amount, reason)
    ledger.book(deck, [entry], revision=deck.revision, author=actor, now=now)
    note_booked(deck, now, actor)
    return deck.ledger.latest("number")


def opened(base: Revision) -> Content:
    """What an upgrade begins with: the deck as the game left it."""
    return after_game(base, current_judge().pool)


def preview_upgrade(
    *, deck: Deck, content: Content, window: Mapping[str, Any] | None = None
) -> PricedUpgrade:
    """What an upgrade would cost and what the rules find; nothing is written.

    It is priced from the latest revision played. ``window`` is the time between
    the games; what it leaves out is as it was written down after the game. Raises
    NotPlayed; Unreadable for the window.
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
    """Make this the deck to be played next, and pay for it.

    An upgrade made earlier in the same window is given back first. Where the rules
    find something, it is refused unless ``repair`` says why it is so all the same.
    Raises Closed while the campaign of the deck does not let it spend that; Stale,
    Refused, NotPlayed, QuotaReached; Unreadable for the window.
    """
    hold(deck)
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
    """What lies on the desk, or what it is laid out with; None while it is built."""
    base = start_of(revision)
    if base is None:
        return None
    kept = Desk.objects.filter(deck=revision.deck, seen=revision.number).first()
    if kept is None:
        return laid_out_first(revision, base)
    kept.circumstances = with_earned(kept.content, base).circumstances
    return kept


def laid_out_first(revision: Revision, base: Revision) -> Desk:
    """The desk before anything is moved: as the game, or an upgrade since, left it."""
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
def lay_out(
    *,
    deck: Deck,
    content: Content,
    window: Mapping[str, Any],
    seen: int,
    expected_version: int,
    now: datetime,
) -> Desk:
    """Keep an upgrade under way, to be gone on with on any device.

    Raises DeskMoved if what lies there is not ``expected_version``; Unreadable for the
    window.
    """
    read_window(dict(window), "")
    latest, kept = _locked_latest_and_desk(deck)
    if seen != latest.number or (kept.version if kept else 0) != expected_version:
        raise DeskMoved(kept or _first_laid(latest))
    # What was laid out in sight of another revision lies there no more.
    desk = kept or Desk.objects.filter(deck=deck).first() or Desk(deck=deck)
    desk.seen, desk.version, desk.changed_at = seen, expected_version + 1, now
    desk.list, desk.circumstances = content.deck, content.circumstances
    desk.window = dict(window)
    desk.save()
    return desk


@transaction.atomic
def clear_desk(*, deck: Deck, expected_version: int) -> None:
    """Let an upgrade under way go; nothing of it was bought.

    Raises DeskMoved if what lies there is not ``expected_version``.
    """
    _latest, kept = _locked_latest_and_desk(deck)
    if kept is not None and kept.version != expected_version:
        raise DeskMoved(kept)
    Desk.objects.filter(deck=deck).delete()


# -- inside --


def _locked_latest_and_desk(deck: Deck) -> tuple[Revision, Desk | None]:
    """The latest revision, held, and what was laid out in sight of it."""
    locked = Deck.objects.select_for_update().get(pk=deck.pk)
    latest = locked.revisions.get(number=locked.revision)
    return latest, Desk.objects.filter(deck=locked, seen=latest.number).first()


def _first_laid(latest: Revision) -> Desk:
    base = start_of(latest)
    if base is None:
        raise NotPlayed(str(latest))
    return laid_out_first(latest, base)


def _held(deck: Deck, expected_revision: int) -> Revision:
    """The latest revision, if it is the one expected; the deck is held until then."""
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
    """The upgraded deck, paid for; what was spent earlier in the window comes back."""
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
    # What came or went since the game other than by purchase is not bought. The window
    # of the revision that was played lies before the game.
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
    """What cards bring that are only now recorded as come since the game."""
    is_since = latest.number != base.number
    copies = Counter(window_copies(window, "granted"))
    known = window_after(base) | (latest.window if is_since else {})
    copies.subtract(window_copies(known, "granted"))
    return entries_when_gained(latest.content, copies)


def _spends_more(deck: Deck, upgrade: PricedUpgrade) -> bool:
    """Whether an upgrade costs more than was spent in its window so far."""
    return upgrade.invoice.total > ledger.spent_since(deck, upgrade.base.number)
