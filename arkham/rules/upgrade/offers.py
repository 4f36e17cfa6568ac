"""The reductions and free ways that one upgrade window offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
