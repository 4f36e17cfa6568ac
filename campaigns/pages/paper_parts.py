"""The contents of the campaign log's sheet, and its experience as a table.

The sheet has lines, sections, people and the bag; the table lists every point of
experience with its source, for other programs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from campaigns.log.replays import Folded
from campaigns.play.bag import ShownToken
from campaigns.words.names import CampaignNames
from campaigns.words.problems import Contradictions, Found
from campaigns.words.reasons import Authorship, Reasons, Whys

FIVE = 5  # strokes in a bundle of a tally
LINES = 100  # of a section on one page of the sheet
LONGEST_TALLY = 40  # above this only the number is shown


class CampaignSheetLine(NamedTuple):
    """A line of the sheet; ``number`` is at its end, if it has one.

    ``card`` is the code of the card if the line names only that.
    """

    text: str
    whys: Whys = ()
    number: int | None = None
    is_crossed_out: bool = False
    is_circled: bool = False
    card: str = ""

    @property
    def tally(self) -> list[int]:
        """The number in strokes, in bundles of five."""
        number = self.number or 0
        if not 0 < number <= LONGEST_TALLY:
            return []
        rest = [number % FIVE] if number % FIVE else []
        return [FIVE] * (number // FIVE) + rest


class SheetSection(NamedTuple):
    """A section of the sheet; ``number`` if it has a count."""

    title: str
    lines: tuple[CampaignSheetLine, ...] = ()
    number: CampaignSheetLine | None = None
    is_crossed_out: bool = False
    found: tuple[Found, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever recorded there."""
        counted = self.number is not None and (self.number.number or self.number.whys)
        return not (self.lines or counted or self.is_crossed_out or self.found)


class InvestigatorFigure(NamedTuple):
    """A number of an investigator, with its limit."""

    sign: str
    label: str
    value: int
    whys: Whys
    most: int | None = None
    found: tuple[Found, ...] = ()

    @property
    def shown(self) -> str:
        """The number with a true minus."""
        return str(self.value).replace("-", "−")


class SheetPerson(NamedTuple):
    """An investigator's own part of the sheet."""

    code: str
    name: str
    signs: tuple[str, ...]
    player: str
    fate: str
    figures: tuple[InvestigatorFigure, ...]
    cards: tuple[CampaignSheetLine, ...]
    parts: tuple[SheetSection, ...]


class Bagged(NamedTuple):
    """A kind of token in the bag, and the reasons for its number."""

    shown: ShownToken
    whys: Whys
    found: tuple[Found, ...] = ()


class SheetScenario(NamedTuple):
    """A scenario that was reached, and how it ended."""

    id: str
    name: str
    word: str
    resolution: str


class CampaignSheet(NamedTuple):
    """The whole campaign log."""

    people: tuple[SheetPerson, ...]
    parts: tuple[SheetSection, ...]
    empty: tuple[str, ...]
    bag: tuple[Bagged, ...]
    chapters: tuple[SheetScenario, ...]
    result: str


class SheetContext(NamedTuple):
    """The sources of a sheet, and the number of its page."""

    replay: Replay
    names: CampaignNames
    reasons: Reasons
    wrongs: Contradictions
    page: int = 1


def sheet_context(
    known: Folded, names: CampaignNames, written: Mapping[int, Authorship]
) -> SheetContext:
    """Return what the first page of a sheet is made from."""
    reasons = Reasons(known.replay, known.entries, written, names)
    wrongs = Contradictions(known.replay.problems, known.entries, names)
    return SheetContext(known.replay, names, reasons, wrongs)


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
# Spreadsheets read a cell that begins with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int


def experience_csv(desk: SheetContext) -> str:
    """Return everyone's experience as CSV, in order of play."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADER)
    writer.writerows([_safe(cell) for cell in row] for row in _rows(desk))
    return text.getvalue()


def _rows(desk: SheetContext) -> Iterator[tuple[Cell, ...]]:
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
    """Return a text that no spreadsheet reads as a formula; numbers stay numbers."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell
