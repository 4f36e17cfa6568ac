"""What a campaign log holds: lines, sections, and what each investigator has."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.model.effects import Mark


class Origin(NamedTuple):
    """What experience came from.

    ``kind`` is ``victory``, ``bonus`` (a penalty as well), ``cost`` (of a side
    scenario), ``card`` or ``correction``; ``card`` the code of the card.
    """

    kind: str
    card: str = ""


VICTORY, BONUS, CORRECTION = Origin("victory"), Origin("bonus"), Origin("correction")
COST = Origin("cost")


class Line(NamedTuple):
    """A line of the log.

    ``kind`` is ``basic``, ``count``, ``card``, ``task`` or ``freeform``;
    ``crossed_out`` is None where nobody ever did. ``note`` is the scenario and the
    place among its notes, for words written down between two scenarios.
    """

    kind: str
    id: str
    crossed_out: bool | None = None
    number: int = 0
    second: int | None = None
    cards: tuple[tuple[str, int], ...] = ()
    text: str = ""
    task: tuple[str, str, str] = ("", "", "")
    note: tuple[str, int] | None = None


class Section(NamedTuple):
    """A section of the log: its lines, and what was done to it as a whole."""

    lines: tuple[Line, ...] = ()
    crossed_out: bool | None = None
    circled: tuple[str, ...] = ()

    def has(self, line_id: str) -> bool:
        """Whether the line stands there, not crossed out, in a section that holds."""
        if self.crossed_out:
            return False
        for line in self.lines:  # noqa: SIM110 (asked so often that it is felt)
            if line[1] == line_id and not line[2]:
                return True
        return False

    def number(self, line_id: str) -> int:
        """The number at a line, or how many lines there are (``$num_entries``)."""
        if self.crossed_out:
            return 0
        if line_id == "$num_entries":
            return sum(not line[2] for line in self.lines)
        for line in self.lines:
            if line[1] == line_id and not line[2]:
                return line[3] if line[0] == "count" else 0
        return 0

    def cards(self, line_id: str) -> list[tuple[str, int]]:
        """All cards named at a line, with their numbers."""
        if self.crossed_out:
            return []
        return [
            card
            for line in self.lines
            if line[1] == line_id and not line[2]
            for card in line.cards
        ]

    def with_line(self, line: Line) -> Section:
        """The section with one line more."""
        return Section((*self.lines, line), self.crossed_out, self.circled)

    def counted(self, line_id: str, count: int, *, second: bool = False) -> Section:
        """The section with another number at a line, which is made if need be."""
        lines = list(self.lines)
        for index, line in enumerate(lines):
            if line.id == line_id and line.kind == "count":
                lines[index] = (
                    line._replace(second=count)
                    if second
                    else line._replace(number=count)
                )
                return self._replace(lines=tuple(lines))
        new = Line("count", line_id, None, 0 if second else count)
        return self.with_line(new._replace(second=count) if second else new)

    def marked(self, line_id: str, mark: Mark, codes: frozenset[str]) -> Section:
        """The section with lines crossed out, restored, circled or taken away."""

        def meant(line: Line) -> bool:
            return line.id == line_id and (
                not codes or any(code in codes for code, _ in line.cards)
            )

        if mark is Mark.REMOVE:
            return self._replace(
                lines=tuple(line for line in self.lines if not meant(line))
            )
        if mark is Mark.CIRCLE:
            return self._replace(circled=(*self.circled, line_id))
        crossed = mark is Mark.CROSS_OUT
        return self._replace(
            lines=tuple(
                line._replace(crossed_out=crossed) if meant(line) else line
                for line in self.lines
            )
        )


class Person:
    """What an investigator, or a partner, has; None where nothing was ever said."""

    __slots__ = (
        "added",
        "beyond_limit",
        "card_counts",
        "exiled",
        "experience",
        "insane",
        "killed",
        "mental",
        "physical",
        "pooled",
        "pools",
        "removed",
        "retired",
        "story",
    )

    def __init__(self) -> None:
        self.physical: int | None = None
        self.mental: int | None = None
        self.killed = False
        self.insane = False
        self.retired = False
        self.experience: int | None = None
        self.pools: dict[str, int] | None = None
        # What lies in each pool, by what it came from.
        self.pooled: dict[str, dict[Origin, int]] | None = None
        self.story: tuple[str, ...] | None = None
        self.beyond_limit: tuple[str, ...] | None = None
        self.added: tuple[str, ...] | None = None
        self.removed: tuple[str, ...] | None = None
        self.exiled: tuple[str, ...] | None = None
        self.card_counts: dict[str, int] | None = None

    def copy(self) -> Person:
        """The same, apart."""
        other = Person.__new__(Person)
        other.physical = self.physical
        other.mental = self.mental
        other.killed = self.killed
        other.insane = self.insane
        other.retired = self.retired
        other.experience = self.experience
        other.pools = self.pools
        other.pooled = self.pooled
        other.story = self.story
        other.beyond_limit = self.beyond_limit
        other.added = self.added
        other.removed = self.removed
        other.exiled = self.exiled
        other.card_counts = self.card_counts
        return other

    def __eq__(self, other: object) -> bool:
        """Whether both have the same."""
        if not isinstance(other, Person):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]


class Banked(NamedTuple):
    """What an investigator had when decks were last brought up to date."""

    experience: int | None = None
    story: tuple[str, ...] | None = None
    added: tuple[str, ...] | None = None
    removed: tuple[str, ...] | None = None
    exiled: tuple[str, ...] | None = None
    card_counts: dict[str, int] | None = None
    beyond_limit: tuple[str, ...] | None = None


class Game(NamedTuple):
    """One playing of a scenario: who, led by whom, with which outcomes."""

    players: tuple[str, ...] | None = None
    lead: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()
    resolution: str = ""
    hub_step: str = ""


class Map(NamedTuple):
    """The map: where the table is, what it has seen, who bears which key."""

    location: str = ""
    embark: bool = False
    shown: bool = False
    visited: tuple[str, ...] = ()
    unlocked: tuple[str, ...] = ()
    dossiers: tuple[str, ...] = ()
    keys: tuple[tuple[str, str, str], ...] = ()
