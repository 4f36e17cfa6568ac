"""The set-up steps of a scenario that a guide has narrated so far."""

from __future__ import annotations

from arkham.rules.campaign.conditions.deciding import matches
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.scope import ScenarioScope
from arkham.rules.campaign.state.answers import Answer
from campaigns.guides import opening
from campaigns.models import Campaign

MOST_STEPS = 200  # the longest set-up of the field has about 40


def told_steps(campaign: Campaign, replay: Replay, scenario: str) -> list[str]:
    """The steps with something to tell, in order, up to what is asked next.

    Nothing behind a question that was not answered, nor behind the play of the scenario
    itself; and nothing of a scenario that was not begun.
    """
    begun = {each.id for each in replay.scenarios if each.status != "playable"}
    scopes = opening.in_use(campaign.guide).scopes
    found = scopes.scenario(scenario.partition("#")[0])
    if found is None or scenario not in begun:
        return []
    scope = scopes.scope(found, standalone=bool(campaign.standalone))
    answered = {
        each.step
        for each in replay.used
        if isinstance(each, Answer) and each.scenario == scenario
    }
    return _walked(scope, replay, answered)


def _walked(scope: ScenarioScope, replay: Replay, answered: set[str]) -> list[str]:
    told: list[str] = []
    stack = list(reversed(scope.first))
    for _turn in range(MOST_STEPS):
        step = scope.steps.get(stack.pop()) if stack else None
        match step:
            case to.Plain() | to.Border():
                told.append(step.id)
                stack.extend(reversed(step.steps))
            case to.Branch():
                for found in reversed(matches(replay.state, step.condition)):
                    stack.extend(reversed(found[0].steps))
            case to.Ask(prompt=to.PlayScenario()):
                return told
            case to.Ask() if step.id not in answered:
                return told
            case None if not stack:
                return told
    return told
