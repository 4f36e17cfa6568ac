"""Packs what plans take of the shared offers into one number.

Every offer has a few bits of its own, and a total begins so high that the topmost bit
of an offer, its guard, is set exactly when more is taken than there is. So two plans
are joined by one addition and one look at the guards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import add

from arkham.rules.upgrade.offers import Offers
from arkham.rules.upgrade.uses import NOTHING, Front, Plan, Uses

# Of these, more than matters counts as just enough; of all others it is too much.
_ENOUGH = ("outs", "upgrades", "first_is_traited")
OUTS = ("outs", "exchanged")
EXCHANGES = ("swaps", *OUTS)
FIRSTS = ("upgrades", "firsts", "traited")
# An upgrade of the trait is one; whether it is a late one, not among the first, too.
_FIELDS = (*Uses._fields, "late")
Choice = tuple[int, int, Plan]
_SPENT = ("refills", "side_refills", "pelt", "medallion", "rebuys")


class Budget:
    """The offers that some titles share, each with its place in a total.

    ``most`` is what each title takes at most: an offer is no larger than what all of
    them together could take of it. ``start`` is the total of no plan at all.
    """

    def __init__(self, offers: Offers, most: Sequence[Uses]) -> None:
        wanted = NOTHING
        for uses in most:
            wanted = Uses(*map(add, wanted, uses))
        swaps = min(offers.swaps, wanted.swaps)
        firsts = min(offers.firsts, max(wanted.upgrades, wanted.firsts))
        self._caps = {
            **dict.fromkeys(_FIELDS, 1),
            "refills": min(offers.refills, wanted.refills),
            "side_refills": min(offers.side_refills, wanted.side_refills),
            "rebuys": min(offers.rebuys, wanted.rebuys),
            **dict.fromkeys(("swaps", "outs"), swaps),
            **dict.fromkeys(("upgrades", "firsts"), firsts),
            "exchanged": min(swaps, wanted.exchanged),
        }
        self._shifts: dict[str, int] = {}
        self._masks: dict[str, int] = {}  # the bits below the guard: all of it taken
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
        # Where these guards alone are set, what the amounts below them count as.
        self.enough = {0: 0}
        for name in _ENOUGH:
            guard, mask = self._guards[name], self._masks[name]
            self.enough |= {
                guard | others: mask | counted
                for others, counted in self.enough.items()
            }
        # In which order upgrades are made matters where two offers are for a first one.
        self._ordered = bool(offers.first_amount)
        self._choices: dict[int, list[Choice]] = {}

    def choices(self, front: Front) -> list[Choice]:
        """The plans of a title, packed: what each takes, its weight, and the plan."""
        known = self._choices.get(id(front))  # titles of one shape have one front
        if known is None:
            known = self._choices[id(front)] = [
                (self.packed(plan.uses), plan.weight, plan)
                for plan in front.plans
                # Copies are exchanged only for others that are swapped in.
                if plan.uses.exchanged <= self._caps["exchanged"]
            ]
        return known

    def packed(self, uses: Uses) -> int:
        """What a plan takes, as a number; by itself that is never too much."""
        packed = 0
        for name, amount in zip(_FIELDS, uses, strict=False):
            if amount:
                packed += min(amount, self._caps[name]) << self._shifts[name]
        if uses.traited == 2:
            packed += 1 << self._shifts["late"]
        return packed

    def spent(self, later: Uses) -> tuple[int, list[tuple[int, int]]]:
        """What of the offers the titles to come leave over, whatever they take.

        That may count as taken: the bits of offers that nobody can take any more, and
        for others their bits with the least that they count as.
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
        """A total to which no upgrade is added; None if the first ones do not hold.

        The first upgrades are all there are, up to the number reduced; if one of them
        has the trait, the first of that trait is one too.
        """
        if self._ordered:
            if self._left(total, "firsts") > self._left(total, "upgrades"):
                return None
            if not (self._left(total, "first_is_traited") or self._left(total, "late")):
                return None
        return total | self._all_of(self._masks, (*FIRSTS, "first_is_traited", "late"))

    def after_outs(self, total: int) -> int | None:
        """A total to which no copy is added that leaves: what is short is no swap."""
        if self._caps["exchanged"]:
            return total  # which copies left matters to the end
        total += self._left(total, "outs") << self._shifts["swaps"]
        return None if total & self._guards["swaps"] else total | self._masks["outs"]

    def after_exchanges(self, total: int) -> int | None:
        """A total to which no swap is added; None if the exchanges do not hold.

        A copy swapped in sends one out, and a copy exchanged leaves for one swapped in.
        """
        swaps = self._caps["swaps"] - self._left(total, "swaps")
        outs = self._caps["outs"] - self._left(total, "outs")
        exchanged = self._caps["exchanged"] - self._left(total, "exchanged")
        if not exchanged <= swaps <= outs:
            return None
        return total | self._all_of(self._masks, EXCHANGES)
