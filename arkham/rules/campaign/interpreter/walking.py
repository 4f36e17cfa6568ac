"""What each kind of step does when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arkham.rules.campaign.conditions.deciding import matches
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.interpreter.system import SYSTEM_STEPS
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.prompts.by_hand import HAND_PROMPTS
from arkham.rules.campaign.prompts.decks import DECK_PROMPTS
from arkham.rules.campaign.prompts.display import victory_display
from arkham.rules.campaign.prompts.guide import PROMPTS
from arkham.rules.campaign.prompts.play import play
from arkham.rules.campaign.run import FIRST_ROUND, Run, Walk

ASK: Mapping[type, Callable[[Run, Any, str], bool]] = {
    **PROMPTS,
    **DECK_PROMPTS,
    **HAND_PROMPTS,
    to.VictoryDisplay: victory_display,
    to.PlayScenario: play,
}


def _plain(run: Run, step: to.Plain, step_id: str) -> bool:
    run.state.tell(run.encoded, step_id, run.last)
    if step.steps:
        run.stack.extend(reversed(step.steps))
    if step.batch is None:
        return True
    if not run.apply(step_id, [Group(step.batch)]):
        return False
    if step_id == fixed_steps.PROCEED:
        if not run.stack:
            run.status = "completed"
            return False
    elif step_id == fixed_steps.PROCEED_OTHERWISE:
        run.status = "completed"
        return False
    return True


def _branch(run: Run, step: to.Branch, step_id: str) -> bool:
    found = matches(run.state, step.condition)
    if not found:
        return True
    number = step_id.partition("#")[2] or FIRST_ROUND
    if step.loop:
        run.stack.append(f"{step.id}#{run.next_round(f'{step.id}#{number}')}")
    groups: list[Group] = []
    for option, codes, numbers in found:
        for batch in option.batches:
            groups.append(Group(batch, codes or (), numbers or ()))
    for option, _, _ in reversed(found):
        if option.steps:
            steps = option.steps
            if step.loop or option.repeatable:
                steps = tuple(f"{each}#{number}" for each in steps)
            run.stack.extend(reversed(steps))
    return run.apply(step_id, groups) if groups else True


def _ask(run: Run, step: to.Ask, step_id: str) -> bool:
    return ASK[step.prompt.__class__](run, step.prompt, step_id)


def _border(run: Run, step: to.Border, step_id: str) -> bool:
    run.state.tell(run.encoded, step_id, run.last)
    if step.confirmed:
        read = run.maybe("decision", step_id + "_read_the_thing")
        if read is not None and read.value:
            run.push(step.confirmed)
    run.push(step.steps)
    return True


def _resolve(run: Run, step: to.Resolve, step_id: str) -> bool:
    resolution = run.scope.scenario.resolutions.get(step.resolution)
    if resolution is None:
        run.problem("fold.unknown-resolution", step_id, step.resolution)
    else:
        run.push(resolution.steps)
    if step.batch is None:
        return True
    return run.apply(step_id, [Group(step.batch)])


def _system(run: Run, step: to.SystemStep, step_id: str) -> bool:
    return SYSTEM_STEPS[step.action](run, step, step_id)


WALK: Walk = {
    to.Plain: _plain,
    to.Branch: _branch,
    to.Ask: _ask,
    to.Border: _border,
    to.Resolve: _resolve,
    to.SystemStep: _system,
}
