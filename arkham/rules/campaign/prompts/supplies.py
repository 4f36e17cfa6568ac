"""Prompts for supplies and partners: what is packed and used, and who comes along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from arkham.rules.campaign.asking import (
    AnswerContext,
    Pending,
    not_offered,
    out_of_bounds,
)
from arkham.rules.campaign.conditions import value
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.prompts.kinds import (
    AnswerNames,
    PromptKind,
    counts_in,
    nobody_has_the_same,
    things_can_be_had,
)
from arkham.rules.campaign.run import Fits, Run
from arkham.rules.campaign.state.lookup import (
    GOES_WITH,
    NO_PARTNER,
    SELECTED,
    partner_is,
    partners_matching,
)
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import Finding, ngettext_noop, rule, rules_reference


def _describe_supplies(state: State, prompt: to.Supplies, bare: Pending) -> Pending:
    players = min(max(len(state.players), 1), len(prompt.points) or 1)
    points = prompt.points[players - 1] if prompt.points else 0
    bare = bare._replace(
        most=points, keys=tuple(cost[0] for cost in prompt.costs), costs=prompt.costs
    )
    if not prompt.pool:
        return bare
    pools = {code: state.pool(code, prompt.pool) for code in bare.codes}
    return bare._replace(
        limits=tuple((code, 0, points + more) for code, more in pools.items())
    )


def supplies(run: Run, prompt: to.Supplies, step_id: str) -> bool:
    """Ask what each investigator packs."""
    answer = run.answer_of("supplies", step_id, run.state.alive())
    if answer is None:
        return run.wait(step_id, "supplies", prompt, run.state.alive())
    groups = [
        Group(
            Batch((do.SeatCount(prompt.section, supply, "input", value=count),)),
            (code,),
        )
        for code, packed in answer.value.items()
        for supply, count in packed.items()
        if count
    ]
    return run.apply(step_id, groups)


@rule("answer.supplies", rows=("CYC-FA1",), cites=(rules_reference("Supplies"),))
def supplies_are_paid(given: AnswerContext) -> Iterator[Finding]:
    """You pack supplies with the points you have, most kinds only once."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "supplies":
        return
    costs = {supply: (cost, many) for supply, cost, many in asked.costs}
    points = {code: most for code, _least, most in asked.limits}
    for code, packed in given.answer.value.items():
        paid = 0
        for supply, count in packed.items():
            if supply not in costs:
                yield not_offered(supply, costs, code)
                continue
            cost, many = costs[supply]
            wrong = out_of_bounds(count, 0, None if many else 1, code)
            if wrong is not None:
                yield wrong
            paid += cost * max(count, 0)
        most = points.get(code, asked.most)
        if most is not None and paid > most:
            yield Finding(
                ngettext_noop(
                    "This costs {paid} point; you have {points}.",
                    "This costs {paid} points; you have {points}.",
                    "paid",
                ),
                cards=(code,),
                actual=paid,
                expected=most,
                values=(("paid", paid), ("points", most)),
            )


def _describe_use(state: State, prompt: to.UseSupplies, bare: Pending) -> Pending:
    """Limit the answer to the supplies that investigators have."""
    if bare.kind != "choice_list":
        return bare._replace(least=prompt.least, most=prompt.most)
    having = _having(state, prompt, bare.codes)
    least = most = state.needing
    if prompt.who != "all":
        least, most = prompt.least or 0, prompt.most or sum(having.values())
    return bare._replace(
        least=min(least, sum(having.values())),
        most=most,
        limits=tuple((code, 0, count) for code, count in having.items()),
    )


def _having(
    state: State, prompt: to.UseSupplies, codes: Iterable[str]
) -> dict[str, int]:
    """Return how many of the supply each of these investigators has."""
    own = state.seat_sections.get(prompt.section, {})
    return {code: own[code].number(prompt.id) if code in own else 0 for code in codes}


def _affords(run: Run, prompt: to.UseSupplies) -> Fits:
    """Return whether investigators still have what they use up by an answer."""
    having = _having(run.state, prompt, run.state.alive())

    def affords(said: Mapping[str, tuple[int, ...]]) -> bool:
        return all(sum(used[:1]) <= having[code] for code, used in said.items())

    return affords


def _is_lacking(run: Run, prompt: to.UseSupplies, step_id: str) -> bool:
    """Return whether it is passed over because no investigator has the supply."""
    having = _having(run.state, prompt, run.state.alive())
    if run.state.policy.uses_in_vain or any(having.values()):
        return False
    run.unanswered_reads.add(("choice_list", step_id))
    return True


def use_supplies(run: Run, prompt: to.UseSupplies, step_id: str) -> bool:
    """Use up supplies; investigators without any may suffer for it."""
    if prompt.who == "all":
        return _all_use(run, prompt, step_id)
    alive = run.state.alive()
    listed = run.answer_of("choice_list", step_id, alive, (), _affords(run, prompt))
    named = None if listed else run.answer_of("string_choices", step_id, alive)
    if listed is not None:
        counts = counts_in(listed)
    elif named is not None:
        counts = dict.fromkeys(named.value, 1)
    elif _is_lacking(run, prompt, step_id) or _is_in_vain(run.state, prompt):
        return _then(run, step_id, [], prompt.unused, ())
    else:
        return run.wait(step_id, "choice_list", prompt, alive)
    groups = [_used(run, prompt, code, count) for code, count in counts.items()]
    codes = tuple(code for code, count in counts.items() for _ in range(count))
    chosen = prompt.used if counts else prompt.unused
    return _then(run, step_id, groups, chosen, codes)


def _is_in_vain(state: State, prompt: to.UseSupplies) -> bool:
    """Return whether it only removes cards from decks, and no deck has any of them."""
    if state.policy.uses_in_vain or prompt.used is None or prompt.used.steps:
        return False
    effects = [
        effect
        for batch in prompt.used.batches
        for effect in (*batch.plain, *batch.personal)
    ]
    cards = {
        each.card
        for each in effects
        if isinstance(each, do.RemoveCard) and not each.aside
    }
    stories = (person.story or () for person in state.people.values())
    return len(cards) == len(effects) > 0 and cards.isdisjoint(chain(*stories))


def _used(run: Run, prompt: to.UseSupplies, code: str, count: int) -> Group:
    """Return the effect that subtracts used supplies."""
    least = None if run.state.policy.uses_below_none else 0
    gone = do.SeatCount(prompt.section, prompt.id, "input", value=-count, least=least)
    return Group(Batch((gone,)), (code,))


def _all_use(run: Run, prompt: to.UseSupplies, step_id: str) -> bool:
    used, alive = step_id + "_used", run.state.alive()
    listed = run.answer_of("choice_list", used, alive, (), _affords(run, prompt))
    if listed is None and not _is_lacking(run, prompt, used):
        return run.wait(used, "choice_list", prompt, alive)
    counts = counts_in(listed) if listed else {}
    groups = [_used(run, prompt, code, count) for code, count in counts.items()]
    missing = run.state.needing - sum(counts.values())
    if missing <= 0:
        return _then(run, step_id, groups, prompt.used, tuple(counts))
    suffering = run.answer_of(
        "string_choices", step_id, alive, (), lambda said: 0 < len(said) <= missing
    )
    if suffering is None:
        asked = replace(prompt, least=1, most=missing)
        return run.wait(step_id, "string_choices", asked, alive)
    return _then(run, step_id, groups, prompt.unused, tuple(suffering.value))


def _then(
    run: Run,
    step_id: str,
    groups: list[Group],
    choice: PromptChoice | None,
    codes: tuple[str, ...],
) -> bool:
    if choice is not None:
        run.push(choice.steps)
        groups += [Group(batch, codes) for batch in choice.batches]
    return run.apply(step_id, groups) if groups else True


def _describe_seat_supplies(
    state: State, prompt: to.SeatSupplies, bare: Pending
) -> Pending:
    return bare._replace(least=1, most=1)


def seat_supplies(run: Run, prompt: to.SeatSupplies, step_id: str) -> bool:
    """Ask for one investigator, and go on according to their supplies."""
    answer = run.answer_of("string_choices", step_id, run.state.alive())
    if answer is None:
        return run.wait(step_id, "string_choices", prompt, run.state.alive())
    codes = tuple(answer.value)
    own = run.state.seat_sections.get(prompt.section, {})
    has = any(code in own and own[code].number(prompt.id) > 0 for code in codes)
    return run.take(step_id, prompt.having if has else prompt.lacking, codes)


def _describe_partners(
    state: State, prompt: to.ChoosePartners, bare: Pending
) -> Pending:
    number = None if prompt.quantity is None else value(state, prompt.quantity)
    matching = partners_asked(state, prompt.check)
    if number is not None:
        number = min(number, len(matching))
    return bare._replace(keys=matching, least=number, most=number)


def partners_asked(state: State, check: Any) -> tuple[str, ...]:
    """Return the partners that a question is about."""
    by_key = check.options.by_key
    return tuple(code for code, key in partners_matching(state, check) if key in by_key)


def choose_partners(run: Run, prompt: to.ChoosePartners, step_id: str) -> bool:
    """Ask for partners, ignoring those removed by a later correction."""
    able = partners_asked(run.state, prompt.check)
    number = None if prompt.quantity is None else value(run.state, prompt.quantity)
    fits = None if number is None else lambda said: len(said) == min(number, len(able))
    answer = run.answer_of("string_choices", step_id, able, (), fits)
    if answer is None:
        is_over = run.asks_nobody("string_choices", step_id, able)
        return is_over or run.wait(step_id, "string_choices", prompt)
    codes = tuple(answer.value)
    return run.apply(step_id, [Group(batch, codes) for batch in prompt.batches])


def _describe_assigned(
    state: State, prompt: to.AssignPartners, bare: Pending
) -> Pending:
    return bare._replace(keys=partners_asked(state, prompt.check), each=True)


def assign_partners(run: Run, prompt: to.AssignPartners, step_id: str) -> bool:
    """Ask who goes with whom, ignoring partners removed by a later correction."""
    alive = run.state.alive()
    able = partners_asked(run.state, prompt.check)
    answer = run.answer_of("string_choices", step_id, alive)
    if answer is None and not run.asks_nobody("string_choices", step_id, able):
        return run.wait(step_id, "string_choices", prompt, alive)
    section = prompt.check.section
    said = answer.value.items() if answer else ()
    chosen = {code: names[0] if names else NO_PARTNER for code, names in said}
    if not run.state.policy.hears_the_absent:
        chosen = {code: n if n in able else NO_PARTNER for code, n in chosen.items()}
    for code in alive:
        chosen.setdefault(code, NO_PARTNER)  # their partner is no longer available
    partners = tuple(name for name in chosen.values() if name != NO_PARTNER)
    groups = [Group(Batch((do.LogCards(section, SELECTED, "$input_value"),)), partners)]
    groups += [
        Group(Batch((do.LogCards(section, GOES_WITH + code, "$input_value"),)), (name,))
        for code, name in chosen.items()
    ]
    return run.apply(step_id, groups)


HARMS = ("damage", "horror")


def _describe_hurt(state: State, _prompt: to.PartnerTrauma, bare: Pending) -> Pending:
    """Limit damage and horror to what each partner has left, as ``code.damage``."""
    limits: list[tuple[str, int, int]] = []
    for code in bare.codes:
        health = state.limits(code, state.people.get(code)) or (0, 0)
        for harm, most, had in zip(HARMS, health, state.trauma(code), strict=True):
            limits.append((f"{code}.{harm}", 0, max(most - had, 0)))
    return bare._replace(least=0, limits=tuple(limits))


def partner_trauma(run: Run, prompt: to.PartnerTrauma, step_id: str) -> bool:
    """Ask for damage and horror on the chosen partners, or else on all left."""
    state, section = run.state, prompt.section
    codes = [each for each in state.partners if not state.is_eliminated(each)]
    if state.section(section).named(SELECTED):
        chosen = "investigator_selected"
        codes = [each for each in codes if partner_is(state, section, each, chosen)]
    answer = run.answer_of("choice_list", step_id, codes)
    if answer is None:
        is_over = run.asks_nobody("choice_list", step_id, codes)
        return is_over or run.wait(step_id, "choice_list", prompt, codes)
    groups = []
    for code, values in answer.value.items():
        physical, mental = (*values, 0, 0)[:2]
        if physical or mental:
            effect = do.Trauma("input", physical=physical, mental=mental)
            groups.append(Group(Batch((effect,)), (code,)))
    return run.apply(step_id, groups)


SUPPLIES: dict[type, PromptKind] = {
    to.Supplies: PromptKind(
        "supplies",
        supplies,
        _describe_supplies,
        AnswerNames.PEOPLE,
        rules=(supplies_are_paid,),
    ),
    to.UseSupplies: PromptKind(
        "use_supplies", use_supplies, _describe_use, AnswerNames.PEOPLE, in_all=True
    ),
    to.SeatSupplies: PromptKind(
        "investigator_choice_supplies",
        seat_supplies,
        _describe_seat_supplies,
        AnswerNames.PEOPLE,
    ),
    to.ChoosePartners: PromptKind(
        "choose_partners", choose_partners, _describe_partners, AnswerNames.THINGS
    ),
    to.AssignPartners: PromptKind(
        "assign_partners",
        assign_partners,
        _describe_assigned,
        AnswerNames.PEOPLE,
        says_each=True,
        rules=(things_can_be_had, nobody_has_the_same),
    ),
    to.PartnerTrauma: PromptKind(
        "partner_trauma", partner_trauma, _describe_hurt, AnswerNames.PEOPLE
    ),
}
