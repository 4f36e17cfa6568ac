"""Tells other apps that a deck is about to change, and that it has changed.

As with ``decks.services.links``, an app above this one registers a watcher when it
starts: a deck does not know its campaign. What the watcher locks is locked before the
deck is, so that nobody waits for another the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from decks.models import Deck


class DeckLink(NamedTuple):
    """A button on a deck's page: its words, its address and its sign."""

    label: str
    url: str
    sign: str


LinkSource = Callable[[Deck], Iterable[DeckLink]]
_link_sources: list[LinkSource] = []


def register_links(source: LinkSource) -> None:
    """Ask this source, too, for the links of every deck."""
    if source not in _link_sources:
        _link_sources.append(source)


def links_of(deck: Deck) -> list[DeckLink]:
    """All links of a deck, source by source."""
    return [link for source in _link_sources for link in source(deck)]


class Watcher(NamedTuple):
    """What is done before a deck is changed, within the transaction, and after it."""

    hold: Callable[[Deck], None]
    changed: Callable[[Deck, datetime], None]


_watchers: list[Watcher] = []


def register_watcher(watcher: Watcher) -> None:
    """Have every change of a deck told to this watcher, too."""
    if watcher not in _watchers:
        _watchers.append(watcher)


def hold(deck: Deck) -> None:
    """Keep what depends on a deck from changing until the transaction ends."""
    for each in _watchers:
        each.hold(deck)


def tell_changed(deck: Deck, now: datetime) -> None:
    """Let everything that depends on a deck follow it."""
    for each in _watchers:
        each.changed(deck, now)
