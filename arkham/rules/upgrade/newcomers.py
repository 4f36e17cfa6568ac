"""In which ways can new copies of a card be had of whose title nothing else is there?

A level 0 card fills a free place, is swapped in or is bought, and its copies are alike:
how many come in which way is all there is to weigh. The ways of all other titles are in
``options``; these are the same, told at once.
"""

from __future__ import annotations

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.uses import Plan, Uses, ranked
from arkham.rules.upgrade.versions import Version, new_price
from arkham.rules.upgrade.ways import Line, Way, weight_of


def newcomer_plans(
    version: Version, copies: int, offers: Offers, *, side: bool
) -> list[Plan]:
    """The lightest plan for each use of the shared offers, lightest first."""
    price = new_price(version, offers)
    due = max(version.effective, 0) if offers.chained else 0
    bought = Line(Way.PURCHASE, version.code, price, price, side=side)
    filled = Line(Way.REFILL, version.code, price, due, side=side)
    swapped = Line(Way.SWAP, version.code, price, due, side=side)
    free = offers.side_refills if side else offers.refills
    plans = []
    for refills in range(min(copies, free) + 1):
        for swaps in range(min(copies - refills, offers.swaps) + 1):
            rest = copies - refills - swaps
            lines = (filled,) * refills + (swapped,) * swaps + (bought,) * rest
            main, beside = (0, refills) if side else (refills, 0)
            uses = Uses(main, beside, swaps)
            plans.append(Plan(sum(map(weight_of, lines)), uses, lines))
    return ranked(plans)
