"""What a campaign log contains: lines, sections, and what each investigator has."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import NamedTuple, TypeAlias

from arkham.rules.campaign.model.effects import Mark
from arkham.rules.campaign.state.sharing import SharedDict


class ExperienceOrigin(NamedTuple):
    """The source of some experience.

    ``kind`` is ``victory``, ``bonus`` (penalties included), ``cost`` (of a side
    scenario, or of a choice: ``PAID``), ``card`` or ``correction``; ``card`` is the
    code of the card.
    """

    kind: str
    card: str = ""


VICTORY, BONUS, CORRECTION = (
    ExperienceOrigin("victory"),
    ExperienceOrigin("bonus"),
    ExperienceOrigin("correction"),
)
COST, PAID = ExperienceOrigin("cost"), ExperienceOrigin("cost", "paid")
UPGRADED = "upgraded"  # the change noted when decks are upgraded
EARNING = "earning"  # the change noted when a game gives experience, even 0


class ChangeCause(NamedTuple):
    """The cause of a change: scenario, step, and the place of the answer in the log."""

    scenario: str
    step: str
    answer: int


class StateChange(NamedTuple):
    """One change of the state: what was changed, by how much or to what, and its cause.

    ``cause`` is an index into ``State.causes``; only experience has an ``origin``.
    """

    what: str
    which: str
    value: object
    cause: int
    origin: ExperienceOrigin | None = None


class WrittenLine(NamedTuple):
    """A line of the log.

    ``kind`` is ``basic``, ``count``, ``card``, ``task`` or ``freeform``.
    ``crossed_out`` is None if it was never set. ``note`` is the scenario and index of a
    note made between two scenarios.
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


_Places: TypeAlias = "tuple[int, _Places | None]"


class LogSection:
    """A section of the log: its lines, and whether it is crossed out as a whole.

    Only the ``owner`` may change a section (see ``State.writing``). Lines are looked up
    by their ids, so that long logs stay fast.
    """

    __slots__ = (
        "_lines",
        "_next",
        "_places",
        "_standing",
        "circled",
        "crossed_out",
        "owner",
    )

    def __init__(self, owner: object = None) -> None:
        self.owner = owner
        self.crossed_out: bool | None = None
        self.circled: dict[str, None] = {}
        self._lines: SharedDict[int, WrittenLine] = SharedDict()  # by place, in order
        # Places of the lines with an id: a linked list, the last line first.
        self._places: SharedDict[str, _Places] = SharedDict()
        self._next = 0  # the first place that was never used
        self._standing = 0  # how many lines are not crossed out

    def copy(self, owner: object) -> LogSection:
        """Return an independent copy for another owner."""
        other = LogSection(owner)
        other.crossed_out = self.crossed_out
        other.circled = self.circled.copy()
        other._lines = self._lines.copy()
        other._places = self._places.copy()
        other._next = self._next
        other._standing = self._standing
        return other

    # --- reading

    @property
    def lines(self) -> tuple[WrittenLine, ...]:
        """All lines in order, crossed-out lines included."""
        return tuple(self._lines.values())

    def named(self, line_id: str) -> list[WrittenLine]:
        """Return the lines with this id in order, crossed-out lines included."""
        return [self._lines[place] for place in reversed(self._places_of(line_id))]

    def _places_of(self, line_id: str) -> list[int]:
        """Return the places of the lines with this id, the last one first."""
        found: list[int] = []
        places = self._places.get(line_id)
        while places is not None:
            place, places = places
            found.append(place)
        return found

    def has(self, line_id: str) -> bool:
        """Return whether a line that is not crossed out has this id."""
        if self.crossed_out or line_id not in self._places:
            return False
        return not all(line.crossed_out for line in self.named(line_id))

    def number(self, line_id: str) -> int:
        """Return a line's number, or the number of lines for ``$num_entries``."""
        if self.crossed_out:
            return 0
        if line_id == "$num_entries":
            return self._standing
        for line in self.named(line_id):
            if not line.crossed_out:
                return line.number if line.kind == "count" else 0
        return 0

    def counted(self, line_id: str) -> WrittenLine | None:
        """Return the ``count`` line with this id, crossed out or not, or None."""
        lines = self.named(line_id)
        return next((line for line in lines if line.kind == "count"), None)

    def counted_before(self, line_id: str) -> int:
        """Return the number of a ``count`` line, crossed out or not; 0 without one."""
        line = self.counted(line_id)
        return 0 if line is None else line.number

    def cards(self, line_id: str) -> list[tuple[str, int]]:
        """Return the cards on the lines with this id, each with its number."""
        if self.crossed_out:
            return []
        return [
            card
            for line in self.named(line_id)
            if not line.crossed_out
            for card in line.cards
        ]

    # --- changing (by the owner only)

    def add(self, line: WrittenLine) -> None:
        """Add a line at the end."""
        place = self._next
        self._next += 1
        self._lines[place] = line
        self._places[line.id] = place, self._places.get(line.id)
        self._standing += not line.crossed_out

    def count(self, line_id: str, count: int, *, second: bool = False) -> None:
        """Set the number of a ``count`` line; add the line if there is none."""
        for place in reversed(self._places_of(line_id)):
            line = self._lines[place]
            if line.kind == "count":
                self._lines[place] = _written(line, count, second=second)
                return
        self.add(_written(WrittenLine("count", line_id), count, second=second))

    def mark(self, line_id: str, mark: Mark, codes: frozenset[str]) -> None:
        """Cross out, restore, circle or remove the lines with this id."""
        if mark is Mark.CIRCLE:
            self.circled[line_id] = None
            return
        for place in self._places_of(line_id):
            line = self._lines[place]
            if not codes or any(code in codes for code, _ in line.cards):
                self._standing -= not line.crossed_out
                if mark is Mark.REMOVE:
                    del self._lines[place]
                else:
                    crossed = mark is Mark.CROSS_OUT
                    self._lines[place] = line._replace(crossed_out=crossed)
                    self._standing += not crossed
        if mark is Mark.REMOVE:
            self._forget(line_id)

    def _forget(self, line_id: str) -> None:
        """Drop the places of removed lines from the index."""
        left: _Places | None = None
        for place in reversed(self._places_of(line_id)):
            if place in self._lines:
                left = place, left
        if left is None:
            self._places.pop(line_id, None)
        else:
            self._places[line_id] = left


def _written(line: WrittenLine, count: int, *, second: bool) -> WrittenLine:
    return line._replace(second=count) if second else line._replace(number=count)


class Person:
    """What an investigator or a partner has; a value is None if it was never set."""

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
        # How much of each pool comes from which source.
        self.pooled: dict[str, dict[ExperienceOrigin, int]] | None = None
        self.story: tuple[str, ...] | None = None
        self.beyond_limit: tuple[str, ...] | None = None
        self.added: list[str] | None = None
        self.removed: list[str] | None = None
        self.exiled: list[str] | None = None
        self.card_counts: dict[str, int] | None = None

    def put_in(self, *cards: str) -> None:
        """Add cards other than story assets to the deck."""
        self.added = self.added or []
        self.added += cards

    def take_out(self, cards: Iterable[str], *, exile: bool) -> None:
        """Remove cards other than story assets from the deck, exiled or not."""
        self.added, self.removed = self.added or [], self.removed or []
        self.exiled = self.exiled or []
        (self.exiled if exile else self.removed).extend(cards)

    def bank(self, experience: int | None) -> Banked:
        """Return a snapshot of what is settled when decks are brought up to date."""
        return Banked(
            experience,
            self.story,
            _tuple(self.added),
            _tuple(self.removed),
            _tuple(self.exiled),
            self.card_counts,
            self.beyond_limit,
        )

    def copy(self) -> Person:
        """Return an independent copy."""
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
        other.added = copy(self.added)
        other.removed = copy(self.removed)
        other.exiled = copy(self.exiled)
        other.card_counts = self.card_counts
        return other

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same values."""
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


def _tuple(cards: list[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else tuple(cards)


class Game(NamedTuple):
    """One playing of a scenario: players, lead investigator, outcomes, resolution."""

    players: tuple[str, ...] | None = None
    lead: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()
    resolution: str = ""
    hub_step: str = ""


class Map(NamedTuple):
    """The map: where the investigators are, what they've seen, who bears which key."""

    location: str = ""
    embark: bool = False
    shown: bool = False
    visited: tuple[str, ...] = ()
    unlocked: tuple[str, ...] = ()
    dossiers: tuple[str, ...] = ()
    keys: tuple[tuple[str, str, str], ...] = ()
