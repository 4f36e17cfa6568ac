"""What prompts of campaigns kept by hand do with their answers."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.conditions.deciding import holds
from arkham.rules.campaign.effects.people import known_people
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.prompts.guide import picked
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.lookup import copies_in, standing_lines


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
