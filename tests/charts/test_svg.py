"""Shapes become SVG that a strict policy allows and a screen reader can name."""

from __future__ import annotations

from xml.etree import ElementTree

from arkham.charts import (
    Datum,
    Drawing,
    Rect,
    StraightLine,
    Text,
    draw_bars,
    draw_columns,
)


def test_the_text_of_a_drawing() -> None:
    """Shapes in order, after the title."""
    drawing = Drawing(
        100,
        50,
        "Two cards",
        (
            Rect(1, 2, 3.5, 4, "bar"),
            Text(5, 6, "two", "middle"),
            StraightLine(0, 9, 100, 9),
        ),
    )
    assert drawing.svg() == (
        '<svg class="chart" viewBox="0 0 100 50" role="img"><title>Two cards</title>'
        '<rect class="bar" x="1" y="2" width="3.5" height="4"/>'
        '<text x="5" y="6" text-anchor="middle">two</text>'
        '<line class="axis" x1="0" y1="9" x2="100" y2="9"/></svg>'
    )


def test_labels_cannot_break_out() -> None:
    """Whatever a label holds, it stays text."""
    hostile = '</text><script>alert("1")</script>'
    data = [Datum(hostile, 2, '" onload="alert(1)')]
    for drawing in (
        draw_bars(data, title=hostile),
        draw_columns(data, title=hostile),
    ):
        root = ElementTree.fromstring(drawing.svg())  # noqa: S314 (our own text)
        assert {element.tag for element in root.iter()} <= {
            "svg", "title", "rect", "text", "line",
        }  # fmt: skip
        assert not any("onload" in element.attrib for element in root.iter())


def test_no_inline_style_anywhere() -> None:
    """The pages' policy refuses it."""
    data = [Datum("Guardian", 3, "guardian"), Datum("Rogue", 2, "rogue")]
    for draw in (draw_bars, draw_columns):
        assert "style=" not in draw(data, title="Cards").svg()
