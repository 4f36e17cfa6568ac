"""Numbers become shapes: every length and place is what was worked out by hand."""

from __future__ import annotations

from arkham.charts import (
    Band,
    ChartShare,
    Datum,
    Drawing,
    Linear,
    Rect,
    Text,
    draw_bars,
    draw_columns,
    draw_shares,
)


def _rects(drawing: Drawing) -> list[tuple[float, float, float, float]]:
    return [
        (shape.x, shape.y, shape.width, shape.height)
        for shape in drawing.shapes
        if isinstance(shape, Rect)
    ]


def _texts(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def test_a_linear_scale_keeps_proportions() -> None:
    """Half the value is half the way; nothing leaves the line."""
    scale = Linear(most=8, length=100)
    assert [scale.at(value) for value in (0, 2, 4, 8, 9)] == [0, 25, 50, 100, 100]


def test_a_scale_of_nothing_is_flat() -> None:
    """Where every value is 0 there is nothing to see, and nothing breaks."""
    assert Linear(most=0, length=100).at(0) == 0


def test_bands_share_the_line_evenly() -> None:
    """Four places on 100 units: 25 each, a quarter of it between them."""
    band = Band(count=4, length=100)
    assert band.width == 18.75
    assert [band.start(index) for index in range(4)] == [3.12, 28.12, 53.12, 78.12]
    assert band.middle(3) == 87.5


def test_columns_stand_on_the_floor() -> None:
    """The tallest has the whole height, half the number half of it, 0 no column."""
    drawing = draw_columns(
        [Datum("0", 4), Datum("1", 8), Datum("2", 0)],
        title="Cost",
        width=300,
        height=134,
    )
    assert _rects(drawing) == [(12.5, 66, 75, 50), (112.5, 16, 75, 100)]
    assert _texts(drawing) == ["4", "0", "8", "1", "2"]


def test_columns_of_an_empty_deck() -> None:
    """Labels and the floor only."""
    drawing = draw_columns([Datum("0", 0), Datum("1", 0)], title="Cost")
    assert _rects(drawing) == []
    assert _texts(drawing) == ["0", "1"]


def test_bars_begin_at_one_line() -> None:
    """The longest bar leaves room for its label and its number."""
    drawing = draw_bars(
        [Datum("Asset", 10), Datum("Event", 5), Datum("Skill", 0)],
        title="Types",
        width=320,
        label=92,
    )
    assert _rects(drawing) == [(92, 6, 200, 12), (92, 30, 100, 12)]
    assert _texts(drawing) == ["Asset", "10", "Event", "5", "Skill", "0"]
    assert drawing.height == 72


def test_shares_say_what_they_are_in_words() -> None:
    """Half the share is half the column; none is a word without one."""
    drawing = draw_shares(
        [
            ChartShare("3", 0.0, "0"),
            ChartShare("4", 0.25, "25", "bar asked"),
            ChartShare("5", 0.5, "50"),
        ],
        title="Odds",
    )
    assert (drawing.width, drawing.height) == (330, 160)
    assert _rects(drawing) == [(121, 79, 88, 63), (231, 16, 88, 126)]
    assert _texts(drawing) == ["0", "3", "25", "4", "50", "5"]


def test_many_shares_make_a_wider_drawing() -> None:
    """So that their labels keep apart."""
    shares = [ChartShare(str(each), 0.1, "10") for each in range(20)]
    assert draw_shares(shares, title="Odds").width == 600
