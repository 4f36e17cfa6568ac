"""Hooks by which other apps forbid upgrades or changes of a deck, and follow them.

An app above this one registers its functions when it starts, because a deck does not
know its campaign. A deck without a campaign can always be upgraded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from decks.models import Deck


class DeckLink(NamedTuple):
    """A button on a deck's page: its label, its address and its icon.

    ``name`` is the name of its target, which a page may leave out where space is short.
    With a ``deck`` the button sends it to the address instead, to be chosen there.
    """

    label: str
    url: str
    sign: str
    name: str = ""
    deck: str = ""


LinkSource = Callable[[Deck], Iterable[DeckLink]]
_link_sources: list[LinkSource] = []


def register_links(source: LinkSource) -> None:
    """Register a function that returns links for the page of a deck."""
    if source not in _link_sources:
        _link_sources.append(source)


def links_of(deck: Deck) -> list[DeckLink]:
    """Return all links of a deck, source by source."""
    return [link for source in _link_sources for link in source(deck)]


class DeckTable(NamedTuple):
    """A table where a deck is played: its id, its name and its address."""

    pk: int
    name: str
    url: str


TableSource = Callable[[Collection[int]], Mapping[int, Sequence[DeckTable]]]
_table_sources: list[TableSource] = []


def register_tables(source: TableSource) -> None:
    """Register a function that returns the tables where decks are played."""
    if source not in _table_sources:
        _table_sources.append(source)


def tables_of(decks: Collection[int]) -> dict[int, list[DeckTable]]:
    """Return the tables of several decks by the ids of the decks."""
    found: dict[int, list[DeckTable]] = {}
    for source in _table_sources:
        for deck, tables in source(decks).items():
            found.setdefault(deck, []).extend(tables)
    return found


class Watcher(NamedTuple):
    """Callbacks before a deck changes (in the transaction), after it, and on delete.

    ``left`` is called when the deck is deleted.
    """

    lock_tables: Callable[[Deck], None]
    changed: Callable[[Deck, datetime], None]
    left: Callable[[Deck], None]


_watchers: list[Watcher] = []


def register_watcher(watcher: Watcher) -> None:
    """Register a watcher for all changes of decks."""
    if watcher not in _watchers:
        _watchers.append(watcher)


def lock_tables(deck: Deck) -> None:
    """Lock what depends on a deck until the transaction ends."""
    for each in _watchers:
        each.lock_tables(deck)


def notify_watchers(deck: Deck, now: datetime) -> None:
    """Tell all watchers that a deck has changed."""
    for each in _watchers:
        each.changed(deck, now)


def leave_tables(deck: Deck) -> None:
    """Tell all watchers that a deck was deleted."""
    for each in _watchers:
        each.left(deck)


class DeskClosing(NamedTuple):
    """Why a deck can't be upgraded now, and the page where that can be changed.

    ``is_whole`` forbids all upgrades; otherwise changes that cost no experience are
    allowed. A deck that is ``in_play`` can't be changed at all.
    """

    rule: str
    reason: str
    label: str
    url: str
    is_whole: bool
    in_play: bool = False


class Closed(Exception):
    """The deck can't be upgraded now."""

    def __init__(self, closing: DeskClosing) -> None:
        super().__init__(closing.rule)
        self.closing = closing


class DeckInPlay(Closed):
    """The deck can't be changed until the scenario that it is in has ended."""

    def __init__(self, deck: Deck, closing: DeskClosing) -> None:
        reason = _("This deck is in play. Finish the scenario, then change the deck.")
        super().__init__(closing._replace(reason=reason))
        self.deck = deck


ClosingSource = Callable[[Deck], DeskClosing | None]
_closing_sources: list[ClosingSource] = []


def register_closing(source: ClosingSource) -> None:
    """Register a function that says why a deck can't be upgraded, or None."""
    if source not in _closing_sources:
        _closing_sources.append(source)


def closing_of(deck: Deck) -> DeskClosing | None:
    """Return why a deck can't be upgraded now; None if it can."""
    found = (source(deck) for source in _closing_sources)
    return next((each for each in found if each is not None), None)


def in_play(deck: Deck) -> DeckInPlay | None:
    """Return the error for a deck that is being played; None if it may be changed."""
    closing = None if deck.is_draft else closing_of(deck)
    return (
        DeckInPlay(deck, closing) if closing is not None and closing.in_play else None
    )


def require_out_of_play(deck: Deck) -> None:
    """Raise DeckInPlay while a scenario is being played with the deck."""
    found = in_play(deck)
    if found is not None:
        raise found
