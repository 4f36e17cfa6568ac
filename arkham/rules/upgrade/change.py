"""Compares two deck lists, and decides which of two decks a card left.

Only the code of an exiled or taken copy is known. It left the deck that has it; if both
have it, the one for which the change costs less. A granted copy came into the deck that
has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import NamedTuple

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.upgrade.versions import Version, Versions
from arkham.rules.upgrade.window import NONE, Window

Copies = Mapping[str, int]  # by the code of a card's first printing
_ByDeck = tuple[Counter[str], Counter[str]]  # of the main and the second deck


class Divided(NamedTuple):
    """Copies of a change inside and outside the deck size, by first printing.

    ``lost`` are the exiled and taken copies that left the inside, ``given`` the granted
    ones that came into it. Outside ``were`` the older copies that nothing took, and
    outside ``stay`` those that nothing gave.
    """

    lost: Counter[str]
    given: Counter[str]
    were: Counter[str]
    stay: Counter[str]


class Change:
    """Two lists compared; reprints count as one card, unknown codes are ignored.

    ``added`` and ``removed`` are the copies that come in and leave, without those
    exiled, taken or granted. ``gone`` are the exiled and taken copies that were in the
    deck, ``missing`` those that were not. ``nature`` combines the natures of all cards
    that change. ``side`` is true if second decks are compared.
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
        """All copies of some versions, before and after, including those that stay."""
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

        Copies ``aside`` in both, by first printing, are outside the deck size.
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

    def parts(self, before: DeckList, after: DeckList, versions: Versions) -> Divided:
        """Divide the copies by whether they were set aside.

        Copies no longer set aside were exiled or taken before any that counted; copies
        newly set aside were granted before any that count.
        """
        gone, granted = Counter(self.gone), Counter(self._granted)
        if self.side:
            return Divided(gone, granted, Counter(), Counter())
        held, has = (by_first(deck.entries, versions) for deck in (before, after))
        were = by_first(before.set_aside, versions)
        are = by_first(after.set_aside, versions) & has
        lost, given = (gone - (were - are)) & (held - were), granted - (are - were)
        return Divided(lost, given, were - (gone - lost), are - (granted - given))

    def holes(self) -> int:
        """Counted cards that were upgraded into permanents."""
        gone: Counter[str] = Counter()
        come: Counter[str] = Counter()
        for version, copies in self.removed.items():
            gone[version.title] += copies if version.counts else 0
        for version, copies in self.added.items():
            come[version.title] += copies if version.card.permanent else 0
        return sum(min(copies, come[title]) for title, copies in gone.items())

    def lists_any(self, codes: Iterable[str]) -> bool:
        """True if either list has one of these codes."""
        return not (
            self._before.keys().isdisjoint(codes)
            and self._after.keys().isdisjoint(codes)
        )

    def happened(self, window: Window, versions: Versions) -> None:
        """Exclude what was exiled, taken or granted from the player's changes."""
        lost = by_first(window.exiled, versions) + by_first(window.taken, versions)
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
                granted[code] = min(copies, _copies_of(version, self._after))
                self._differs(version, -(granted[code] if version.counts else copies))
        self.gone, self.missing, self._granted = gone, missing, granted

    def _differs(self, version: Version, by: int) -> None:
        """Add to a card's copies that come in; if ``by`` is negative, copies leave."""
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
    """Compare two lists of entries; entries that are equal in both are skipped."""
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
            continue  # this is the old number of a card in both lists
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
    """Count copies of one title that stay, however the others are obtained.

    A copy leaves and comes back only if it became a higher version, or (up to ``swaps``
    level 0 copies) was exchanged for another card. A copy set ``aside`` in both decks
    couldn't come back outside the deck size.
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


def by_first(copies: Mapping[str, int], versions: Versions) -> Counter[str]:
    """Sum copies by the code of the first printing; unknown codes stay as they are."""
    found: Counter[str] = Counter()
    for code, number in copies.items():
        found[_first_code(code, versions)] += number
    return found


def by_first_printing(window: Window, versions: Versions) -> Window:
    """The window with sheets, assets and pinned cards under their first printings."""
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
    return by_first(before.set_aside, versions) & by_first(after.set_aside, versions)


def newly_aside(before: DeckList, after: DeckList, versions: Versions) -> Copies:
    """Copies set aside in the new list but not in the old one, by first printing."""
    if not after.set_aside:
        return {}
    return by_first(after.set_aside, versions) - by_first(before.set_aside, versions)


# The most ways that are tried of dividing lost copies between two decks; no game needs
# a tenth of them. Whatever exceeds them is assumed to have left the main deck.
MOST_WAYS = 64
MOST_PRICED = 1_000  # changed entries, over all ways; a game changes about thirty


class WindowsByDeck(NamedTuple):
    """The window for each deck; None for a second deck that is not affected."""

    main: Window
    side: Window | None


def partings(
    before: DeckList, built: BuiltDeck, versions: Versions, window: Window
) -> Iterator[WindowsByDeck]:
    """Yield the ways to divide what happened between two decks, main deck first."""
    after, counted = built.deck, partial(by_first, versions=versions)
    lost = counted(window.exiled) + counted(window.taken)
    there = counted(before.entries), counted(before.side_deck)
    now = counted(after.entries), counted(after.side_deck)
    given = counted(window.granted)
    come = given & now[0]
    absent = given - come - now[1]
    granted = come + Counter(
        {code: n for code, n in absent.items() if there[0][code] or not there[1][code]}
    )
    seen = there[0] + granted - now[0], there[1] + (given - granted) - now[1]
    changed = len(lost) + len(before.entries.items() ^ after.entries.items())
    changed += len(before.side_deck.items() ^ after.side_deck.items())
    most = max(min(MOST_WAYS, MOST_PRICED // max(changed, 1)), 1)
    for main in _splits(lost, there, seen, most):
        side = lost - main
        beside = window._replace(exiled=side, taken={}, granted=given - granted)
        meant = before.side_deck != after.side_deck or bool(side)
        yield WindowsByDeck(
            window._replace(exiled=main, taken={}, granted=granted),
            beside if meant else None,
        )


def _splits(
    lost: Counter[str], there: _ByDeck, seen: _ByDeck, most: int
) -> Iterator[Counter[str]]:
    """Yield the lost copies that left the main deck, or that neither deck had.

    The first are nearest to what the lists show to have left each deck.
    """
    ranges, left = [], most
    for code, copies in lost.items():
        beyond = max(copies - there[1][code], 0)
        most = max(min(copies, there[0][code]), beyond)
        shown = seen[0][code], copies - seen[1][code]
        every = range(most, beyond - 1, -1)
        off = {n: abs(n - shown[0]) + abs(n - shown[1]) for n in every}
        ways = sorted(every, key=off.__getitem__)
        if len(ways) > left:
            ways = ways[:1]
        left //= len(ways)
        ranges.append(ways)
    for picked in product(*ranges):
        yield Counter(dict(zip(lost, picked, strict=True)))
