"""What a table reports: the records a campaign is made of, and how they are found.

An answer names the scenario and the step it answers. Of several answers to the same
step the last one holds, so that an answer is put right by giving it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.model.effects import Banish, Effect
from arkham.rules.campaign.state.sharing import SharedList

COUNTED, LISTED = "count", "choice_list"
TRANSFERRED = "transfer"  # the reason of what investigators bring from a campaign


class Answer(NamedTuple):
    """One answer.

    ``kind`` is ``choice``, ``decision``, ``count``, ``string_choices``,
    ``choice_list``, ``supplies``, ``text``, ``campaign_link``, ``inter_scenario``,
    ``start_scenario`` or ``start_side_scenario``; ``value`` is as the kind says: a
    number, a yes or no, or a mapping. ``sequence`` is its place in the log, or 0;
    ``choice`` is the stable id of the choice taken, if it is known: it holds although
    other choices come and go before it. ``reason`` says why a total is another one than
    that of the cards in the victory display.
    """

    kind: str
    scenario: str
    step: str
    value: Any
    sequence: int = 0
    choice: str = ""
    reason: str = ""

    @property
    def question(self) -> tuple[str, str, str]:
        """The scenario, form and step of what is answered.

        The victory display is a list or a number: one and the same question.
        """
        kind = LISTED if self.kind == COUNTED else self.kind
        return self.scenario, kind, self.step


class Journey(NamedTuple):
    """Where the table travels: from the scenario just played to another place."""

    previous: str
    destination: str
    departure: str
    time: int
    next_scenario: str
    fast: bool
    transit: bool


class SideScenario(NamedTuple):
    """A side scenario put in: after which scenario, and which one."""

    previous: str
    kind: str
    name: str = ""
    cost: int = 0
    journey: Journey | None = None


class Changes(NamedTuple):
    """What was changed by hand between two scenarios: trauma, fates and notes."""

    trauma: tuple[tuple[str, int | None, int | None, bool, bool], ...]
    notes: tuple[str, ...]


class Stated(NamedTuple):
    """Something the table states itself, with its reason, at the end of a scenario.

    The effect is applied as it stands: ``codes`` are those it concerns (``input``),
    ``numbers`` what it carries.
    """

    scenario: str
    effect: Effect
    codes: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    reason: str = ""
    sequence: int = 0


class Asserted(NamedTuple):
    """What the table knows to be so at the end of a scenario; it is checked there.

    ``what`` is ``experience``, ``physical``, ``mental``, ``token``, ``count`` or
    ``line`` (1 if it stands there); ``which`` the investigator, token, section, or
    section and line with a point between them.
    """

    scenario: str
    what: str
    which: str
    value: int
    sequence: int = 0


class UltimatumChosen(NamedTuple):
    """An ultimatum, boon or refraction the table has chosen, for good (ULT-00a).

    ``scenario`` is what it is chosen before: the campaign's setup, or the scenario
    played on its own. ``ultimatum`` is an id of the table of ultimatums, or any other
    for one of the table's own, which ``name`` then names. With the ``record`` of a draw
    (as :meth:`Draw.as_data` writes it) it was drawn under the Ultimatum of Ultimatums,
    and holds for that game only (ULT-16).
    """

    scenario: str
    ultimatum: str
    name: str = ""
    record: Mapping[str, Any] | None = None
    sequence: int = 0


class Retracted(NamedTuple):
    """An entry that no longer holds, by its place in the log; nothing is deleted."""

    target: int
    sequence: int = 0


class UltimatumDropped(NamedTuple):
    """An ultimatum chosen by mistake: it never held, and here is why."""

    target: int
    reason: str
    sequence: int = 0


Fact: TypeAlias = Stated | Asserted
Entry: TypeAlias = (
    Answer | Stated | Asserted | UltimatumChosen | Retracted | UltimatumDropped
)
Held: TypeAlias = Answer | Stated | Asserted | UltimatumChosen


def holding(entries: Iterable[Any]) -> list[Any]:
    """The entries of every kind that were not taken back, in order."""
    gone: set[int] = set()
    kept: list[Any] = []
    for entry in reversed(list(entries)):
        if entry.sequence in gone:
            continue
        if isinstance(entry, Retracted | UltimatumDropped):
            gone.add(entry.target)
        else:
            kept.append(entry)
    return kept[::-1]


def effective(entries: Iterable[Entry]) -> list[Held]:
    """The entries that hold: those never retracted, or whose retraction was."""
    return holding(entries)


class Sheet(dict[tuple[str, str], Answer]):
    """The answers of one scenario by kind and step; the last one of each holds."""

    __slots__ = ()


NOTHING = Sheet()


class Answers:
    """All answers and facts of a campaign, found by scenario.

    ``entries`` is the log they were read from.
    """

    __slots__ = (
        "entries",
        "facts",
        "journeys",
        "lost",
        "sheets",
        "sides",
        "ultimatums",
    )

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self.sheets: dict[str, Sheet] = {}
        self.facts: dict[str, SharedList[Fact]] = {}
        self.lost: dict[str, list[tuple[str, int]]] = {}
        self.sides: dict[str, Answer] = {}
        self.journeys: dict[str, Journey] = {}
        self.ultimatums: dict[str, list[UltimatumChosen]] = {}
        held: Iterable[Entry] = self.entries
        if any(entry.__class__ is not Answer for entry in self.entries):
            held = effective(self.entries)
        self._take(held)

    def _take(self, entries: Iterable[Entry]) -> None:
        sheets = self.sheets
        for entry in entries:
            if not isinstance(entry, Answer):
                self._take_other(entry)
                continue
            kind, scenario, step, value, *_ = entry
            sheet = sheets.get(scenario)
            if sheet is None:
                sheet = sheets[scenario] = Sheet()
            sheet[kind, step] = entry
            if kind == "start_side_scenario":
                self.sides[value.previous] = entry
                if value.journey is not None:
                    self.journeys[value.journey.previous] = value.journey
            elif kind == "start_scenario" and value is not None:
                self.journeys[value.previous] = value

    def _take_other(self, entry: Entry) -> None:
        if isinstance(entry, UltimatumChosen):
            self.ultimatums.setdefault(entry.scenario, []).append(entry)
        elif isinstance(entry, Stated | Asserted):
            facts = self.facts.get(entry.scenario)
            if facts is None:
                facts = self.facts[entry.scenario] = SharedList()
            facts.append(entry)
            if isinstance(entry, Stated) and isinstance(entry.effect, Banish):
                lost = self.lost.setdefault(entry.scenario, [])
                lost.append((entry.effect.card, entry.sequence))

    def followed_by(self, entries: Iterable[Entry]) -> Answers:
        """The answers of another log, sooner had if it goes on from this one."""
        entries = list(entries)
        known = len(self.entries)
        more = [
            entry
            for entry in entries[known:]
            if not isinstance(entry, Retracted | UltimatumDropped)
        ]
        takes_back = known + len(more) < len(entries)
        if takes_back or entries[:known] != self.entries:
            return Answers(entries)
        touched = {entry.scenario for entry in more}
        other = Answers.__new__(Answers)
        other.entries = entries
        other.sheets = _apart(self.sheets, touched)
        other.facts = _apart(self.facts, touched)
        other.lost = _apart(self.lost, touched)
        other.ultimatums = _apart(self.ultimatums, touched)
        other.sides, other.journeys = self.sides.copy(), self.journeys.copy()
        other._take(more)
        return other

    def sheet(self, scenario: str) -> Sheet:
        """The answers of a scenario, by its encoded id."""
        return self.sheets.get(scenario, NOTHING)

    def transferred(self, scenario: str) -> frozenset[str]:
        """Who came with their deck from another campaign, as it is stated there."""
        return frozenset(
            code
            for fact in self.stated(scenario)
            if isinstance(fact, Stated) and fact.reason == TRANSFERRED
            for code in fact.codes
        )

    def banished(self, scenario: str) -> list[tuple[str, int]]:
        """The cards stated to be lost to everybody, each with its place in the log."""
        return self.lost.get(scenario, _NOTHING_LOST)

    def stated(self, scenario: str) -> SharedList[Fact]:
        """What the table itself says of a scenario's end, in the order it was said."""
        return self.facts.get(scenario, _NO_FACTS)


_NO_FACTS: SharedList[Fact] = SharedList()
_NOTHING_LOST: list[tuple[str, int]] = []


def _apart(held: dict[str, Any], scenarios: Iterable[str]) -> dict[str, Any]:
    """The same by scenario; what is held of these scenarios is copied."""
    return {**held, **{each: copy(held[each]) for each in scenarios if each in held}}
