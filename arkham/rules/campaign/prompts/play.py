"""The play step: a branch, something noted, or the end of the scenario."""

from __future__ import annotations

from arkham.rules.campaign.asking import Offer, Pending, offers_of
from arkham.rules.campaign.conditions.deciding import holds
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.model.steps import PromptChoice
from arkham.rules.campaign.prompts.kinds import PromptKind
from arkham.rules.campaign.prompts.taking import picked
from arkham.rules.campaign.run import Run, numbered
from arkham.rules.campaign.state.state import State


def _describe_play(state: State, prompt: to.PlayScenario, bare: Pending) -> Pending:
    if bare.step.endswith(fixed_steps.NOTES):
        offered = offers_of(state, prompt.log_choices)
        return bare._replace(offers=(*offered, Offer(len(offered), fixed_steps.OTHER)))
    own = tuple(
        Offer(number, branch.id)
        for number, branch in enumerate(prompt.branches)
        if holds(state, branch.condition)
    )
    hub = tuple(Offer(number, step) for number, step in fixed_steps.HUB_STEPS.items())
    return bare._replace(offers=(*own, Offer(fixed_steps.FINISH, "$finish"), *hub))


def play(run: Run, prompt: to.PlayScenario, step_id: str) -> bool:
    """The play step: a branch, something noted, or the end of the scenario."""
    run.state.upgraded = ""  # what could be spent in its set-up had its time
    answer = run.answer("choice", step_id)
    if answer is None:
        return run.wait(step_id, "choice", prompt)
    taken = answer.value
    if taken == fixed_steps.FINISH:
        return _finished(run, prompt, step_id)
    number = run.next_round(step_id)
    again = (f"{fixed_steps.CONTINUE_PLAY}#{number}",)
    if taken == fixed_steps.NOTE and prompt.log_choices:
        return _noted(run, prompt, step_id, number)
    if taken in fixed_steps.HUB_STEPS:
        run.push((f"{fixed_steps.HUB_STEPS[taken]}#{number}", *again))
        return True
    branch = picked(run, answer, prompt.branches)
    if branch is None:
        return run.wait(step_id, "choice", prompt)
    once = branch.condition is not None and not branch.repeatable
    steps = branch.steps if once else numbered(branch.steps, number)
    run.push((*steps, *again))
    groups = _carrying_nothing(branch)
    return run.apply(step_id, groups) if groups else True


def _noted(run: Run, prompt: to.PlayScenario, step_id: str, number: str) -> bool:
    """One of the lines the scenario offers to write down, or words of one's own."""
    again = f"{fixed_steps.CONTINUE_PLAY}#{number}"
    state = run.state
    offered = [each for each in prompt.log_choices if holds(state, each.condition)]
    own_words = (f"{fixed_steps.HUB_STEPS[fixed_steps.NOTE]}#{number}", again)
    if not offered:
        run.push(own_words)
        return True
    note_id = step_id + fixed_steps.NOTES
    answer = run.answer("choice", note_id)
    if answer is None:
        return run.wait(note_id, "choice", prompt)
    if answer.choice == fixed_steps.OTHER or (
        answer.value == len(offered) and not answer.choice
    ):
        run.push(own_words)
        return True
    chosen = picked(run, answer, offered)
    if chosen is None:
        return run.wait(note_id, "choice", prompt)
    run.push((*numbered(chosen.steps, number), again))
    groups = _carrying_nothing(chosen)
    return run.apply(step_id, groups) if groups else True


def _finished(run: Run, prompt: to.PlayScenario, step_id: str) -> bool:
    if prompt.no_resolutions:
        return True
    if prompt.single_resolution:
        run.push((f"$pr_{prompt.single_resolution}",))
        return True
    if prompt.fixed_resolution:
        status = do.ScenarioStatus("resolution", prompt.fixed_resolution)
        return run.apply(step_id, [Group(Batch((status,)))])
    run.push((fixed_steps.CHOOSE_RESOLUTION,))
    return True


def _carrying_nothing(choice: PromptChoice) -> list[Group]:
    return [Group(batch) for batch in choice.batches]


PLAY: dict[type, PromptKind] = {
    to.PlayScenario: PromptKind("play_scenario", play, _describe_play),
}
