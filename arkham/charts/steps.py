"""Numbers that change from one place to the next, as lines that go in steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arkham.charts.columns import Band, Linear
from arkham.charts.svg import Drawing, Line, Shape, Text

STEP_LABEL = 18  # units of height for the labels below
LEFT = 26  # units of width for the numbers of the scale
APART = 2.5  # units between two lines at the same height


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its value at each place, never negative, and its class."""

    values: tuple[int, ...]
    style: str = "line"


def draw_steps(
    series: Sequence[Series],
    labels: Sequence[str],
    *,
    title: str,
    width: float = 560,
    height: float = 150,
) -> Drawing:
    """A line for every series; it keeps its height over a place, then steps.

    The highest value has the whole height. Lines of the same value lie side by side.
    """
    floor = height - STEP_LABEL
    most = max((value for one in series for value in one.values), default=0)
    scale = Linear(max(most, 1), floor - 2 * STEP_LABEL)
    band = Band(len(labels), width - LEFT, gap=0)
    shapes: list[Shape] = [*_scale(most, scale, floor, width)]
    for place, one in enumerate(series):
        shapes.extend(_line(one, band, scale, floor - place * APART))
    for index, label in enumerate(labels):
        shapes.append(Text(LEFT + band.middle(index), height - 4, label, "middle"))
    return Drawing(width, height, title, tuple(shapes))


def _scale(most: int, scale: Linear, floor: float, width: float) -> Iterator[Shape]:
    """The foot, and the height of the highest value with its number."""
    yield Line(LEFT, floor, width, floor)
    yield Text(LEFT - 6, floor + 4, "0", "end")
    if most:
        top = floor - scale.at(most)
        yield Line(LEFT, top, width, top, "guide")
        yield Text(LEFT - 6, top + 4, str(most), "end")


def _line(one: Series, band: Band, scale: Linear, floor: float) -> Iterator[Shape]:
    before: float | None = None
    for index, value in enumerate(one.values):
        height = floor - scale.at(value)
        start = LEFT + band.start(index)
        if before is not None and before != height:
            yield Line(start, before, start, height, one.style)
        yield Line(start, height, start + band.width, height, one.style)
        before = height
