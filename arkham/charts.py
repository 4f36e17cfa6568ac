"""Numbers → geometry → SVG. Pure: no Django, no files.

Numbers that change from one place to the next are drawn as stepped lines. Shapes only
have classes, because pages don't allow inline styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Datum:
    """One number of a chart: its label, and its CSS class.

    ``label`` is shown next to the shape, so it is short; ``value`` is never negative.
    """

    label: str
    value: int
    style: str = "bar"


@dataclass(frozen=True, slots=True)
class ChartShare:
    """One share of a whole: its label, the part from 0 to 1, and that part in words."""

    label: str
    part: float
    spoken: str
    style: str = "bar"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle, in the units of the drawing."""

    x: float
    y: float
    width: float
    height: float
    style: str


@dataclass(frozen=True, slots=True)
class Text:
    """A short text; ``anchor`` is ``start``, ``middle`` or ``end``."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = ""


@dataclass(frozen=True, slots=True)
class StraightLine:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "axis"


Shape = Rect | Text | StraightLine


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a sheet of ``width`` by ``height``; ``title`` describes it."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]

    def svg(self) -> str:
        """Return the drawing as an SVG element; all texts are escaped."""
        body = "".join(_element(shape) for shape in self.shapes)
        return (
            f'<svg class="chart" viewBox="0 0 {self.width:g} {self.height:g}" '
            f'role="img"><title>{escape(self.title)}</title>{body}</svg>'
        )


def _element(shape: Shape) -> str:
    match shape:
        case Rect(x, y, width, height, style):
            return (
                f'<rect class="{escape(style)}" x="{x:g}" y="{y:g}" '
                f'width="{width:g}" height="{height:g}"/>'
            )
        case Text(x, y, text, anchor, style):
            named = f' class="{escape(style)}"' if style else ""
            return (
                f'<text{named} x="{x:g}" y="{y:g}" text-anchor="{anchor}">'
                f"{escape(text)}</text>"
            )
        case StraightLine(x1, y1, x2, y2, style):
            return (
                f'<line class="{escape(style)}" x1="{x1:g}" y1="{y1:g}" '
                f'x2="{x2:g}" y2="{y2:g}"/>'
            )


@dataclass(frozen=True, slots=True)
class Linear:
    """A scale from 0 to ``most`` over ``length`` units."""

    most: float
    length: float

    def at(self, value: float) -> float:
        """Return the distance of a value from the start, clamped to the end."""
        if self.most <= 0:
            return 0.0
        return round(min(max(value / self.most, 0.0), 1.0) * self.length, 2)


@dataclass(frozen=True, slots=True)
class Band:
    """``count`` places of equal width along ``length``; ``gap`` is the free share."""

    count: int
    length: float
    gap: float = 0.25

    @property
    def step(self) -> float:
        """The distance from one place to the next."""
        return self.length / max(self.count, 1)

    @property
    def width(self) -> float:
        """The width of one place."""
        return round(self.step * (1 - self.gap), 2)

    def start(self, index: int) -> float:
        """Return the start of a place, after half the gap."""
        return round(index * self.step + self.step * self.gap / 2, 2)

    def middle(self, index: int) -> float:
        """Return the middle of a place."""
        return round((index + 0.5) * self.step, 2)


ROW = 24  # units of height for one bar
BAR = 12
BAR_VALUE = 28  # units of width for the number after the bar


def draw_bars(
    data: Sequence[Datum], *, title: str, width: float = 260, label: float = 84
) -> Drawing:
    """Draw a bar for each number: its label before it, the number after it.

    The longest bar takes the whole width left by ``label`` units and the number.
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
    """Draw a column for each number, which is above it, with its label below.

    The tallest column takes the whole height; a 0 only has its label.
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
    shapes.append(StraightLine(0, floor, width, floor))
    return Drawing(width, height, title, tuple(shapes))


NARROWEST = 30  # units for a column with a two-digit number above


def draw_shares(shares: Sequence[ChartShare], *, title: str) -> Drawing:
    """Draw a column for each share of a whole, the largest the tallest.

    Many columns make the drawing wider, so that labels don't overlap.
    """
    width, height = max(len(shares) * NARROWEST, 330), 160
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
    shapes.append(StraightLine(0, floor, width, floor))
    return Drawing(width, height, title, tuple(shapes))


STEP_LABEL = 24  # units of height for the labels below
LEFT = 26  # units of width for the numbers of the scale
APART = 2.5  # units between lines of equal value


@dataclass(frozen=True, slots=True)
class Series:
    """One line: its value at each place, never negative, and its class."""

    values: tuple[int, ...]
    style: str = "line"


def draw_steps(
    series: Sequence[Series], labels: Sequence[str], *, title: str
) -> Drawing:
    """Draw a line for each series, which keeps its height over a place, then steps.

    The highest value takes the whole height. Lines of equal value are drawn apart.
    """
    width, height = 560, 150
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
    """Yield the base line, and a line at the highest value with its number."""
    yield StraightLine(LEFT, floor, width, floor)
    yield Text(LEFT - 6, floor + 4, "0", "end")
    if most:
        top = floor - scale.at(most)
        yield StraightLine(LEFT, top, width, top, "guide")
        yield Text(LEFT - 6, top + 4, str(most), "end")


def _line(one: Series, band: Band, scale: Linear, floor: float) -> Iterator[Shape]:
    before: float | None = None
    for index, value in enumerate(one.values):
        height = floor - scale.at(value)
        start = LEFT + band.start(index)
        if before is not None and before != height:
            yield StraightLine(start, before, start, height, one.style)
        yield StraightLine(start, height, start + band.width, height, one.style)
        before = height
