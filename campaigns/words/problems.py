"""What is wrong with a log or a guide, where a page can show it.

Assertions of the table that are not so stand at what they are about; everything else
stands at its entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.effects.personal import SOURCES
from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.campaign.run import Problem
from arkham.rules.campaign.state.answers import Asserted
from arkham.rules.library import Entry as RuleEntry
from arkham.rules.library import entry_of, library
from campaigns.log.entries import Entry
from campaigns.words import log_entries
from campaigns.words.changes import token_named
from campaigns.words.names import CampaignNames

ASSERTION = "log.assertion"

# What problems of a log are called, by their rule.
PROBLEMS: dict[str, str | Promise] = {
    "fold.unknown-step": gettext_lazy("The guide has no such step."),
    "fold.unknown-scenario": gettext_lazy("The guide has no such scenario."),
    "fold.unknown-resolution": gettext_lazy("The guide has no such resolution."),
    "fold.nothing-to-choose": gettext_lazy("There was nothing to choose."),
    "answer.out-of-range": gettext_lazy("This answer cannot be given."),
    "answer.unknown-choice": gettext_lazy("This cannot be chosen here:"),
    "answer.unknown-card": gettext_lazy("There is no such card."),
    "fold.endless": gettext_lazy("The guide never comes to an end here."),
    "fold.too-many-scenarios": gettext_lazy("No campaign has so many scenarios."),
    "log.effect": gettext_lazy("This is nothing a table states."),
    "log.gone": gettext_lazy("Who was killed or driven insane earns nothing:"),
    "log.suffered": gettext_lazy("This gives no trauma here, or no more:"),
    "bag.token": gettext_lazy("There is no such token:"),
    "bag.limit": gettext_lazy("There are no more of these tokens:"),
}


class Found(NamedTuple):
    """A contradiction, in words; ``sequence`` is the entry, 0 for none."""

    text: str
    sequence: int
    rule: str
    scenario: str

    @property
    def entry(self) -> RuleEntry | None:
        """The entry of the rules library behind it."""
        return entry_of(library(), self.rule)


class Wrongs:
    """All that does not go together in a log, found by what it is about."""

    def __init__(
        self,
        problems: Iterable[Problem],
        entries: Iterable[Entry],
        names: CampaignNames,
    ) -> None:
        stated = {each.sequence: each for each in entries}
        self.all: list[Found] = []
        self.entries: dict[int, list[Found]] = {}
        self._at: dict[tuple[str, str], list[Found]] = {}
        for problem in problems:
            entry = stated.get(problem.sequence)
            found = problem_found(problem, names, entry)
            self.all.append(found)
            self.entries.setdefault(problem.sequence, []).append(found)
            if isinstance(entry, Asserted) and problem.rule == ASSERTION:
                self._at.setdefault((entry.what, entry.which), []).append(found)

    def at(self, what: str, which: str) -> tuple[Found, ...]:
        """What is wrong with a number, a token or a line."""
        return tuple(self._at.get((what, which), ()))

    def under(self, section: str) -> tuple[Found, ...]:
        """What is wrong with the lines of a section."""
        start = f"{section}."
        return tuple(
            found
            for (_what, which), each in self._at.items()
            if which.startswith(start)
            for found in each
        )


def problem_found(
    problem: Problem, names: CampaignNames, entry: Entry | None = None
) -> Found:
    """A problem in one sentence, with the scenario it was found in.

    ``entry`` is the one it was found at, if it is known.
    """
    scenario = names.scenario(problem.scenario)
    if isinstance(entry, Asserted) and problem.rule == ASSERTION:
        had = problem.found.rpartition(": ")[2].partition(",")[0]
        text = _("%(subject)s after “%(scenario)s”: asserted %(said)d, found %(had)s.")
        text %= {
            "subject": log_entries.subject(entry.what, entry.which, names),
            "scenario": scenario,
            "said": entry.value,
            "had": had,
        }
    else:
        message = PROBLEMS.get(problem.rule) or _("This cannot be so.")
        text = f"{scenario}: {message} {_in_words(problem, names)}".strip()
    return Found(text, problem.sequence, problem.rule, scenario)


def _in_words(problem: Problem, names: CampaignNames) -> str:
    """What was found, by its name."""
    found = problem.found
    match problem.rule:
        case "log.gone":
            return names.card(found)
        case "log.suffered":
            source, _blank, code = found.partition(" ")
            given_by = SOURCES[source].name if source in SOURCES else source
            return f"{given_by}, {names.card(code)}"
        case "bag.limit":
            return token_named(found)
        case "answer.unknown-choice":
            if found in names.pool or found in names.guide.cards:
                return names.card(found)
            return names.choice(problem.scenario, problem.step, found)
    return found


FLAWS: Mapping[str, str | Promise] = {
    "guide.unreadable": gettext_lazy("A file is not JSON."),
    "guide.too-large": gettext_lazy("There is more of something than any guide has."),
    "guide.too-deep": gettext_lazy("Things are nested too deeply."),
    "guide.wrong-type": gettext_lazy("Something is not what it should be here."),
    "guide.missing": gettext_lazy("Something that is needed is missing."),
    "guide.unfit-id": gettext_lazy("The guide cannot be kept under this id."),
    "guide.duplicate-guide": gettext_lazy("Two guides have this id; the first holds."),
    "guide.duplicate-step": gettext_lazy("Two steps have this id; the first holds."),
    "guide.duplicate-scenario": gettext_lazy(
        "Two scenarios have this id; the first holds."
    ),
    "guide.duplicate-resolution": gettext_lazy(
        "Two resolutions have this id; the first holds."
    ),
    "guide.unknown-kind": gettext_lazy("A kind that is not known; it does nothing."),
    "guide.unknown-original": gettext_lazy(
        "A Return to of something that is not there."
    ),
    "guide.unknown-step": gettext_lazy("A step is named that is not there."),
    "guide.unknown-resolution": gettext_lazy(
        "A resolution is named that is not there."
    ),
    "guide.unknown-scenario": gettext_lazy("A scenario is named that is not there."),
    "guide.unknown-place": gettext_lazy("A place is named that is not on the map."),
    "guide.unknown-partner": gettext_lazy("A partner is named whom no section lists."),
    "guide.circle": gettext_lazy("Steps lead back to themselves, and nobody is asked."),
    "guide.bonus-and-count": gettext_lazy(
        "Experience is a bonus and a number at once."
    ),
    "guide.unreachable-step": gettext_lazy("No way leads to this step."),
    "guide.unknown-rule": gettext_lazy("A rule is named that is not there."),
    "guide.unknown-hidden-scenario": gettext_lazy("A hidden scenario is not there."),
    "guide.undeclared-section": gettext_lazy("A section of the log is not announced."),
    "guide.unknown-key": gettext_lazy("A key that is not known."),
    "guide.unnamed-set": gettext_lazy("An encounter set has no name."),
    "guide.untold-line": gettext_lazy("A line of the log has no words."),
    "guide.unwritten-section": gettext_lazy(
        "A section of the log is read and never written."
    ),
}


@dataclass(frozen=True, slots=True)
class ShownFlaw:
    """A flaw with what it means."""

    flaw: Flaw

    @property
    def meaning(self) -> str | Promise:
        """A sentence; the id of the rule where there is none."""
        return FLAWS.get(self.flaw.rule, self.flaw.rule)

    @property
    def entry(self) -> RuleEntry | None:
        """The entry of the rules library about it."""
        return entry_of(library(), self.flaw.rule)

    @property
    def found(self) -> str:
        """What was found, without the marks a text was read with."""
        return self.flaw.found.strip("'").rstrip(".")


@dataclass(frozen=True, slots=True)
class Flaws:
    """The flaws of a guide: those that matter at the table, and the others."""

    serious: tuple[ShownFlaw, ...]
    harmless: tuple[ShownFlaw, ...]


def shown_flaws(flaws: Iterable[Iterable[str]]) -> Flaws:
    """Flaws as they are kept or were read, to be shown."""
    every = [ShownFlaw(Flaw(*flaw)) for flaw in flaws]
    return Flaws(
        tuple(each for each in every if each.flaw.rule not in HARMLESS),
        tuple(each for each in every if each.flaw.rule in HARMLESS),
    )
