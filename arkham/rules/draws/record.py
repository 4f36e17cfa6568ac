"""Repeatable draws: how a seed becomes numbers, and the record of what was drawn.

A record has pool, seed and result. The way from seed to numbers will never change;
``docs/draws.md`` specifies it with test vectors, so that a draw can be checked without
this program. Chaos tokens are drawn in the same way: play with a bag is a list of
steps, each a change or a draw, and the same steps from the same bag and seeds always
lead to the same bag.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import islice
from typing import Any

from arkham.rules.chaos.bag import ChaosBag, Token
from arkham.rules.chaos.changes import (
    Change,
    Reveal,
    applied,
    check_change,
)
from arkham.rules.finding import Finding, Severity, faq, gettext_noop, rule
from arkham.rules.legality.verdict import RULES_VERSION

SEED_DIGITS = 32  # hexadecimal: 128 bits

# Gives the seed of draw n, from 1, and its pool: copies by code.
Seeds = Callable[[int, Mapping[str, int]], str]


def derived_seed(secret: str, place: str) -> str:
    """The seed of the draw at this place: HMAC-SHA-256 of the place, cut to 128 bits.

    The place identifies the draw permanently, such as ``14`` for a log entry.
    """
    key, message = secret.encode(), place.encode()
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:SEED_DIGITS]


def commitment_to(seed: str) -> str:
    """Hash a seed for publication before the draw: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def numbered(seed: str) -> Seeds:
    """Public seeds for practice: draw *n* is made from ``seed/n``."""
    return lambda number, _pool: f"{seed}/{number}"


def derived(secret: str) -> Seeds:
    """Seeds for draws that can be retracted: from the secret, the number and the pool.

    A draw that is repeated from the same pool has the same seed and result. From
    another pool it has another seed, about which the one already shown reveals nothing.
    """

    def seed(number: int, pool: Mapping[str, int]) -> str:
        copies = ",".join(f"{code}:{pool[code]}" for code in sorted(pool))
        return derived_seed(secret, f"{number}/{copies}")

    return seed


GENERATOR = "orne-chance-1"  # any other way of drawing would need another name
PHONE = "phone"  # a phone without network drew: there is no seed to repeat it with


class Chance:
    """Uniform random numbers from a seed: SHA-256 in counter mode, rejection sampling.

    Block *i* is SHA-256 of the generator's name, a zero byte, the seed in UTF-8, a zero
    byte, and *i* in eight bytes, big-endian. The blocks form one stream of bytes.
    """

    def __init__(self, seed: str) -> None:
        self._head = b"%s\0%s\0" % (GENERATOR.encode(), seed.encode())
        self._block = 0
        self._rest = b""

    def _bytes(self, count: int) -> bytes:
        while len(self._rest) < count:
            block = self._head + self._block.to_bytes(8, "big")
            self._rest += sha256(block).digest()
            self._block += 1
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1, each equally likely.

        Takes as many bytes as ``limit`` - 1 needs, big-endian, clears their surplus
        bits, and draws again until the number is below the limit. A limit of 1 takes no
        bytes.
        """
        if limit < 1:
            raise ValueError(f"no number is below {limit}")
        bits = (limit - 1).bit_length()
        while True:
            number = int.from_bytes(self._bytes((bits + 7) // 8), "big")
            number &= (1 << bits) - 1
            if number < limit:
                return number


Pool = tuple[tuple[str, int], ...]  # what can be drawn, with copies; in order


class Purpose(StrEnum):
    """The purpose of a draw."""

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
    """One draw from a pool without replacement; ``result`` is in the order drawn.

    ``pool`` is its content before the draw, by code; ``count`` is how many were
    requested (a smaller pool gives fewer).
    """

    purpose: Purpose
    seed: str
    pool: Pool
    count: int
    result: tuple[str, ...]
    rules_version: str = RULES_VERSION
    generator: str = GENERATOR

    def as_data(self) -> dict[str, Any]:
        """The draw as JSON types."""
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
        """Read a draw that :meth:`as_data` wrote. Raises KeyError and ValueError."""
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
    """A pool in the fixed order for draws: by code, without zero copies."""
    return tuple(sorted((code, copies) for code, copies in cards.items() if copies > 0))


class Urn:
    """A pool from which cards are drawn one by one; every copy is equally likely."""

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
        """Draw the next card; the seed alone decides which."""
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
        """The record of everything drawn so far."""
        result = tuple(self.drawn)
        return DrawRecord(purpose, self.seed, self.pool, len(result), result)


def draw(
    purpose: Purpose, seed: str, pool: Mapping[str, int], count: int = 1
) -> DrawRecord:
    """Draw ``count`` cards from a pool without replacement, and record the draw."""
    urn = Urn(seed, pool_of(pool))
    result = tuple(islice(urn, count))
    return DrawRecord(purpose, seed, urn.pool, count, result)


def replayed(record: DrawRecord) -> DrawRecord:
    """Repeat a draw; the result equals the record unless that was tampered with."""
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
            gettext_noop("This seed gives {expected}; the record says {actual}."),
            cards=record.result,
            actual=", ".join(record.result),
            expected=", ".join(again.result),
            remedy_text=gettext_noop("Correct the draw and give the reason."),
            values=(
                ("expected", ", ".join(again.result)),
                ("actual", ", ".join(record.result)),
            ),
        )


@dataclass(frozen=True, slots=True)
class Draws:
    """A step of play: one random token is revealed.

    ``token`` is the one that a phone without network drew.
    """

    token: Token | None = None


Step = Change | Draws


@dataclass(frozen=True, slots=True)
class BagEvent:
    """A step, the bag after it, and the draw if there was one.

    If the rules forbid the step, the bag is unchanged and ``findings`` say why.
    """

    step: Step
    bag: ChaosBag
    draw: DrawRecord | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def forbidden(self) -> bool:
        """True if the rules forbid the step."""
        return any(each.severity is Severity.ILLEGAL for each in self.findings)


def bag_pool(bag: ChaosBag) -> dict[str, int]:
    """The number of each token in the bag, as a pool to draw from."""
    return {token.value: count for token, count in bag.counts}


def draw_token(bag: ChaosBag, seed: str) -> tuple[DrawRecord, ChaosBag]:
    """Reveal one random token, each equally likely; none from an empty bag."""
    record = draw(Purpose.CHAOS, seed, bag_pool(bag))
    for kind in record.result:
        bag = applied(bag, Reveal(Token(kind)))
    return record, bag


def _on_phone(bag: ChaosBag, step: Step) -> DrawRecord | None:
    """The record of a token that a phone drew; None for any other step."""
    if not isinstance(step, Draws) or step.token is None:
        return None
    pool, result = pool_of(bag_pool(bag)), (step.token.value,)
    return DrawRecord(Purpose.CHAOS, "", pool, 1, result, generator=PHONE)


def change_of(step: Step) -> Change | None:
    """The change that a step makes; None if chance decides which."""
    if not isinstance(step, Draws):
        return step
    return Reveal(step.token) if step.token is not None else None


def played(bag: ChaosBag, seeds: Seeds, steps: Iterable[Step]) -> tuple[BagEvent, ...]:
    """The events of the steps, in order; ``seeds`` gives the draws' seeds."""
    events: list[BagEvent] = []
    drawn = 0
    for step in steps:
        drawn += isinstance(step, Draws)
        change = change_of(step)
        if change is None:
            record, bag = draw_token(bag, seeds(drawn, bag_pool(bag)))
            events.append(BagEvent(step, bag, record))
            continue
        event = BagEvent(step, bag, findings=check_change(bag, change))
        if not event.forbidden:
            drawn_on_phone = _on_phone(bag, step)
            bag = applied(bag, change)
            event = replace(event, bag=bag, draw=drawn_on_phone)
        events.append(event)
    return tuple(events)
