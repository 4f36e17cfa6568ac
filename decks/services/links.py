"""Links from a deck's page to what other apps keep about the deck.

An app above this one registers a source when it starts (``AppConfig.ready``), so that
a deck's pages can lead to its campaigns without knowing that there are campaigns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from decks.models import Deck


class DeckLink(NamedTuple):
    """A button on a deck's page: its words, its address and its sign."""

    label: str
    url: str
    sign: str


Source = Callable[[Deck], Iterable[DeckLink]]
_sources: list[Source] = []


def register_links(source: Source) -> None:
    """Ask this source, too, for the links of every deck."""
    if source not in _sources:
        _sources.append(source)


def links_of(deck: Deck) -> list[DeckLink]:
    """All links of a deck, source by source."""
    return [link for source in _sources for link in source(deck)]
