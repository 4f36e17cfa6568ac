"""The entries of a campaign's log, and an index to look them up by scenario.

An answer names the scenario and the step it answers. If a step has several answers, the
last one counts, so players correct an answer by giving it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.model.effects import Banish, Effect
from arkham.rules.campaign.state.sharing import SharedList

COUNTED, LISTED = "count", "choice_list"
TRANSFERRED = "transfer"  # the reason of facts that a transferred deck brings along


class Answer(NamedTuple):
    """The answer to one question of the guide.

    ``kind`` is ``choice``, ``decision``, ``count``, ``string_choices``,
    ``choice_list``, ``supplies``, ``text``, ``campaign_link``, ``inter_scenario``,
    ``start_scenario`` or ``start_side_scenario``. The kind determines the type of
    ``value``: a number, a boolean or a mapping. ``sequence`` is the entry's place in
    the log, or 0. ``choice`` is the stable id of the chosen option, if known; it stays
    valid if options before it are added or removed. ``reason`` explains a total that
    differs from the sum of the cards in the victory display.
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
        """The scenario, kind and step of the question.

        The victory display can be answered with a list or a number: both share a key.
        """
        kind = LISTED if self.kind == COUNTED else self.kind
        return self.scenario, kind, self.step


class Journey(NamedTuple):
    """A journey across the map, from the scenario just played to another place."""

    previous: str
    destination: str
    departure: str
    time: int
    next_scenario: str
    fast: bool
    transit: bool


class SideScenario(NamedTuple):
    """A side scenario inserted into the campaign, and the scenario it follows."""

    previous: str
    kind: str
    name: str = ""
    cost: int = 0
    journey: Journey | None = None


class Changes(NamedTuple):
    """Changes made by hand between two scenarios: trauma, fates and notes."""

    trauma: tuple[tuple[str, int | None, int | None, bool, bool], ...]
    notes: tuple[str, ...]


class Stated(NamedTuple):
    """A change that the players record themselves at the end of a scenario.

    The effect is applied as given. ``codes`` are the investigators it concerns if its
    ``who`` is ``input``; ``numbers`` are the numbers it uses.
    """

    scenario: str
    effect: Effect
    codes: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    reason: str = ""
    sequence: int = 0


class Asserted(NamedTuple):
    """A value that players claim for the end of a scenario; the fold checks it.

    ``what`` is ``experience``, ``physical``, ``mental``, ``token``, ``count`` or
    ``line`` (1 if the line is in the log, else 0). ``which`` is an investigator, a
    token, a section, or ``section.line``.
    """

    scenario: str
    what: str
    which: str
    value: int
    sequence: int = 0


class UltimatumChosen(NamedTuple):
    """An ultimatum, boon or refraction chosen for the whole campaign (ULT-00a).

    ``scenario`` is the scenario it was chosen before: the campaign's setup, or a
    scenario played on its own. ``ultimatum`` is an id from the table of ultimatums, or
    any other id for one the players made up, which ``name`` then names. With the
    ``record`` of a draw (as written by :meth:`Draw.as_data`) it was drawn under the
    Ultimatum of Ultimatums and applies to that game only (ULT-16).
    """

    scenario: str
    ultimatum: str
    name: str = ""
    record: Mapping[str, Any] | None = None
    sequence: int = 0


class Retracted(NamedTuple):
    """Retracts an earlier entry, by its place in the log; nothing is deleted."""

    target: int
    sequence: int = 0


class UltimatumDropped(NamedTuple):
    """Drops an ultimatum chosen by mistake, as if it had never been chosen."""

    target: int
    reason: str
    sequence: int = 0


Fact: TypeAlias = Stated | Asserted
Entry: TypeAlias = (
    Answer | Stated | Asserted | UltimatumChosen | Retracted | UltimatumDropped
)
EffectiveEntry: TypeAlias = Answer | Stated | Asserted | UltimatumChosen
_RETRACTING = Retracted, UltimatumDropped


def gone_by(entries: Iterable[Any]) -> dict[int, int]:
    """Return the entries retracted or dropped, each with the entry that did it."""
    gone: dict[int, int] = {}
    retracting = [each for each in entries if isinstance(each, _RETRACTING)]
    for entry in reversed(retracting):
        if entry.sequence not in gone:
            gone.setdefault(entry.target, entry.sequence)
    return gone


def not_retracted(entries: Iterable[Any]) -> list[Any]:
    """Return the entries of every kind that were not retracted or dropped, in order."""
    entries = list(entries)
    gone = gone_by(entries)
    return [
        each
        for each in entries
        if each.sequence not in gone and not isinstance(each, _RETRACTING)
    ]


def effective(entries: Iterable[Entry]) -> list[EffectiveEntry]:
    """Return the entries in effect; a retracted retraction has no effect."""
    return not_retracted(entries)


class Sheet(dict[tuple[str, str], Answer]):
    """The answers of one scenario by kind and step, the last one for each."""

    __slots__ = ()


NOTHING = Sheet()


class Answers:
    """The answers and facts of a campaign, indexed by scenario.

    ``entries`` is the log from which the index was built.
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
        """Return the answers of ``entries``, reusing this index if they continue it."""
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
        """Return the answers of a scenario, by its encoded id."""
        return self.sheets.get(scenario, NOTHING)

    def transferred(self, scenario: str) -> frozenset[str]:
        """Return the investigators who were transferred from another campaign."""
        return frozenset(
            code
            for fact in self.stated(scenario)
            if isinstance(fact, Stated) and fact.reason == TRANSFERRED
            for code in fact.codes
        )

    def banished(self, scenario: str) -> list[tuple[str, int]]:
        """Return the cards no deck may have again, each with its place in the log."""
        return self.lost.get(scenario, _NOTHING_LOST)

    def stated(self, scenario: str) -> SharedList[Fact]:
        """Return the facts for the end of a scenario, in the order of the log."""
        return self.facts.get(scenario, _NO_FACTS)


_NO_FACTS: SharedList[Fact] = SharedList()
_NOTHING_LOST: list[tuple[str, int]] = []


def _apart(held: dict[str, Any], scenarios: Iterable[str]) -> dict[str, Any]:
    """Return a copy of ``held`` in which the values of these scenarios are copied."""
    return {**held, **{each: copy(held[each]) for each in scenarios if each in held}}
