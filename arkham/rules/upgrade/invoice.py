"""Orders the lines of an invoice, and pairs them with the cards that leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arkham.rules.finding import Finding, Severity, worst_first
from arkham.rules.legality.verdict import abridged, finding_data
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.price_rules import (
    PRICE_MODIFIERS,
    RAVEN_QUILL,
    TABLE_REDUCTIONS,
    PlannedLine,
    Way,
)
from arkham.rules.upgrade.versions import Versions

Rank = tuple[int, bool, str, bool]  # turn, not paid for, card, second deck
_MODIFIERS = PRICE_MODIFIERS.keys() | DECK_MODIFIERS.keys()


def rank_of(line: PlannedLine) -> Rank:
    """The sort key of a line on an invoice.

    Refills come first, except for what makes room; reductions for "the next" or "the
    first" card go to the first of its kind; a card that raises prices comes late.
    """
    way, code, _, paid, _, reductions, _, side = line
    turn = way.turn
    if reductions or code in _MODIFIERS:
        turn = _turn(way, code, {kind for kind, _ in reductions})
    return turn, not paid, code, side


def _turn(way: Way, code: str, kinds: set[str]) -> int:
    if "medallion" in kinds:
        return 0
    if "pelt" in kinds:
        return 1
    row = PRICE_MODIFIERS.get(code)
    if row is not None and row.surcharge:
        return 6
    if way in (Way.PURCHASE, Way.UPGRADE) and code in _MODIFIERS:
        return 2
    if way.turn == Way.UPGRADE.turn and kinds & {"firsts", "first-trait"}:
        return 7
    return way.turn


class Reduction(NamedTuple):
    """How much less is paid, and the card that grants it."""

    code: str
    amount: int


class InvoiceLine(NamedTuple):
    """One purchase; ``rule`` names the rule of its price (see docs/rules.md).

    ``gross`` is the price before reductions, ``paid`` after them. ``upgraded_from`` is
    the lower version that was paid for already, ``replaces`` the card that leaves to
    make room (either may be ""). ``boxes`` counts newly marked boxes. ``side`` is true
    for a line of the second deck.
    """

    rule: str
    code: str
    gross: int
    paid: int
    upgraded_from: str = ""
    replaces: str = ""
    reductions: tuple[Reduction, ...] = ()
    boxes: int = 0
    side: bool = False

    def as_data(self) -> dict[str, object]:
        """The line as JSON types."""
        return {
            "rule": self.rule,
            "card": self.code,
            "gross": self.gross,
            "paid": self.paid,
            "upgraded_from": self.upgraded_from or None,
            "replaces": self.replaces or None,
            "reductions": [
                {"card": each.code, "amount": each.amount} for each in self.reductions
            ],
            "boxes": self.boxes,
            "side_deck": self.side,
        }


class Invoice(NamedTuple):
    """The lowest cost of a change of deck, line by line in the order bought.

    ``findings`` are about the change, ``legality`` about the new deck. ``available`` is
    the experience that was available, or None if unknown.
    """

    lines: tuple[InvoiceLine, ...]
    findings: tuple[Finding, ...]
    legality: tuple[Finding, ...]
    available: int | None = None

    @property
    def total(self) -> int:
        """Experience spent."""
        return sum([line.paid for line in self.lines])

    @property
    def lawful(self) -> bool:
        """True if the change and the new deck have no findings other than advice."""
        found = (*self.findings, *self.legality)
        return all(each.severity is Severity.ADVICE for each in found)

    def as_data(self) -> dict[str, object]:
        """The invoice as JSON types, in the format that all endpoints return."""
        return {
            "experience_spent": self.total,
            "lines": [line.as_data() for line in self.lines],
            "findings": [
                finding_data(each)
                for each in worst_first((*self.findings, *abridged(self.legality)))
            ],
        }


# The card that grants a reduction, by kind of offer.
SOURCES: dict[str, str] = {
    **{
        kind: row.code
        for row in PRICE_MODIFIERS.values()
        for kind, offered in (
            ("firsts", row.first_upgrades),
            ("first-trait", row.first_trait),
            ("rebuy", row.rebuys),
        )
        if offered
    },
    **{"medallion" if row.upgrades else "pelt": row.code for row in TABLE_REDUCTIONS},
    "quill": RAVEN_QUILL.code,
}
# Enum members are ten times slower to look up each time.
_REFILL, _SWAP, _BOXES, _KEPT_LOWER = Way.REFILL, Way.SWAP, Way.BOXES, Way.KEPT_LOWER
_new = tuple.__new__  # twice as fast as calling the class of a named tuple


def in_order(
    lines: list[PlannedLine], changes: Sequence[Change], versions: Versions
) -> tuple[InvoiceLine, ...]:
    """Sort lines into an order in which they can be bought, with what each replaces."""
    if not lines:
        return ()
    lines.sort(key=rank_of)
    main = _leaving(changes[0], lines, versions)
    beside = _leaving(changes[1], lines, versions) if len(changes) > 1 else []
    invoiced = []
    for way, code, gross, paid, source, reductions, boxes, side in lines:
        replaced = ""
        leaving = beside if side else main
        if leaving and not source and way is not _REFILL and way is not _BOXES:
            version = versions[code]
            if version is not None and version.counts:
                replaced = (
                    _swapped_out(leaving, versions) if way is _SWAP else leaving.pop()
                )
        granted: tuple[Reduction, ...] = ()
        if reductions:
            granted = tuple([Reduction(SOURCES[kind], n) for kind, n in reductions])
        line = (way.rule, code, gross, paid, source, replaced, granted, boxes, side)
        invoiced.append(_new(InvoiceLine, line))
    return tuple(invoiced)


def _leaving(
    change: Change, lines: Sequence[PlannedLine], versions: Versions
) -> list[str]:
    """Counted copies that leave one deck and weren't upgraded; last used first."""
    leaving: list[str] = []
    for version, copies in change.removed.items():
        if version.counts:
            leaving += [version.code] * copies
    deck = change.side
    if _SWAP in [line.way for line in lines if line.side is deck]:
        leaving += _exchanged(change, lines, versions)
    if not leaving:
        return leaving
    for way, _, _, _, source, _, _, side in lines:
        if source and way is not _KEPT_LOWER and side is deck and source in leaving:
            leaving.remove(source)
    leaving.sort(reverse=True)
    return leaving


def _exchanged(
    change: Change, lines: Sequence[PlannedLine], versions: Versions
) -> Iterator[str]:
    """The copies that were exchanged and came in again."""
    came = Counter(
        line.code
        for line in lines
        if line.side is change.side and line.way is not _BOXES
    )
    for version, copies in change.added.items():
        came[version.code] -= copies
    for code, copies in came.items():
        card = versions[code]
        if copies > 0 and card is not None and card.counts:
            yield from [code] * copies


def _swapped_out(leaving: list[str], versions: Versions) -> str:
    """Remove the level 0 copy that makes room for one swapped in, and return it."""
    for place in range(len(leaving) - 1, -1, -1):
        left = versions[leaving[place]]
        if left is not None and left.level == 0:
            return leaving.pop(place)
    return ""
