"""Describe what is wrong with a log or a guide, for the page to show in place.

Failed assertions appear at their subject; everything else at its entry.
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

# The messages for problems of a log, by rule.
PROBLEMS: dict[str, str | Promise] = {
    "fold.unknown-step": gettext_lazy("The guide doesn’t have this step."),
    "fold.unknown-scenario": gettext_lazy("The guide doesn’t have this scenario."),
    "fold.unknown-resolution": gettext_lazy("The guide doesn’t have this resolution."),
    "fold.nothing-to-choose": gettext_lazy("There was nothing to choose."),
    "answer.out-of-range": gettext_lazy("You can’t give this answer."),
    "answer.unknown-choice": gettext_lazy("You can’t choose this here:"),
    "answer.unknown-card": gettext_lazy("We don’t know this card."),
    "fold.endless": gettext_lazy("This part of the guide never ends."),
    "fold.too-many-scenarios": gettext_lazy("The campaign has too many scenarios."),
    "log.effect": gettext_lazy("You can’t change this by hand."),
    "log.gone": gettext_lazy("A killed or insane investigator earns nothing:"),
    "log.suffered": gettext_lazy("This source doesn’t give trauma here:"),
    "bag.token": gettext_lazy("We don’t know this token:"),
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
        """The entry of the rules library that explains it."""
        return entry_of(library(), self.rule)


class Contradictions:
    """Everything contradictory in a log, by subject."""

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
        """Return what is wrong with a number, a token or a line."""
        return tuple(self._at.get((what, which), ()))

    def under(self, section: str) -> tuple[Found, ...]:
        """Return what is wrong with the lines of a section."""
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
    """Return a problem in one sentence, with its scenario.

    ``entry`` is where it was found, if known.
    """
    scenario = names.scenario(problem.scenario)
    if isinstance(entry, Asserted) and problem.rule == ASSERTION:
        had = problem.found.rpartition(": ")[2].partition(",")[0]
        text = _(
            "%(subject)s after “%(scenario)s”: the table says %(said)d, the log "
            "%(had)s."
        )
        text %= {
            "subject": log_entries.subject(entry.what, entry.which, names),
            "scenario": scenario,
            "said": entry.value,
            "had": had,
        }
    else:
        message = PROBLEMS.get(problem.rule) or _("This isn’t possible.")
        text = f"{scenario}: {message} {_in_words(problem, names)}".strip()
    return Found(text, problem.sequence, problem.rule, scenario)


def _in_words(problem: Problem, names: CampaignNames) -> str:
    """Return the name of what was found."""
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
    "guide.too-large": gettext_lazy("Something here is larger than in any guide."),
    "guide.too-deep": gettext_lazy("Things are nested too deeply."),
    "guide.wrong-type": gettext_lazy("Something here has the wrong form."),
    "guide.missing": gettext_lazy("Something that is needed is missing."),
    "guide.unfit-id": gettext_lazy("We can’t save the guide under this id."),
    "guide.duplicate-guide": gettext_lazy("Two guides have this id; we use the first."),
    "guide.duplicate-step": gettext_lazy("Two steps have this id; we use the first."),
    "guide.duplicate-scenario": gettext_lazy(
        "Two scenarios have this id; we use the first."
    ),
    "guide.duplicate-resolution": gettext_lazy(
        "Two resolutions have this id; we use the first."
    ),
    "guide.unknown-kind": gettext_lazy("We don’t know this kind; it does nothing."),
    "guide.unknown-original": gettext_lazy("It changes something that doesn’t exist."),
    "guide.unknown-step": gettext_lazy("It names a step that doesn’t exist."),
    "guide.unknown-resolution": gettext_lazy(
        "It names a resolution that doesn’t exist."
    ),
    "guide.unknown-scenario": gettext_lazy("It names a scenario that doesn’t exist."),
    "guide.unknown-place": gettext_lazy("It names a place that isn’t on the map."),
    "guide.unknown-partner": gettext_lazy("It names a partner that no section lists."),
    "guide.circle": gettext_lazy("Steps lead back to themselves without a question."),
    "guide.bonus-and-count": gettext_lazy(
        "Experience is a bonus and a number at once."
    ),
    "guide.unreachable-step": gettext_lazy("This step can’t be reached."),
    "guide.unknown-rule": gettext_lazy("It names a rule that doesn’t exist."),
    "guide.unknown-hidden-scenario": gettext_lazy(
        "It names a hidden scenario that doesn’t exist."
    ),
    "guide.undeclared-section": gettext_lazy("A section of the log isn’t declared."),
    "guide.unknown-key": gettext_lazy("We don’t know this key."),
    "guide.unnamed-set": gettext_lazy("An encounter set has no name."),
    "guide.untold-line": gettext_lazy("A line of the log has no words."),
    "guide.unwritten-section": gettext_lazy(
        "It reads a section of the log that is never written."
    ),
}


@dataclass(frozen=True, slots=True)
class ShownFlaw:
    """A flaw and its meaning."""

    flaw: Flaw

    @property
    def meaning(self) -> str | Promise:
        """A sentence; the id of the rule if there is none."""
        return FLAWS.get(self.flaw.rule, self.flaw.rule)

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.flaw.rule

    @property
    def entry(self) -> RuleEntry | None:
        """The entry of the rules library about it."""
        return entry_of(library(), self.rule)

    @property
    def found(self) -> str:
        """What was found, without quotes and the full stop."""
        return self.flaw.found.strip("'").rstrip(".")


@dataclass(frozen=True, slots=True)
class Flaws:
    """The flaws of a guide: those that matter at the table, and the others."""

    serious: tuple[ShownFlaw, ...]
    harmless: tuple[ShownFlaw, ...]


def shown_flaws(flaws: Iterable[Iterable[str]]) -> Flaws:
    """Return stored flaws, sorted for display."""
    every = [ShownFlaw(Flaw(*flaw)) for flaw in flaws]
    return Flaws(
        tuple(each for each in every if each.flaw.rule not in HARMLESS),
        tuple(each for each in every if each.flaw.rule in HARMLESS),
    )
