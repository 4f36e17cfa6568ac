"""Which tokens came out of the chaos bag? Drawn from seeds and recorded.

A table's play with a bag is a list of steps, each a change or a draw; the same steps
from the same bag and seed always come to the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arkham.rules.chaos.bag import ChaosBag
from arkham.rules.chaos.changes import (
    Change,
    Reveal,
    applied,
    check_change,
)
from arkham.rules.chaos.token import Token
from arkham.rules.draws.record import Draw, Purpose, draw
from arkham.rules.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class Draws:
    """A step of play: one token is revealed, by chance."""


Step = Change | Draws


@dataclass(frozen=True, slots=True)
class Event:
    """A step that was taken: the bag after it, its draw if chance had a part.

    Where the rules forbid it the bag is as before and ``findings`` say why.
    """

    step: Step
    bag: ChaosBag
    draw: Draw | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def forbidden(self) -> bool:
        """Whether the rules forbid the step."""
        return any(each.severity is Severity.ILLEGAL for each in self.findings)


def draw_token(bag: ChaosBag, seed: str) -> tuple[Draw, ChaosBag]:
    """One token revealed out of the bag, every one equally likely; nothing of none."""
    pool = {token.value: count for token, count in bag.counts}
    record = draw(Purpose.CHAOS, seed, pool)
    for kind in record.result:
        bag = applied(bag, Reveal(Token(kind)))
    return record, bag


def played(bag: ChaosBag, seed: str, steps: Iterable[Step]) -> tuple[Event, ...]:
    """What comes of the steps, one after the other.

    Draw *n* (from 1) is made from the seed ``seed/n``.
    """
    events: list[Event] = []
    drawn = 0
    for step in steps:
        if isinstance(step, Draws):
            drawn += 1
            record, bag = draw_token(bag, f"{seed}/{drawn}")
            events.append(Event(step, bag, record))
            continue
        event = Event(step, bag, findings=check_change(bag, step))
        if not event.forbidden:
            bag = applied(bag, step)
            event = Event(step, bag, findings=event.findings)
        events.append(event)
    return tuple(events)
