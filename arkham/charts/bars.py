"""Named numbers one below the other, as bars that begin at one line."""

from __future__ import annotations

from collections.abc import Sequence

from arkham.charts.scale import Linear
from arkham.charts.svg import Datum, Drawing, Rect, Shape, Text

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
