"""An answer → what stood in the fields of its question when it was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.victory import TOTAL
from campaigns.questions.display_reading import TOTAL_REASON, named_as
from campaigns.questions.field_reading import ANSWER, OTHERS, Field, Question
from campaigns.words.names import Names

Filled = dict[str, list[str]]


def refilled(question: Question, answer: Answer, names: Names) -> Filled:
    """What is filled in, by the name of the field; what nobody can tell is left out."""
    if question.pending.is_display:
        return _displayed(question, answer, names)
    match answer.kind:
        case "choice":
            return {ANSWER: [answer.choice or _chosen(question, answer.value)]}
        case "decision":
            return {ANSWER: ["yes" if answer.value else "no"]}
        case "count" | "text" | "campaign_link":
            return {ANSWER: [str(answer.value)]}
        case "string_choices" | "choice_list" | "supplies":
            return _mapped(question, answer.value)
    return {}


def _displayed(question: Question, answer: Answer, names: Names) -> Filled:
    """The cards in the victory display, those the question did not list by name."""
    if answer.kind == COUNTED:
        return {TOTAL: [str(answer.value)]}
    besides = _besides(question, answer.value)
    named = [named_as(code, question.pending, names.pool) for code in besides]
    found = {
        code: [str(numbers[0])]
        for code, numbers in answer.value.items()
        if numbers and (numbers[0] or code == TOTAL) and code not in besides
    }
    if named:
        found[OTHERS] = ["\n".join(named)]
    if answer.reason:
        found[TOTAL_REASON] = [answer.reason]
    return found


def _chosen(question: Question, number: int) -> str:
    offers = question.pending.offers
    return next((offer.id for offer in offers if offer.number == number), "")


def _mapped(question: Question, value: Mapping[str, Any]) -> Filled:
    found: Filled = {}
    for field in question.fields:
        if field.name == OTHERS:
            told = ["\n".join(_besides(question, value))]
        else:
            told = _named(field, value) if field.name == ANSWER else _own(field, value)
        if any(told):
            found[field.name] = told
    return found


def _besides(question: Question, value: Mapping[str, Any]) -> list[str]:
    """Those the question did not list."""
    listed = {field.name for field in question.fields}
    listed |= {each.value for field in question.fields for each in field.options}
    return _each_named(
        {code: told for code, told in value.items() if code not in listed}
    )


def _each_named(value: Mapping[str, Any]) -> list[str]:
    """The codes of cards, each as often as there are of it where that was said."""
    return [
        code
        for code, told in value.items()
        for _copy in range(told[0] if told and isinstance(told[0], int) else 1)
    ]


def _named(field: Field, value: Mapping[str, Any]) -> list[str]:
    """Those who were named, with what they chose where the field asks for both."""
    if field.kind == "cards":
        return ["\n".join(_each_named(value))]
    found = []
    for option in field.options:
        code, _blank, choice = option.value.partition(" ")
        if option.value in value or (
            code in value and (not choice or choice in value[code])
        ):
            found.append(option.value)
    return found


def _own(field: Field, value: Mapping[str, Any]) -> list[str]:
    """What was said in a field of its own: a thing, or a person and a thing."""
    if field.kind == "pick":
        return [str(each) for each in value.get(field.name, ())]
    code, point, thing = field.name.partition(".")
    chosen = value.get(code)
    if not chosen:
        return []
    if field.kind == "card":
        called = {option.value: option.label for option in field.options}
        return [called.get(str(each), str(each)) for each in chosen]
    if not point:
        return ["\n".join(map(str, chosen))]
    if isinstance(chosen, Mapping):
        return [str(chosen[thing])] if thing in chosen else []
    place = ("damage", "horror").index(thing) if thing in ("damage", "horror") else 0
    return [str(chosen[place])] if place < len(chosen) else []
