"""Decides which of two decks a card left, where only its code is given.

A copy exiled or taken left one deck: that which has it, and if both have it, that from
which the change is had for less. A copy granted came into the deck that has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.upgrade.change import by_first
from arkham.rules.upgrade.versions import Versions
from arkham.rules.upgrade.window import Window

# Ways to part what two decks lost that are weighed; no game asks for a tenth of them.
# What a table loses beyond them left the main deck.
MOST_WAYS = 64
MOST_PRICED = 1_000  # entries that change, over all ways; a game changes some thirty


class Parting(NamedTuple):
    """The window as each deck sees it; None for a second deck it does not concern."""

    main: Window
    side: Window | None


def partings(
    before: DeckList, built: BuiltDeck, versions: Versions, window: Window
) -> Iterator[Parting]:
    """The ways in which what happened may have met two decks, the main one first."""
    after = built.deck

    def counted(copies: Mapping[str, int]) -> Counter[str]:
        return Counter(by_first(copies, versions))

    lost = counted(window.exiled) + counted(window.taken)
    there = counted(before.entries), counted(before.side_deck)
    given = counted(window.granted)
    come = given & counted(after.entries)
    granted = come + (given - come - counted(after.side_deck))
    changed = len(lost) + len(before.entries.items() ^ after.entries.items())
    changed += len(before.side_deck.items() ^ after.side_deck.items())
    most = max(min(MOST_WAYS, MOST_PRICED // max(changed, 1)), 1)
    for main in _splits(lost, *there, most):
        side = lost - main
        beside = window._replace(exiled=side, taken={}, granted=given - granted)
        meant = before.side_deck != after.side_deck or bool(side)
        yield Parting(
            window._replace(exiled=main, taken={}, granted=granted),
            beside if meant else None,
        )


def _splits(
    lost: Counter[str], main: Counter[str], side: Counter[str], most: int
) -> Iterator[Counter[str]]:
    """What of the lost copies left the main deck; what neither has, as if it had."""
    ranges, left = [], most
    for code, copies in lost.items():
        here, beyond = main[code], max(copies - side[code], 0)
        most = max(min(copies, here), beyond)
        ways = range(most, beyond - 1, -1)
        if len(ways) > left:
            ways = ways[:1]
        left //= len(ways)
        ranges.append(ways)
    for picked in product(*ranges):
        yield Counter(dict(zip(lost, picked, strict=True)))
