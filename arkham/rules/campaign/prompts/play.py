"""What prompts of play do with their answers, and those of campaigns kept by hand.

The victory display is what the end of a scenario is counted by.
"""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.by_hand.displays import points_in
from arkham.rules.campaign.conditions.deciding import holds
from arkham.rules.campaign.effects.people import known_people
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.model.steps import PromptChoice
from arkham.rules.campaign.prompts.guide import picked
from arkham.rules.campaign.run import Run, numbered
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.lookup import copies_in, standing_lines
from arkham.rules.campaign.state.victory import ShownDisplay, shown_by


def choose_lines(run: Run, prompt: to.ChooseLines, step_id: str) -> bool:
    """Some lines of the log; nobody is asked where none stands."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        if not standing_lines(run.state):
            return True
        return run.wait(step_id, "string_choices", prompt)
    effects: list[Effect] = []
    for each in answer.value:
        section, _, line_id = each.partition(".")
        if line_id or prompt.whole:
            effects.append(do.LogLine(section, line_id, prompt.mark))
    return run.apply(step_id, [Group(Batch(tuple(effects)))])


def holders(run: Run, prompt: to.Holders, step_id: str) -> bool:
    """Somebody has a thing now, or nobody; whoever had it before has it no more."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    had = {each.id: each for each in prompt.given_up}
    groups: list[Group] = []
    for item in prompt.items:
        now = (*answer.value.get(item.id, ()), "")[0]
        if not now:
            continue
        for code in known_people(run.state):
            if code != now and code in run.state.investigators:
                groups += [Group(each, (code,)) for each in had[item.id].batches]
        if now != to.NOBODY:
            groups += [Group(each, (now,)) for each in item.batches]
    return run.apply(step_id, groups)


def card_counts(run: Run, prompt: to.CardCounts, step_id: str) -> bool:
    """So many copies lie in each deck now, whatever lay there before."""
    answer = run.answer("supplies", step_id)
    if answer is None:
        return run.wait(step_id, "supplies", prompt, run.state.alive())
    groups = []
    for code, counts in answer.value.items():
        person = run.state.people.get(code)
        known = (person.card_counts or {}) if person else {}
        for card, count in counts.items():
            if count != copies_in(run.state, code, card):
                changed = do.CardCount(card, count - known.get(card, 0))
                groups.append(Group(Batch((changed,)), (code,)))
    return run.apply(step_id, groups)


def menu(run: Run, prompt: to.Menu, step_id: str) -> bool:
    """One of the things that can be done now."""
    answer = run.answer("choice", step_id)
    if answer is not None:
        offered = [each for each in prompt.choices if holds(run.state, each.condition)]
        chosen = picked(run, answer, offered)
        if chosen is not None:
            return run.take(step_id, chosen)
    return run.wait(step_id, "choice", prompt)


HAND_PROMPTS: dict[type, Any] = {
    to.Menu: menu,
    to.ChooseLines: choose_lines,
    to.Holders: holders,
    to.CardCounts: card_counts,
}


REASON = "_reason"  # of a total that was told without one


def victory_display(run: Run, prompt: to.VictoryDisplay, step_id: str) -> bool:
    """What the cards are worth, or what the table says they are, with its reason."""
    answer = _latest(run, step_id)
    if answer is None:
        return run.wait(step_id, LISTED, prompt)
    shown = _shown(run, prompt, answer)
    for code in shown.unknown:
        run.problem("answer.unknown-card", step_id, code, answer.sequence)
    if shown.is_corrected and not shown.reason:
        reason = run.answer("text", step_id + REASON)
        if reason is None:
            return run.wait(step_id + REASON, "text", prompt)
    numbers = (shown.total,)
    return run.apply(step_id, [Group(batch, (), numbers) for batch in prompt.batches])


def _latest(run: Run, step_id: str) -> Answer | None:
    """The display as it was told last: card by card, or as a number alone."""
    told = {
        kind: found
        for kind in (LISTED, COUNTED)
        if (found := run.sheet.get((kind, step_id))) is not None
    }
    if not told:
        return None
    # Told otherwise later, it is another answer to this.
    run.missed |= {(kind, step_id) for kind in (LISTED, COUNTED) if kind not in told}
    latest = max(told.values(), key=lambda each: each.sequence)
    return run.answer(latest.kind, step_id)


def _shown(run: Run, prompt: to.VictoryDisplay, answer: Answer) -> ShownDisplay:
    if answer.kind == COUNTED:
        return shown_by(answer, lambda _code: None)
    return shown_by(answer, points_in(prompt, run.state.guide.id, run.encoded))


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
