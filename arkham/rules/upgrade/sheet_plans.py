"""In which ways can the copies and boxes of a customizable card be had?

Boxes belong to the title, not to a copy: newly marked ones are paid once (CUST-05,
CUST-11). A sheet without copies is wiped (CUST-14).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.plans import (
    MOST_UNITS,
    NOTHING,
    SCALE,
    TIE,
    Line,
    Plan,
    Uses,
    Way,
    joined,
    purchase_lines,
    upgrade_lines,
)
from arkham.rules.upgrade.versions import Version, purchase_price


@dataclass(frozen=True, slots=True)
class SheetTitle:
    """A customizable title before (what was exiled left out) and after.

    ``code`` is the code of its sheet; ``copies_before`` those still in the deck,
    ``boxes_before`` the boxes that count then (none if no copy is left),
    ``boxes_marked`` those newly marked, ``surcharge`` what the list of taboos adds
    for lines completed now.
    """

    blank: Version
    copies_before: int
    copies_after: int
    boxes_before: int
    boxes_marked: int
    surcharge: int = 0
    by_level: bool = False  # what a copy of a started sheet costs: boxes, or its level
    side: bool = False

    @property
    def new_boxes(self) -> int:
        """Boxes marked now; of a title that leaves the deck, none."""
        return self.boxes_marked if self.copies_after else 0

    @property
    def new_copies(self) -> int:
        """Copies that come in."""
        return max(self.copies_after - self.copies_before, 0)


Choice = tuple[Line, Uses]


def sheet_plans(title: SheetTitle, offers: Offers) -> list[Plan]:
    """The lightest plan for each use of the shared offers, lightest first."""
    best: dict[Uses, Plan] = {}
    for lines in _ways(title, offers):
        plan = _plan(title, lines, offers)
        if plan is None:
            continue
        known = best.get(plan.uses)
        if known is None or plan.weight < known.weight:
            best[plan.uses] = plan
    return sorted(best.values(), key=lambda plan: (plan.weight, plan.uses))


def _plan(title: SheetTitle, lines: list[Choice], offers: Offers) -> Plan | None:
    uses = NOTHING._replace(outs=_outs(title, offers))
    for _, more in lines:
        both = joined(uses, more, offers)
        if both is None:
            return None
        uses = both
    weight = sum(line.paid * SCALE + TIE[line.way] for line, _ in lines)
    return Plan(weight, uses, tuple(line for line, _ in lines))


def _outs(title: SheetTitle, offers: Offers) -> int:
    """Blank copies that leave are level 0 cards, and may be swapped away."""
    if title.boxes_before or not title.blank.swappable:
        return 0
    return min(max(title.copies_before - title.copies_after, 0), offers.swaps)


def _ways(title: SheetTitle, offers: Offers) -> Iterator[list[Choice]]:
    if not title.copies_before and title.new_boxes:
        for sheet in _whole_sheet(title, offers):
            along = Line(Way.WITH_SHEET, title.blank.code)
            yield [sheet, *[(along, NOTHING)] * (title.copies_after - 1)]
        return
    for copies in _copies(title, offers):
        if not title.new_boxes:
            yield copies
            continue
        for boxes in _boxes(title, offers):
            yield [*copies, boxes]


def _whole_sheet(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    """Copies not in the deck yet, bought together with their boxes: one purchase."""
    price = title.new_boxes + title.surcharge + offers.surcharge
    line = Line(Way.SHEET, title.blank.code, price, price, boxes=title.new_boxes)
    yield from purchase_lines(line, bool(offers.exiled.get(title.blank.code)), offers)


def _boxes(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    """Boxes marked on the sheet of a card in the deck: one upgrade."""
    price = title.new_boxes + title.surcharge
    line = Line(Way.BOXES, title.blank.code, price, price, boxes=title.new_boxes)
    quill = offers.quills.get(title.blank.code, 0)
    yield from upgrade_lines(line, title.blank, offers, quill)


def _copies(title: SheetTitle, offers: Offers) -> Iterator[list[Choice]]:
    """The copies that come in, each by itself."""
    ways = list(_one_copy(title, offers))
    weighed = min(title.new_copies, MOST_UNITS)
    for picked in combinations_with_replacement(ways, weighed):
        # A box brings a copy where the sheet is started already.
        bringing = title.new_boxes - (0 if title.boxes_before else 1)
        if sum(line.way is Way.WITH_BOX for line, _ in picked) > max(bringing, 0):
            continue
        rest = title.new_copies - weighed
        yield [*picked, *[_bought(title, offers)] * rest]


def _one_copy(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    code = title.blank.code
    if title.new_boxes and (title.copies_before or title.new_copies > 1):
        yield Line(Way.WITH_BOX, code), NOTHING
    line, _ = _bought(title, offers)
    yield from purchase_lines(line, bool(offers.exiled.get(code)), offers)
    if not title.boxes_before and title.blank.swappable:
        one = Uses(side_refills=1) if title.side else Uses(refills=1)
        yield Line(Way.REFILL, code, line.gross), one
        if offers.swaps:
            yield Line(Way.SWAP, code, line.gross), Uses(swaps=1)


def _bought(title: SheetTitle, offers: Offers) -> Choice:
    """A copy bought: blank as any level 0 card, or as its sheet stands (CUST-15)."""
    code, boxes = title.blank.code, title.boxes_before
    if not boxes:
        price = purchase_price(title.blank, offers.surcharge, offers.least)
        return Line(Way.PURCHASE, code, price, price), NOTHING
    price = (boxes + 1) // 2 if title.by_level else boxes
    price += offers.surcharge
    return Line(Way.REGAINED, code, price, price), NOTHING
