"""The record of a draw: its pool, seed and result, from which it can be repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from arkham.rules.draws.chance import GENERATOR, Chance
from arkham.rules.finding import Finding, faq, gettext_noop, rule
from arkham.rules.legality.verdict import RULES_VERSION

Pool = tuple[tuple[str, int], ...]  # what can be drawn, and copies of it; in order


class Purpose(StrEnum):
    """What a draw was made for."""

    WEAKNESS = "weakness"
    MORRIGAN_THREE = "morrigan-three"
    MORRIGAN_ONE = "morrigan-one"
    READING = "reading"
    DECK = "deck"
    UPGRADE = "upgrade"
    HAND = "hand"
    CHAOS = "chaos"
    ULTIMATUM = "ultimatum"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """One draw from a pool, without putting back; ``result`` is in the order drawn.

    ``pool`` is what lay in it before, by code; ``count`` is how many were asked for
    (fewer come of a smaller pool).
    """

    purpose: Purpose
    seed: str
    pool: Pool
    count: int
    result: tuple[str, ...]
    rules_version: str = RULES_VERSION
    generator: str = GENERATOR

    def as_data(self) -> dict[str, Any]:
        """The draw as JSON has it."""
        return {
            "purpose": self.purpose.value,
            "seed": self.seed,
            "pool": [list(each) for each in self.pool],
            "count": self.count,
            "result": list(self.result),
            "rules_version": self.rules_version,
            "generator": self.generator,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> DrawRecord:
        """The draw that :meth:`as_data` wrote; raises KeyError and ValueError."""
        return cls(
            Purpose(data["purpose"]),
            str(data["seed"]),
            tuple((str(code), int(copies)) for code, copies in data["pool"]),
            int(data["count"]),
            tuple(map(str, data["result"])),
            str(data["rules_version"]),
            str(data["generator"]),
        )


def pool_of(cards: Mapping[str, int]) -> Pool:
    """A pool in the one order that a draw is made in: by code, no empty places."""
    return tuple(sorted((code, copies) for code, copies in cards.items() if copies > 0))


class Urn:
    """A pool being drawn from, one card at a time; every copy is equally likely."""

    def __init__(self, seed: str, pool: Pool) -> None:
        self.seed = seed
        self.pool = pool
        self.drawn: list[str] = []
        self._chance = Chance(seed)
        self._left = [copies for _, copies in pool]
        self.copies = sum(copies for _, copies in pool)

    def __iter__(self) -> Iterator[str]:
        while self.copies:
            yield self.next()

    def next(self) -> str:
        """The next card out of the urn; which one the seed alone decides."""
        place = self._chance.below(self.copies)
        self.copies -= 1
        for index, copies in enumerate(self._left):
            if place < copies:
                self._left[index] -= 1
                self.drawn.append(self.pool[index][0])
                return self.drawn[-1]
            place -= copies
        raise AssertionError("the copies left are counted")

    def recorded(self, purpose: Purpose) -> DrawRecord:
        """The record of what has been drawn so far."""
        result = tuple(self.drawn)
        return DrawRecord(purpose, self.seed, self.pool, len(result), result)


def draw(
    purpose: Purpose, seed: str, pool: Mapping[str, int], count: int = 1
) -> DrawRecord:
    """Draw ``count`` cards from a pool, without putting back, and record it."""
    urn = Urn(seed, pool_of(pool))
    result = tuple(islice(urn, count))
    return DrawRecord(purpose, seed, urn.pool, count, result)


def replayed(record: DrawRecord) -> DrawRecord:
    """The same draw made again; equal to the record unless that was tampered with."""
    again = draw(record.purpose, record.seed, dict(record.pool), record.count)
    return DrawRecord(
        again.purpose,
        again.seed,
        again.pool,
        again.count,
        again.result,
        record.rules_version,
    )


@rule("draw.replay", rows=("WEAK-02", "DECK-09"), cites=(faq("Random basic weakness"),))
def draw_replays(record: DrawRecord) -> Iterator[Finding]:
    """Repeating a random draw with the same seed and pool gives the same cards."""
    again = replayed(record)
    if again != record:
        yield Finding(
            gettext_noop("The seed draws {expected}; the record says {actual}."),
            cards=record.result,
            actual=", ".join(record.result),
            expected=", ".join(again.result),
            remedy_text=gettext_noop("Correct the draw and give the reason."),
            values=(
                ("expected", ", ".join(again.result)),
                ("actual", ", ".join(record.result)),
            ),
        )
