"""Reads the answer from the form of a question, and fills a form from an answer.

The form is checked for what it is; whether the answer may be given is judged by the
rules when it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.travel import journey
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.victory import TOTAL
from campaigns.questions.asking import line_name, own_lines
from campaigns.questions.display import TOTAL_REASON, display_of, named_as
from campaigns.questions.question import (
    ANSWER,
    EMBARK,
    FAST,
    LONGEST_WORDS,
    NOBODY,
    OTHERS,
    PASSING,
    FormQuestion,
    Misfilled,
    QuestionContext,
    QuestionField,
    cards_in,
    chosen_in,
    number_in,
    several_in,
)
from campaigns.words.names import CampaignNames
from decks.lists.content import whole
from decks.services.ledger import MOST_EARNED

Filled = dict[str, list[str]]


def refilled(question: FormQuestion, answer: Answer, names: CampaignNames) -> Filled:
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


def _displayed(question: FormQuestion, answer: Answer, names: CampaignNames) -> Filled:
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


def _chosen(question: FormQuestion, number: int) -> str:
    offers = question.pending.offers
    return next((offer.id for offer in offers if offer.number == number), "")


def _mapped(question: FormQuestion, value: Mapping[str, Any]) -> Filled:
    found: Filled = {}
    for field in question.fields:
        if field.name == OTHERS:
            told = ["\n".join(_besides(question, value))]
        else:
            told = (
                _initial_names(field, value)
                if field.name == ANSWER
                else _own(field, value)
            )
        if any(told):
            found[field.name] = told
    return found


def _besides(question: FormQuestion, value: Mapping[str, Any]) -> list[str]:
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


def _initial_names(field: QuestionField, value: Mapping[str, Any]) -> list[str]:
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


def _own(field: QuestionField, value: Mapping[str, Any]) -> list[str]:
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


CHOSEN = "chosen_investigator"


def answer_of(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> Answer:
    """The answer somebody gave. Raises Misfilled."""
    pending = question.pending
    if pending.prompt == EMBARK:
        return _journey(asking, question, data)
    if pending.kind == START:
        return Answer(START, pending.scenario, "", None)
    if pending.is_display:
        return display_of(asking, question, data)
    read = _BY_KIND.get(pending.kind)
    if read is None or (pending.kind, pending.prompt) in _OWN:
        read = _BY_PROMPT.get(pending.prompt, _each)
    value = read(asking, question, data)
    choice = chosen_in(question.fields[0], data) if pending.kind == "choice" else ""
    return Answer(pending.kind, pending.scenario, pending.step, value, 0, choice)


def told_of_decks(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, dict[str, int]]:
    """What cards brought, by investigator and card. Raises Misfilled."""
    fields = {field.name: field for field in question.fields}
    found: dict[str, dict[str, int]] = {}
    for line in own_lines(asking):
        field = fields.get(line_name(line))
        if field is None:
            continue
        amount = number_in(field, data)
        if abs(amount) > MOST_EARNED:
            raise Misfilled(field.name, _("At most 99, more or fewer."))
        found.setdefault(line.investigator, {})[line.card] = amount
    return found


Read = Callable[[QuestionContext, FormQuestion, QueryDict], Any]


def _choice(_asking: QuestionContext, question: FormQuestion, data: QueryDict) -> int:
    chosen = chosen_in(question.fields[0], data)
    return next(offer.number for offer in question.pending.offers if offer.id == chosen)


def _decision(
    _asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> bool:
    if question.is_upgrade:
        return True
    return chosen_in(question.fields[0], data) == "yes"


def _count(_asking: QuestionContext, question: FormQuestion, data: QueryDict) -> int:
    return number_in(question.fields[0], data)


def _words(_asking: QuestionContext, _question: FormQuestion, data: QueryDict) -> str:
    words = whole(data.get(ANSWER, "")).strip()[:LONGEST_WORDS]
    if not words:
        raise Misfilled(ANSWER, _("Nothing is written here."))
    return words


def _link(_asking: QuestionContext, question: FormQuestion, data: QueryDict) -> str:
    return chosen_in(question.fields[0], data)


def _each(
    _asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    """What was chosen for each, where something was."""
    if [field.name for field in question.fields] == [ANSWER]:
        return _some(question.fields[0], data)
    chosen = {field.name: chosen_in(field, data) for field in question.fields}
    return {name: (value,) for name, value in chosen.items() if value != NOBODY}


def _some(field: QuestionField, data: QueryDict) -> dict[str, Any]:
    """Those who are meant, with what they choose: “code choice”."""
    is_many = field.kind == "several"
    named = (
        several_in(field, data) if is_many else filter(None, [chosen_in(field, data)])
    )
    pairs = (value.partition(" ") for value in named)
    return {code: (choice,) for code, _blank, choice in pairs}


def _numbers(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    """A number for each; of cards that were not listed, how often they are named."""
    found: dict[str, Any] = {}
    for field in question.fields:
        if field.kind == "cards":
            named = Counter(cards_in(field, data, asking.names.pool))
            found |= {code: (count,) for code, count in named.items()}
        elif (number := number_in(field, data)) or not question.pending.others:
            found[field.name] = (number,)
    return found


def _named(word: str) -> Read:
    """Those who are named, each with the same word."""

    def read(
        _asking: QuestionContext, question: FormQuestion, data: QueryDict
    ) -> dict[str, Any]:
        (field,) = question.fields
        if field.kind == "several":
            return dict.fromkeys(several_in(field, data), (word,))
        chosen = chosen_in(field, data)
        return {chosen: (word,)} if chosen != NOBODY else {}

    return read


def _players(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    is_lead = question.pending.step.startswith(fixed_steps.LEAD_INVESTIGATOR)
    return dict(_named("lead" if is_lead else "chosen")(asking, question, data))


def _pairs(
    _asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    """Damage and horror of each partner, together."""
    found: dict[str, tuple[int, ...]] = {}
    for field in question.fields:
        code = field.name.rpartition(".")[0]
        found[code] = (*found.get(code, ()), number_in(field, data))
    return found


def _supplies(
    _asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, supply = field.name.partition(".")
        number = number_in(field, data)
        if number:
            found.setdefault(code, {})[supply] = number
    return found


def _copies(
    _asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    """How many copies lie in each deck, where that is another number than before."""
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, card = field.name.partition(".")
        number = number_in(field, data)
        if number != int(field.initial):
            found.setdefault(code, {})[card] = number
    return found


def _cards(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    """Cards with their choice; those nobody listed beforehand by their names."""
    found: dict[str, Any] = {}
    for field in question.fields:
        if field.kind == "cards":
            choice = field.options[0].value if field.options else "1"
            named = cards_in(field, data, asking.names.pool)
            found |= dict.fromkeys(named, (choice,))
        elif field.kind == "several":
            choice = question.pending.offers[0].id
            found |= dict.fromkeys(several_in(field, data), (choice,))
        elif (chosen := chosen_in(field, data)) != NOBODY:
            found[field.name] = (chosen,)
    return found


def _weaknesses(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, Any]:
    found = {}
    for field in question.fields:
        named = cards_in(field, data, asking.names.pool)
        if len(named) != question.pending.many:
            told = ngettext(
                "Name the one weakness that was drawn.",
                "Name the %(count)d weaknesses that were drawn.",
                question.pending.many,
            )
            raise Misfilled(field.name, told % {"count": question.pending.many})
        found[field.name] = tuple(named)
    return found


def _journey(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> Answer:
    place = chosen_in(question.fields[0], data)
    named = {field.name for field in question.fields}
    found = journey(
        asking.names.guide,
        asking.replay,
        place,
        fast=FAST in named and FAST in data,
        passing=PASSING in data,
    )
    if found is None:
        raise Misfilled(ANSWER, _("No way leads there."))
    return Answer(START, found.next_scenario, "", found)


_BY_KIND: dict[str, Read] = {
    "choice": _choice,
    "decision": _decision,
    "count": _count,
    "text": _words,
    "campaign_link": _link,
    "supplies": _supplies,
    "choice_list": _numbers,
}
# Numbers that are told in fields of another kind.
_OWN = frozenset({("choice_list", "partner_trauma"), ("supplies", "card_counts")})
_BY_PROMPT: dict[str, Read] = {
    "choose_investigators": _players,
    "checklist": _named("checked"),
    "choose_partners": _named("1"),
    "choose_lines": _named("chosen"),
    "partner_trauma": _pairs,
    "card_choice": _cards,
    "card_counts": _copies,
    "weakness": _weaknesses,
    "chosen_weakness": _weaknesses,
    "who_takes": _named(CHOSEN),
    "who_gives_up": _named(CHOSEN),
    "investigator_choice_supplies": _named(CHOSEN),
}
