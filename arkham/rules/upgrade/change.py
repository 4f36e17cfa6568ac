"""Decides which of two decks a card left, where only its code is given.

A copy exiled or taken left one deck: that which has it, and if both have it, that from
which the change is had for less. A copy granted came into the deck that has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.upgrade.versions import Version, Versions
from arkham.rules.upgrade.window import NONE, Window

Copies = Mapping[str, int]  # by the code of a card's first printing


class Change:
    """Two lists compared; reprints are one card, and unknown codes none.

    ``added`` and ``removed`` are the copies that come in and leave, the exiled and
    taken left out of those that leave, the granted out of those that come. ``gone``
    are the exiled and taken copies that were in the deck, ``missing`` those that were
    not. ``nature`` is that of all cards that change, together. ``side``: it
    is the second decks that are compared.
    """

    __slots__ = (
        "_after",
        "_before",
        "_granted",
        "added",
        "gone",
        "missing",
        "nature",
        "removed",
        "side",
    )

    def __init__(
        self,
        before: Mapping[str, int],
        after: Mapping[str, int],
        *,
        side: bool = False,
    ) -> None:
        self._before = before
        self._after = after
        self._granted: Copies = NONE
        self.added: dict[Version, int] = {}
        self.removed: dict[Version, int] = {}
        self.gone: Copies = NONE
        self.missing: Copies = NONE
        self.nature = 0
        self.side = side

    def whole(
        self, versions: Iterable[Version]
    ) -> tuple[dict[Version, int], dict[Version, int]]:
        """All copies of some cards, also those that stay: before, and after."""
        base: dict[Version, int] = {}
        after: dict[Version, int] = {}
        listed_before, listed_after = self._before.keys(), self._after.keys()
        for version in versions:
            codes = version.codes
            had = has = 0
            if not listed_before.isdisjoint(codes):
                had = _copies_of(version, self._before)
            if not listed_after.isdisjoint(codes):
                has = _copies_of(version, self._after)
            if had:
                base[version] = had - self.gone.get(version.code, 0)
            if has:
                after[version] = has - self._granted.get(version.code, 0)
        return base, after

    def staying_at_level_0(
        self, versions: Versions, aside: Copies = NONE
    ) -> dict[Version, int]:
        """Copies of level 0 cards inside the deck size that are in both lists.

        Those ``aside`` in both, by first printing, are outside the deck size.
        """
        found: dict[Version, int] = {}
        for code in self._before:
            version = versions[code]
            if version is None or not version.swappable or version in found:
                continue
            had = _copies_of(version, self._before) - self.gone.get(version.code, 0)
            has = _copies_of(version, self._after)
            copies = min(had, has - self._granted.get(version.code, 0))
            copies -= aside.get(version.code, 0)
            if copies > 0:
                found[version] = copies
        return found

    def lists_any(self, codes: Iterable[str]) -> bool:
        """Whether one of these codes is in either list."""
        return not (
            self._before.keys().isdisjoint(codes)
            and self._after.keys().isdisjoint(codes)
        )

    def happened(self, window: Window, versions: Versions) -> None:
        """Leave out what did not change by the player's choice."""
        lost = by_first(window.exiled, versions)
        for code, copies in by_first(window.taken, versions).items():
            lost[code] = lost.get(code, 0) + copies
        gone, missing, granted = {}, {}, {}
        for code, copies in lost.items():
            version = versions[code]
            had = _copies_of(version, self._before) if version is not None else 0
            left = min(copies, had)
            if version is not None and left:
                gone[code] = left
                self._differs(version, left)
            if copies > left:
                missing[code] = copies - left
        for code, copies in by_first(window.granted, versions).items():
            version = versions[code]
            if version is not None:
                given = min(copies, _copies_of(version, self._after))
                granted[code] = given
                if not version.counts:  # what was given and is not there has left
                    given = max(copies - missing.get(code, 0), given)
                self._differs(version, -given)
        self.gone, self.missing, self._granted = gone, missing, granted

    def _differs(self, version: Version, by: int) -> None:
        """Have so many more copies of a card come in, or (below 0) leave."""
        more = self.added.pop(version, 0) - self.removed.pop(version, 0) + by
        if more > 0:
            self.added[version] = more
        elif more:
            self.removed[version] = -more
        self.nature |= version.nature


def compare(
    before: Mapping[str, int],
    after: Mapping[str, int],
    versions: Versions,
    window: Window,
    *,
    side: bool = False,
) -> Change:
    """Compare two lists of entries; what is the same in both is never looked at."""
    change = Change(before, after, side=side)
    added, removed, nature = change.added, change.removed, 0
    for code, copies in before.items() ^ after.items():
        if code not in after:
            more = -copies
        elif code not in before:
            more = copies
        elif after[code] == copies:
            more = copies - before[code]
        else:
            continue  # of a card in both lists this is the old number
        version = versions[code]
        if version is None:
            continue
        if version in added or version in removed:  # by another printing
            more += added.pop(version, 0) - removed.pop(version, 0)
        if more > 0:
            added[version] = more
        elif more:
            removed[version] = -more
        nature |= version.nature
    change.nature = nature
    if window.exiled or window.taken or window.granted:
        change.happened(window, versions)
    return change


def _copies_of(version: Version, entries: Mapping[str, int]) -> int:
    """Copies of a card in a list, over its printings."""
    copies = 0
    for code in version.codes:
        copies += entries.get(code, 0)
    return copies


def staying(
    base: Mapping[Version, int],
    after: Mapping[Version, int],
    swaps: int,
    aside: Copies = NONE,
) -> dict[Version, int]:
    """Count the copies of one title that stay in whatever way the others are had.

    A copy leaves and comes back only if it became a higher version, or was exchanged
    for another card: so many level 0 copies as there are ``swaps``. One set ``aside``
    in both decks could not come back outside the deck size.
    """
    both = [version for version in after if version in base]
    stay: dict[Version, int] = {}
    if len(both) > 1:
        both.sort(key=_level, reverse=True)
    for version in both:
        higher = 0
        for other, copies in after.items():
            if other is not version and _level(other) >= _level(version):
                higher += copies - stay.get(other, 0)
        had = base[version]
        if version.swappable:
            higher += swaps
        least = min(aside.get(version.code, 0), had, after[version])
        stay[version] = max(min(had - higher, after[version]), least)
    return stay


def _level(version: Version) -> int:
    return version.level or 0


def by_first(copies: Mapping[str, int], versions: Versions) -> dict[str, int]:
    """Copies by the code of the first printing; an unknown code as it is."""
    found: dict[str, int] = {}
    for code, number in copies.items():
        first = _first_code(code, versions)
        found[first] = found.get(first, 0) + number
    return found


def by_first_printing(window: Window, versions: Versions) -> Window:
    """The window with sheets, assets and pinned cards named by first printings."""
    if not (window.free_boxes or window.quills or window.pins):
        return window
    return window._replace(
        free_boxes=by_first(window.free_boxes, versions),
        quills=by_first(window.quills, versions),
        pins=tuple(
            replace(
                pin,
                code=_first_code(pin.code, versions),
                source=_first_code(pin.source, versions),
            )
            for pin in window.pins
        ),
    )


def _first_code(code: str, versions: Versions) -> str:
    version = versions[code]
    return version.code if version is not None else code


def aside_in_both(before: DeckList, after: DeckList, versions: Versions) -> Copies:
    """Copies set aside in both lists, by first printing."""
    if not (before.set_aside and after.set_aside):
        return NONE
    was = by_first(before.set_aside, versions)
    now = by_first(after.set_aside, versions)
    return {code: min(was[code], now[code]) for code in was.keys() & now.keys()}


def newly_aside(before: DeckList, after: DeckList, versions: Versions) -> Copies:
    """Copies set aside in the new list and not in the old one, by first printing."""
    if not after.set_aside:
        return {}
    was = by_first(before.set_aside, versions)
    return {
        code: copies - was.get(code, 0)
        for code, copies in by_first(after.set_aside, versions).items()
        if copies > was.get(code, 0)
    }


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
