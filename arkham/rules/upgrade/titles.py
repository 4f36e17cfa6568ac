"""Weighs each title of a change: the ways to have its copies.

What that comes to depends on a few numbers alone: how many copies there are of each of
its versions, what these cost, and what is offered. That is the shape of a title. Plans
are made once for a shape, and serve every title of that shape with its own codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.legality.built import BuiltDeck, marks_of
from arkham.rules.legality.sheets import boxes_by_line
from arkham.rules.legality.standing import completed
from arkham.rules.upgrade.change import Change, staying
from arkham.rules.upgrade.offers import Front, Offers, Plan, front_of
from arkham.rules.upgrade.options import Title
from arkham.rules.upgrade.plain import may_be_reduced
from arkham.rules.upgrade.sheet_plans import SheetTitle, sheet_plans
from arkham.rules.upgrade.stock import MOST_CARRIED
from arkham.rules.upgrade.versions import Version, Versions, due_for_nothing, new_price
from arkham.rules.upgrade.ways import PlannedLine
from arkham.rules.upgrade.weighing import Weighing
from arkham.rules.upgrade.window import NONE, Window


class Exchanging(NamedTuple):
    """The titles that may be exchanged although copies stay.

    ``any_title``: an exchange may save more than it costs to buy a card again, so that
    every level 0 card is worth a look; of those that do not change otherwise,
    ``titles`` are enough.
    """

    any_title: bool
    titles: frozenset[str]


NO_EXCHANGING = Exchanging(False, frozenset())


def exchanging(
    staying: Mapping[Version, int], coming: Mapping[Version, int], offers: Offers
) -> Exchanging:
    """Find what is worth exchanging: level 0 copies that stay, and those that come."""
    if not (offers.swaps and staying):
        return NO_EXCHANGING
    # Copies whose purchase can be cheaper than that of a card that comes in.
    titles = {
        version.title
        for version in staying
        if version.involved or version.code in offers.exiled
    }
    ranked = sorted([(new_price(version, offers), version.code) for version in staying])
    cheapest = ranked[0][0]
    saved = max(
        [
            new_price(version, offers) - due_for_nothing(version, offers)
            for version in (*staying, *coming)
            if version.swappable
        ]
    )
    if saved <= cheapest:
        return Exchanging(False, frozenset(titles))
    by_code = {version.code: version for version in staying}
    copies = 0
    for _, code in ranked:
        version = by_code[code]
        if version.title not in titles:
            titles.add(version.title)
            copies += staying[version]
        if copies >= offers.swaps:
            break
    return Exchanging(True, frozenset(titles))


MOST_CARRIED_IN_ALL = 240_000  # ways carried on for all titles of a change
LEAST_OF_A_TITLE = 400  # of them; a title of a legal deck seldom needs more
MOST_REMEMBERED = 4_096  # shapes whose plans are kept; a change has about ten
_BY_CODE = attrgetter("code")

Shape = tuple[int, ...]
Codes = tuple[str, ...]
_remembered: dict[Shape, tuple[Codes, Front]] = {}


@dataclass(slots=True)
class PricingTerms:
    """What the titles of a change are priced by.

    ``plain``: nothing can serve a title, and the player insists on nothing. ``share``
    is by how many the work that may be done is divided; ``aside`` are the copies set
    aside in both decks; ``bounded`` takes the titles for which the work was not enough.
    ``exchanging`` is about copies that stay.
    """

    before: DeckList
    built: BuiltDeck
    window: Window
    versions: Versions
    offers: Offers
    plain: bool
    share: int
    aside: Mapping[str, int]
    bounded: set[str] = field(default_factory=set)
    exchanging: Exchanging = NO_EXCHANGING


class Weighed(NamedTuple):
    """The plans of a title; ``codes`` if they are those of another one like it."""

    front: Front
    codes: Mapping[str, str] | None = None

    def lines_of(self, plan: Plan) -> Sequence[PlannedLine]:
        """The lines of one of the plans, with the codes of this title's cards."""
        codes = self.codes
        if codes is None:
            return plan.lines
        return [
            line._replace(
                code=codes[line.code], source=codes[line.source] if line.source else ""
            )
            for line in plan.lines
        ]


class Opened(NamedTuple):
    """A title: its copies, and those of them that stay whatever is done.

    ``reduced`` tells whether some offer may serve one of the others.
    """

    base: Mapping[Version, int]
    after: Mapping[Version, int]
    stay: Mapping[Version, int]
    reduced: bool


def opened(title: str, change: Change, terms: PricingTerms) -> Opened:
    """What there is to decide about a title."""
    versions = terms.versions.of_title(title)
    base, after = change.whole([each for each in versions if each.level is not None])
    exchanged = terms.exchanging.any_title or title in terms.exchanging.titles
    swaps = terms.offers.swaps if exchanged else 0
    stay = staying(base, after, swaps, NONE if change.side else terms.aside)
    reduced = not terms.plain and may_be_reduced(base, after, stay, terms.offers)
    return Opened(base, after, stay, reduced)


def may_be_served(version: Version, change: Change, terms: PricingTerms) -> bool:
    """Whether something offered may serve a title of which one version comes in."""
    offers = terms.offers
    if offers.pelt or offers.medallion or terms.window.pins:
        return True
    if version.code in offers.exiled:
        return True
    if change.lists_any(version.others):
        return opened(version.title, change, terms).reduced
    free = offers.side_refills if change.side else offers.refills
    return version.swappable and bool(free or offers.swaps)


def plans_of(name: str, change: Change, terms: PricingTerms) -> Weighed:
    """Every plan of a title worth weighing against those of others."""
    offers, side = terms.offers, change.side
    title = opened(name, change, terms)
    base, after, _, _ = title
    for version in (*base, *after):
        if version.standing.sheet:
            copies = sum(base.values()), sum(after.values())
            sheet = _sheet_title(version, copies, terms, side)
            if sheet.bounded:
                terms.bounded.add(version.title)
            return Weighed(front_of(sheet_plans(sheet, offers)))
    if terms.window.pins:  # which name cards
        return Weighed(front_of(_weighed(title, change, terms)))
    versions = sorted({*base, *after}, key=_BY_CODE)
    codes = tuple([version.code for version in versions])
    shape = _shape(title, versions, offers, side=side)
    known = _remembered.get(shape)
    if known is None:
        front = front_of(_weighed(title, change, terms))
        if terms.bounded:  # by how much else there is to do
            return Weighed(front)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        known = _remembered[shape] = codes, front
    first, front = known
    if first == codes:
        return Weighed(front)
    return Weighed(front, dict(zip(first, codes, strict=True)))


def _shape(
    title: Opened, versions: list[Version], offers: Offers, *, side: bool
) -> Shape:
    """All about a title that its plans depend on, but for the codes of its cards."""
    most = max(sum(title.base.values()), sum(title.after.values()))
    base, after, stay, reduced = title
    shape = [side, reduced, *offers.numbers(most)]
    for version in versions:
        shape += (
            version.alike,
            base.get(version, 0),
            after.get(version, 0),
            stay.get(version, 0),
            bool(offers.first_amount) and offers.first_trait in version.traits,
            *(offers.about(version.code) if offers.names_cards else ()),
        )
        if offers.kept or offers.paired:
            shape.append(not offers.kept.isdisjoint(version.traits))
            shape.append(version.card.subname in offers.paired)
    return tuple(shape)


def _weighed(title: Opened, change: Change, terms: PricingTerms) -> list[Plan]:
    """The plans of a title whose copies are weighed one by one."""
    base, after, stay, reduced = title
    offers, side = terms.offers, change.side
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
    blank: Version, copies: tuple[int, int], terms: PricingTerms, side: bool
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
