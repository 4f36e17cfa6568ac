"""What is the victory display worth?"""

from __future__ import annotations

from collections.abc import Iterable

TOTAL = "total"  # in an answer: what the table says the cards are worth


def worth_of(points: Iterable[int]) -> int:
    """The victory points of the cards in the display; none takes any away (VIC-01)."""
    return sum(max(each, 0) for each in points)
