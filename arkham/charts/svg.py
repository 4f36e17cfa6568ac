"""How do shapes become SVG text? Classes only: the pages allow no inline style."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Datum:
    """One number of a chart: its label, and the class that colours it.

    ``label`` is shown beside the shape, so it is short; ``value`` is never negative.
    """

    label: str
    value: int
    style: str = "bar"


@dataclass(frozen=True, slots=True)
class ChartShare:
    """One share of a whole: its label, the part from 0 to 1, and that in words."""

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
    """Shapes on a sheet of ``width`` by ``height``; ``title`` says what it shows."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]

    def svg(self) -> str:
        """The drawing as an SVG element; all texts are escaped."""
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
