"""How does a change become an invoice?"""

from __future__ import annotations

from collections.abc import Sequence

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.legality.built import BuiltDeck, marks_of
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.sheets import boxes_by_line
from arkham.rules.legality.standing import completed
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.upgrade.assembly import cheapest_lines
from arkham.rules.upgrade.change import (
    Change,
    TitleChange,
    compare,
    copies_of,
    differing,
    first_code,
    versions_of,
)
from arkham.rules.upgrade.conditions import SOURCES, is_plain, offers_of
from arkham.rules.upgrade.discounts import PRICE_MODIFIERS
from arkham.rules.upgrade.invoice import InvoiceLine, Reduction
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.plain import bought
from arkham.rules.upgrade.plans import Line, Plan, Title, Way, Weighing
from arkham.rules.upgrade.sheet_plans import SheetTitle, sheet_plans
from arkham.rules.upgrade.versions import version_of
from arkham.rules.upgrade.window import PLAIN_WINDOW, Window

Priced = tuple[tuple[Change, ...], tuple[InvoiceLine, ...]]


def priced(judge: Judge, before: DeckList, built: BuiltDeck, window: Window) -> Priced:
    """What changes in the deck and in the second one, and the lines it is had for."""
    if is_plain(judge, before, built, window):
        change = differing(before.entries, built.deck.entries, built.frame)
        lines = _plain_lines(change, before, built)
        return (change,), _invoiced(lines, (change,), built)
    after, frame = built.deck, built.frame
    sheets = _sheets_changed(before, after, frame)
    change = compare(before.entries, after.entries, frame, window, sheets=sheets)
    changes = [change]
    offers = offers_of(judge, before, built, change, window)
    if before.side_deck != after.side_deck:
        beside = compare(before.side_deck, after.side_deck, frame, window, side=True)
        offers.side_refills = sum(beside.gone.values())
        changes.append(beside)
    plans = [
        _plans(each.titles[title], before, built, window, offers, each.side)
        for each in changes
        for title in sorted(each.titles)
    ]
    return tuple(changes), _invoiced(cheapest_lines(plans, offers), changes, built)


def _plain_lines(change: Change, before: DeckList, built: BuiltDeck) -> list[Line]:
    """The lines where nothing is reduced or free: every title by itself."""
    frame = built.frame
    rulings = frame.rulings
    least = 1 if rulings["prices.discounted-minimum"] == "one" else 0
    lines: list[Line] = []
    for title in sorted(change.titles):
        each = change.titles[title]
        found = bought(each, frame, least)
        if found is None:
            each.base = copies_of(title, before.entries, frame)
            each.after = copies_of(title, built.deck.entries, frame)
            offers = Offers(
                least=least,
                myriad_by_upgrade=rulings["prices.myriad-upgrade"] == "yes",
            )
            plans = _plans(each, before, built, PLAIN_WINDOW, offers, side=False)
            found = cheapest_lines([plans], offers)
        lines.extend(found)
    return lines


def _sheets_changed(before: DeckList, after: DeckList, frame: Frame) -> set[str]:
    """The codes of the sheets on which other boxes are marked."""
    if before.sheets == after.sheets:
        return set()
    codes = {*before.sheets, *after.sheets}
    return {
        first_code(frame, code)
        for code in codes
        if before.sheets.get(code) != after.sheets.get(code)
    }


def _plans(
    change: TitleChange,
    before: DeckList,
    built: BuiltDeck,
    window: Window,
    offers: Offers,
    side: bool,
) -> list[Plan]:
    frame = built.frame
    versions = versions_of(change, frame)
    sheeted = next((code for code in versions if frame.unmarked[code].sheet), None)
    if sheeted is not None:
        sheet = _sheet_title(sheeted, change, before, built, window, side)
        return _of_side(sheet_plans(sheet, offers), side)
    title = Title(
        {code: n for code, n in change.base.items() if code in versions and n},
        {code: n for code, n in change.after.items() if code in versions and n},
        versions,
        window.pins,
        side,
    )
    return _of_side(Weighing(title, offers).plans(), side)


def _of_side(plans: list[Plan], side: bool) -> list[Plan]:
    if not side:
        return plans
    return [
        plan._replace(lines=tuple(line._replace(side=True) for line in plan.lines))
        for plan in plans
    ]


def _sheet_title(
    code: str,
    change: TitleChange,
    before: DeckList,
    built: BuiltDeck,
    window: Window,
    side: bool,
) -> SheetTitle:
    frame = built.frame
    blank = version_of(code, frame.unmarked[code])
    assert blank is not None
    sheet = frame.unmarked[code].sheet
    old: tuple[SheetMark, ...] = ()
    copies = sum(change.base.values())
    if copies:
        old = marks_of(before, _listed(before, code, frame), frame)
    new = marks_of(built.deck, _listed(built.deck, code, frame), frame)
    done = {line.position for line in completed(sheet, old)}
    surcharge = sum(
        line.surcharge for line in completed(sheet, new) if line.position not in done
    )
    had, has = boxes_by_line(sheet, old), boxes_by_line(sheet, new)
    free = window.free_boxes.get(code, 0) if copies else 0
    # Line by line: a box given up pays for no other (CUST-13).
    marked = sum(max(has[line] - had[line], 0) for line in has)
    return SheetTitle(
        blank,
        copies,
        sum(change.after.values()),
        sum(had.values()) + free,
        max(marked - free, 0),
        surcharge,
        by_level=frame.rulings["prices.regained-copy"] == "level",
        side=side,
    )


def _listed(deck: DeckList, code: str, frame: Frame) -> str:
    """The code under which a list has a card."""
    if code in deck.entries:
        return code
    printings = frame.pool[code].printings
    return next((p.code for p in printings if p.code in deck.entries), code)


# -- the order of an invoice --


def _invoiced(
    lines: Sequence[Line],
    changes: Sequence[Change],
    built: BuiltDeck,
) -> tuple[InvoiceLine, ...]:
    """The lines in an order in which they can be bought, with what each replaces."""
    leaving = {change.side: _leaving(change, lines, built) for change in changes}
    invoiced = []
    for line in sorted(lines, key=_rank) if len(lines) > 1 else lines:
        replaced = ""
        if _displaces(line, built.frame) and leaving.get(line.side):
            replaced = _next_out(leaving[line.side], line, built.frame)
        invoiced.append(
            InvoiceLine(
                line.way.value,
                line.code,
                line.gross,
                line.paid,
                line.source,
                replaced,
                tuple(Reduction(SOURCES[kind], n) for kind, n in line.reductions),
                line.boxes,
                line.side,
            )
        )
    return tuple(invoiced)


_EARLY = (Way.PURCHASE, Way.UPGRADE)
_LATE = (Way.UPGRADE, Way.KEPT_LOWER, Way.BOXES)


def _rank(line: Line) -> tuple[int, int, str]:
    """Refills come first but for what makes room; reductions by "the next" or "the
    first" card go to the first of their kind; a card that raises prices comes late.
    """
    kinds = {kind for kind, _ in line.reductions}
    row = PRICE_MODIFIERS.get(line.code)
    if "medallion" in kinds:
        order = 0
    elif "pelt" in kinds:
        order = 1
    elif row is not None and row.surcharge:
        order = 6
    elif line.way in _EARLY and (row is not None or line.code in DECK_MODIFIERS):
        order = 2
    elif line.way is Way.REFILL:
        order = 3
    elif line.way is Way.SWAP:
        order = 4
    elif line.way in _LATE:
        order = 7 if kinds & {"firsts", "first-trait"} else 8
    elif line.way in (Way.PAIRED, Way.WITH_BOX):
        order = 9
    else:
        order = 5
    return order, 0 if line.paid else 1, line.code


def _leaving(change: Change, lines: Sequence[Line], built: BuiltDeck) -> dict[str, int]:
    """Counted copies that leave and were not upgraded."""
    unmarked = built.frame.unmarked
    left = {
        code: copies for code, copies in change.removed.items() if unmarked[code].counts
    }
    for line in lines:
        kept = line.way is Way.KEPT_LOWER or line.side is not change.side
        if line.source in left and not kept:
            left[line.source] -= 1
    return left


def _displaces(line: Line, frame: Frame) -> bool:
    """Whether a card has to leave for this one."""
    if line.source or line.way in (Way.REFILL, Way.BOXES):
        return False
    return frame.unmarked[line.code].counts


def _next_out(leaving: dict[str, int], line: Line, frame: Frame) -> str:
    """The card that leaves; for a swap one of level 0."""
    codes = sorted(code for code, copies in leaving.items() if copies > 0)
    if line.way is Way.SWAP:
        codes = [code for code in codes if frame.unmarked[code].level == 0]
    if not codes:
        return ""
    leaving[codes[0]] -= 1
    return codes[0]
