"""What keeps a deck from being upgraded, or changed at all, now.

An app above this one registers a source when it starts: a deck does not know its
campaign, and a deck without one is never closed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from decks.models import Deck


class DeckLink(NamedTuple):
    """A button on a deck's page: its words, its address and its sign.

    ``name`` is what it leads to; where there is little room and one button, it is left
    out.
    """

    label: str
    url: str
    sign: str
    name: str = ""


LinkSource = Callable[[Deck], Iterable[DeckLink]]
_link_sources: list[LinkSource] = []


def register_links(source: LinkSource) -> None:
    """Ask this source, too, for the links of every deck."""
    if source not in _link_sources:
        _link_sources.append(source)


def links_of(deck: Deck) -> list[DeckLink]:
    """All links of a deck, source by source."""
    return [link for source in _link_sources for link in source(deck)]


class DeckTable(NamedTuple):
    """A table where a deck is played: its number, its name and its address."""

    pk: int
    name: str
    url: str


TableSource = Callable[[Collection[int]], Mapping[int, Sequence[DeckTable]]]
_table_sources: list[TableSource] = []


def register_tables(source: TableSource) -> None:
    """Ask this source, too, where decks are played."""
    if source not in _table_sources:
        _table_sources.append(source)


def tables_of(decks: Collection[int]) -> dict[int, list[DeckTable]]:
    """The tables of several decks by their keys, source by source."""
    found: dict[int, list[DeckTable]] = {}
    for source in _table_sources:
        for deck, tables in source(decks).items():
            found.setdefault(deck, []).extend(tables)
    return found


class Watcher(NamedTuple):
    """What is done before a deck is changed, within the transaction, and after it.

    ``left`` is what is done when it is deleted.
    """

    hold: Callable[[Deck], None]
    changed: Callable[[Deck, datetime], None]
    left: Callable[[Deck], None]


_watchers: list[Watcher] = []


def register_watcher(watcher: Watcher) -> None:
    """Notify this watcher, too, of every change of a deck."""
    if watcher not in _watchers:
        _watchers.append(watcher)


def hold(deck: Deck) -> None:
    """Keep what depends on a deck from changing until the transaction ends."""
    for each in _watchers:
        each.hold(deck)


def notify_watchers(deck: Deck, now: datetime) -> None:
    """Let everything that depends on a deck follow it."""
    for each in _watchers:
        each.changed(deck, now)


def leave_tables(deck: Deck) -> None:
    """Let nothing depend on a deck any more."""
    for each in _watchers:
        each.left(deck)


class DeskClosing(NamedTuple):
    """Why a deck is not upgraded now, and the page where that can be changed.

    ``is_whole`` closes the desk; otherwise the deck may be changed as long as that
    costs no experience. A deck that is ``in_play`` is not changed at all.
    """

    rule: str
    reason: str
    label: str
    url: str
    is_whole: bool
    in_play: bool = False


class Closed(Exception):
    """The desk of a deck is closed."""

    def __init__(self, closing: DeskClosing) -> None:
        super().__init__(closing.rule)
        self.closing = closing


class DeckInPlay(Closed):
    """A scenario is being played with the deck: until it is over the deck stays."""

    def __init__(self, deck: Deck, closing: DeskClosing) -> None:
        reason = _("This deck is in play. Finish the scenario, then change the deck.")
        super().__init__(closing._replace(reason=reason))
        self.deck = deck


ClosingSource = Callable[[Deck], DeskClosing | None]
_closing_sources: list[ClosingSource] = []


def register_closing(source: ClosingSource) -> None:
    """Ask this source, too, whether a deck may be upgraded."""
    if source not in _closing_sources:
        _closing_sources.append(source)


def closing_of(deck: Deck) -> DeskClosing | None:
    """What closes the desk of a deck now; None where it is open."""
    found = (source(deck) for source in _closing_sources)
    return next((each for each in found if each is not None), None)


def in_play(deck: Deck) -> DeckInPlay | None:
    """Why a deck is not changed now: it is being played; None where it may be."""
    closing = None if deck.is_draft else closing_of(deck)
    return (
        DeckInPlay(deck, closing) if closing is not None and closing.in_play else None
    )


def require_out_of_play(deck: Deck) -> None:
    """Raise InPlay while a scenario is played with the deck."""
    found = in_play(deck)
    if found is not None:
        raise found
