"""How a prompt appears in the app: its fields, how they are read and filled in.

There is a row for each prompt and kind of answer, in the module of its family; helpers
that several families need are here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.state.answers import Answer
from campaigns.play.plays import branches_that_draw
from campaigns.questions.form import Cleaned, Filled
from campaigns.questions.question import (
    ANSWER,
    MOST,
    NO_CHOICE,
    OTHERS,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)

Read = Callable[[FormQuestion, Cleaned], Any]
Fill = Callable[[FormQuestion, Answer], Filled]
CHOSEN = "chosen_investigator"


def one(
    label: str, options: Iterable[FieldOption], *, name: str = ANSWER
) -> QuestionField:
    return QuestionField(name, label, "one", tuple(options))


def people(asking: QuestionContext, codes: Sequence[str]) -> list[FieldOption]:
    return [FieldOption(code, asking.names.card(code)) for code in codes]


def number(name: str, label: str, pending: Pending) -> QuestionField:
    most = MOST if pending.most is None else pending.most
    least = 0 if pending.least is None else pending.least
    initial = str(min(max(least, 0), most))
    return QuestionField(name, label, "number", (), least, most, initial=initial)


def offered(asking: QuestionContext, pending: Pending) -> list[FieldOption]:
    """Return the options that can be chosen now."""
    names = asking.names
    found = []
    drawn = frozenset[str]()
    if pending.prompt == "play_scenario":
        drawn = branches_that_draw(names.guide, pending.scenario)
    for offer in pending.open_offers:
        if offer.id in drawn:
            continue  # the page of the scenario draws a location
        if pending.step == scenario_steps.CHOOSE_RESOLUTION:
            label = names.ending(pending.scenario, offer.id)
        else:
            label = names.choice(pending.scenario, pending.step, offer.id)
        found.append(FieldOption(offer.id, label))
    return found


def of_these(
    label: str, options: tuple[FieldOption, ...], least: int | None, most: int | None
) -> QuestionField:
    """Return a field for some of several options; for at most one, a single choice."""
    if most != 1 or len(options) == 1:
        return QuestionField(ANSWER, label, "several", options, least, most)
    none = () if least else (FieldOption(NO_CHOICE, _("None of these")),)
    return one(label, (*options, *none))._replace(is_needed=bool(least))


def number_fields(asking: QuestionContext, pending: Pending) -> Fields:
    keys = pending.codes or pending.keys or asking.in_reach
    if not keys:
        return (
            QuestionField(ANSWER, _("Cards, one per line"), "cards", is_needed=False),
        )
    whole = pending
    if pending.others:
        whole = pending._replace(least=0, most=None)  # the limit counts the cards named
    limits = {code: (least, most) for code, least, most in pending.limits}
    found = []
    for key in keys:
        least, most = limits.get(key, (whole.least, whole.most))
        own = pending._replace(least=least, most=most)
        found.append(number(key, asking.names.card(key), own))
    if pending.others:
        found.append(unlisted())
    return tuple(found)


def unlisted(options: tuple[FieldOption, ...] = ()) -> QuestionField:
    """Return a field for cards that can't be listed, such as those of a paper deck."""
    more = _("Other cards, one per line")
    return QuestionField(OTHERS, more, "cards", options, is_needed=False)


def the_chosen(question: FormQuestion, cleaned: Cleaned) -> Any:
    """Return the value of the only field."""
    return cleaned[question.fields[0].name]


def some_of(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return the people chosen, with their choices ("code choice")."""
    field = question.fields[0]
    chosen = cleaned[field.name]
    meant: list[str] = chosen if field.kind == "several" else [chosen]
    pairs = (value.partition(" ") for value in meant if value)
    return {code: (choice,) for code, _blank, choice in pairs}


def of_each(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return what was chosen for each, without those left open."""
    if [field.name for field in question.fields] == [ANSWER]:
        return some_of(question, cleaned)
    return {
        field.name: (cleaned[field.name],)
        for field in question.fields
        if cleaned[field.name] != NO_CHOICE
    }


def number_of_each(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Return a number for each; typed cards count as often as they are named."""
    found: dict[str, Any] = {}
    for field in question.fields:
        value = cleaned[field.name]
        if field.kind == "cards":
            copies: Counter[str] = Counter(value)
            found |= {code: (count,) for code, count in copies.items()}
        elif value or not question.pending.others:
            found[field.name] = (value,)
    return found


def named(word: str) -> Read:
    """Return a reader that gives everyone named the same value."""

    def read(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
        (field,) = question.fields
        value = cleaned[field.name]
        if field.kind == "several":
            return dict.fromkeys(value, (word,))
        return {value: (word,)} if value != NO_CHOICE else {}

    return read


def fill_words(_question: FormQuestion, answer: Answer) -> Filled:
    """Return the value of an answer for the only field."""
    return {ANSWER: [str(answer.value)]}


def fill_mapped(question: FormQuestion, answer: Answer) -> Filled:
    """Return the values of an answer for each field."""
    value = answer.value
    found: Filled = {}
    for field in question.fields:
        if field.name == OTHERS:
            names = ["\n".join(besides(question, value))]
        else:
            names = (
                _initial_names(field, value)
                if field.name == ANSWER
                else _own(field, value)
            )
        if any(names):
            found[field.name] = names
    return found


def besides(question: FormQuestion, value: Mapping[str, Any]) -> list[str]:
    """Return the codes that the question did not list."""
    listed = {field.name for field in question.fields}
    listed |= {each.value for field in question.fields for each in field.options}
    return _each_named(
        {code: each for code, each in value.items() if code not in listed}
    )


def _each_named(value: Mapping[str, Any]) -> list[str]:
    """Return the codes of cards, repeated as often as their count."""
    return [
        code
        for code, each in value.items()
        for _copy in range(each[0] if each and isinstance(each[0], int) else 1)
    ]


def _initial_names(field: QuestionField, value: Mapping[str, Any]) -> list[str]:
    """Return what was named, with each choice if the field asks for both."""
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
    """Return the value of a field for one thing, or for one person's thing."""
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


class QuestionKind(NamedTuple):
    """How a prompt is shown: its fields, how they are read, and how they are filled in.

    ``read`` makes the value of an answer from the form's cleaned fields; ``fill`` makes
    the initial values of the fields when an answer is corrected.
    """

    fields: Callable[[QuestionContext, Pending], Fields]
    read: Read
    fill: Fill = fill_mapped


Rows = Mapping[tuple[str, str], QuestionKind]  # by prompt and kind of answer
