"""Prompts for the whole group: choices, numbers, texts, and the play step.

Also random results, and decisions of a linked campaign.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from arkham.rules.campaign.asking import GUIDE, AnswerContext, Offer, Pending, offers_of
from arkham.rules.campaign.conditions import holds, value
from arkham.rules.campaign.effects.log import LARGEST
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import course, scenario_steps
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import INPUT, Batch, Effect
from arkham.rules.campaign.model.guide import Ask
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.prompts.kinds import (
    AnswerNames,
    PromptKind,
    is_passed,
    picked,
    report_unknown,
    take_one_each,
    things_can_be_had,
)
from arkham.rules.campaign.prompts.people import asked_of
from arkham.rules.campaign.prompts.supplies import partners_asked
from arkham.rules.campaign.run import Run, numbered
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, rule
from arkham.rules.finding import gettext_noop as _


def _describe_choice(state: State, prompt: to.ChooseOne, bare: Pending) -> Pending:
    if bare.kind == "decision":
        return bare._replace(offers=(Offer(0, prompt.choices[0].id),))
    return bare._replace(offers=offers_of(state, prompt.choices), random=prompt.random)


def choose_one(run: Run, prompt: to.ChooseOne, step_id: str) -> bool:
    """Ask for one of the available choices, or yes or no if there is a single one."""
    choices, policy = prompt.choices, run.state.policy
    offered = [choice for choice in choices if holds(run.state, choice.condition)]
    if not offered and policy.passes_empty_choices:
        if not all(_is_in_vain(run, each) for each in choices):
            run.problem("fold.nothing-to-choose", step_id)
        return True
    if len(choices) == 1:
        answer = run.answer("decision", step_id)
        if answer is None:
            return run.wait(step_id, "decision", prompt)
        return run.take(step_id, choices[0]) if answer.value else True
    able = offered
    if not policy.offers_in_vain:
        able = [each for each in offered if not _is_in_vain(run, each)] or offered
    given = run.sheet.get(("choice", step_id))
    in_vain = {each.id for each in offered if each not in able}
    is_earlier = given is not None and given.choice in in_vain
    chosen = picked(run, step_id, offered if is_earlier else able, choices)
    if chosen is not None:
        return run.take(step_id, chosen)
    return run.wait(step_id, "choice", replace(prompt, choices=tuple(able)))


def _is_in_vain(run: Run, choice: PromptChoice) -> bool:
    """Return whether a choice only changes tokens of which the bag has all, or none,
    or only leads to questions about people of whom there are none."""
    if any(batch.personal for batch in choice.batches):
        return False
    effects = [each for batch in choice.batches for each in batch.plain]
    asked = [run.steps.get(each) for each in choice.steps]
    return (
        bool(effects or asked)
        and all(_changes_nothing(run.state, each) for each in effects)
        and all(isinstance(e, Ask) and _asks_nobody(run, e.prompt) for e in asked)
    )


def _changes_nothing(state: State, effect: Effect) -> bool:
    if not isinstance(effect, course.Tokens) or INPUT in effect.tokens:
        return False
    bounds = [
        0 if effect.sign < 0 else state.policy.token_limit(token)
        for token in effect.tokens
    ]
    held = [state.bag.get(token, 0) for token in effect.tokens]
    return bounds == held


def _asks_nobody(run: Run, prompt: to.Prompt) -> bool:
    match prompt:
        case to.SeatChoice():
            return not asked_of(run, prompt)
        case to.ChoosePartners():
            return not partners_asked(run.state, prompt.check)
    return False


def _describe_menu(state: State, prompt: to.Menu, bare: Pending) -> Pending:
    return bare._replace(offers=offers_of(state, prompt.choices))


def menu(run: Run, prompt: to.Menu, step_id: str) -> bool:
    """Ask for one of the things that can be done now."""
    offered = [each for each in prompt.choices if holds(run.state, each.condition)]
    chosen = picked(run, step_id, offered, prompt.choices)
    if chosen is not None:
        return run.take(step_id, chosen)
    return run.wait(step_id, "choice", prompt)


def _describe_counter(state: State, prompt: to.Counter, bare: Pending) -> Pending:
    most = None if prompt.most is None else value(state, prompt.most)
    now = None if prompt.of is None else state.number(*prompt.of)
    return bare._replace(least=value(state, prompt.least), most=most, now=now)


def counter(run: Run, prompt: to.Counter, step_id: str) -> bool:
    """Ask for a number and pass it on to the effects."""
    most = None if prompt.most is None else value(run.state, prompt.most)
    low, high = value(run.state, prompt.least), LARGEST if most is None else most
    answer = run.answer("count", step_id, lambda number: low <= number <= high)
    if answer is None:
        return run.wait(step_id, "count", prompt)
    numbers = (answer.value,)
    return run.apply(step_id, [Group(batch, (), numbers) for batch in prompt.batches])


def _describe_checklist(state: State, prompt: to.Checklist, bare: Pending) -> Pending:
    return bare._replace(
        offers=offers_of(state, prompt.choices), least=prompt.least, most=prompt.most
    )


def checklist(run: Run, prompt: to.Checklist, step_id: str) -> bool:
    """Apply everything that was ticked, as one batch."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        if is_passed(run, prompt, step_id):
            return True
        return run.wait(step_id, "string_choices", prompt)
    by_id = {choice.id: choice for choice in prompt.choices}
    report_unknown(run, answer, answer.value, prompt.choices)
    ticked = [by_id[each] for each in answer.value if each in by_id]
    for choice in reversed(ticked):
        run.push(choice.steps)
    batches = [batch for choice in ticked for batch in choice.batches]
    whole = Batch(
        tuple(effect for batch in batches for effect in batch.plain),
        tuple(effect for batch in batches for effect in batch.personal),
    )
    return run.apply(step_id, [Group(whole)])


def _describe_list(state: State, prompt: to.ChoiceList, bare: Pending) -> Pending:
    items = [item.id for item in prompt.items if holds(state, item.condition)]
    return bare._replace(
        keys=tuple(items),
        offers=offers_of(state, prompt.choices),
        least=0 if prompt.optional else None,
    )


def choice_list(run: Run, prompt: to.ChoiceList, step_id: str) -> bool:
    """Ask for a choice for each item."""
    asked = {item.id for item in prompt.items if holds(run.state, item.condition)}
    taken = take_one_each(run, step_id, prompt.choices, (1,), asked.issuperset)
    return run.wait(step_id, "string_choices", prompt) if taken is None else taken


def _describe_randomizer(state: State, prompt: to.Randomizer, bare: Pending) -> Pending:
    options = tuple(Offer(n, option.id) for n, option in enumerate(prompt.options))
    keys = [each.id for each in prompt.choices if holds(state, each.condition)]
    return bare._replace(keys=tuple(keys), offers=options)


def randomizer(run: Run, prompt: to.Randomizer, step_id: str) -> bool:
    """Ask for the random option of each available choice."""
    asked = {each.id for each in prompt.choices if holds(run.state, each.condition)}
    taken = take_one_each(
        run, step_id, prompt.options, fits=lambda drawn: asked == set(drawn)
    )
    return run.wait(step_id, "string_choices", prompt) if taken is None else taken


@rule("answer.all-things", rows=("CAMP-03",), cites=GUIDE)
def all_things_are_said(given: AnswerContext) -> Iterator[Finding]:
    """Chance decides for each thing separately."""
    asked = given.pending
    if not given.fits or asked is None:
        return
    missing = [key for key in asked.keys if key not in given.keys]
    if missing:
        yield Finding(
            _("Your answer is incomplete."),
            actual=len(given.keys),
            expected=", ".join(missing),
        )


def text_box(run: Run, prompt: to.TextBox, step_id: str) -> bool:
    """Ask for text in the players' own words."""
    answer = run.answer("text", step_id)
    if answer is None:
        return run.wait(step_id, "text", prompt)
    codes = (answer.value,)
    return run.apply(step_id, [Group(batch, codes) for batch in prompt.batches])


def send_link(run: Run, prompt: to.SendLink, step_id: str) -> bool:
    """Send a decision to the linked campaign; the app records it as an answer.

    If none is linked, the players read what to tell the other group.
    """
    if not run.state.linked:
        run.state.note_text(run.encoded, step_id, run.last)
    written = run.sheet.get(("campaign_link", prompt.id))
    if written is not None:
        run.used.append(written)
    run.state.sent[prompt.id] = prompt.decision
    return True


def _describe_link(state: State, prompt: to.ReceiveLink, bare: Pending) -> Pending:
    offers = tuple(Offer(n, choice.id) for n, choice in enumerate(prompt.choices))
    return bare._replace(offers=offers, keys=(prompt.id,))


def receive_link(run: Run, prompt: to.ReceiveLink, step_id: str) -> bool:
    """Apply the linked campaign's decision; ask the players if it is gone."""
    decision = None if run.links is None else run.links.get(prompt.id)
    if decision is None and run.state.linked and not run.state.parted:
        return run.wait(step_id, "campaign_link", prompt)
    if decision is not None:
        for choice in prompt.choices:
            if choice.id == decision:
                return run.take(step_id, choice)
        return True
    if not prompt.choices:
        run.state.note_text(run.encoded, step_id, run.last)
        return True
    chosen = picked(run, step_id, prompt.choices, prompt.choices)
    if chosen is None:
        return run.wait(step_id, "choice", prompt)
    return run.take(step_id, chosen)


def dead_end(run: Run, prompt: to.DeadEnd | to.RandomPlaces, step_id: str) -> bool:
    """Show something; the app stays there until the previous answer is retracted."""
    if run.state.policy.passes_dead_ends:
        return True
    return run.wait(step_id, "none", prompt)


_DEAD_END = PromptKind("dead_end", dead_end)

CHOICES: dict[type, PromptKind] = {
    to.ChooseOne: PromptKind("choose_one", choose_one, _describe_choice),
    to.Menu: PromptKind("menu", menu, _describe_menu),
    to.Counter: PromptKind("counter", counter, _describe_counter),
    to.Checklist: PromptKind(
        "checklist", checklist, _describe_checklist, AnswerNames.THINGS
    ),
    to.ChoiceList: PromptKind(
        "choice_list",
        choice_list,
        _describe_list,
        AnswerNames.THINGS,
        says_each=True,
        rules=(things_can_be_had,),
    ),
    to.Randomizer: PromptKind(
        "randomizer",
        randomizer,
        _describe_randomizer,
        AnswerNames.THINGS,
        says_each=True,
        rules=(things_can_be_had, all_things_are_said),
    ),
    to.TextBox: PromptKind("text_box", text_box),
    to.SendLink: PromptKind("", send_link),
    to.ReceiveLink: PromptKind("receive_link", receive_link, _describe_link),
    to.RandomPlaces: _DEAD_END,
    to.DeadEnd: _DEAD_END,
}


def _describe_play(state: State, prompt: to.PlayScenario, bare: Pending) -> Pending:
    if bare.step.endswith(scenario_steps.NOTES):
        offered = offers_of(state, prompt.log_choices)
        return bare._replace(
            offers=(*offered, Offer(len(offered), scenario_steps.OTHER))
        )
    own = tuple(
        Offer(number, branch.id)
        for number, branch in enumerate(prompt.branches)
        if holds(state, branch.condition)
    )
    hub = tuple(
        Offer(number, step) for number, step in scenario_steps.HUB_STEPS.items()
    )
    return bare._replace(offers=(*own, Offer(scenario_steps.FINISH, "$finish"), *hub))


def play(run: Run, prompt: to.PlayScenario, step_id: str) -> bool:
    """Walk the play step: a branch, something to record, or the end of the scenario."""
    run.state.upgraded = ""  # experience can't be spent any more once play begins
    given = run.sheet.get(("choice", step_id))
    taken = None if given is None else given.value
    if given and given.value in (scenario_steps.FINISH, *scenario_steps.HUB_STEPS):
        run.answer("choice", step_id)
    if taken == scenario_steps.FINISH:
        return _finished(run, prompt, step_id)
    number = run.next_round(step_id)
    again = (f"{scenario_steps.CONTINUE_PLAY}#{number}",)
    if taken == scenario_steps.NOTE and prompt.log_choices:
        return _noted(run, prompt, step_id, number)
    if taken in scenario_steps.HUB_STEPS:
        run.push((f"{scenario_steps.HUB_STEPS[taken]}#{number}", *again))
        return True
    branches, hears_all = prompt.branches, run.state.policy.hears_the_absent
    shut = [e for e in branches if not (hears_all or holds(run.state, e.condition))]
    branch = picked(run, step_id, branches, branches, shut)
    if branch is None:
        return run.wait(step_id, "choice", prompt)
    once = branch.condition is not None and not branch.repeatable
    steps = branch.steps if once else numbered(branch.steps, number)
    run.push((*steps, *again))
    groups = _carrying_nothing(branch)
    return run.apply(step_id, groups) if groups else True


def _noted(run: Run, prompt: to.PlayScenario, step_id: str, number: str) -> bool:
    """Record one of the lines that the scenario offers, or the players' own text."""
    again = f"{scenario_steps.CONTINUE_PLAY}#{number}"
    state = run.state
    offered = [each for each in prompt.log_choices if holds(state, each.condition)]
    own_words = (f"{scenario_steps.HUB_STEPS[scenario_steps.NOTE]}#{number}", again)
    if not offered:
        run.push(own_words)
        return True
    note_id = step_id + scenario_steps.NOTES
    given = run.sheet.get(("choice", note_id))
    if given is not None and (
        given.choice == scenario_steps.OTHER
        or (given.value == len(offered) and not given.choice)
    ):
        run.answer("choice", note_id)
        run.push(own_words)
        return True
    chosen = picked(run, note_id, offered, prompt.log_choices)
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
        status = course.ScenarioStatus("resolution", prompt.fixed_resolution)
        return run.apply(step_id, [Group(Batch((status,)))])
    run.push((scenario_steps.CHOOSE_RESOLUTION,))
    return True


def _carrying_nothing(choice: PromptChoice) -> list[Group]:
    return [Group(batch) for batch in choice.batches]


PLAY: dict[type, PromptKind] = {
    to.PlayScenario: PromptKind("play_scenario", play, _describe_play)
}
