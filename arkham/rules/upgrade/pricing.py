"""How does a change become an invoice?"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.legality.built import BuiltDeck, marks_of
from arkham.rules.legality.judge import Judge
from arkham.rules.legality.sheets import boxes_by_line
from arkham.rules.legality.standing import completed
from arkham.rules.upgrade.assembly import MOST_JOINED, cheapest_lines
from arkham.rules.upgrade.carrying import MOST_CARRIED
from arkham.rules.upgrade.change import Change, by_first_printing, compare, staying
from arkham.rules.upgrade.conditions import is_plain, offers_of
from arkham.rules.upgrade.invoice import InvoiceLine
from arkham.rules.upgrade.newcomers import newcomer_plans
from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.options import Title
from arkham.rules.upgrade.ordering import in_order
from arkham.rules.upgrade.parting import partings
from arkham.rules.upgrade.plain import bought, invoiced, may_be_reduced
from arkham.rules.upgrade.sheet_plans import SheetTitle, sheet_plans
from arkham.rules.upgrade.uses import NOTHING, Plan, Uses
from arkham.rules.upgrade.versions import Version, Versions, versions_in
from arkham.rules.upgrade.ways import Line
from arkham.rules.upgrade.weighing import MOST_UNITS, Weighing
from arkham.rules.upgrade.window import Window

MOST_CARRIED_IN_ALL = 240_000  # ways carried on for all titles of a change
LEAST_OF_A_TITLE = 400  # of them; a title of a legal deck seldom needs more
_new = tuple.__new__  # half of what calling a named tuple's class costs
_NO_TITLES: frozenset[str] = frozenset()


class Priced(NamedTuple):
    """What changes, main deck first, and the lines it is had for.

    ``bounded``: so much changes that the rules may allow a lower price.
    """

    changes: tuple[Change, ...]
    lines: tuple[InvoiceLine, ...]
    bounded: bool


@dataclass(slots=True)
class Terms:
    """What the titles of a change are priced by.

    ``plain``: nothing can serve a title, and the player insists on nothing. ``share``
    is by how many the work that may be done is divided; ``bounded`` takes the titles
    for which it was not enough.
    """

    before: DeckList
    built: BuiltDeck
    window: Window
    versions: Versions
    offers: Offers
    plain: bool
    share: int
    bounded: set[str]


def priced(judge: Judge, before: DeckList, built: BuiltDeck, window: Window) -> Priced:
    """What changes in the deck and in the second one, and the lines it is had for."""
    versions = versions_in(built.frame)
    if not (before.side_deck or built.deck.side_deck):
        return _priced(judge, before, built, versions, window, None, 1)
    ways = list(partings(before, built, versions, window))
    found = [
        _priced(judge, before, built, versions, each.main, each.side, len(ways))
        for each in ways
    ]
    return min(found, key=_total)  # of equals the first


def _total(found: Priced) -> int:
    return sum(line.paid for line in found.lines)


def _priced(
    judge: Judge,
    before: DeckList,
    built: BuiltDeck,
    versions: Versions,
    window: Window,
    beside: Window | None,
    share: int,
) -> Priced:
    """The changes and their lines, with what happened told apart by deck."""
    after = built.deck
    change = compare(before.entries, after.entries, versions, window)
    changes: tuple[Change, ...] = (change,)
    if is_plain(judge, before, built, change, versions, window):
        simple = invoiced(change)
        if simple is not None:
            return _new(Priced, (changes, simple, False))
        offers, plain = versions.plain, True
    else:
        if beside is not None:
            pair = before.side_deck, after.side_deck
            changes = (change, compare(*pair, versions, beside, side=True))
        window = by_first_printing(window, versions)
        offers = offers_of(judge, before, built, changes, versions, window)
        plain = offers.nothing and not window.pins
    bounded: set[str] = set()
    terms = Terms(before, built, window, versions, offers, plain, share, bounded)
    lines: list[Line] = []
    cut = False
    weighed = _plans(change, terms, lines)
    for each in changes[1:]:
        weighed += _plans(each, terms, lines)
    if weighed:
        shared, cut = cheapest_lines(weighed, offers, MOST_JOINED // share)
        lines += shared
    in_turn = in_order(lines, changes, versions)
    return _new(Priced, (changes, in_turn, cut or bool(bounded)))


def _plans(change: Change, terms: Terms, lines: list[Line]) -> list[list[Plan]]:
    """The plans of every title that has several, in the order of the titles.

    The lines of the others, which share nothing, are added to ``lines``.
    """
    offers, plain = terms.offers, terms.plain
    coming, several = _by_title(change.added)
    leaving, others = _by_title(change.removed)
    weighed: dict[str, list[Plan]] = {}
    for title, version in coming.items():
        if version.involved or title in several or title in others:
            weighed[title] = _plans_of(_open(title, change, terms), change, terms)
            continue
        if not plain:
            plans = _served(version, change, terms)
            if plans is not None:
                weighed[title] = plans
                continue
        if offers.surcharge or title in leaving or change.side:
            lines += bought(version, leaving.get(title), change, offers)
            continue
        lines += [version.purchase] * change.added[version]
    if offers.swaps:
        for title in leaving.keys() - coming.keys():
            weighed[title] = _swapped_away(title, change, terms)
    if terms.before.sheets != terms.built.deck.sheets and not change.side:
        for title in _with_new_marks(change, terms) - coming.keys():
            weighed[title] = _plans_of(_open(title, change, terms), change, terms)
    return [weighed[title] for title in sorted(weighed)] if weighed else []


def _by_title(copies: Mapping[Version, int]) -> tuple[dict[str, Version], Set[str]]:
    """A version of each title that has a level, and the titles that have several."""
    found = {each.title: each for each in copies if each.level is not None}
    if len(found) == len(copies):
        return found, _NO_TITLES
    return found, {
        each.title
        for each in copies
        if each.level is not None and found[each.title] is not each
    }


def _served(version: Version, change: Change, terms: Terms) -> list[Plan] | None:
    """The plans of a title of which one version comes in; None if nothing serves it."""
    offers, pins = terms.offers, terms.window.pins
    of_any = offers.pelt or offers.medallion or version.code in offers.exiled
    if not (of_any or pins or change.lists_any(version.others)):
        refills = offers.side_refills if change.side else offers.refills
        if not (version.swappable and (refills or offers.swaps)):
            return None
        copies = change.added[version]
        if copies <= MOST_UNITS:
            return newcomer_plans(version, copies, offers, side=change.side)
    title = _open(version.title, change, terms)
    if title.reduced or pins:
        return _plans_of(title, change, terms)
    return None


def _swapped_away(title: str, change: Change, terms: Terms) -> list[Plan]:
    """The plans of a title of which copies leave and none come in."""
    offers = terms.offers
    versions = [each for each in change.removed if each.title == title]
    if any(each.involved for each in versions):
        return _plans_of(_open(title, change, terms), change, terms)
    outs = sum([change.removed[each] for each in versions if each.swappable])
    return [Plan(0, Uses(outs=min(outs, offers.swaps)) if outs else NOTHING, ())]


def _with_new_marks(change: Change, terms: Terms) -> set[str]:
    """Titles on whose sheets other boxes are marked than were."""
    before, after = terms.before.sheets, terms.built.deck.sheets
    return {
        version.title
        for code in {*before, *after}
        if before.get(code) != after.get(code)
        and (version := terms.versions[code]) is not None
        and version.standing.sheet
    }


class _Open(NamedTuple):
    """A title: its copies, and those of them that stay whatever is done.

    ``reduced`` tells whether some offer may serve one of the others.
    """

    base: Mapping[Version, int]
    after: Mapping[Version, int]
    stay: Mapping[Version, int]
    reduced: bool


def _open(title: str, change: Change, terms: Terms) -> _Open:
    """What there is to decide about a title."""
    versions = terms.versions.of_title(title)
    base, after = change.whole([each for each in versions if each.level is not None])
    stay = staying(base, after)
    reduced = not terms.plain and may_be_reduced(base, after, stay, terms.offers)
    return _Open(base, after, stay, reduced)


def _plans_of(title: _Open, change: Change, terms: Terms) -> list[Plan]:
    """Every plan of a title worth weighing against those of others."""
    offers, side = terms.offers, change.side
    base, after, stay, reduced = title
    for version in (*base, *after):
        if version.standing.sheet:
            copies = sum(base.values()), sum(after.values())
            sheet = _sheet_title(version, copies, terms, side)
            if sheet.bounded:
                terms.bounded.add(version.title)
            return sheet_plans(sheet, offers)
    weighed = Title(base, after, stay, terms.window.pins, side, reduced)
    titles = max(len(change.added), 1) * terms.share
    most = max(MOST_CARRIED_IN_ALL // titles, LEAST_OF_A_TITLE)
    weighing = Weighing(weighed, offers, min(most, MOST_CARRIED))
    plans = weighing.plans()
    if weighing.bounded:
        terms.bounded.update(version.title for version in after)
    return plans


# -- a customizable title --


def _sheet_title(
    blank: Version, copies: tuple[int, int], terms: Terms, side: bool
) -> SheetTitle:
    frame, deck = terms.built.frame, terms.built.deck
    before, window = terms.before, terms.window
    sheet = blank.standing.sheet
    old: tuple[SheetMark, ...] = ()
    if copies[0]:
        old = marks_of(before, _listed(before, blank), frame)
    new = marks_of(deck, _listed(deck, blank), frame)
    had, has = boxes_by_line(sheet, old), boxes_by_line(sheet, new)
    free = window.free_boxes.get(blank.code, 0) if copies[0] else 0
    done = {line.position for line in completed(sheet, old)}
    # A line is paid for only if some box of it is: those marked by a card are taken to
    # be of the lines that the list makes dearer.
    surcharge, unpaid = 0, free
    for line in completed(sheet, new):
        if not line.surcharge or line.position in done:
            continue
        marked = has[line.position] - had.get(line.position, 0)
        if marked <= unpaid:
            unpaid -= marked
        else:
            surcharge += line.surcharge
    # Line by line: a box given up pays for no other (CUST-13).
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
