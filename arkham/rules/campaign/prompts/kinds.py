"""All that the rules know of a class of prompts, in one row; what choices bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from arkham.rules.campaign.asking import GUIDE, Given, Pending, not_offered
from arkham.rules.campaign.conditions import holds, holds_for
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.field_words import ids_of
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.run import Run, StepHandler
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import NO_PARTNER
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, rule, rules_reference
from arkham.rules.finding import gettext_noop as _


class AnswerNames(Enum):
    """Whom or what an answer names: those asked, things that are listed, or others."""

    PEOPLE = "people"
    THINGS = "things"
    OTHERS = "others"


class PromptKind(NamedTuple):
    """What a prompt is called, asks and takes, and what it does with its answer.

    ``name`` is what records and pages call it. ``walk`` does what follows from the
    answer, or waits for it; effects that ask whom they concern have none. ``describe``
    says what is asked in this state, where it is more than of whom. ``names`` is whom
    or what an answer names, ``says_each`` that it says of each as many things as are
    asked for, ``in_all`` that its numbers have bounds together. ``rules`` judge its
    answers beside those that judge all.
    """

    name: str
    walk: StepHandler | None = None
    describe: Callable[[State, Any, Pending], Pending] | None = None
    names: AnswerNames = AnswerNames.OTHERS
    says_each: bool = False
    in_all: bool = False
    rules: tuple[Rule[Given], ...] = ()


@rule("answer.thing", rows=("CAMP-03",), cites=GUIDE)
def things_can_be_had(given: Given) -> Iterator[Finding]:
    """The choice for a thing, a card or a companion is one of those offered."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    offered = tuple(offer.id for offer in asked.offers)
    if asked.each:  # of them a companion is asked, not of a thing
        offered = (*asked.keys, NO_PARTNER)
    for key, said in given.answer.value.items():
        for each in said:
            if each not in offered:
                yield not_offered(each, offered, key)


@rule("answer.once", rows=("CARD-10", "CYC-EE1"), cites=(rules_reference("Unique"),))
def nobody_has_the_same(given: Given) -> Iterator[Finding]:
    """Only one investigator has a role or a companion that exists once."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    once = asked.once or asked.keys
    if not once:
        return
    taken = Counter(each for said in given.answer.value.values() for each in said)
    for each, count in taken.items():
        if each in once and count > 1:
            yield Finding(_("Only one of them can have this."), actual=each, expected=1)


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
        case to.CardCounts():
            return bool(codes)
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


def counts_in(answer: Answer) -> dict[str, int]:
    """The number said of each, but for those of which there is none."""
    counted = answer.value.items()
    return {key: counts[0] for key, counts in counted if counts and counts[0]}


def take_one_each(
    run: Run,
    step_id: str,
    choices: Sequence[PromptChoice],
    numbers: tuple[int, ...] = (),
) -> bool | None:
    """The choice made for each thing, carried with it; None while none is answered."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return None
    by_id = {choice.id: choice for choice in choices}
    groups: list[Group] = []
    steps: list[str] = []
    for key, chosen in answer.value.items():
        choice = by_id.get(chosen[0]) if chosen else None
        if choice is None:
            run.problem("answer.unknown-choice", step_id, chosen, answer.sequence)
            continue
        groups += groups_of(choice, (key,), numbers)
        steps += choice.steps
    run.push(steps)
    return run.apply(step_id, groups)


def take_choices(run: Run, answer: Answer, choices: Sequence[PromptChoice]) -> bool:
    """The choices that were taken, in their order, each with those who took it."""
    step_id = answer.step
    by_choice: dict[str, list[str]] = {}
    for code, chosen in answer.value.items():
        for choice_id in chosen:
            by_choice.setdefault(choice_id, []).append(code)
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
