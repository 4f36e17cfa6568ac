"""Which plans of all titles together cost least?

Titles share refills, swaps and reductions. The cheapest total for every use of these
is carried from title to title; nothing is decided before all are known.
"""

from __future__ import annotations

from collections.abc import Sequence

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.plans import NOTHING, Line, Plan, Uses, is_lawful, joined

Chain = tuple["Chain | None", Plan]


def cheapest_lines(titles: Sequence[list[Plan]], offers: Offers) -> list[Line]:
    """The lines of the cheapest lawful choice of one plan for each title.

    Of equal ones the lightest, and then the one met first; titles come in a fixed
    order, so the answer does not depend on that of a deck list.
    """
    best: dict[Uses, tuple[int, Chain | None]] = {NOTHING: (0, None)}
    for plans in titles:
        if not plans:
            continue
        if len(plans) == 1 and plans[0].uses == NOTHING:
            plan = plans[0]
            best = {
                uses: (weight + plan.weight, (chain, plan))
                for uses, (weight, chain) in best.items()
            }
            continue
        best = _with(best, plans, offers)
    lawful = [
        (weight, uses, chain)
        for uses, (weight, chain) in best.items()
        if is_lawful(uses, offers)
    ]
    _, _, chosen = min(lawful, key=lambda each: each[:2])
    picked: list[Plan] = []
    while chosen is not None:
        chosen, plan = chosen
        picked.append(plan)
    return [line for plan in reversed(picked) for line in plan.lines]


def _with(
    best: dict[Uses, tuple[int, Chain | None]], plans: list[Plan], offers: Offers
) -> dict[Uses, tuple[int, Chain | None]]:
    """Every lightest total so far, with every plan of one more title."""
    found: dict[Uses, tuple[int, Chain | None]] = {}
    for uses, (weight, chain) in best.items():
        for plan in plans:
            taken = joined(uses, plan.uses, offers)
            if taken is None:
                continue
            total = weight + plan.weight
            known = found.get(taken)
            if known is None or total < known[0]:
                found[taken] = total, (chain, plan)
    return found
