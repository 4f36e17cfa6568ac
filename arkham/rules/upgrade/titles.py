"""Finds the plans for each title of a change: the ways to obtain its copies.

The result depends on only a few numbers: how many copies of each version there are,
what they cost, and what is offered. That is the shape of a title. Plans are computed
once for each shape, and reused for all such titles with their own codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from arkham.rules.deck import DeckList
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.upgrade.change import Change, staying
from arkham.rules.upgrade.offers import Front, Offers, Plan, front_of
from arkham.rules.upgrade.options import Title
from arkham.rules.upgrade.price_rules import PlannedLine, Way
from arkham.rules.upgrade.sheet_plans import sheet_plans, sheet_title
from arkham.rules.upgrade.versions import (
    Version,
    Versions,
    due_for_nothing,
    is_upgrade,
    new_price,
    upgrade_price,
)
from arkham.rules.upgrade.weighing import MOST_CARRIED, Weighing
from arkham.rules.upgrade.window import NONE, Window

# Enum members are ten times slower to look up each time.
_PURCHASE, _UPGRADE = Way.PURCHASE, Way.UPGRADE
_new = tuple.__new__  # twice as fast as calling the class of a named tuple


def bought(
    version: Version, lower: Version | None, change: Change, offers: Offers
) -> list[PlannedLine]:
    """Lines for a title of which one version comes in and at most one other leaves.

    Each copy that leaves is upgraded unless that costs more. Copies that stay are best
    kept: upgrading one and buying it again costs no less.
    """
    code, copies, side = version.code, change.added[version], change.side
    price = new_price(version, offers)
    lines: list[PlannedLine] = []
    if lower is not None and is_upgrade(lower, version):
        difference = upgrade_price(lower, version)
        if difference <= price:
            left = change.removed[lower]
            upgraded = copies if copies < left else left
            line = (_UPGRADE, code, difference, difference, lower.code, (), 0, side)
            lines = [_new(PlannedLine, line)] * upgraded
            copies -= upgraded
    if copies:
        line = (_PURCHASE, code, price, price, "", (), 0, side)
        lines += [_new(PlannedLine, line)] * copies
    return lines


def may_be_reduced(
    base: Mapping[Version, int],
    after: Mapping[Version, int],
    stay: Mapping[Version, int],
    offers: Offers,
) -> bool:
    """True if some offer applies (or seems to) to a copy of a title.

    Copies that ``stay`` need no offer; others may be upgraded, and another copy may
    take their place.
    """
    if offers.pelt or offers.medallion:
        return True
    free = offers.swaps or offers.refills or offers.side_refills
    for version, copies in after.items():
        if copies > stay.get(version, 0) and (
            (free and version.swappable) or version.code in offers.exiled
        ):
            return True
    for version, copies in base.items():
        if offers.aside and version.code in offers.aside:
            return True
        for key in (version.code, version.title):
            if key in offers.forced or key in offers.side_forced:
                return True
        if copies > stay.get(version, 0) and (
            (offers.swaps and version.swappable) or _upgrade_served(version, offers)
        ):
            return True
    return False


def _upgrade_served(lower: Version, offers: Offers) -> bool:
    """True if some offer applies to an upgrade of this version."""
    return bool(
        offers.firsts
        or (offers.first_amount and offers.first_trait in lower.standing.traits)
        or lower.code in offers.quills
        or lower.card.subname in offers.paired
    )


class ExchangeableTitles(NamedTuple):
    """The titles of which copies may be exchanged although they stay.

    With ``any_title`` an exchange may save more than buying a card again costs, so
    every level 0 card is considered; of cards that don't change, ``titles`` suffice.
    """

    any_title: bool
    titles: frozenset[str]


NO_EXCHANGING = ExchangeableTitles(False, frozenset())


def exchanging(
    staying: Mapping[Version, int], coming: Mapping[Version, int], offers: Offers
) -> ExchangeableTitles:
    """Find level 0 copies worth exchanging, of those that stay and those that come."""
    if not (offers.swaps and staying):
        return NO_EXCHANGING
    # Titles of which a copy can be cheaper to buy than a card that comes in.
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
        return ExchangeableTitles(False, frozenset(titles))
    by_code = {version.code: version for version in staying}
    copies = 0
    for _, code in ranked:
        version = by_code[code]
        if version.title not in titles:
            titles.add(version.title)
            copies += staying[version]
        if copies >= offers.swaps:
            break
    return ExchangeableTitles(True, frozenset(titles))


MOST_CARRIED_IN_ALL = 240_000  # partial ways kept for all titles of a change
LEAST_OF_A_TITLE = 400  # of these; a title of a legal deck seldom needs more
MOST_REMEMBERED = 4_096  # shapes with cached plans; a change has about ten
_BY_CODE = attrgetter("code")
Shape = tuple[int, ...]
Codes = tuple[str, ...]
_remembered: dict[Shape, tuple[Codes, Front]] = {}


@dataclass(slots=True)
class PricingTerms:
    """Everything that the titles of a change are priced by.

    ``plain``: no offer applies to any title, and the player has no pins. ``share``
    divides the work that may be done; ``aside`` are the copies set aside in both decks;
    ``bounded`` collects titles for which that work was not enough; ``exchanging`` is
    about copies that stay.
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
    exchanging: ExchangeableTitles = NO_EXCHANGING


class WeighedTitle(NamedTuple):
    """The plans of a title; ``codes`` translates those of a similar title."""

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


class TitleCopies(NamedTuple):
    """A title: its copies, and those of them that stay in any case.

    ``reduced``: some offer may apply to the others.
    """

    base: Mapping[Version, int]
    after: Mapping[Version, int]
    stay: Mapping[Version, int]
    reduced: bool


def copies_of_title(title: str, change: Change, terms: PricingTerms) -> TitleCopies:
    """The copies of a title before and after, and those that stay in any case."""
    versions = terms.versions.of_title(title)
    base, after = change.whole([each for each in versions if each.level is not None])
    exchanged = terms.exchanging.any_title or title in terms.exchanging.titles
    swaps = terms.offers.swaps if exchanged else 0
    stay = staying(base, after, swaps, NONE if change.side else terms.aside)
    reduced = not terms.plain and may_be_reduced(base, after, stay, terms.offers)
    return TitleCopies(base, after, stay, reduced)


def may_be_served(version: Version, change: Change, terms: PricingTerms) -> bool:
    """True if some offer may apply to a title of which one version comes in."""
    offers = terms.offers
    if offers.pelt or offers.medallion or terms.window.pins:
        return True
    if version.code in offers.exiled:
        return True
    if change.lists_any(version.others):
        return copies_of_title(version.title, change, terms).reduced
    free = offers.side_refills if change.side else offers.refills
    return version.swappable and bool(free or offers.swaps)


def plans_of(name: str, change: Change, terms: PricingTerms) -> WeighedTitle:
    """Every plan of a title worth comparing with those of other titles."""
    offers, side = terms.offers, change.side
    title = copies_of_title(name, change, terms)
    base, after, _, _ = title
    for version in (*base, *after):
        if version.standing.sheet:
            copies = sum(base.values()), sum(after.values())
            sheet = sheet_title(
                version, copies, terms.before, terms.built, terms.window, side=side
            )
            if sheet.bounded:
                terms.bounded.add(version.title)
            return WeighedTitle(front_of(sheet_plans(sheet, offers)))
    if terms.window.pins:  # pins name cards
        return WeighedTitle(front_of(_weighed(title, change, terms)))
    versions = sorted({*base, *after}, key=_BY_CODE)
    codes = tuple([version.code for version in versions])
    shape = _shape(title, versions, offers, side=side)
    known = _remembered.get(shape)
    if known is None:
        front = front_of(_weighed(title, change, terms))
        if terms.bounded:  # limited by how much other work there is
            return WeighedTitle(front)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        known = _remembered[shape] = codes, front
    first, front = known
    if first == codes:
        return WeighedTitle(front)
    return WeighedTitle(front, dict(zip(first, codes, strict=True)))


def _shape(
    title: TitleCopies, versions: list[Version], offers: Offers, *, side: bool
) -> Shape:
    """Everything that the plans of a title depend on, apart from its cards' codes."""
    most = max(sum(title.base.values()), sum(title.after.values()))
    base, after, stay, reduced = title
    # Including their number, so that different titles can't have the same tuple.
    shape = [len(versions), side, reduced, *offers.numbers(most)]
    if offers.names_cards:
        shape += offers.about(versions[0].title)
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


def _weighed(title: TitleCopies, change: Change, terms: PricingTerms) -> list[Plan]:
    """The plans of a title whose copies are considered one by one."""
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


_NO_TITLES: frozenset[str] = frozenset()


def weighed_titles(
    change: Change, terms: PricingTerms, lines: list[PlannedLine]
) -> list[WeighedTitle]:
    """The plans of every title that has several, in the order of the titles.

    The lines of other titles, which share nothing, are added to ``lines``.
    """
    offers, before, after = terms.offers, terms.before, terms.built.deck
    coming, several = _by_title(change.added)
    leaving, others = _by_title(change.removed)
    served = not terms.plain
    wanted: set[str] = set()  # titles whose plans are joined with those of others
    for title, version in coming.items():
        related = version.involved or title in several or title in others
        if related or (served and may_be_served(version, change, terms)):
            wanted.add(title)
        else:
            lines += bought(version, leaving.get(title), change, offers)
    if offers.swaps:
        wanted |= leaving.keys() - coming.keys()
        if not change.side:
            wanted |= terms.exchanging.titles - coming.keys()
    if before.sheets != after.sheets and not change.side:
        wanted |= _with_new_marks(change, terms) - coming.keys()
    return [plans_of(title, change, terms) for title in sorted(wanted)]


def _by_title(copies: Mapping[Version, int]) -> tuple[dict[str, Version], Set[str]]:
    """One version of each title that has a level, and the titles with several."""
    found = {each.title: each for each in copies if each.level is not None}
    if len(found) == len(copies):
        return found, _NO_TITLES
    return found, {
        each.title
        for each in copies
        if each.level is not None and found[each.title] is not each
    }


def _with_new_marks(change: Change, terms: PricingTerms) -> set[str]:
    """The titles whose upgrade sheets have other marks than before."""
    before, after = terms.before.sheets, terms.built.deck.sheets
    return {
        version.title
        for code in {*before, *after}
        if before.get(code) != after.get(code)
        and (version := terms.versions[code]) is not None
        and version.standing.sheet
    }
