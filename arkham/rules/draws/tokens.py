"""Reveals chaos tokens from seeds, and records them.

A table's play with a bag is a list of steps, each a change or a draw; the same steps
from the same bag and seeds always come to the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arkham.rules.chaos.bag import ChaosBag, Token
from arkham.rules.chaos.changes import (
    Change,
    Reveal,
    applied,
    check_change,
)
from arkham.rules.draws.chance import Seeds
from arkham.rules.draws.record import DrawRecord, Purpose, draw
from arkham.rules.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class Draws:
    """A step of play: one token is revealed, by chance."""


Step = Change | Draws


@dataclass(frozen=True, slots=True)
class BagEvent:
    """A step that was taken: the bag after it, its draw if chance had a part.

    Where the rules forbid it the bag is as before and ``findings`` say why.
    """

    step: Step
    bag: ChaosBag
    draw: DrawRecord | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def forbidden(self) -> bool:
        """Whether the rules forbid the step."""
        return any(each.severity is Severity.ILLEGAL for each in self.findings)


def pool_of(bag: ChaosBag) -> dict[str, int]:
    """What may be drawn: how many of each token lie in the bag."""
    return {token.value: count for token, count in bag.counts}


def draw_token(bag: ChaosBag, seed: str) -> tuple[DrawRecord, ChaosBag]:
    """One token revealed out of the bag, every one equally likely; nothing of none."""
    record = draw(Purpose.CHAOS, seed, pool_of(bag))
    for kind in record.result:
        bag = applied(bag, Reveal(Token(kind)))
    return record, bag


def played(bag: ChaosBag, seeds: Seeds, steps: Iterable[Step]) -> tuple[BagEvent, ...]:
    """The events of the steps in order; ``seeds`` gives the draws' seeds."""
    events: list[BagEvent] = []
    drawn = 0
    for step in steps:
        if isinstance(step, Draws):
            drawn += 1
            record, bag = draw_token(bag, seeds(drawn, pool_of(bag)))
            events.append(BagEvent(step, bag, record))
            continue
        event = BagEvent(step, bag, findings=check_change(bag, step))
        if not event.forbidden:
            bag = applied(bag, step)
            event = BagEvent(step, bag, findings=event.findings)
        events.append(event)
    return tuple(events)
