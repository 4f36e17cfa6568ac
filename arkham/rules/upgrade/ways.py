"""The ways a copy comes into a deck, and how an invoice words them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Way(Enum):
    """How a copy came to be in the deck; the value names the rule of its price.

    Of ways that cost the same a player would name that with the lowest ``tie`` first;
    ``turn`` is the place of its kind on an invoice.
    """

    rule: str
    tie: int
    turn: int

    #              rule               tie turn
    KEEP = "keep", 0, 5
    UPGRADE = "price.upgrade", 1, 8
    KEPT_LOWER = "price.kept-lower", 1, 8
    PAIRED = "price.second-copy", 1, 9
    REFILL = "price.refill", 2, 3
    SWAP = "price.swap", 3, 4
    MYRIAD = "price.myriad", 1, 5
    PURCHASE = "price.purchase", 4, 5
    BOXES = "price.boxes", 4, 8
    SHEET = "price.sheet", 4, 5
    WITH_SHEET = "price.with-sheet", 1, 5
    REGAINED = "price.regained", 4, 5
    WITH_BOX = "price.with-box", 1, 9

    def __new__(cls, rule: str, tie: int, turn: int) -> Way:
        """A way by the name of its rule."""
        way = object.__new__(cls)
        way._value_ = way.rule = rule
        way.tie = tie
        way.turn = turn
        return way


class Line(NamedTuple):
    """One copy (or sheet) and what is paid for it.

    ``gross`` is the price before reductions, ``reductions`` names each by the kind of
    offer with its amount. ``source`` is the code upgraded from.
    """

    way: Way
    code: str
    gross: int = 0
    paid: int = 0
    source: str = ""
    reductions: tuple[tuple[str, int], ...] = ()
    boxes: int = 0
    side: bool = False  # of the second deck


SCALE = 1_000  # a weight is a price times this, and then what breaks ties


def weight_of(line: Line) -> int:
    """What a line weighs against others: its price, and then how natural it is."""
    return line.paid * SCALE + line.way.tie
