"""What stands on the campaign log on paper, and its experience as a table.

The log has lines, sections, people and the bag; the table lists every point of
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
from campaigns.words.problems import Found, Wrongs
from campaigns.words.reasons import Authorship, Reasons, Whys

FIVE = 5  # strokes of a tally that stand together
LINES = 100  # of a section on one page of the sheet
LONGEST_TALLY = 40  # beyond it the number alone is read


class CampaignSheetLine(NamedTuple):
    """A line of the sheet; ``number`` stands at its end, if it has one.

    ``card`` is the code of the card it names, where it names nothing else.
    """

    text: str
    whys: Whys = ()
    number: int | None = None
    is_crossed_out: bool = False
    is_circled: bool = False
    card: str = ""

    @property
    def tally(self) -> list[int]:
        """The number in strokes, five to a bundle."""
        number = self.number or 0
        if not 0 < number <= LONGEST_TALLY:
            return []
        rest = [number % FIVE] if number % FIVE else []
        return [FIVE] * (number // FIVE) + rest


class SheetSection(NamedTuple):
    """A section of the sheet; ``number`` if it is nothing but a number."""

    title: str
    lines: tuple[CampaignSheetLine, ...] = ()
    number: CampaignSheetLine | None = None
    is_crossed_out: bool = False
    found: tuple[Found, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever written there."""
        counted = self.number is not None and (self.number.number or self.number.whys)
        return not (self.lines or counted or self.is_crossed_out or self.found)


class InvestigatorFigure(NamedTuple):
    """A number of an investigator, with what it may come to."""

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
    """A kind of token in the bag, and how it came there."""

    shown: ShownToken
    whys: Whys
    found: tuple[Found, ...] = ()


class SheetScenario(NamedTuple):
    """A scenario the table has come to, and how it ended."""

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
    """What a sheet is written from, and which page of it is wanted."""

    replay: Replay
    names: CampaignNames
    reasons: Reasons
    wrongs: Wrongs
    page: int = 1


def sheet_context(
    known: Folded, names: CampaignNames, written: Mapping[int, Authorship]
) -> SheetContext:
    """What the first page of a sheet is written from."""
    reasons = Reasons(known.replay, known.entries, written, names)
    wrongs = Wrongs(known.replay.problems, known.entries, names)
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
# A cell that begins with one of these is taken for a formula by programs of tables.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int


def experience_csv(desk: SheetContext) -> str:
    """The ledger of everybody who ever had experience, in the order of play."""
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
    """A text that no program takes for a formula; numbers stay numbers."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell
