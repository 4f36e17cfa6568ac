"""What is wrong with a guide, as people read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from arkham.rules.campaign.reading.cursor import Flaw
from arkham.rules.campaign.reading.lint import HARMLESS
from arkham.rules.library import Entry, entry_of, library

WORDS: Mapping[str, str | Promise] = {
    "guide.unreadable": _("A file is not JSON."),
    "guide.too-large": _("There is more of something than any guide has."),
    "guide.too-deep": _("Things are nested too deeply."),
    "guide.wrong-type": _("Something is not what it should be here."),
    "guide.missing": _("Something that is needed is missing."),
    "guide.unfit-id": _("The guide cannot be kept under this id."),
    "guide.duplicate-guide": _("Two guides have this id; the first holds."),
    "guide.duplicate-step": _("Two steps have this id; the first holds."),
    "guide.duplicate-scenario": _("Two scenarios have this id; the first holds."),
    "guide.duplicate-resolution": _("Two resolutions have this id; the first holds."),
    "guide.unknown-kind": _("A kind that is not known; it does nothing."),
    "guide.unknown-original": _("A Return to of something that is not there."),
    "guide.unknown-step": _("A step is named that is not there."),
    "guide.unknown-resolution": _("A resolution is named that is not there."),
    "guide.unknown-scenario": _("A scenario is named that is not there."),
    "guide.unknown-place": _("A place is named that is not on the map."),
    "guide.unknown-partner": _("A partner is named whom no section lists."),
    "guide.circle": _("Steps lead back to themselves, and nobody is asked."),
    "guide.bonus-and-count": _("Experience is a bonus and a number at once."),
    "guide.unreachable-step": _("No way leads to this step."),
    "guide.unknown-rule": _("A rule is named that is not there."),
    "guide.unknown-hidden-scenario": _("A hidden scenario is not there."),
    "guide.undeclared-section": _("A section of the log is not announced."),
    "guide.unknown-key": _("A key that is not known."),
    "guide.unnamed-set": _("An encounter set has no name."),
    "guide.untold-line": _("A line of the log has no words."),
    "guide.unwritten-section": _("A section of the log is read and never written."),
}


@dataclass(frozen=True, slots=True)
class ShownFlaw:
    """A flaw with what it means."""

    flaw: Flaw

    @property
    def meaning(self) -> str | Promise:
        """A sentence; the id of the rule where there is none."""
        return WORDS.get(self.flaw.rule, self.flaw.rule)

    @property
    def entry(self) -> Entry | None:
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
