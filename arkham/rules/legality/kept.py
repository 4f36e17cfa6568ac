"""Keeps the frames a judge has met and the standings they share, within a bound."""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter

from arkham.rules.card import TabooList
from arkham.rules.legality.admission import CardTerms
from arkham.rules.legality.compiling import EffectiveCards, Key
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standings import CompiledCount, Standings
from arkham.rules.pool import CardPool

MOST_COMPILED = 300_000  # standings and lines; about 200 bytes each
MOST_FRAMES = 4_096  # a few kilobytes each


class KeptFrames:
    """Frames by all that sets them, and standings by their terms."""

    def __init__(self, pool: CardPool) -> None:
        self._count = CompiledCount()
        self._cards = EffectiveCards(pool)
        self._frames: dict[Hashable, Frame] = {}
        self._standings: dict[CardTerms, Standings] = {}
        self._clock = 0  # goes on by one with every frame kept

    def get(self, key: Hashable) -> Frame | None:
        """The frame kept under this key."""
        if self._count.total > MOST_COMPILED:
            self._forget_oldest()
        frame = self._frames.get(key)
        if frame is not None:
            frame.standings.last_used = self._clock
        return frame

    def keep(self, key: Hashable, frame: Frame) -> None:
        """Keep a frame; the one kept longest goes if there are too many."""
        self._clock += 1
        frame.standings.last_used = self._clock
        self._frames[key] = frame
        if len(self._frames) > MOST_FRAMES:
            del self._frames[next(iter(self._frames))]

    def standings(self, terms: CardTerms) -> Standings:
        """The standings on these terms, the same for every frame that has them."""
        found = self._standings.get(terms)
        if found is None:
            found = Standings(terms, self._cards, self._count)
            self._standings[terms] = found
        return found

    def altered(self, taboo: TabooList | None) -> dict[str, Key]:
        """The keys of the codes whose cards a list of taboos changes."""
        return self._cards.altered(taboo)

    def _forget_oldest(self) -> None:
        """Forget standings used least recently, and the frames that have them."""
        kept = sorted(
            self._standings.values(), key=attrgetter("last_used"), reverse=True
        )
        self._standings.clear()
        total = 0
        for each in kept:
            total += len(each)
            if total > MOST_COMPILED * 3 // 4:
                break
            self._standings[each.terms] = each
        self._count.total = sum(map(len, self._standings.values()))
        remaining = {*map(id, self._standings.values())}
        self._frames = {
            key: frame
            for key, frame in self._frames.items()
            if id(frame.standings) in remaining
        }
