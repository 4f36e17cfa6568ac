"""Finds the cheapest combination of plans for all titles.

Titles share refills, swaps and reductions. The cheapest total for every use of these is
carried from title to title; nothing is decided before all titles are known. A remaining
offer counts only as far as later titles could use it, so it is dropped once no later
title wants it: therefore titles are ordered in groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add

from arkham.rules.upgrade.offers import (
    NOTHING,
    Front,
    Offers,
    Plan,
    Uses,
    is_lawful,
    joined,
)

# For these, more than the cap counts as the cap; for all others it is too much.
_ENOUGH = ("swapped_out", "upgrades", "first_is_traited")
SWAPPED_OUT = ("swapped_out", "exchanged")
EXCHANGES = ("swaps", *SWAPPED_OUT)
FIRSTS = ("upgrades", "firsts", "traited")
# An upgrade of the trait is counted; so is whether it is "late": not among the first.
_FIELDS = (*Uses._fields, "late")
Choice = tuple[int, int, Plan]
_SPENT = ("refills", "side_refills", "pelt", "medallion", "rebuys")


class Budget:
    """The offers that some titles share, packed into one integer.

    ``most`` is the most each title takes: no offer needs to be larger than what all of
    them could take together. ``start`` is the total before any plan is added.
    """

    def __init__(self, offers: Offers, most: Sequence[Uses]) -> None:
        wanted = NOTHING
        for uses in most:
            wanted = Uses._make(map(add, wanted, uses))
        swaps = min(offers.swaps, wanted.swaps)
        firsts = min(offers.firsts, max(wanted.upgrades, wanted.firsts))
        self._caps = {
            **dict.fromkeys(_FIELDS, 1),
            "refills": min(offers.refills, wanted.refills),
            "side_refills": min(offers.side_refills, wanted.side_refills),
            "rebuys": min(offers.rebuys, wanted.rebuys),
            **dict.fromkeys(("swaps", "swapped_out"), swaps),
            **dict.fromkeys(("upgrades", "firsts"), firsts),
            "exchanged": min(swaps, wanted.exchanged),
        }
        self._shifts: dict[str, int] = {}
        self._masks: dict[str, int] = {}  # the bits below the guard; all set: no more
        self._guards: dict[str, int] = {}
        self.start = self.guards = self.too_much = place = 0
        for name, cap in self._caps.items():
            width = cap.bit_length()
            self._shifts[name] = place
            self._masks[name] = mask = ((1 << width) - 1) << place
            self._guards[name] = guard = 1 << (place + width)
            self.start += mask - (cap << place)
            self.guards |= guard
            self.too_much |= 0 if name in _ENOUGH else guard
            place += width + 1
        # For each set of these guards: the bits that the amounts below them count as.
        self.enough = {0: 0}
        for name in _ENOUGH:
            guard, mask = self._guards[name], self._masks[name]
            self.enough |= {
                guard | others: mask | counted
                for others, counted in self.enough.items()
            }
        # The order of upgrades matters if two offers apply to a first upgrade.
        self._ordered = bool(offers.first_amount)
        self._choices: dict[int, list[Choice]] = {}

    def choices(self, front: Front) -> list[Choice]:
        """The plans of a title, packed: what each takes, its weight, and the plan."""
        known = self._choices.get(id(front))  # titles of the same shape share a front
        if known is None:
            known = self._choices[id(front)] = [
                (self.packed(plan.uses), plan.weight, plan)
                for plan in front.plans
                # Copies are exchanged only if others are swapped in.
                if plan.uses.exchanged <= self._caps["exchanged"]
            ]
        return known

    def packed(self, uses: Uses) -> int:
        """Pack what a plan takes into a number; it is never too much by itself."""
        packed = 0
        for name, amount in zip(_FIELDS, uses, strict=False):
            if amount:
                packed += min(amount, self._caps[name]) << self._shifts[name]
        if uses.traited == 2:
            packed += 1 << self._shifts["late"]
        return packed

    def spent(self, later: Uses) -> tuple[int, list[tuple[int, int]]]:
        """The bits that count as taken because no later title can use them.

        Returns bits of offers that no later title takes and, for the others, pairs of
        mask and the least value of its bits.
        """
        gone, least = 0, []
        for name in _SPENT if self._ordered else (*_SPENT, "firsts"):
            mask, wanted = self._masks[name], getattr(later, name)
            if not wanted:
                gone |= mask
            elif wanted < self._caps[name]:
                least.append((mask, mask - (wanted << self._shifts[name])))
        return gone, least

    def _left(self, total: int, name: str) -> int:
        return (self._masks[name] - (total & self._masks[name])) >> self._shifts[name]

    def _all_of(self, bits: Mapping[str, int], names: Iterable[str]) -> int:
        return sum([bits[name] for name in names])

    def after_firsts(self, total: int) -> int | None:
        """Close a total to further upgrades; return None if its first ones are wrong.

        The first upgrades are all there are, up to the number reduced; if one of them
        has the trait, the first upgrade of that trait must be among them.
        """
        if self._ordered:
            if self._left(total, "firsts") > self._left(total, "upgrades"):
                return None
            if not (self._left(total, "first_is_traited") or self._left(total, "late")):
                return None
        return total | self._all_of(self._masks, (*FIRSTS, "first_is_traited", "late"))

    def after_swapped_out(self, total: int) -> int | None:
        """Close a total to further copies that leave; each missing one costs a swap."""
        if self._caps["exchanged"]:
            return total  # which copies left matters to the end
        total += self._left(total, "swapped_out") << self._shifts["swaps"]
        if total & self._guards["swaps"]:
            return None
        return total | self._masks["swapped_out"]

    def after_exchanges(self, total: int) -> int | None:
        """Close a total to further swaps; return None if exchanges don't add up.

        A copy swapped in sends one out, and a copy exchanged leaves for one swapped in.
        """
        swaps = self._caps["swaps"] - self._left(total, "swaps")
        swapped_out = self._caps["swapped_out"] - self._left(total, "swapped_out")
        exchanged = self._caps["exchanged"] - self._left(total, "exchanged")
        if not exchanged <= swaps <= swapped_out:
            return None
        return total | self._all_of(self._masks, EXCHANGES)


Chain = tuple["Chain | None", Plan]
Shared = tuple[int, Front]  # the index of a title among all titles, and its plans
Best = dict[int, tuple[int, Chain | None]]  # by packed uses (see ``Budget``)

MOST_JOINED = 50_000  # totals and plans joined altogether; real decks need few
LEAST_TOTALS = 10  # totals that are kept in any case


def cheapest_plans(
    titles: Sequence[Front], offers: Offers, most_joined: int = MOST_JOINED
) -> tuple[list[Plan], bool]:
    """The cheapest lawful choice of one plan for each title, in order of the titles.

    Of equally light choices the first wins; titles have a fixed order, so the result
    doesn't depend on that of a deck list. If a change is so large that the work would
    never end, only the lightest totals are carried on: the rules allow the result, but
    it may not be the cheapest. The second value returned says whether that happened.
    """
    lightest = _lightest_of_each(titles, offers)
    if lightest is not None:
        return lightest, False
    chosen = [front.plans[0] for front in titles]
    given: Uses | None = NOTHING
    shared: list[Shared] = []
    for place, front in enumerate(titles):
        if len(front.plans) > 1:
            shared.append((place, front))
        elif given is not None:
            given = joined(given, front.most, offers)
    assert given is not None  # titles without a choice take nothing that is scarce
    shared.sort(key=_group)
    joined_each = sum([len(front.plans) for _, front in shared])
    most = max(most_joined // max(joined_each, 1), LEAST_TOTALS)
    chain, bounded = _carried(given, shared, offers, most)
    for place, _ in reversed(shared):
        assert chain is not None
        chain, chosen[place] = chain
    return chosen, bounded


def _lightest_of_each(titles: Sequence[Front], offers: Offers) -> list[Plan] | None:
    """The lightest plan of every title if they are lawful together and unique.

    Nothing is cheaper than these, so no search is needed if all can be had.
    """
    lightest = []
    taken = NOTHING
    for plans, _ in titles:
        plan = plans[0]
        if len(plans) > 1 and plans[1].weight == plan.weight:
            return None
        together = joined(taken, plan.uses, offers)
        if together is None:
            return None
        taken = together
        lightest.append(plan)
    return lightest if is_lawful(taken, offers) else None


def _carried(
    given: Uses, shared: Sequence[Shared], offers: Offers, most: int
) -> tuple[Chain | None, bool]:
    """The lightest lawful chain of plans, and whether totals had to be dropped.

    ``given`` is taken from the start.
    """
    budget = Budget(offers, [given, *[front.most for _, front in shared]])
    bounded = False
    best: Best = {budget.start + budget.packed(given): (0, None)}
    # Each kind of offer can be closed once no later title takes any of it.
    firsts_end, swaps_out_end, exchanges_end = [
        _last_that_takes(shared, names) for names in (FIRSTS, SWAPPED_OUT, EXCHANGES)
    ]
    for number, later in enumerate(_wanted_later(shared)):
        best = _with(best, shared[number][1], budget, later)
        if number == firsts_end:
            best = _closed(best, budget.after_firsts)
        if number == swaps_out_end:
            best = _closed(best, budget.after_swapped_out)
        if number == exchanges_end:
            best = _closed(best, budget.after_exchanges)
        if len(best) > most:
            best, bounded = _lightest(best, most, budget), True
    _, chosen = min(best.values(), key=lambda each: each[0])
    return chosen, bounded


def _last_that_takes(shared: Sequence[Shared], offers: Sequence[str]) -> int:
    """The index of the last title that takes any of these offers, or 0."""
    for number in range(len(shared) - 1, 0, -1):
        most = shared[number][1].most
        if any(getattr(most, name) for name in offers):
            return number
    return 0


def _group(title: Shared) -> int:
    """The rank of a title when joining: upgrades, then exiled cards, then others."""
    most = title[1].most
    if most.firsts or most.traited:
        return 1
    return 2 if most.rebuys else 3


def _wanted_later(titles: Sequence[Shared]) -> list[Uses]:
    """For each title, the most that later titles can take of every offer."""
    later, wanted = [], NOTHING
    for _, front in reversed(titles):
        later.append(wanted)
        wanted = Uses._make(map(add, wanted, front.most))
    return later[::-1]


def _with(best: Best, front: Front, budget: Budget, later: Uses) -> Best:
    """Combine the lightest totals so far with every plan of one more title."""
    found: Best = {}
    choices = budget.choices(front)
    guards, too_much = budget.guards, budget.too_much
    gone, least = budget.spent(later)
    enough = budget.enough
    for total, (weight, chain) in best.items():
        for more, added, plan in choices:
            taken = total + more
            over = taken & guards
            if over:
                if over & too_much:
                    continue
                taken = (taken & ~over) | enough[over]
            taken |= gone
            for mask, at_least in least:
                if taken & mask < at_least:
                    taken = (taken & ~mask) | at_least
            known = found.get(taken)
            if known is None or weight + added < known[0]:
                found[taken] = weight + added, (chain, plan)
    return found


def _closed(best: Best, after: Callable[[int], int | None]) -> Best:
    """The totals that remain valid once no later title uses some of the offers."""
    found: Best = {}
    for total, reached in best.items():
        taken = after(total)
        if taken is not None:
            known = found.get(taken)
            if known is None or reached[0] < known[0]:
                found[taken] = reached
    return found


def _lightest(best: Best, most: int, budget: Budget) -> Best:
    """The lightest totals, with those first that are lawful as they are."""

    def rank(each: tuple[int, tuple[int, Chain | None]]) -> tuple[bool, int]:
        total = budget.after_firsts(each[0])
        lawful = total is not None and budget.after_exchanges(total) is not None
        return not lawful, each[1][0]

    return dict(sorted(best.items(), key=rank)[:most])
