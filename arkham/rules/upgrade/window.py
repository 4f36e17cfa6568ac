"""What happened between two games that the two deck lists don't show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.deck import TraumaChoice


@dataclass(frozen=True, slots=True)
class Pin:
    """What a player insists on for copies of one card that come in.

    ``way`` is how they are to be had (``purchase``, ``upgrade``, ``refill``,
    ``swap`` …; "" leaves it open), ``source`` the card an upgrade is to come from.
    """

    code: str
    way: str = ""
    source: str = ""

    def as_data(self) -> dict[str, str | None]:
        """The pin as JSON types, as ``window_json`` reads it."""
        return {
            "card": self.code, "way": self.way or None, "from": self.source or None
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Used:
    """What earlier purchases in the same window have used up already."""

    first_upgrades: int = 0
    swaps: int = 0
    spell_upgraded: bool = False


UNUSED = Used()
NONE: Mapping[str, int] = MappingProxyType({})


class Window(NamedTuple):
    """The time between two games in which experience may be spent.

    ``exiled``, ``taken`` and ``granted`` are copies by code: exiled in the last
    scenario, and taken from the deck or given to it by an instruction. ``available``
    is the experience that may be spent, None if nobody said. ``free_boxes`` counts
    the boxes that cards marked without experience, by code of the sheet. ``quills``
    counts the Raven Quills that name an asset, by its code; ``pelts`` the Pelt
    Shipments brought home, ``offerings`` those under the Green Man Medallion.
    ``devoured`` is the class 5U-21 may buy from. ``refused`` are the codes of cards
    whose reductions the player will not have. ``trauma`` is what the player chose
    where a card that is bought leaves a choice.
    """

    exiled: Mapping[str, int] = NONE
    taken: Mapping[str, int] = NONE
    granted: Mapping[str, int] = NONE
    available: int | None = None
    spending: bool = True
    altering: bool = True
    free_boxes: Mapping[str, int] = NONE
    quills: Mapping[str, int] = NONE
    pelts: int = 0
    offerings: int = 0
    devoured: str = ""
    used: Used = UNUSED
    pins: tuple[Pin, ...] = ()
    refused: frozenset[str] = frozenset()
    trauma: tuple[TraumaChoice, ...] = ()

    @property
    def moved(self) -> Mapping[str, int]:
        """Copies that came by instruction, or left (below 0)."""
        changes = Counter(self.granted)
        changes.subtract(self.taken)
        return changes

    @property
    def changes_prices(self) -> bool:
        """Whether anything happened, or is insisted on, that may change a price."""
        if self[:3] == _LOST and self[6:14] == _TOLD:
            return False
        return bool(
            self.exiled
            or self.taken
            or self.granted
            or self.free_boxes
            or self.quills
            or self.pelts
            or self.offerings
            or self.pins
        )


PLAIN_WINDOW = Window()
_LOST, _TOLD = PLAIN_WINDOW[:3], PLAIN_WINDOW[6:14]  # of a window in which nothing was
