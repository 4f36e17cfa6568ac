"""Named numbers one below the other, as bars that begin at one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arkham.charts.svg import Datum, Drawing, Rect, Shape, Text


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
