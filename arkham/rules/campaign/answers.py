"""What a table reports: the records a campaign is made of, and how they are found.

An answer names the scenario and the step it answers. Of several answers to the same
step the last one holds, so that an answer is put right by giving it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.model.effects import Effect

COUNTED, LISTED = "count", "choice_list"


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

        The victory display is told as a list or as a number: one and the same question.
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


class Sworn(NamedTuple):
    """An ultimatum, boon or refraction the table has chosen, for good (ULT-00a).

    ``scenario`` is what it is chosen before: the campaign's set-up, or the scenario
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


class Released(NamedTuple):
    """Something sworn by mistake: it never held, and here is why."""

    target: int
    reason: str
    sequence: int = 0


Fact: TypeAlias = Stated | Asserted
Entry: TypeAlias = Answer | Stated | Asserted | Sworn | Retracted | Released
Held: TypeAlias = Answer | Stated | Asserted | Sworn


def effective(entries: Iterable[Entry]) -> list[Held]:
    """The entries that hold: those nobody has retracted, or whose retraction was."""
    gone: set[int] = set()
    kept: list[Held] = []
    for entry in reversed(list(entries)):
        if entry.sequence in gone:
            continue
        if isinstance(entry, Retracted | Released):
            gone.add(entry.target)
        else:
            kept.append(entry)
    kept.reverse()
    return kept


class Sheet(dict[tuple[str, str], Answer]):
    """The answers of one scenario by kind and step; the last one of each holds."""

    __slots__ = ()


NOTHING = Sheet()


class Answers:
    """All answers and facts of a campaign, found by scenario."""

    __slots__ = ("facts", "journeys", "sheets", "sides", "sworn")

    def __init__(self, entries: Iterable[Entry]) -> None:
        entries = list(entries)
        sheets: dict[str, Sheet] = {}
        self.facts: dict[str, list[Fact]] = {}
        self.sides: dict[str, Answer] = {}
        self.journeys: dict[str, Journey] = {}
        self.sworn: dict[str, list[Sworn]] = {}
        if any(entry.__class__ is not Answer for entry in entries):
            entries = [*effective(entries)]
        for entry in entries:
            if not isinstance(entry, Answer):
                if isinstance(entry, Sworn):
                    self.sworn.setdefault(entry.scenario, []).append(entry)
                elif not isinstance(entry, Retracted | Released):
                    self.facts.setdefault(entry.scenario, []).append(entry)
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
        self.sheets = sheets

    def sheet(self, scenario: str) -> Sheet:
        """The answers of a scenario, by its encoded id."""
        return self.sheets.get(scenario, NOTHING)

    def stated(self, scenario: str) -> list[Fact]:
        """What the table itself says of a scenario's end, in the order it was said."""
        return self.facts.get(scenario, _NO_FACTS)


_NO_FACTS: list[Fact] = []
