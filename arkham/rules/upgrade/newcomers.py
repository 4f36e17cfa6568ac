"""In which ways can new copies of a card be had of whose title nothing else is there?

A level 0 card fills a free place, is swapped in or is bought, and its copies are alike:
how many come in which way is all there is to weigh. The ways of all other titles are in
``options``; these are the same, told at once.
"""

from __future__ import annotations

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.uses import NOTHING, Plan, Uses, ranked
from arkham.rules.upgrade.versions import Version, new_price
from arkham.rules.upgrade.ways import Line, Way, weight_of

# Looked up in its enum each time, a member costs ten times as much.
_PURCHASE, _REFILL, _SWAP = Way.PURCHASE, Way.REFILL, Way.SWAP
_NOTHING_ELSE = NOTHING[3:]
_new = tuple.__new__  # half of what calling a named tuple's class costs


def newcomer_plans(
    version: Version, copies: int, offers: Offers, *, side: bool
) -> list[Plan]:
    """The lightest plan for each use of the shared offers, lightest first."""
    price = new_price(version, offers)
    due = max(version.effective, 0) if offers.chained else 0
    code, more = version.code, ("", (), 0, side)
    bought = _new(Line, (_PURCHASE, code, price, price, *more))
    filled = _new(Line, (_REFILL, code, price, due, *more))
    swapped = _new(Line, (_SWAP, code, price, due, *more))
    weights = weight_of(filled), weight_of(swapped), weight_of(bought)
    free = offers.side_refills if side else offers.refills
    plans = []
    for refills in range(min(copies, free) + 1):
        for swaps in range(min(copies - refills, offers.swaps) + 1):
            rest = copies - refills - swaps
            lines = (filled,) * refills + (swapped,) * swaps + (bought,) * rest
            main, beside = (0, refills) if side else (refills, 0)
            uses = _new(Uses, (main, beside, swaps, *_NOTHING_ELSE))
            weight = refills * weights[0] + swaps * weights[1] + rest * weights[2]
            plans.append(_new(Plan, (weight, uses, lines)))
    return ranked(plans)
