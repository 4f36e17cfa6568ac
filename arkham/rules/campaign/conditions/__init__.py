"""Evaluates the conditions of a guide: which option applies, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arkham.rules.campaign.conditions.checks import (
    CAMPAIGN_DECIDERS,
    NONE,
    PEOPLE_DECIDERS,
    Match,
    Matches,
    chosen,
    grouped,
    trait_options,
)
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.conditions import Condition, Operand
from arkham.rules.campaign.state.lookup import partners_matching
from arkham.rules.campaign.state.state import State


def matches(state: State, condition: Condition, person: str = "") -> Matches:
    """Return the selected options: none, one, or one for each group of investigators.

    ``person`` is the investigator asked about, for conditions of their own choices.
    """
    found = _DECIDERS[condition.__class__](state, condition)
    if person and isinstance(condition, PER_PERSON):
        return [match for match in found if match.codes and person in match.codes]
    return found


def leads_on(found: Matches) -> bool:
    """Return whether anything follows from the selected options."""
    return any(match.option.batches or match.option.steps for match in found)


def holds(state: State, condition: Condition | None) -> bool:
    """Return whether a yes-or-no condition is met; None is always met."""
    return condition is None or bool(_DECIDERS[condition.__class__](state, condition))


def holds_for(state: State, condition: Condition | None, code: str) -> bool:
    """Return whether a condition is met for this investigator."""
    if condition is None:
        return True
    if isinstance(condition, ask.InvestigatorCheck) and condition.each:
        return bool(
            trait_options(state, code, condition.data, condition.options.by_key)
        )
    if isinstance(condition, ask.LogCardsCheck):
        named = [
            card for card, _ in state.section(condition.section).cards(condition.id)
        ]
        return (code in named) in condition.options.by_key
    return bool(matches(state, condition, code))


def value(state: State, operand: Operand | None) -> int:
    """Return the current value of an operand; 0 for None."""
    if operand is None:
        return 0
    return _OPERANDS[operand.__class__](state, operand)


# --- the log


def _log_check(state: State, condition: ask.LogCheck) -> Matches:
    return chosen(condition.options, state.has_line(condition.section, condition.id))


def _section_check(state: State, condition: ask.SectionCheck) -> Matches:
    section = state.sections.get(condition.section)
    if section is None:
        there = condition.section in state.counts or (
            condition.section in state.seat_sections
        )
        return chosen(condition.options, there)
    return chosen(condition.options, not section.crossed_out)


def _log_cards_check(state: State, condition: ask.LogCardsCheck) -> Matches:
    if condition.id == "$count":
        return chosen(condition.options, state.has_line(condition.section, "$count"))
    section = state.section(condition.section)
    cards = section.cards(condition.id)
    return chosen(
        condition.options,
        section.has(condition.id),
        tuple(card for card, _ in cards),
        tuple(count for _, count in cards),
    )


def _log_cards_switch(state: State, condition: ask.LogCardsSwitch) -> Matches:
    named = {card for card, _ in state.section(condition.section).cards(condition.id)}
    for key, option in condition.options.by_key.items():
        if key in named:
            return [Match(option)]
    return NONE


def _log_count(state: State, condition: ask.LogCountCheck) -> Matches:
    count = state.number(condition.section, condition.id)
    return chosen(condition.options, count, None, (count,))


def _task(state: State, condition: ask.TaskCheck) -> Matches:
    task = state.task(condition.section, condition.id)
    if task is None:
        return chosen(condition.options, False)
    return chosen(condition.options, True, (task[0],), (task[1],))


def _seat_count(state: State, condition: ask.SeatCountCheck) -> Matches:
    people = state.seat_sections.get(condition.section, {})
    counts = [
        (code, people[code].number("$count") if code in people else 0)
        for code in state.alive()
    ]
    if condition.each:
        return grouped(condition.options, counts)
    numbers = {count for _, count in counts}
    for key, option in condition.options.by_key.items():
        if key in numbers:
            return [Match(option)]
    default = condition.options.default
    return [Match(default)] if default is not None else NONE


def _seat_log_cards(state: State, condition: ask.SeatLogCards) -> Matches:
    named = {card for card, _ in state.section(condition.section).cards(condition.id)}
    wanted = condition.option.key is not False
    codes = tuple(code for code in state.everybody() if (code in named) is wanted)
    return [Match(condition.option, codes)] if codes else NONE


# --- sums


def _multi(state: State, condition: ask.Multi) -> Matches:
    count = 0
    for part in condition.conditions:
        if _DECIDERS[part.__class__](state, part) or (
            state.policy.assumes_cards_of_each
            and isinstance(part, ask.HasCard)
            and part.who == "each"
        ):
            count += 1
    return chosen(condition.options, count >= condition.count)


def _math(state: State, condition: ask.Math) -> Matches:
    first = value(state, condition.first)
    second = value(state, condition.second)
    operation = condition.operation
    if operation == "compare":
        difference = first - second
        sign = (difference > 0) - (difference < 0)
        return chosen(condition.options, sign, None, (difference,))
    if operation == "equals":
        return chosen(condition.options, first == second)
    quotient = first // second if second else 0
    result = first + second if operation == "sum" else quotient
    return chosen(condition.options, result, None, (result,))


_DECIDERS: dict[type, Callable[[State, Any], Matches]] = {
    ask.LogCheck: _log_check,
    ask.SectionCheck: _section_check,
    ask.LogCardsCheck: _log_cards_check,
    ask.LogCardsSwitch: _log_cards_switch,
    ask.LogCountCheck: _log_count,
    ask.TaskCheck: _task,
    ask.SeatCountCheck: _seat_count,
    ask.SeatLogCards: _seat_log_cards,
    ask.Multi: _multi,
    ask.Math: _math,
    **PEOPLE_DECIDERS,
    **CAMPAIGN_DECIDERS,
}

PER_PERSON = (
    ask.HasCard,
    ask.TraumaCheck,
    ask.SuppliesCheck,
    ask.SeatCountCheck,
    ask.SeatLogCards,
)


def _task_operand(state: State, operand: Any) -> int:
    task = state.task(operand.section, operand.id)
    return task[1] if task else 0


def _most_experience(state: State, _: Any) -> int:
    return max((state.earned(code) for code in state.alive()), default=0)


def _partner_operand(state: State, operand: Any) -> int:
    by_key = operand.check.options.by_key
    return sum(
        key in by_key or operand.check.options.default is not None
        for _, key in partners_matching(state, operand.check)
    )


_OPERANDS: dict[type, Callable[[State, Any], int]] = {
    ask.Constant: lambda _, operand: int(operand.value),
    ask.LogCountOperand: lambda state, operand: state.number(
        operand.section, operand.id
    ),
    ask.TaskOperand: _task_operand,
    ask.BagOperand: lambda state, operand: state.bag.get(operand.token, 0),
    ask.PlayersOperand: lambda state, _: len(state.players),
    ask.MostExperience: _most_experience,
    ask.PartnerOperand: _partner_operand,
}
