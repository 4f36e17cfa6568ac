"""What is wrong with a guide of ours besides what can be wrong with any guide."""

from __future__ import annotations

from collections.abc import Iterator

from arkham.rules.campaign.model.effects import INPUT, LogCount, LogLine, Mark
from arkham.rules.campaign.model.guide import Scenario
from arkham.rules.campaign.reading.fields import Flaw
from arkham.rules.campaign.reading.lint import lint_guide
from arkham.rules.campaign.reading.own import OwnGuide, OwnReading
from arkham.rules.campaign.reading.references import parts


def lint_own(reading: OwnReading) -> list[Flaw]:
    """Everything wrong with a guide that was read whole."""
    own = reading.own
    flaws = [*reading.flaws, *lint_guide(own.guide)]
    hidden = {section.id for section in own.guide.sections if section.hidden}
    for scenario in (own.guide.setup, *own.guide.scenarios.values()):
        flaws += _untold(own, scenario, hidden)
        flaws += _unnamed(own, scenario)
    return flaws


def _untold(own: OwnGuide, scenario: Scenario, hidden: set[str]) -> Iterator[Flaw]:
    """Lines written where everybody reads them that have no words."""
    for step in scenario.steps.values():
        at = f"{own.guide.id}/{scenario.id} · {step.id}"
        for part in parts(step):
            match part:
                case LogLine(section, str(line), Mark.RECORD) | LogCount(
                    section, str(line)
                ):
                    seen = section not in hidden and section != INPUT
                    if seen and line and not own.words.line(section, line):
                        yield Flaw("guide.untold-line", at, f"{section}.{line}")


def _unnamed(own: OwnGuide, scenario: Scenario) -> Iterator[Flaw]:
    """Encounter sets to gather that have no name."""
    for step_id in scenario.steps:
        for code in own.words.step(scenario.id, step_id).get("encounter_sets", ()):
            if code not in own.encounter_sets:
                at = f"{own.guide.id}/{scenario.id} · {step_id}"
                yield Flaw("guide.unnamed-set", at, code)
