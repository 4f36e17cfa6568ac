"""The entries of one title, grouped; limits on copies; prices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import (
    GENERAL_LIMIT,
    MYRIAD_LIMIT,
    Line,
    Standing,
)
from arkham.rules.legality.tally import EXCESS


class TitleGroup(NamedTuple):
    """The ordinary cards of one title, over all levels and printings."""

    title: str
    lines: tuple[Line, ...]
    copies: int

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the lines, as the deck listed them."""
        return tuple(line.code for line in self.lines)


class LimitKind(IntEnum):
    """The reason for the limit on a title's copies."""

    @property
    def wakes(self) -> int:
        """The bit that wakes the rule for limits of this kind."""
        return EXCESS << self

    HIGHLANDER = 0
    SINGLETON = 1
    EXCEPTIONAL = 2
    PRINTED = 3
    MYRIAD = 4
    GENERAL = 5


class Excess(NamedTuple):
    """More copies of a title than a limit of one kind allows."""

    kind: LimitKind
    group: TitleGroup
    copies: int
    limit: int


def kind_of(frame: Frame, line: Line) -> LimitKind:
    """The kind of limit that this card is subject to."""
    if frame.highlander:
        return LimitKind.HIGHLANDER
    if frame.singleton:
        return LimitKind.SINGLETON
    if line.standing.exceptional:
        return LimitKind.EXCEPTIONAL
    if title_limit(frame, line.standing) == GENERAL_LIMIT:
        return LimitKind.GENERAL
    return LimitKind.MYRIAD if line.card.myriad else LimitKind.PRINTED


def title_limit(frame: Frame, standing: Standing) -> int:
    """Copies by title that this card allows; limits by subtitle are judged apart."""
    card, limit = standing.card, standing.limit
    if card is None or frame.singleton or frame.highlander:
        return limit
    if card.limit_by_subname and limit == card.deck_limit:
        return MYRIAD_LIMIT if card.myriad else GENERAL_LIMIT
    return limit


def excesses(groups: Iterable[TitleGroup], frame: Frame) -> Iterator[Excess]:
    """Yield the titles with too many copies, each with the lowest limit it exceeds.

    Versions limited to one leave no room for others of their title (ruling
    ``copies.limited-beside-normal``). Versions allowed more than two copies don't raise
    the limit of those allowed two.
    """
    strict = frame.rulings["copies.limited-beside-normal"] == "one"
    for group in groups:
        limits = [title_limit(frame, line.standing) for line in group.lines]
        if group.copies <= min(limits):
            continue
        for limit in sorted(set(limits)):
            bound = [
                line
                for line, own in zip(group.lines, limits, strict=True)
                if own <= limit
            ]
            copies = sum(line.copies for line in bound)
            if strict and limit == 1:
                copies = group.copies
            if copies > limit:
                cause = next(
                    line for line in bound if title_limit(frame, line.standing) == limit
                )
                yield Excess(kind_of(frame, cause), group, copies, limit)
                break


def cost_of(prices: Iterable[tuple[Line, int, bool]]) -> int:
    """Sum the prices of copies; some are paid once per title and level."""
    total = 0
    paid: dict[tuple[str, int | None], int] = {}
    for line, price, is_once in prices:
        if is_once:
            key = (line.card.title, line.standing.level)
            paid[key] = max(paid.get(key, 0), price)
        else:
            total += price * line.copies
    return total + sum(paid.values())
