"""What each kind of prompt does with its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from arkham.rules.campaign.conditions.deciding import holds, holds_for
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.model.guide import ids_of
from arkham.rules.campaign.model.steps import PromptChoice
from arkham.rules.campaign.run import Run, next_number
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


def _is_passed(
    run: Run, prompt: to.Prompt, step_id: str, codes: Sequence[str] = ()
) -> bool:
    """Whether a question is passed over as there is nothing to choose."""
    if not run.state.strict or is_choice_left(run.state, prompt, codes):
        return False
    run.missed.add(("string_choices", step_id))
    return True


def _groups(
    choice: PromptChoice, codes: tuple[str, ...] = (), numbers: tuple[int, ...] = ()
) -> list[Group]:
    return [Group(batch, codes, numbers) for batch in choice.batches]


def picked(
    run: Run, answer: Answer, offered: Sequence[PromptChoice]
) -> PromptChoice | None:
    """The choice an answer means, by its id if it says one; None, told, if none is.

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


def choose_one(run: Run, prompt: to.ChooseOne, step_id: str) -> bool:
    """One of the choices that can be had now; a single one is a yes or no."""
    choices = prompt.choices
    if len(choices) == 1:
        decision = run.answer("decision", step_id)
        if decision is None:
            return run.wait(step_id, "decision", prompt)
        return run.take(step_id, choices[0]) if decision.value else True
    answer = run.answer("choice", step_id)
    state = run.state
    if answer is None:
        if state.strict and not any(holds(state, each.condition) for each in choices):
            run.problem("fold.nothing-to-choose", step_id)
            return True
        return run.wait(step_id, "choice", prompt)
    offered = [choice for choice in choices if holds(state, choice.condition)]
    chosen = picked(run, answer, offered)
    if chosen is None:
        return run.wait(step_id, "choice", prompt)
    return run.take(step_id, chosen)


def counter(run: Run, prompt: to.Counter, step_id: str) -> bool:
    """A number, carried on to the effects."""
    answer = run.answer("count", step_id)
    if answer is None:
        return run.wait(step_id, "count", prompt)
    numbers = (answer.value,)
    return run.apply(step_id, [Group(batch, (), numbers) for batch in prompt.batches])


def seat_counter(run: Run, prompt: to.SeatCounter, step_id: str) -> bool:
    """A number for each investigator; nothing follows from 0."""
    answer = run.answer("choice_list", step_id)
    if answer is None:
        codes = run.state.alive()
        if run.asks_nobody("choice_list", step_id, codes):
            return True
        return run.wait(step_id, "choice_list", prompt, codes)
    counted = sorted(
        (code, counts[0])
        for code, counts in answer.value.items()
        if counts and counts[0]
    )
    groups = [
        Group(batch, (code,), (count,), f"_{position}")
        for position, (code, count) in enumerate(counted)
        for batch in prompt.batches
    ]
    return run.apply(step_id, groups)


def asked_of(run: Run, prompt: to.SeatChoice) -> list[str]:
    """Which investigators a prompt asks."""
    state = run.state
    alive = state.alive()
    if prompt.who in ("resigned", "defeated", "not_defeated"):
        group = state.outcome_group(prompt.who)
        alive = [code for code in alive if code in group]
    if prompt.condition is None:
        return alive
    return [code for code in alive if holds_for(state, prompt.condition, code)]


def seat_choice(run: Run, prompt: to.SeatChoice, step_id: str) -> bool:
    """A choice for each of the investigators asked; each choice's effects at once."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        codes = asked_of(run, prompt)
        if prompt.in_turn:
            position = next_number(step_id) - 1
            codes = codes[position : position + 1]
        if run.asks_nobody("string_choices", step_id, codes):
            return True
        if _is_passed(run, prompt, step_id, codes):
            return True
        return run.wait(step_id, "string_choices", prompt, codes)
    if prompt.in_turn:
        number = next_number(step_id)
        if number < len(asked_of(run, prompt)):
            run.stack.append(f"{step_id.partition('#')[0]}#{number}")
    by_choice: dict[str, list[str]] = {}
    for code, chosen in answer.value.items():
        for choice_id in chosen:
            by_choice.setdefault(choice_id, []).append(code)
    return _taken(run, answer, prompt.choices, by_choice)


def _taken(
    run: Run,
    answer: Answer,
    choices: tuple[PromptChoice, ...],
    by_choice: dict[str, list[str]],
) -> bool:
    """The choices somebody took, in their order, each with those who took it."""
    step_id = answer.step
    _tell_unknown(run, answer, by_choice, choices)
    taken = [choice for choice in choices if choice.id in by_choice]
    groups = [
        group
        for choice in taken
        for group in _groups(choice, tuple(by_choice[choice.id]))
    ]
    for choice in reversed(taken):
        run.push(choice.steps)
    return run.apply(step_id, groups) if groups else True


def _tell_unknown(
    run: Run, answer: Answer, taken: Iterable[str], choices: Sequence[PromptChoice]
) -> None:
    """A choice the prompt does not have is told, and nothing follows from it."""
    ids = {choice.id for choice in choices}
    for each in taken:
        if each not in ids:
            run.problem("answer.unknown-choice", answer.step, each, answer.sequence)


def choose_investigators(
    run: Run, prompt: to.ChooseInvestigators, step_id: str
) -> bool:
    """Who plays, and who leads."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    codes = tuple(answer.value)
    if not codes and prompt.nobody_steps is not None:
        run.push(prompt.nobody_steps)
        return True
    groups = [Group(Batch((do.Players(),)), codes)]
    if prompt.lead is not None:
        lead = run.answer("string_choices", fixed_steps.LEAD_INVESTIGATOR)
        if lead is None and len(codes) != 1:
            return run.wait(
                fixed_steps.LEAD_INVESTIGATOR, "string_choices", prompt, codes
            )
        groups.append(Group(prompt.lead, tuple(lead.value) if lead else codes))
    return run.apply(step_id, groups)


def checklist(run: Run, prompt: to.Checklist, step_id: str) -> bool:
    """All that was ticked, as one."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        if _is_passed(run, prompt, step_id):
            return True
        return run.wait(step_id, "string_choices", prompt)
    by_id = {choice.id: choice for choice in prompt.choices}
    _tell_unknown(run, answer, answer.value, prompt.choices)
    ticked = [by_id[each] for each in answer.value if each in by_id]
    for choice in reversed(ticked):
        run.push(choice.steps)
    batches = [batch for choice in ticked for batch in choice.batches]
    whole = Batch(
        tuple(effect for batch in batches for effect in batch.plain),
        tuple(effect for batch in batches for effect in batch.personal),
    )
    return run.apply(step_id, [Group(whole)])


def choice_list(run: Run, prompt: to.ChoiceList, step_id: str) -> bool:
    """A choice for each item."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    by_id = {choice.id: choice for choice in prompt.choices}
    groups: list[Group] = []
    steps: list[str] = []
    for item, chosen in answer.value.items():
        choice = by_id.get(chosen[0]) if chosen else None
        if choice is None:
            run.problem("answer.unknown-choice", step_id, chosen, answer.sequence)
            continue
        groups += _groups(choice, (item,), (1,))
        steps += choice.steps
    run.push(steps)
    return run.apply(step_id, groups)


def card_choice(run: Run, prompt: to.CardChoice, step_id: str) -> bool:
    """A choice for each card, or how many there are of each."""
    if prompt.counts:
        counted = run.answer("choice_list", step_id)
        if counted is None:
            return run.wait(step_id, "choice_list", prompt)
        copies = {
            code: counts[0]
            for code, counts in counted.value.items()
            if counts and counts[0]
        }
        codes, numbers = tuple(copies), tuple(copies.values())
        groups = []
        for choice in prompt.choices:
            groups += _groups(choice, codes, numbers)
            run.push(choice.steps)
        return run.apply(step_id, groups)
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    by_choice: dict[str, list[str]] = {}
    for code, chosen in answer.value.items():
        for choice_id in chosen:
            by_choice.setdefault(choice_id, []).append(code)
    return _taken(run, answer, prompt.choices, by_choice)


def text_box(run: Run, prompt: to.TextBox, step_id: str) -> bool:
    """Words of the table's own."""
    answer = run.answer("text", step_id)
    if answer is None:
        return run.wait(step_id, "text", prompt)
    codes = (answer.value,)
    return run.apply(step_id, [Group(batch, codes) for batch in prompt.batches])


def send_link(run: Run, prompt: to.SendLink, step_id: str) -> bool:
    """What the other campaign is told; the app writes it down as an answer."""
    written = run.sheet.get(("campaign_link", prompt.id))
    if written is not None:
        run.used.append(written)
    run.state.sent[prompt.id] = prompt.decision
    return True


def receive_link(run: Run, prompt: to.ReceiveLink, step_id: str) -> bool:
    """What the other campaign told; asked of the table if it tells nothing more."""
    decision = None if run.links is None else run.links.get(prompt.id)
    if decision is None and run.state.linked and not run.state.parted:
        return run.wait(step_id, "campaign_link", prompt)
    if decision is not None:
        for choice in prompt.choices:
            if choice.id == decision:
                return run.take(step_id, choice)
        return True
    if not prompt.choices:
        return True
    answer = run.answer("choice", step_id)
    if answer is None:
        return run.wait(step_id, "choice", prompt)
    chosen = picked(run, answer, prompt.choices)
    if chosen is None:
        return run.wait(step_id, "choice", prompt)
    return run.take(step_id, chosen)


def randomizer(run: Run, prompt: to.Randomizer, step_id: str) -> bool:
    """One option for each choice."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    by_key = {option.id: option for option in prompt.options}
    groups: list[Group] = []
    steps: list[str] = []
    for choice_id, chosen in answer.value.items():
        option = by_key.get(chosen[0]) if chosen else None
        if option is None:
            run.problem("answer.unknown-choice", step_id, chosen, answer.sequence)
            continue
        groups += _groups(option, (choice_id,))
        steps += option.steps
    run.push(steps)
    return run.apply(step_id, groups)


def dead_end(run: Run, prompt: to.DeadEnd | to.RandomPlaces, step_id: str) -> bool:
    """Only looked at; the app stays there until the answer before is taken back."""
    if run.state.strict:
        return True
    return run.wait(step_id, "none", prompt)


PROMPTS: dict[type, Any] = {
    to.ChooseOne: choose_one,
    to.Counter: counter,
    to.SeatCounter: seat_counter,
    to.SeatChoice: seat_choice,
    to.ChooseInvestigators: choose_investigators,
    to.Checklist: checklist,
    to.ChoiceList: choice_list,
    to.CardChoice: card_choice,
    to.TextBox: text_box,
    to.SendLink: send_link,
    to.ReceiveLink: receive_link,
    to.Randomizer: randomizer,
    to.RandomPlaces: dead_end,
    to.DeadEnd: dead_end,
}
