"""The facts a table may report without being asked.

Corrections of experience and trauma while decks are upgraded, what was changed by hand
after a scenario, a side scenario put in, a journey.
"""

from __future__ import annotations

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.side_scenarios import Aside, side_scenario_findings
from arkham.rules.campaign.judging.travel import journey
from arkham.rules.campaign.state.answers import Answer, Journey, SideScenario


def is_volunteered(answer: Answer, replay: Replay) -> bool:
    """Whether an answer may be given here although it is not what is asked."""
    match answer.kind:
        case "choice_list":
            return _is_of_a_deck(answer, replay)
        case "inter_scenario":
            return not answer.step and _has_begun(answer.scenario, replay)
        case "start_side_scenario":
            return not answer.step and _is_put_in(answer, replay)
        case "start_scenario":
            return not answer.step and _is_a_journey(answer, replay)
    return False


def _is_of_a_deck(answer: Answer, replay: Replay) -> bool:
    """What is put right for one investigator while decks are upgraded or saved."""
    asked = replay.pending
    if asked is None or not asked.is_upgrade:
        return False
    step, _mark, code = answer.step.rpartition("#")
    return (answer.scenario, step) == (asked.scenario, asked.step) and (
        code in asked.codes
    )


def _has_begun(scenario: str, replay: Replay) -> bool:
    return scenario in replay.begun


def _is_put_in(answer: Answer, replay: Replay) -> bool:
    """A side scenario nothing stands against here."""
    if not isinstance(answer.value, SideScenario):
        return False
    return not side_scenario_findings(Aside(answer, replay))


def _is_a_journey(answer: Answer, replay: Replay) -> bool:
    """A journey as the map allows it, once the table may travel."""
    value = answer.value
    if not isinstance(value, Journey) or not replay.state.map.embark:
        return False
    if value.destination not in replay.state.guide.map:
        return False
    possible = journey(
        replay.state.guide,
        replay,
        value.destination,
        fast=value.fast,
        passing=value.transit,
    )
    return value == possible and answer.scenario == value.next_scenario
