"""The order in which lines are bought."""

from __future__ import annotations

from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.upgrade.discounts import PRICE_MODIFIERS
from arkham.rules.upgrade.ways import Line, Way

Rank = tuple[int, bool, str, bool]  # turn, whether it is paid for, card, which deck

_MODIFIERS = PRICE_MODIFIERS.keys() | DECK_MODIFIERS.keys()


def rank_of(line: Line) -> Rank:
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
