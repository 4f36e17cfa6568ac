"""Numbers side by side along a scale of their own, as upright columns."""

from __future__ import annotations

from collections.abc import Sequence

from arkham.charts.bars import Band, Linear
from arkham.charts.svg import Datum, Drawing, Line, Rect, Shape, Share, Text

LABEL = 18  # units of height for the labels below
VALUE = 16  # and for the numbers above


def draw_columns(
    data: Sequence[Datum], *, title: str, width: float = 260, height: float = 132
) -> Drawing:
    """A column for every datum, its number above and its label below.

    The tallest column has the whole height; a datum of 0 has its label only.
    """
    floor = height - LABEL
    band = Band(len(data), width)
    scale = Linear(max((datum.value for datum in data), default=0), floor - VALUE)
    shapes: list[Shape] = []
    for index, datum in enumerate(data):
        middle = band.middle(index)
        if datum.value:
            rise = scale.at(datum.value)
            shapes.append(
                Rect(band.start(index), floor - rise, band.width, rise, datum.style)
            )
            shapes.append(
                Text(middle, floor - rise - 4, str(datum.value), "middle", "value")
            )
        shapes.append(Text(middle, height - 4, datum.label, "middle"))
    shapes.append(Line(0, floor, width, floor))
    return Drawing(width, height, title, tuple(shapes))


NARROWEST = 30  # units for a column with a number of two digits above


def draw_shares(shares: Sequence[Share], *, title: str, height: float = 160) -> Drawing:
    """A column for every share of a whole, the largest the tallest.

    Many columns make the drawing wider, so that labels keep apart.
    """
    width = max(len(shares) * NARROWEST, 330)
    floor = height - LABEL
    band = Band(len(shares), width, gap=0.2)
    scale = Linear(max((share.part for share in shares), default=1), floor - VALUE)
    shapes: list[Shape] = []
    for index, share in enumerate(shares):
        rise = scale.at(share.part)
        middle = band.middle(index)
        if rise:
            place = band.start(index)
            shapes.append(Rect(place, floor - rise, band.width, rise, share.style))
        shapes.append(Text(middle, floor - rise - 4, share.spoken, "middle", "value"))
        shapes.append(Text(middle, height - 4, share.label, "middle"))
    shapes.append(Line(0, floor, width, floor))
    return Drawing(width, height, title, tuple(shapes))
