"""What stands on the campaign log on paper: lines, sections, people, the bag."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from campaigns.play.bag import Shown
from campaigns.words.names import Names
from campaigns.words.problems import Found, Wrongs
from campaigns.words.reasons import Reasons, Whys

FIVE = 5  # strokes of a tally that stand together
LINES = 100  # of a section on one page of the sheet
LONGEST_TALLY = 40  # beyond it the number alone is read


class Noted(NamedTuple):
    """A line of the sheet; ``number`` stands at its end, if it has one."""

    text: str
    whys: Whys = ()
    number: int | None = None
    is_crossed_out: bool = False
    is_circled: bool = False

    @property
    def tally(self) -> list[int]:
        """The number in strokes, five to a bundle."""
        number = self.number or 0
        if not 0 < number <= LONGEST_TALLY:
            return []
        rest = [number % FIVE] if number % FIVE else []
        return [FIVE] * (number // FIVE) + rest


class Part(NamedTuple):
    """A section of the sheet; ``number`` if it is nothing but a number."""

    title: str
    lines: tuple[Noted, ...] = ()
    number: Noted | None = None
    is_crossed_out: bool = False
    found: tuple[Found, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever written there."""
        counted = self.number is not None and (self.number.number or self.number.whys)
        return not (self.lines or counted or self.is_crossed_out or self.found)


class Figure(NamedTuple):
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


class Somebody(NamedTuple):
    """An investigator's own part of the sheet."""

    code: str
    name: str
    signs: tuple[str, ...]
    player: str
    fate: str
    figures: tuple[Figure, ...]
    cards: tuple[Noted, ...]
    parts: tuple[Part, ...]


class Bagged(NamedTuple):
    """A kind of token in the bag, and how it came there."""

    shown: Shown
    whys: Whys
    found: tuple[Found, ...] = ()


class Chapter(NamedTuple):
    """A scenario the table has come to, and how it ended."""

    id: str
    name: str
    word: str
    resolution: str


class Sheet(NamedTuple):
    """The whole campaign log."""

    people: tuple[Somebody, ...]
    parts: tuple[Part, ...]
    empty: tuple[str, ...]
    bag: tuple[Bagged, ...]
    chapters: tuple[Chapter, ...]
    result: str


class Desk(NamedTuple):
    """What a sheet is written from, and which page of it is wanted."""

    replay: Replay
    names: Names
    reasons: Reasons
    wrongs: Wrongs
    page: int = 1
