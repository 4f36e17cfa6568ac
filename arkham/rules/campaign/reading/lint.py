"""Finds everything that is wrong with a guide, and further flaws of our own guides.

Every flaw has a permanent id and a place. ``HARMLESS`` ones change nothing in play; the
others lose something, or stop a campaign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.effects import INPUT, LogCount, LogLine, Mark
from arkham.rules.campaign.model.guide import (
    ASIDE,
    Ask,
    CampaignGuide,
    GuideLibrary,
    Scenario,
    Step,
)
from arkham.rules.campaign.reading.cursor import MOST_FLAWS, Flaw
from arkham.rules.campaign.reading.own import OwnGuide, OwnReading
from arkham.rules.campaign.reading.references import References, parts, references

HARMLESS = frozenset(
    {
        "guide.unreachable-step",
        "guide.unknown-rule",
        "guide.unknown-hidden-scenario",
        "guide.unwritten-section",
        "guide.undeclared-section",
    }
)
LONGEST_CIRCLE = 12  # how many of its steps are listed
_OWN_STEPS = frozenset(
    {
        *scenario_steps.FIXED_STEPS,
        scenario_steps.CHOOSE_RESOLUTION,
        scenario_steps.LEAD_INVESTIGATOR,
        "$check_investigator_defeat",
    }
)


def lint(library: GuideLibrary) -> list[Flaw]:
    """Return all flaws of the guides in a library, in the order of the guides."""
    flaws: list[Flaw] = []
    for guide in library.guides.values():
        flaws += lint_guide(guide)
    if library.side is not None:
        flaws += lint_guide(library.side)
    return flaws


class LookedUp:
    """The references of steps, each computed only once."""

    def __init__(self) -> None:
        self._found: dict[int, References] = {}

    def __call__(self, step: Step) -> References:
        found = self._found.get(id(step))
        if found is None:
            found = self._found[id(step)] = references(step)
        return found


def lint_guide(guide: CampaignGuide) -> list[Flaw]:
    """Return the flaws of one guide, up to :data:`MOST_FLAWS`."""
    return list(islice(_flaws(guide), MOST_FLAWS))


def _flaws(guide: CampaignGuide) -> Iterator[Flaw]:
    looked_up = LookedUp()
    places = [guide.setup, *guide.scenarios.values()]
    yield from _campaign(guide)
    yield from _sections(guide, places, looked_up)
    reached: set[str] = set()
    for scenario in places:
        yield from _scenario(guide, scenario, reached, looked_up)
    asides = (*guide.scenario_setup, *guide.side_resolution, *guide.rules)
    _reach(asides, guide.core, reached, looked_up)
    for step in guide.side_steps:
        _reach(looked_up(step).steps, guide.core, reached, looked_up)
    for step_id in guide.core:
        if step_id not in reached and step_id not in _OWN_STEPS:
            at = f"{guide.id}/core · {step_id}"
            yield Flaw("guide.unreachable-step", at, step_id)


def _campaign(guide: CampaignGuide) -> Iterator[Flaw]:
    """Yield scenarios and places that the campaign names but doesn't have."""
    at = f"{guide.id}/campaign"
    for name in guide.order:
        if name not in guide.scenarios:
            yield Flaw(
                "guide.unknown-scenario", f"{at}.scenarios", name, _listed(guide)
            )
    for name in guide.hidden_scenarios:
        if name not in guide.scenarios:
            yield Flaw("guide.unknown-hidden-scenario", f"{at}.hidden_scenarios", name)
    for place in guide.map.values():
        where = f"{at}.map · {place.id}"
        if place.scenario != ASIDE and place.scenario not in guide.scenarios:
            yield Flaw("guide.unknown-scenario", where, place.scenario, _listed(guide))
        for neighbour in place.connections:
            if neighbour not in guide.map:
                yield Flaw("guide.unknown-place", where, neighbour)


def _listed(guide: CampaignGuide) -> str:
    return ", ".join(guide.scenarios)


def _sections(
    guide: CampaignGuide, places: list[Scenario], looked_up: LookedUp
) -> Iterator[Flaw]:
    """Yield sections that are read but never written, or written but not declared."""
    declared = {section.id for section in guide.sections}
    written: set[str] = set()
    read: dict[str, str] = {}
    undeclared: dict[str, str] = {}
    everything: list[tuple[str, Step]] = [
        (f"{guide.id}/core · {step.id}", step) for step in guide.core.values()
    ]
    for scenario in places:
        everything += [
            (f"{guide.id}/{scenario.id} · {step.id}", step)
            for step in scenario.steps.values()
        ]
    for at, step in everything:
        found = looked_up(step)
        written.update(found.written)
        for section in found.written:
            if section not in declared:
                undeclared.setdefault(section, at)
        for section in found.read:
            read.setdefault(section, at)
    listed = ", ".join(sorted(declared))
    for section, at in undeclared.items():
        yield Flaw("guide.undeclared-section", at, section, listed)
    for section, at in read.items():
        if section not in declared and section not in written:
            yield Flaw("guide.unwritten-section", at, section)


def _scenario(
    guide: CampaignGuide, scenario: Scenario, reached: set[str], looked_up: LookedUp
) -> Iterator[Flaw]:
    """Yield the flaws of one scenario; add the shared steps it uses to ``reached``."""
    at = f"{guide.id}/{scenario.id}"
    side = {step.id: step for step in guide.side_steps} if scenario.side else {}
    known: Mapping[str, Step] = {**guide.core, **scenario.steps, **side}
    lists = [scenario.setup, scenario.standalone_setup or ()]
    for steps in lists:
        yield from _unknown_steps(at, steps, known, scenario)
    for rule in scenario.rules:
        if not _is_known(rule, known, scenario):
            yield Flaw("guide.unknown-rule", f"{at}.rules", rule, "a step's id")
    for resolution in scenario.resolutions.values():
        where = f"{at} · {resolution.id}"
        yield from _unknown_steps(where, resolution.steps, known, scenario)
    for step in scenario.steps.values():
        yield from _step(guide, scenario, looked_up(step), known, step.id)
    own: set[str] = set()
    roots = [step for steps in lists for step in steps]
    roots += [s for each in scenario.resolutions.values() for s in each.steps]
    roots += [*scenario.rules, *_OWN_STEPS, *guide.scenario_setup]
    roots += guide.side_resolution
    _reach(roots, known, own, looked_up)
    for step_id in guide.core:
        if step_id in own and known[step_id] is guide.core[step_id]:
            found = looked_up(known[step_id])
            yield from _step(guide, scenario, found, known, step_id)
    reached |= own
    for step_id in scenario.steps:
        if step_id not in own:
            yield Flaw("guide.unreachable-step", f"{at} · {step_id}", step_id)
    yield from _circles(at, known, own, looked_up)


def _is_known(step_id: str, known: Mapping[str, Step], scenario: Scenario) -> bool:
    base = step_id.partition("#")[0]
    if base in known or base in _OWN_STEPS:
        return True
    resolution = base.removeprefix("$pr_").removeprefix("$r_").partition("*")[0]
    return resolution != base and resolution in scenario.resolutions


def _unknown_steps(
    at: str, steps: tuple[str, ...], known: Mapping[str, Step], scenario: Scenario
) -> Iterator[Flaw]:
    for step_id in steps:
        if not _is_known(step_id, known, scenario):
            yield Flaw("guide.unknown-step", at, step_id, "a step's id")


def _step(
    guide: CampaignGuide,
    scenario: Scenario,
    found: References,
    known: Mapping[str, Step],
    step_id: str,
) -> Iterator[Flaw]:
    at = f"{guide.id}/{scenario.id} · {step_id}"
    yield from _unknown_steps(at, found.steps, known, scenario)
    for name in found.resolutions:
        if name not in scenario.resolutions:
            listed = ", ".join(scenario.resolutions)
            yield Flaw("guide.unknown-resolution", at, name, listed)
    for name in found.scenarios:
        base = name.partition("#")[0]
        if name != ASIDE and base not in guide.scenarios and base not in guide.side:
            yield Flaw("guide.unknown-scenario", at, name, _listed(guide))
    for place in found.places:
        if guide.map and place not in guide.map:
            yield Flaw("guide.unknown-place", at, place, ", ".join(guide.map))
    for section, partner in found.partners:
        team = [p.code for s in guide.sections if s.id == section for p in s.partners]
        if partner not in team:
            yield Flaw("guide.unknown-partner", at, partner, ", ".join(team))


def _reach(
    roots: Sequence[str],
    known: Mapping[str, Step],
    reached: set[str],
    looked_up: LookedUp,
) -> None:
    """Add every step that can be reached from the roots to ``reached``."""
    waiting = list(roots)
    while waiting:
        step_id = waiting.pop().partition("#")[0]
        if step_id in reached:
            continue
        reached.add(step_id)
        step = known.get(step_id)
        if step is not None:
            waiting.extend(looked_up(step).steps)


def _circles(
    at: str, known: Mapping[str, Step], own: set[str], looked_up: LookedUp
) -> Iterator[Flaw]:
    """Yield circles of steps in which no question is asked."""
    after = {
        step_id: [step.partition("#")[0] for step in looked_up(known[step_id]).steps]
        for step_id in own
        if step_id in known and not isinstance(known[step_id], Ask)
    }
    done: set[str] = set()
    for root in sorted(after):
        path: dict[str, None] = {}
        todo = [(root, iter(after[root]))] if root not in done else []
        while todo:
            step_id, rest = todo[-1]
            path[step_id] = None
            following = next(rest, None)
            if following is None:
                done.add(step_id)
                del path[step_id]
                todo.pop()
            elif following in path:
                yield Flaw(
                    "guide.circle",
                    f"{at} · {following}",
                    _circle_in_words(path, following),
                )
            elif following in after and following not in done:
                todo.append((following, iter(after[following])))


def _circle_in_words(path: Mapping[str, None], first: str) -> str:
    """Return a circle as text: the steps from the first one back to it."""
    steps = [*path, first]
    circle = steps[steps.index(first) :]
    if len(circle) > LONGEST_CIRCLE:
        circle[LONGEST_CIRCLE // 2 : 1 - LONGEST_CIRCLE // 2] = ["…"]
    return " → ".join(circle)


def lint_own(reading: OwnReading) -> list[Flaw]:
    """Return all flaws of a guide of ours that was read completely."""
    own = reading.own
    flaws = [*reading.flaws, *lint_guide(own.guide)]
    hidden = {section.id for section in own.guide.sections if section.hidden}
    for scenario in (own.guide.setup, *own.guide.scenarios.values()):
        flaws += _without_words(own, scenario, hidden)
        flaws += _unnamed(own, scenario)
    return flaws


def _without_words(
    own: OwnGuide, scenario: Scenario, hidden: set[str]
) -> Iterator[Flaw]:
    """Yield lines without texts that are recorded in sections players can read."""
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
    """Yield encounter sets to gather that have no name."""
    for step_id in scenario.steps:
        for code in own.words.step(scenario.id, step_id).get("encounter_sets", ()):
            if code not in own.encounter_sets:
                at = f"{own.guide.id}/{scenario.id} · {step_id}"
                yield Flaw("guide.unnamed-set", at, code)
