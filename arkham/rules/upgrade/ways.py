"""The order in which lines are bought."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.upgrade.discounts import PRICE_MODIFIERS


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


class PlannedLine(NamedTuple):
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


def weight_of(line: PlannedLine) -> int:
    """What a line weighs against others: its price, and then how natural it is."""
    return line.paid * SCALE + line.way.tie


Rank = tuple[int, bool, str, bool]  # turn, whether it is paid for, card, which deck

_MODIFIERS = PRICE_MODIFIERS.keys() | DECK_MODIFIERS.keys()


def rank_of(line: PlannedLine) -> Rank:
    """Refills come first but for what makes room; reductions by "the next" or "the
    first" card go to the first of their kind; a card that raises prices comes late.
    """
    way, code, _, paid, _, reductions, _, side = line
    turn = way.turn
    if reductions or code in _MODIFIERS:
        turn = _turn(way, code, {kind for kind, _ in reductions})
    return turn, not paid, code, side


def _turn(way: Way, code: str, kinds: set[str]) -> int:
    if "medallion" in kinds:
        return 0
    if "pelt" in kinds:
        return 1
    row = PRICE_MODIFIERS.get(code)
    if row is not None and row.surcharge:
        return 6
    if way in (Way.PURCHASE, Way.UPGRADE) and code in _MODIFIERS:
        return 2
    if way.turn == Way.UPGRADE.turn and kinds & {"firsts", "first-trait"}:
        return 7
    return way.turn
