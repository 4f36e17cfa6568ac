"""What follows from choices that are taken, whatever the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arkham.rules.campaign.conditions.deciding import holds, holds_for
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.field_words import ids_of
from arkham.rules.campaign.model.steps import PromptChoice
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import State


def is_choice_left(state: State, prompt: to.Prompt, codes: Sequence[str] = ()) -> bool:
    """Whether there is anything to choose in what can also be left empty."""
    match prompt:
        case to.Checklist(choices):
            return any(holds(state, each.condition) for each in choices)
        case to.SeatChoice(choices=choices):
            return any(
                holds_for(state, each.condition, code)
                for each in choices
                for code in codes
            )
    return True


def is_passed(
    run: Run, prompt: to.Prompt, step_id: str, codes: Sequence[str] = ()
) -> bool:
    """Whether a question is passed over as there is nothing to choose."""
    passes = run.state.policy.passes_empty_lists
    if not passes or is_choice_left(run.state, prompt, codes):
        return False
    run.missed.add(("string_choices", step_id))
    return True


def groups_of(
    choice: PromptChoice, codes: tuple[str, ...] = (), numbers: tuple[int, ...] = ()
) -> list[Group]:
    """The effects of a choice, and what they carry."""
    return [Group(batch, codes, numbers) for batch in choice.batches]


def picked(
    run: Run, answer: Answer, offered: Sequence[PromptChoice]
) -> PromptChoice | None:
    """The choice an answer means, by its id if it has one; a problem if there is none.

    The number only says where a choice stood when it was chosen, and which one is
    meant where a guide gives several choices one id.
    """
    if answer.choice:
        place = int(answer.value)
        if 0 <= place < len(offered) and answer.choice in ids_of(offered[place].id):
            return offered[place]
        for choice in offered:
            if choice.id == answer.choice:
                return choice
        run.problem(
            "answer.unknown-choice", answer.step, answer.choice, answer.sequence
        )
    elif 0 <= answer.value < len(offered):
        return offered[int(answer.value)]
    else:
        run.problem("answer.out-of-range", answer.step, answer.value, answer.sequence)
    return None


def take_choices(
    run: Run,
    answer: Answer,
    choices: tuple[PromptChoice, ...],
    by_choice: dict[str, list[str]],
) -> bool:
    """The choices somebody took, in their order, each with those who took it."""
    step_id = answer.step
    report_unknown(run, answer, by_choice, choices)
    taken = [choice for choice in choices if choice.id in by_choice]
    groups = [
        group
        for choice in taken
        for group in groups_of(choice, tuple(by_choice[choice.id]))
    ]
    for choice in reversed(taken):
        run.push(choice.steps)
    return run.apply(step_id, groups) if groups else True


def report_unknown(
    run: Run, answer: Answer, taken: Iterable[str], choices: Sequence[PromptChoice]
) -> None:
    """A choice the prompt does not have is a problem, and nothing follows from it."""
    ids = {choice.id for choice in choices}
    for each in taken:
        if each not in ids:
            run.problem("answer.unknown-choice", answer.step, each, answer.sequence)
