"""Numbers side by side along a scale of their own, as upright columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arkham.charts.svg import Datum, Drawing, Line, Rect, Shape, Share, Text


@dataclass(frozen=True, slots=True)
class Linear:
    """Values from 0 to ``most`` spread evenly over ``length`` units."""

    most: float
    length: float

    def at(self, value: float) -> float:
        """The distance of a value from the beginning; nothing goes past the end."""
        if self.most <= 0:
            return 0.0
        return round(min(max(value / self.most, 0.0), 1.0) * self.length, 2)


@dataclass(frozen=True, slots=True)
class Band:
    """``count`` places of one width along ``length``; ``gap`` is the share between."""

    count: int
    length: float
    gap: float = 0.25

    @property
    def step(self) -> float:
        """From the beginning of one place to the next."""
        return self.length / max(self.count, 1)

    @property
    def width(self) -> float:
        """The width of one place."""
        return round(self.step * (1 - self.gap), 2)

    def start(self, index: int) -> float:
        """Where the place begins; half the gap lies before it."""
        return round(index * self.step + self.step * self.gap / 2, 2)

    def middle(self, index: int) -> float:
        """The middle of the place."""
        return round((index + 0.5) * self.step, 2)


ROW = 24  # units of height for one bar
BAR = 12
BAR_VALUE = 28  # units of width for the number behind the bar


def draw_bars(
    data: Sequence[Datum], *, title: str, width: float = 260, label: float = 84
) -> Drawing:
    """A bar for every datum: its label before it, its number behind it.

    The longest bar has the whole width that ``label`` units and the number leave.
    """
    most = max((datum.value for datum in data), default=0)
    scale = Linear(most, width - label - BAR_VALUE)
    shapes: list[Shape] = []
    for index, datum in enumerate(data):
        top = index * ROW
        reach = scale.at(datum.value)
        shapes.append(Text(0, top + 16, datum.label))
        if datum.value:
            shapes.append(Rect(label, top + (ROW - BAR) / 2, reach, BAR, datum.style))
        shapes.append(
            Text(label + reach + 6, top + 16, str(datum.value), "start", "value")
        )
    return Drawing(width, max(len(data), 1) * ROW, title, tuple(shapes))


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
