"""Prompts for investigators: choices, numbers, and who plays.

Also the questions of effects: whom they concern, and which kind of trauma.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arkham.rules.campaign.asking import (
    CHOSEN_WEAKNESS,
    GUIDE,
    AnswerContext,
    Pending,
    Price,
    out_of_bounds,
)
from arkham.rules.campaign.conditions import holds_for, value
from arkham.rules.campaign.effects.personal import Group, givers
from arkham.rules.campaign.model import course, scenario_steps
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.prompts.kinds import (
    AnswerNames,
    PromptKind,
    counts_in,
    is_choice_left,
    is_passed,
    nobody_has_the_same,
    take_choices,
)
from arkham.rules.campaign.run import Run, next_number
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, ngettext_noop, rule, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import UltimatumEffect, under


def _describe_seat_choice(
    state: State, prompt: to.SeatChoice, bare: Pending
) -> Pending:
    by_code = tuple(
        (
            code,
            tuple(
                choice.id
                for choice in prompt.choices
                if holds_for(state, choice.condition, code)
            ),
        )
        for code in bare.codes
    )
    every = prompt.who == "all" and not prompt.optional
    least = 1 if prompt.who == "any" else 0
    most = 1 if prompt.who == "any" else len(bare.codes)
    if prompt.least is not None:
        least = value(state, prompt.least)
    if prompt.most is not None:
        most = value(state, prompt.most)
    once: tuple[str, ...] = ()
    if prompt.unique:
        once = tuple(each.id for each in prompt.choices if not each.duplicates)
    return bare._replace(
        by_code=by_code,
        each=every or prompt.in_turn,
        least=least,
        most=most,
        once=once,
        prices=tuple(
            price
            for choice in prompt.choices
            for price in _prices(state, choice.id, choice.batches)
        ),
    )


def asked_of(run: Run, prompt: to.SeatChoice) -> list[str]:
    """Return the investigators whom a prompt asks."""
    state = run.state
    alive = state.alive()
    if prompt.who in ("resigned", "defeated", "not_defeated"):
        group = state.outcome_group(prompt.who)
        alive = [code for code in alive if code in group]
    if prompt.condition is None:
        return alive
    return [code for code in alive if holds_for(state, prompt.condition, code)]


def seat_choice(run: Run, prompt: to.SeatChoice, step_id: str) -> bool:
    """Ask the investigators concerned for their choices, and apply them together."""
    codes = asked_of(run, prompt)
    if prompt.in_turn:
        position = next_number(step_id) - 1
        codes = codes[position : position + 1]
    every = prompt.in_turn or (prompt.who == "all" and not prompt.optional)
    must = codes if every else ()
    must = [code for code in must if is_choice_left(run.state, prompt, (code,))]
    answer = run.answer_of("string_choices", step_id, codes, must)
    if answer is None:
        if run.asks_nobody("string_choices", step_id, codes):
            return True
        if is_passed(run, prompt, step_id, codes):
            return True
        return run.wait(step_id, "string_choices", prompt, codes)
    if prompt.in_turn:
        number = next_number(step_id)
        if number < len(asked_of(run, prompt)):
            run.stack.append(f"{step_id.partition('#')[0]}#{number}")
    return take_choices(run, answer, prompt.choices)


def _describe_seat_counter(
    state: State, prompt: to.SeatCounter, bare: Pending
) -> Pending:
    least = prompt.least or 0
    bare = bare._replace(least=least, most=prompt.most, each=least > 0)
    bare = bare._replace(prices=tuple(_prices(state, "", prompt.batches)))
    if prompt.trauma:
        return bare._replace(
            limits=tuple(
                (code, least, _trauma_of(state, code, prompt.trauma))
                for code in bare.codes
            )
        )
    if not prompt.taken_from:
        return bare
    own = state.seat_sections.get(prompt.taken_from, {})
    return bare._replace(
        limits=tuple(
            (code, -own[code].number("$count") if code in own else 0, prompt.most)
            for code in bare.codes
        )
    )


def _trauma_of(state: State, code: str, kind: str) -> int:
    return getattr(state.people.get(code), kind, None) or 0


def seat_counter(run: Run, prompt: to.SeatCounter, step_id: str) -> bool:
    """Ask for a number for each investigator; 0 has no effects."""
    codes = run.state.alive()
    must = codes if (prompt.least or 0) > 0 else ()
    bare = Pending(run.encoded, step_id, "choice_list", "", tuple(codes))
    limits = _describe_seat_counter(run.state, prompt, bare).limits
    bounds = {code: (least, most) for code, least, most in limits}

    def fits(said: Mapping[str, Sequence[int]]) -> bool:
        given = ((bounds.get(code), sum(each[:1])) for code, each in said.items())
        return all(out_of_bounds(n, *bound) is None for bound, n in given if bound)

    answer = run.answer_of("choice_list", step_id, codes, must, fits)
    if answer is None:
        hurt = [c for c in codes if _trauma_of(run.state, c, prompt.trauma)]
        able = hurt if prompt.trauma else codes
        is_over = run.asks_nobody("choice_list", step_id, able)
        return is_over or run.wait(step_id, "choice_list", prompt, codes)
    counted = sorted(counts_in(answer).items())
    groups = [
        Group(batch, (code,), (count,), f"_{position}")
        for position, (code, count) in enumerate(counted)
        for batch in prompt.batches
    ]
    return run.apply(step_id, groups)


def _prices(state: State, choice: str, batches: Sequence[do.Batch]) -> Iterator[Price]:
    """Yield the prices in experience of a choice, if experience counts."""
    if state.is_single or state.redirect:
        return
    for batch in batches:
        for effect in batch.plain:
            if not isinstance(effect, do.EarnExperience) or effect.who != "input":
                continue
            paid = -effect.bonus if choice else -effect.scale
            if paid > 0:
                yield Price(choice, paid, effect.pool)


@rule("answer.paid", rows=("XP-03", "XP-14", "XP-25"), cites=GUIDE)
def experience_is_there(given: AnswerContext) -> Iterator[Finding]:
    """An investigator who pays experience for a choice of the guide has enough to
    spend."""
    asked = given.pending
    if not given.fits or asked is None or not asked.prices:
        return
    none_is_spent = under(given.state.ultimatums, UltimatumEffect.NO_EXPERIENCE)
    for code, said in given.answer.value.items():
        if code not in given.unspent and not none_is_spent:
            continue  # a deck on paper has no balance here
        cost = sum(
            max(price.experience * _times(price, said) - _pooled(given, code, price), 0)
            for price in asked.prices
        )
        unspent = 0 if none_is_spent else given.unspent[code]
        if cost > max(unspent, 0):
            yield Finding(
                ngettext_noop(
                    "You have {unspent} experience; this costs {cost}.",
                    "You have {unspent} experience; this costs {cost}.",
                    "unspent",
                ),
                cards=(code,),
                actual=unspent,
                expected=cost,
                values=(("unspent", unspent), ("cost", cost)),
            )


def _times(price: Price, said: Sequence[str] | Sequence[int]) -> int:
    """Return how often a price is paid: per choice, or as often as numbers say."""
    if price.choice:
        return sum(each == price.choice for each in said)
    return sum(each for each in said if isinstance(each, int))


def _pooled(given: AnswerContext, code: str, price: Price) -> int:
    return given.state.pool(code, price.pool) if price.pool else 0


def _describe_lead(
    state: State, prompt: to.ChooseInvestigators, bare: Pending
) -> Pending:
    """Limit the choice of the lead investigator to exactly one of the players."""
    return bare._replace(least=1, most=1) if bare.codes else bare


def choose_investigators(
    run: Run, prompt: to.ChooseInvestigators, step_id: str
) -> bool:
    """Ask who plays and who is lead investigator."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    state, hears = run.state, run.state.policy.hears_the_absent
    codes = tuple(c for c in answer.value if hears or not state.is_eliminated(c))
    if answer.value and not codes:  # an earlier game was corrected
        return run.wait(step_id, "string_choices", prompt)
    if not codes and prompt.nobody_steps is not None:
        run.push(prompt.nobody_steps)
        return True
    groups = [Group(Batch((course.Players(),)), codes)]
    if prompt.lead is not None:
        lead = run.answer_of("string_choices", scenario_steps.LEAD_INVESTIGATOR, codes)
        if lead is None and len(codes) != 1:
            step_id = scenario_steps.LEAD_INVESTIGATOR
            return run.wait(step_id, "string_choices", prompt, codes)
        groups.append(Group(prompt.lead, tuple(lead.value) if lead else codes))
    return run.apply(step_id, groups)


MOST_PLAYERS = 4
RETIRED = "retired"  # the fate of investigators who left alive


@rule(
    "answer.players",
    rows=("TRA-08", "LOG-08", "CARD-10"),
    cites=(rules_reference("Trauma"),),
)
def may_play(given: AnswerContext) -> Iterator[Finding]:
    """One to four investigators play, none of them killed, driven insane or
    retired."""
    asked = given.pending
    if not given.fits or asked is None:
        return
    if asked.step.startswith("$lead"):
        return
    for code in given.keys:
        fate = given.gone.get(given.state.title(code))
        if fate == RETIRED:
            yield Finding(_("This investigator has retired."), cards=(code,))
        elif fate is not None:
            yield Finding(
                _("This investigator was killed or driven insane."), cards=(code,)
            )
        elif code not in given.state.investigators:
            yield Finding(_("We don’t know this investigator."), cards=(code,))
    yield from _twice(given)
    if not 1 <= len(given.keys) <= MOST_PLAYERS:
        yield Finding(
            _("Choose 1 to 4 investigators."),
            actual=len(given.keys),
            expected=MOST_PLAYERS,
        )


def _twice(given: AnswerContext) -> Iterator[Finding]:
    """Yield a finding for each investigator chosen in two versions."""
    by_title: dict[str, list[str]] = {}
    for code in given.keys:
        by_title.setdefault(given.state.title(code), []).append(code)
    for codes in by_title.values():
        if len(codes) > 1:
            yield Finding(
                _("You chose two versions of this investigator."), cards=tuple(codes)
            )


def _describe_weakness(state: State, effect: do.AddWeakness, bare: Pending) -> Pending:
    prompt = CHOSEN_WEAKNESS if effect.choose_only else bare.prompt
    return bare._replace(
        prompt=prompt, traits=effect.traits, each=True, many=effect.count
    )


def _describe_trauma(state: State, effect: do.Trauma, bare: Pending) -> Pending:
    by_code = tuple((code, ("physical", "mental")) for code in bare.codes)
    return bare._replace(by_code=by_code, each=True)


def _describe_taker(state: State, effect: do.AddCard, bare: Pending) -> Pending:
    codes = bare.codes
    if effect.who == "any_resigned":
        resigned = state.outcome_group("resigned")
        codes = tuple(code for code in codes if code in resigned)
    elif effect.who == "lead":
        codes = tuple(code for code in codes if code == state.lead)
    must = effect.who == "any"  # for other kinds it is optional
    return bare._replace(codes=codes, keys=(effect.card,), least=int(must), most=1)


def _describe_giver(state: State, effect: do.RemoveCard, bare: Pending) -> Pending:
    """Name the card, and those who have it: one of them for each supply used."""
    having = givers(state, effect, bare.codes)
    count = None if effect.count is None else min(effect.count, len(having))
    return bare._replace(
        codes=tuple(having), keys=(effect.card,), least=count, most=count
    )


PEOPLE: dict[type, PromptKind] = {
    to.SeatChoice: PromptKind(
        "investigator_choice",
        seat_choice,
        _describe_seat_choice,
        AnswerNames.PEOPLE,
        says_each=True,
        rules=(nobody_has_the_same, experience_is_there),
    ),
    to.SeatCounter: PromptKind(
        "investigator_counter",
        seat_counter,
        _describe_seat_counter,
        AnswerNames.PEOPLE,
        rules=(experience_is_there,),
    ),
    to.ChooseInvestigators: PromptKind(
        "choose_investigators", choose_investigators, _describe_lead, rules=(may_play,)
    ),
    do.AddWeakness: PromptKind(
        "weakness", None, _describe_weakness, AnswerNames.PEOPLE, says_each=True
    ),
    do.Trauma: PromptKind(
        "physical_or_mental", None, _describe_trauma, AnswerNames.PEOPLE, says_each=True
    ),
    do.AddCard: PromptKind("who_takes", None, _describe_taker, AnswerNames.PEOPLE),
    do.RemoveCard: PromptKind(
        "who_gives_up", None, _describe_giver, AnswerNames.PEOPLE
    ),
}
