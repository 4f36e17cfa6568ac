"""What keeps a deck from being upgraded, or changed at all, now.

As with ``decks.services.watching``, an app above this one registers a source when it
starts: a deck does not know its campaign, and a deck without one is never closed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.utils.translation import gettext as _

from decks.models import Deck


class Closing(NamedTuple):
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

    def __init__(self, closing: Closing) -> None:
        super().__init__(closing.rule)
        self.closing = closing


class InPlay(Closed):
    """A scenario is being played with the deck: until it is over the deck stays."""

    def __init__(self, deck: Deck, closing: Closing) -> None:
        reason = _("This deck is in play. Finish the scenario, then change the deck.")
        super().__init__(closing._replace(reason=reason))
        self.deck = deck


ClosingSource = Callable[[Deck], Closing | None]
_closing_sources: list[ClosingSource] = []


def register_closing(source: ClosingSource) -> None:
    """Ask this source, too, whether a deck may be upgraded."""
    if source not in _closing_sources:
        _closing_sources.append(source)


def closing_of(deck: Deck) -> Closing | None:
    """What closes the desk of a deck now; None where it is open."""
    found = (source(deck) for source in _closing_sources)
    return next((each for each in found if each is not None), None)


def in_play(deck: Deck) -> InPlay | None:
    """Why a deck is not changed now: it is being played; None where it may be."""
    closing = None if deck.is_draft else closing_of(deck)
    return InPlay(deck, closing) if closing is not None and closing.in_play else None


def require_out_of_play(deck: Deck) -> None:
    """Raise InPlay while a scenario is played with the deck."""
    found = in_play(deck)
    if found is not None:
        raise found
