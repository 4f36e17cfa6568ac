"""What the rules know about a kind of prompt, and how choices are resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from arkham.rules.campaign.asking import GUIDE, AnswerContext, Pending, not_offered
from arkham.rules.campaign.conditions import holds, holds_for
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.app_names import ids_of
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.run import Fits, Run, StepHandler
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.lookup import NO_PARTNER
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, Rule, rule, rules_reference
from arkham.rules.finding import gettext_noop as _


class AnswerNames(Enum):
    """What the keys of an answer are: people, listed things, or something else."""

    PEOPLE = "people"
    THINGS = "things"
    OTHERS = "others"


class PromptKind(NamedTuple):
    """A kind of prompt: how it is walked and described, and how its answers are judged.

    ``name`` is its name in records and on pages. ``walk`` applies the answer or waits
    for it; None for effects that ask whom they concern. ``describe`` completes the
    question if it depends on more than who is asked. ``names`` says what the keys of an
    answer are; ``says_each``: it gives as many things for each key as are asked for;
    ``in_all``: its numbers are limited in total. ``rules`` judge its answers besides
    the rules for all.
    """

    name: str
    walk: StepHandler | None = None
    describe: Callable[[State, Any, Pending], Pending] | None = None
    names: AnswerNames = AnswerNames.OTHERS
    says_each: bool = False
    in_all: bool = False
    rules: tuple[Rule[AnswerContext], ...] = ()


@rule("answer.thing", rows=("CAMP-03",), cites=GUIDE)
def things_can_be_had(given: AnswerContext) -> Iterator[Finding]:
    """For each thing, card or partner you choose one of those offered."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    offered = tuple(offer.id for offer in asked.offers)
    if asked.each:  # the answer is a partner for each investigator
        offered = (*asked.keys, NO_PARTNER)
    for key, said in given.answer.value.items():
        for each in said:
            if each not in offered:
                yield not_offered(each, offered, key)


@rule("answer.once", rows=("CARD-10", "CYC-EE1"), cites=(rules_reference("Unique"),))
def nobody_has_the_same(given: AnswerContext) -> Iterator[Finding]:
    """A role or partner that exists only once goes to one investigator."""
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
    """Return whether there is anything to choose in a prompt that may be left empty."""
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
    """Return whether a question is skipped because there is nothing to choose."""
    passes = run.state.policy.passes_empty_lists
    if not passes or is_choice_left(run.state, prompt, codes):
        return False
    run.unanswered_reads.add(("string_choices", step_id))
    return True


def groups_of(
    choice: PromptChoice, codes: tuple[str, ...] = (), numbers: tuple[int, ...] = ()
) -> list[Group]:
    """Return the effects of a choice with what is passed on to them."""
    return [Group(batch, codes, numbers) for batch in choice.batches]


def picked(
    run: Run,
    step_id: str,
    numbered: Sequence[PromptChoice],
    all_choices: Sequence[PromptChoice],
    shut: Sequence[PromptChoice] = (),
) -> PromptChoice | None:
    """Return the choice that was made; None, to ask again, if it can't be made now.

    It goes by the id if the answer has one. The number is the choice's place among
    those ``numbered`` when it was chosen; it also tells apart choices to which a guide
    gives the same id; ``shut`` ones can't be made. A choice that is none of
    ``all_choices`` is reported.
    """
    answer = run.sheet.get(("choice", step_id))
    if answer is None:
        return None
    place, named = int(answer.value), answer.choice
    found = numbered[place] if 0 <= place < len(numbered) else None
    if named and (found is None or named not in ids_of(found.id)):
        found = next((each for each in numbered if each.id == named), None)
    if found in shut:
        return None
    if found is not None:
        run.answer("choice", step_id)
    elif not named:
        run.problem("answer.out-of-range", step_id, place, answer.sequence)
    elif named not in {each.id for each in all_choices}:
        run.problem("answer.unknown-choice", step_id, named, answer.sequence)
    return found


def counts_in(answer: Answer) -> dict[str, int]:
    """Return the number given for each key, leaving out zeros."""
    counted = answer.value.items()
    return {key: counts[0] for key, counts in counted if counts and counts[0]}


def take_one_each(
    run: Run,
    step_id: str,
    choices: Sequence[PromptChoice],
    numbers: tuple[int, ...] = (),
    fits: Fits = None,
) -> bool | None:
    """Apply the choice made for each thing; return None if there is no answer yet."""
    answer = run.answer("string_choices", step_id, fits)
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
    """Apply the choices made, in order, each for the investigators who made it."""
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
    """Record a problem for each choice that the prompt does not have."""
    ids = {choice.id for choice in choices}
    for each in taken:
        if each not in ids:
            run.problem("answer.unknown-choice", answer.step, each, answer.sequence)
