"""The offers that titles share, and what one way to obtain copies uses of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from arkham.rules.upgrade.price_rules import PlannedLine


@dataclass(slots=True)
class Offers:
    """Everything besides the two lists that a price may depend on.

    ``refills`` and ``swaps`` are level 0 copies that may come in for free; copies
    ``forced`` out (by code, or by title for copies of any version) leave places unless
    they are upgraded, and so do those of the second deck, ``side_forced``. ``firsts``
    upgrades cost 1 less each; the first upgrade of a card with ``first_trait`` costs
    ``first_amount`` less; one new card costs ``pelt`` less, and one line of any kind
    ``medallion`` less; copies of ``exiled`` codes cost up to ``rebuy`` less, ``rebuys``
    in all. ``quills`` reduce the upgrade of an asset, by its code. Cards with ``kept``
    traits may be upgraded while the lower version is kept: the copies newly set
    ``aside``. Of ``paired`` subtitles a second copy is upgraded free.
    """

    refills: int = 0
    side_refills: int = 0  # of the second deck
    swaps: int = 0
    surcharge: int = 0
    firsts: int = 0
    first_trait: str = ""
    first_amount: int = 0
    pelt: int = 0
    medallion: int = 0
    rebuy: int = 0
    rebuys: int = 0
    exiled: Mapping[str, int] = field(default_factory=dict)
    forced: Mapping[str, int] = field(default_factory=dict)
    side_forced: Mapping[str, int] = field(default_factory=dict)
    quills: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    aside: Mapping[str, int] = field(default_factory=dict)
    paired: frozenset[str] = frozenset()
    least: int = 1  # minimum price of a new card with a level, before reductions
    minimum_first: bool = False  # a raised level 0 card costs the raise on top of 1
    purchase_floor: int = 1  # minimum after reductions
    upgrade_floor: int = 0
    myriad_by_upgrade: bool = False  # upgrades bring more copies, too
    chained: bool = False  # taboo surcharges are due on free level 0 cards

    def numbers(self, most: int) -> tuple[int, ...]:
        """The offers that name no cards, capped for a title with ``most`` copies."""
        return (
            min(self.refills, most),
            min(self.side_refills, most),
            min(self.swaps, most),
            self.surcharge,
            self.firsts,
            self.first_amount,
            self.pelt,
            self.medallion,
            self.rebuy,
            self.rebuys,
            self.least,
            self.minimum_first,
            self.purchase_floor,
            self.upgrade_floor,
            self.myriad_by_upgrade,
            self.chained,
        )

    @property
    def names_cards(self) -> bool:
        """True if any offer names single cards."""
        forced = self.forced or self.side_forced
        return bool(self.exiled or forced or self.quills or self.aside)

    def about(self, code: str) -> tuple[int, ...]:
        """The offers for a single card, or by its title for a whole title."""
        return (
            self.exiled.get(code, 0),
            self.forced.get(code, 0),
            self.side_forced.get(code, 0),
            self.quills.get(code, 0),
            self.aside.get(code, 0),
        )

    @property
    def reduces_upgrades(self) -> bool:
        """True if some upgrade can be cheaper than the difference in cost."""
        return bool(self.firsts or self.first_amount or self.medallion or self.quills)

    @property
    def nothing(self) -> bool:
        """True if nothing could serve any title."""
        return self.plain and not (self.paired or self.aside)

    @property
    def plain(self) -> bool:
        """True if every title can be priced by itself."""
        return not (
            self.reduces_upgrades
            or self.refills
            or self.side_refills
            or self.swaps
            or self.pelt
            or self.rebuys
        )


class Uses(NamedTuple):
    """The part of the shared offers that a plan takes.

    ``swapped_out`` are level 0 copies left over that can be swapped away. ``upgrades``
    are counted if another "first" makes their order matter. ``first_is_traited``: one
    of the first upgrades has the trait of the other "first"; ``traited`` is that
    upgrade: 1 among the first ones, 2 not, 0 none. ``exchanged`` are those of the
    ``swapped_out`` that came in again, which requires that they did leave.
    """

    refills: int = 0
    side_refills: int = 0
    swaps: int = 0
    swapped_out: int = 0
    upgrades: int = 0
    firsts: int = 0
    first_is_traited: bool = False
    traited: int = 0
    pelt: int = 0
    medallion: int = 0
    rebuys: int = 0
    exchanged: int = 0


NOTHING = Uses()
REFILL = Uses(refills=1)
SIDE_REFILL = Uses(side_refills=1)
SWAP = Uses(swaps=1)


class Plan(NamedTuple):
    """One way to obtain all copies of a title."""

    weight: int
    uses: Uses
    lines: tuple[PlannedLine, ...]


class Front(NamedTuple):
    """The plans of a title, lightest first, and the most any takes of each offer.

    No plan takes more than a lighter one without saving some other offer.
    """

    plans: list[Plan]
    most: Uses


def front_of(plans: list[Plan]) -> Front:
    """Bundle the plans of a title for joining with those of others."""
    if len(plans) == 1:
        return Front(plans, plans[0].uses)
    most = Uses._make(map(max, *[plan.uses for plan in plans]))
    return Front(plans, most)


def ranked(plans: Iterable[Plan]) -> list[Plan]:
    """Sort plans, and drop those that take no less than a lighter one."""
    found = sorted(plans)
    if len(found) < 2:
        return found
    best: list[Plan] = []
    for plan in found:
        uses = plan.uses
        for lighter in best:
            if _spares(lighter.uses, uses):
                break
        else:
            best.append(plan)
    return best


def _spares(one: Uses, other: Uses) -> bool:
    """True if one plan's uses are lawful, and leave as much, wherever another's do."""
    return (
        one.medallion <= other.medallion
        and one.swaps <= other.swaps
        and one.rebuys <= other.rebuys
        and one.pelt <= other.pelt
        and one.upgrades == other.upgrades
        and (one.firsts == other.firsts if one.upgrades else one.firsts <= other.firsts)
        and one.traited in (0, other.traited)
        and one.first_is_traited <= other.first_is_traited
        and one.refills <= other.refills
        and one.side_refills <= other.side_refills
        and one.swapped_out >= other.swapped_out
        and one.exchanged <= other.exchanged
    )


def joined(one: Uses, other: Uses, offers: Offers) -> Uses | None:
    """The uses of two plans together, or None if there is not enough.

    What either takes by itself must be available.
    """
    if other == NOTHING:
        return one
    if one == NOTHING:
        return other
    taken = Uses._make(map(add, one, other))
    if (
        taken.refills > offers.refills
        or taken.side_refills > offers.side_refills
        or taken.swaps > offers.swaps
        or taken.firsts > offers.firsts
        or taken.rebuys > offers.rebuys
        or taken.exchanged > offers.swaps
        or taken.pelt > 1
        or taken.medallion > 1
        or (one.traited and other.traited)
    ):
        return None
    if (
        taken.swapped_out <= offers.swaps
        and taken.upgrades <= offers.firsts
        and taken.first_is_traited <= 1
    ):
        return taken
    return taken._replace(
        swapped_out=min(taken.swapped_out, offers.swaps),
        upgrades=min(taken.upgrades, offers.firsts),
        first_is_traited=bool(taken.first_is_traited),
    )


def is_lawful(uses: Uses, offers: Offers) -> bool:
    """True if the shared offers are used lawfully.

    Each copy swapped in sends one out, and each copy exchanged leaves for one swapped
    in. The first upgrades include all upgrades, up to the number reduced; if one of
    them has the trait, the first of that trait is one of them.
    """
    if not uses.exchanged <= uses.swaps <= uses.swapped_out:
        return False
    if uses.firsts < uses.upgrades and offers.first_amount:
        return False
    return not (uses.first_is_traited and uses.traited == 2)
