"""What one way to have copies uses up of the offers that titles share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from arkham.rules.upgrade.price_rules import PlannedLine


@dataclass(slots=True)
class Offers:
    """Everything besides the two lists that a price may depend on.

    ``refills`` and ``swaps`` are the level 0 copies that may come for nothing;
    ``firsts`` upgrades cost 1 less each, the first upgrade of a card with
    ``first_trait`` costs ``first_amount`` less; one new card costs ``pelt`` less and
    one line of any kind ``medallion`` less; copies of ``exiled`` codes cost up to
    ``rebuy`` less, ``rebuys`` in all. ``quills`` reduce the upgrade of an asset, by
    its code. ``kept`` traits may be upgraded with the lower version kept aside, by
    the copies newly set ``aside``. ``paired`` subtitles upgrade a second copy free.
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
    quills: Mapping[str, int] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    aside: Mapping[str, int] = field(default_factory=dict)
    paired: frozenset[str] = frozenset()
    least: int = 1  # what a new card costs at least, before reductions
    minimum_first: bool = False  # what raises a level 0 card comes on top of its 1
    purchase_floor: int = 1  # and after them
    upgrade_floor: int = 0
    myriad_by_upgrade: bool = False  # an upgrade brings further copies as well
    chained: bool = False  # taboo surcharges are due on free level 0 cards

    def numbers(self, most: int) -> tuple[int, ...]:
        """Everything that does not name cards, as a title of so many copies sees it."""
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
        """Whether something is offered for single cards."""
        return bool(self.exiled or self.quills or self.aside)

    def about(self, code: str) -> tuple[int, int, int]:
        """What is offered for a single card."""
        return (
            self.exiled.get(code, 0),
            self.quills.get(code, 0),
            self.aside.get(code, 0),
        )

    @property
    def reduces_upgrades(self) -> bool:
        """Whether some upgrade can be cheaper than its difference."""
        return bool(self.firsts or self.first_amount or self.medallion or self.quills)

    @property
    def nothing(self) -> bool:
        """Whether there is nothing that could serve a title."""
        return self.plain and not (self.paired or self.aside)

    @property
    def plain(self) -> bool:
        """Whether every title can be priced by itself."""
        return not (
            self.reduces_upgrades
            or self.refills
            or self.side_refills
            or self.swaps
            or self.pelt
            or self.rebuys
        )


class Uses(NamedTuple):
    """What a plan takes of the offers that titles share.

    ``swapped_out`` are level 0 copies left over to be swapped away. ``upgrades`` are
    counted where another "first" makes their order matter. ``first_is_traited``:
    one of the first upgrades has the trait of the other "first"; ``traited`` is that
    upgrade: 1 among the first ones, 2 not, 0 none. ``exchanged`` are those of the
    ``swapped_out`` that came in again, for which it matters that they did leave.
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
    """One way to have all copies of a title."""

    weight: int
    uses: Uses
    lines: tuple[PlannedLine, ...]


class Front(NamedTuple):
    """The plans of a title, lightest first, and the most that any takes of each offer.

    None of them takes more than a lighter one without sparing something else.
    """

    plans: list[Plan]
    most: Uses


def front_of(plans: list[Plan]) -> Front:
    """The plans of a title, as they are joined with those of others."""
    if len(plans) == 1:
        return Front(plans, plans[0].uses)
    most = Uses._make(map(max, *[plan.uses for plan in plans]))
    return Front(plans, most)


def ranked(plans: Iterable[Plan]) -> list[Plan]:
    """The lightest first; none that takes more than a lighter one for nothing."""
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
    """Whether one plan's uses are lawful, and leave as much, wherever another's do."""
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
    """What two plans take together; None if that is more than there is.

    What either takes by itself must be there.
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
    """Whether the shared offers are taken as they may be.

    A copy swapped in sends one out, and a copy exchanged leaves for one swapped in. The
    first upgrades are all there are, up to the number reduced; if one of them has the
    trait, the first of that trait is one too.
    """
    if not uses.exchanged <= uses.swaps <= uses.swapped_out:
        return False
    if uses.firsts < uses.upgrades and offers.first_amount:
        return False
    return not (uses.first_is_traited and uses.traited == 2)
