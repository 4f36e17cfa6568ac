"""Which plans of all titles together cost least?

Titles share refills, swaps and reductions. The cheapest total for every use of these
is carried from title to title; nothing is decided before all are known. What is still
to be had of an offer is told apart only as far as the titles to come could take it, so
that an offer is forgotten once nobody wants it any more: titles go group by group.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import add

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.uses import NOTHING, Plan, Uses, is_lawful, joined
from arkham.rules.upgrade.ways import Line

Chain = tuple["Chain | None", Plan]
Shared = tuple[list[Plan], Uses]  # the plans of a title, and the most any takes
Best = dict[Uses, tuple[int, Chain | None]]

MOST_JOINED = 50_000  # totals and plans joined in all; decks that are played need few
_new = tuple.__new__  # half of what calling a named tuple's class costs
LEAST_TOTALS = 10  # totals carried on in any case


def cheapest_lines(
    titles: Sequence[list[Plan]], offers: Offers, most_joined: int = MOST_JOINED
) -> tuple[list[Line], bool]:
    """The lines of the cheapest lawful choice of one plan for each title.

    A title's plans come lightest first. Of equal ones the lightest, and then the one
    met first; titles come in a fixed order, so the answer does not depend on that of a
    deck list. Of a change so large that the work would have no end, the lightest totals
    alone are carried on: the answer is then one that the rules allow, and may cost more
    than the least. Whether that was so is told with the lines.
    """
    if len(titles) == 1:
        alone = [plan for plan in titles[0] if is_lawful(plan.uses, offers)]
        return [*alone[0].lines], False
    lightest = _lightest_of_each(titles, offers)
    if lightest is not None:
        return [line for plan in lightest for line in plan.lines], False
    shared = [(plans, _most(plans)) for plans in titles if _shares(plans)]
    shared.sort(key=_group)
    joined_each = sum([len(plans) for plans, _ in shared])
    most = max(most_joined // max(joined_each, 1), LEAST_TOTALS)
    bounded = False
    best: Best = {NOTHING: (0, None)}
    for (plans, _), later in zip(shared, _wanted_later(shared), strict=True):
        best = _with(best, plans, later, offers)
        if len(best) > most:
            best, bounded = _lightest(best, most, offers), True
    lawful = [
        (weight, uses, chain)
        for uses, (weight, chain) in best.items()
        if is_lawful(uses, offers)
    ]
    _, _, chosen = min(lawful, key=lambda each: each[:2])
    picked = [plans[0] for plans in titles if plans and not _shares(plans)]
    while chosen is not None:
        chosen, plan = chosen
        picked.append(plan)
    return [line for plan in picked for line in plan.lines], bounded


def _lightest_of_each(
    titles: Sequence[list[Plan]], offers: Offers
) -> list[Plan] | None:
    """The lightest plan of every title, if all can be had and no other is as light.

    Nothing is cheaper than these, so where nobody is in want there is no more to weigh.
    """
    lightest = []
    taken = NOTHING
    for plans in filter(None, titles):
        plan = plans[0]
        if len(plans) > 1 and plans[1].weight == plan.weight:
            return None
        together = joined(taken, plan.uses, offers)
        if together is None:
            return None
        taken = together
        lightest.append(plan)
    return lightest if is_lawful(taken, offers) else None


def _shares(plans: list[Plan]) -> bool:
    """Whether anything is to be decided about a title."""
    return len(plans) > 1 or bool(plans and plans[0].uses != NOTHING)


def _group(title: Shared) -> int:
    """What leaves no choice comes first, then upgrades, what was exiled, the rest."""
    plans, most = title
    if len(plans) == 1:
        return 0
    if most.firsts or most.traited:
        return 1
    return 2 if most.rebuys else 3


def _most(plans: list[Plan]) -> Uses:
    """The most that any plan of a title takes of every offer."""
    if len(plans) == 1:
        return plans[0].uses
    return _new(Uses, map(max, *[plan.uses for plan in plans]))


def _wanted_later(titles: Sequence[Shared]) -> list[Uses]:
    """For each title, the most that those after it can take of every offer."""
    later, wanted = [], NOTHING
    for _, most in reversed(titles):
        later.append(wanted)
        wanted = _new(Uses, map(add, wanted, most))
    return later[::-1]


def _with(best: Best, plans: list[Plan], later: Uses, offers: Offers) -> Best:
    """Every lightest total so far, with every plan of one more title."""
    found: Best = {}
    for uses, (weight, chain) in best.items():
        for plan in plans:
            taken = joined(uses, plan.uses, offers)
            if taken is None:
                continue
            total = weight + plan.weight
            known = found.get(taken)
            if known is None or total < known[0]:
                found[taken] = total, (chain, plan)
    return _told_apart(found, later, offers)


def _told_apart(found: Best, later: Uses, offers: Offers) -> Best:
    """The lightest of the totals that are the same to the titles to come."""
    best: Best = {}
    for uses, total in found.items():
        left = _as_wanted(uses, later, offers)
        if left is None:
            continue
        known = best.get(left)
        if known is None or total[0] < known[0]:
            best[left] = total
    return best


def _lightest(best: Best, most: int, offers: Offers) -> Best:
    """The lightest totals, those first that are lawful as they are."""
    ranked = sorted(
        best.items(), key=lambda each: (not is_lawful(each[0], offers), each[1][0])
    )
    return dict(ranked[:most])


def _as_wanted(uses: Uses, later: Uses, offers: Offers) -> Uses | None:
    """What was taken, as far as it matters to the titles to come.

    What nobody could take any more is taken for used up. None for what no later title
    can make lawful.
    """
    idle = max(offers.swaps - later.swaps - uses.swaps, 0)
    swaps = uses.swaps + idle
    outs = min(uses.outs + idle, swaps + later.swaps, offers.swaps)
    if outs + later.outs < swaps:
        return None
    refills = max(uses.refills, offers.refills - later.refills)
    beside = max(uses.side_refills, offers.side_refills - later.side_refills)
    upgrades, firsts, of_firsts, traited = uses[4:8]
    if not offers.first_amount:
        # Which upgrades are the first ones is nobody's concern.
        upgrades, of_firsts, traited = 0, False, 0
        firsts = max(firsts, offers.firsts - later.firsts)
    elif not (later.upgrades or later.traited):
        if firsts < upgrades or (of_firsts and traited == 2):
            return None
        upgrades, firsts, of_firsts, traited = 0, 0, False, 0
    pelt = uses.pelt if later.pelt else 1
    medallion = uses.medallion if later.medallion else 1
    rebuys = max(uses.rebuys, offers.rebuys - later.rebuys)
    told = (refills, beside, swaps, outs, upgrades, firsts, of_firsts, traited)
    return _new(Uses, (*told, pelt, medallion, rebuys))
