"""Every point of experience with its source, as a table for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from campaigns.pages.paper_shapes import Desk

HEADER = (
    "investigator",
    "name",
    "amount",
    "total",
    "scenario",
    "scenario_name",
    "step",
    "answer",
    "entry",
    "author",
    "written_at",
    "source",
    "card",
)
# A cell that begins with one of these is taken for a formula by programs of tables.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int


def experience_csv(desk: Desk) -> str:
    """The ledger of everybody who ever had experience, in the order of play."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    writer.writerows([_safe(cell) for cell in row] for row in _rows(desk))
    return text.getvalue()


def _rows(desk: Desk) -> Iterator[tuple[Cell, ...]]:
    for code in desk.replay.state.people:
        total = 0
        for why in desk.reasons.of("experience", code, str):
            amount = int(why.amount)
            total += amount
            yield (
                code,
                desk.names.card(code),
                amount,
                total,
                why.scenario,
                why.place,
                why.step,
                why.answer,
                why.sequence,
                why.author,
                why.at.isoformat() if why.at else "",
                why.origin.kind if why.origin else "",
                why.origin.card if why.origin else "",
            )


def _safe(cell: Cell) -> Cell:
    """A text that no program takes for a formula; numbers stay numbers."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell
