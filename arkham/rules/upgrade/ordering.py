"""Orders the lines of an invoice, with what leaves for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arkham.rules.upgrade.change import Change
from arkham.rules.upgrade.discounts import (
    PRICE_MODIFIERS,
    RAVEN_QUILL,
    TOLD_REDUCTIONS,
)
from arkham.rules.upgrade.invoice import InvoiceLine, Reduction
from arkham.rules.upgrade.ranking import rank_of
from arkham.rules.upgrade.versions import Versions
from arkham.rules.upgrade.ways import Line, Way

# The card that grants a reduction, by the kind of offer.
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
    **{"medallion" if row.upgrades else "pelt": row.code for row in TOLD_REDUCTIONS},
    "quill": RAVEN_QUILL.code,
}
# Looked up in its enum each time, a member costs ten times as much.
_REFILL, _SWAP, _BOXES, _KEPT_LOWER = Way.REFILL, Way.SWAP, Way.BOXES, Way.KEPT_LOWER
_new = tuple.__new__  # half of what calling a named tuple's class costs


def in_order(
    lines: list[Line], changes: Sequence[Change], versions: Versions
) -> tuple[InvoiceLine, ...]:
    """The lines in an order in which they can be bought, with what each replaces."""
    if not lines:
        return ()
    if len(lines) > 1:
        lines.sort(key=rank_of)
    main = _leaving(changes[0], lines, versions)
    beside = _leaving(changes[1], lines, versions) if len(changes) > 1 else []
    invoiced = []
    for way, code, gross, paid, source, reductions, boxes, side in lines:
        replaced = ""
        leaving = beside if side else main
        if leaving and not source and way is not _REFILL and way is not _BOXES:
            replaced = _replaced(way, code, leaving, versions)
        granted: tuple[Reduction, ...] = ()
        if reductions:
            granted = tuple([Reduction(SOURCES[kind], n) for kind, n in reductions])
        told = (way.rule, code, gross, paid, source, replaced, granted, boxes, side)
        invoiced.append(_new(InvoiceLine, told))
    return tuple(invoiced)


def _leaving(change: Change, lines: Sequence[Line], versions: Versions) -> list[str]:
    """The counted copies that leave one of the decks and were not upgraded, by code,
    last those that make room first.
    """
    left = {
        version.code: copies
        for version, copies in change.removed.items()
        if version.counts
    }
    deck = change.side
    if any(line.way is _SWAP and line.side is deck for line in lines):
        _add_exchanged(left, change, lines, versions)
    if not left:
        return []
    for way, _, _, _, source, _, _, side in lines:
        if source and left.get(source) and way is not _KEPT_LOWER and side is deck:
            left[source] -= 1
    leaving: list[str] = []
    for code in sorted(left, reverse=True):
        leaving += [code] * left[code]
    return leaving


def _add_exchanged(
    left: dict[str, int], change: Change, lines: Sequence[Line], versions: Versions
) -> None:
    """Add the copies that were exchanged and came in again to those that leave."""
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
            left[code] = left.get(code, 0) + copies


def _replaced(way: Way, code: str, leaving: list[str], versions: Versions) -> str:
    """The card that makes room for one that counts; for a swap one of level 0."""
    version = versions[code]
    if version is None or not version.counts:
        return ""
    if way is not _SWAP:
        return leaving.pop()
    for place in range(len(leaving) - 1, -1, -1):
        left = versions[leaving[place]]
        if left is not None and left.level == 0:
            return leaving.pop(place)
    return ""
