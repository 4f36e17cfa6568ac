"""The ways to obtain the copies and boxes of a customizable card.

Boxes belong to the title, not to a copy: newly marked ones are paid once (CUST-05,
CUST-11). A sheet without copies is wiped (CUST-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.sheets import boxes_by_line, marks_of
from arkham.rules.legality.standing import completed
from arkham.rules.upgrade.offers import (
    NOTHING,
    REFILL,
    SIDE_REFILL,
    SWAP,
    Offers,
    Plan,
    Uses,
    joined,
    ranked,
)
from arkham.rules.upgrade.options import (
    LAST,
    purchase_lines,
    upgrade_lines,
    with_quills,
)
from arkham.rules.upgrade.price_rules import PlannedLine, Way, weight_of
from arkham.rules.upgrade.versions import Version, purchase_price
from arkham.rules.upgrade.weighing import MOST_UNITS
from arkham.rules.upgrade.window import Pin, Window


@dataclass(frozen=True, slots=True)
class SheetTitle:
    """A customizable title before (without exiled copies) and after.

    ``blank`` is the card with no box marked; ``copies_before`` are those still in the
    deck, ``boxes_before`` the boxes that count then (none if no copy is left),
    ``boxes_marked`` those newly marked, ``surcharge`` what the taboo list adds for
    lines completed now.
    """

    blank: Version
    copies_before: int
    copies_after: int
    boxes_before: int
    boxes_marked: int
    surcharge: int = 0
    by_level: bool = False  # whether a copy of a started sheet costs its level
    side: bool = False
    pins: tuple[Pin, ...] = ()

    @property
    def is_exchangeable(self) -> bool:
        """True if Adaptable can exchange its copies: blank ones of the main deck."""
        return self.blank.swappable and not (self.boxes_before or self.side)

    @property
    def new_boxes(self) -> int:
        """The boxes marked now; 0 if the title leaves the deck."""
        return self.boxes_marked if self.copies_after else 0

    @property
    def new_copies(self) -> int:
        """The number of copies that come in."""
        return max(self.copies_after - self.copies_before, 0)

    @property
    def bounded(self) -> bool:
        """True if more copies come in than are compared."""
        return self.new_copies > MOST_UNITS


Choice = tuple[PlannedLine, Uses]
Found = dict[Uses, Plan]


def sheet_plans(title: SheetTitle, offers: Offers) -> list[Plan]:
    """The lightest plan for each use of the shared offers, lightest first."""
    kept = min(title.copies_before, title.copies_after)
    exchanged = 0
    if title.is_exchangeable:
        exchanged = min(kept, offers.swaps)
    plans = ranked(
        plan
        for fewer in range(exchanged + 1)
        for plan in _keeping(title, kept - fewer, offers)
    )
    if not title.side:
        return plans
    return [
        plan._replace(lines=tuple([line._replace(side=True) for line in plan.lines]))
        for plan in plans
    ]


def _keeping(title: SheetTitle, kept: int, offers: Offers) -> Iterable[Plan]:
    """Plans that keep this many copies; blank copies that leave are exchanged."""
    swapped_out = 0
    if title.is_exchangeable:
        blank, forced = title.blank, offers.forced
        left = title.copies_before - kept
        left -= forced.get(blank.code, 0) + forced.get(blank.title, 0)
        swapped_out = min(max(left, 0), offers.swaps)
    # Copies bought again can be cheaper than boxes alone, but must have left first.
    again = min(title.copies_before, title.copies_after) - kept
    start = NOTHING._replace(swapped_out=swapped_out, exchanged=again)
    found: Found = {start: Plan(0, start, ())}
    title = replace(title, copies_before=kept)
    if not kept and title.new_boxes:
        found = _with(found, _whole_sheet(title, offers), offers)
        along = PlannedLine(Way.WITH_SHEET, title.blank.code)
        found = _with_all(found, [along] * (title.copies_after - 1))
    else:
        found = _with_copies(found, title, offers)
        if title.new_boxes:
            found = _with(found, _boxes(title, offers), offers)
    return found.values()


def _with(
    found: Found,
    choices: Iterable[Choice],
    offers: Offers,
    wanted: frozenset[Way] = frozenset(),
) -> Found:
    """Combine every plan so far with every choice for one more thing.

    If any ways are ``wanted``, others are used only if those are impossible.
    """
    best: Found = {}
    for line, more in choices:
        weight = weight_of(line) + (LAST if wanted and line.way not in wanted else 0)
        for plan in found.values():
            uses = joined(plan.uses, more, offers)
            if uses is None:
                continue
            total = plan.weight + weight
            known = best.get(uses)
            if known is None or total < known.weight:
                best[uses] = Plan(total, uses, (*plan.lines, line))
    return best


def _with_all(found: Found, lines: list[PlannedLine]) -> Found:
    """Add lines that leave no choice to every plan so far."""
    weight = sum(map(weight_of, lines))
    return {
        uses: Plan(plan.weight + weight, uses, (*plan.lines, *lines))
        for uses, plan in found.items()
    }


def _whole_sheet(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    """Yield copies not yet in the deck, bought with their boxes: one purchase."""
    price = title.new_boxes + title.surcharge + offers.surcharge
    line = PlannedLine(Way.SHEET, title.blank.code, price, price, boxes=title.new_boxes)
    yield from purchase_lines(line, bool(offers.exiled.get(title.blank.code)), offers)


def _boxes(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    """Yield boxes marked on the sheet of a card in the deck: one upgrade."""
    price = title.new_boxes + title.surcharge
    line = PlannedLine(Way.BOXES, title.blank.code, price, price, boxes=title.new_boxes)
    quills = offers.quills.get(title.blank.code, 0)
    for reduced, uses in upgrade_lines(line, title.blank.traits, offers):
        room = max(reduced.paid - offers.upgrade_floor, 0)
        yield with_quills(reduced, min(quills, room)), uses


def _with_copies(found: Found, title: SheetTitle, offers: Offers) -> Found:
    """Add the copies that come in: as many as can be with a box, the others bought."""
    choices = list(_one_copy(title, offers))
    ways = {line.way for line, _ in choices}
    brought = _brought(title)
    if brought:
        ways.add(Way.WITH_BOX)
    wanted = frozenset(way for way in ways if _is_pinned(title, way))
    if wanted and Way.WITH_BOX not in wanted:
        brought = 0
    weighed = min(title.new_copies - brought, MOST_UNITS)
    for _ in range(weighed):
        found = _with(found, choices, offers, wanted)
    with_box = PlannedLine(Way.WITH_BOX, title.blank.code)
    beyond, _ = _bought(title, offers)
    rest = title.new_copies - brought - weighed
    return _with_all(found, [*[with_box] * brought, *[beyond] * rest])


def _is_pinned(title: SheetTitle, way: Way) -> bool:
    named = way.value.removeprefix("price.")
    return any(pin.code == title.blank.code and pin.way == named for pin in title.pins)


def _brought(title: SheetTitle) -> int:
    """Copies that come free with newly marked boxes on a started sheet."""
    started = title.new_boxes if title.boxes_before else title.new_boxes - 1
    return min(max(started, 0), title.new_copies)


def _one_copy(title: SheetTitle, offers: Offers) -> Iterator[Choice]:
    code = title.blank.code
    line, _ = _bought(title, offers)
    yield from purchase_lines(line, bool(offers.exiled.get(code)), offers)
    if not title.boxes_before and title.blank.swappable:
        if title.side and offers.side_refills:
            yield PlannedLine(Way.REFILL, code, line.gross), SIDE_REFILL
        elif offers.refills and not title.side:
            yield PlannedLine(Way.REFILL, code, line.gross), REFILL
        if offers.swaps and title.is_exchangeable:
            yield PlannedLine(Way.SWAP, code, line.gross), SWAP


def _bought(title: SheetTitle, offers: Offers) -> Choice:
    """A copy bought: blank like any level 0 card, or with its sheet (CUST-15)."""
    code, boxes = title.blank.code, title.boxes_before
    if not boxes:
        price = purchase_price(title.blank, offers.surcharge, offers)
        return PlannedLine(Way.PURCHASE, code, price, price), NOTHING
    price = (boxes + 1) // 2 if title.by_level else boxes
    price += offers.surcharge
    return PlannedLine(Way.REGAINED, code, price, price), NOTHING


def sheet_title(
    blank: Version,
    copies: tuple[int, int],
    before: DeckList,
    built: BuiltDeck,
    window: Window,
    *,
    side: bool,
) -> SheetTitle:
    """Compare the sheets and copies (before, after) of a customizable title."""
    frame, deck = built.frame, built.deck
    sheet = blank.standing.sheet
    old: tuple[SheetMark, ...] = ()
    if copies[0]:
        old = marks_of(before, _listed(before, blank), frame.pool)
    new = marks_of(deck, _listed(deck, blank), frame.pool)
    had, has = boxes_by_line(sheet, old), boxes_by_line(sheet, new)
    free = window.free_boxes.get(blank.code, 0) if copies[0] else 0
    done = {line.position for line in completed(sheet, old)}
    # A line is paid for only if some of its boxes are. Boxes marked by a card are
    # assumed to be on lines with a taboo surcharge.
    surcharge, unpaid = 0, free
    for line in completed(sheet, new):
        if not line.surcharge or line.position in done:
            continue
        marked = has[line.position] - had.get(line.position, 0)
        if marked <= unpaid:
            unpaid -= marked
        else:
            surcharge += line.surcharge
    # Line by line: unmarking a box doesn't pay for another (CUST-13).
    new_boxes = sum(max(has[line] - had[line], 0) for line in has)
    return SheetTitle(
        blank,
        *copies,
        sum(had.values()) + free,
        max(new_boxes - free, 0),
        surcharge,
        by_level=frame.rulings["prices.regained-copy"] == "level",
        side=side,
        pins=window.pins,
    )


def _listed(deck: DeckList, version: Version) -> str:
    """The code under which a list has a card."""
    code = version.code
    if code in deck.entries:
        return code
    printings = version.card.printings
    return next((p.code for p in printings if p.code in deck.entries), code)
