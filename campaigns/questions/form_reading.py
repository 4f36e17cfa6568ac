"""What was filled in below a question → the answer it gives.

The form is checked for what it is; whether the answer may be given is judged by the
rules when it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.interpreter.replay import START
from arkham.rules.campaign.judging.travel import journey
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.state.answers import Answer
from campaigns.questions.cards import line_name, own_lines
from campaigns.questions.display_reading import display_of
from campaigns.questions.field_reading import (
    LONGEST_WORDS,
    Misfilled,
    cards_in,
    chosen_in,
    number_in,
    several_in,
)
from campaigns.questions.question import (
    ANSWER,
    EMBARK,
    FAST,
    NOBODY,
    PASSING,
    Asking,
    Field,
    Question,
)
from decks.lists.content import whole
from decks.services.ledger import MOST_EARNED

CHOSEN = "chosen_investigator"


def answer_of(asking: Asking, question: Question, data: QueryDict) -> Answer:
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
    asking: Asking, question: Question, data: QueryDict
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


Read = Callable[[Asking, Question, QueryDict], Any]


def _choice(_asking: Asking, question: Question, data: QueryDict) -> int:
    chosen = chosen_in(question.fields[0], data)
    return next(offer.number for offer in question.pending.offers if offer.id == chosen)


def _decision(_asking: Asking, question: Question, data: QueryDict) -> bool:
    if question.is_upgrade:
        return True
    return chosen_in(question.fields[0], data) == "yes"


def _count(_asking: Asking, question: Question, data: QueryDict) -> int:
    return number_in(question.fields[0], data)


def _words(_asking: Asking, _question: Question, data: QueryDict) -> str:
    words = whole(data.get(ANSWER, "")).strip()[:LONGEST_WORDS]
    if not words:
        raise Misfilled(ANSWER, _("Nothing is written here."))
    return words


def _link(_asking: Asking, question: Question, data: QueryDict) -> str:
    return chosen_in(question.fields[0], data)


def _each(_asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
    """What was chosen for each, where something was."""
    if [field.name for field in question.fields] == [ANSWER]:
        return _some(question.fields[0], data)
    chosen = {field.name: chosen_in(field, data) for field in question.fields}
    return {name: (value,) for name, value in chosen.items() if value != NOBODY}


def _some(field: Field, data: QueryDict) -> dict[str, Any]:
    """Those who are meant, with what they choose: “code choice”."""
    is_many = field.kind == "several"
    named = (
        several_in(field, data) if is_many else filter(None, [chosen_in(field, data)])
    )
    pairs = (value.partition(" ") for value in named)
    return {code: (choice,) for code, _blank, choice in pairs}


def _numbers(asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
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

    def read(_asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
        (field,) = question.fields
        if field.kind == "several":
            return dict.fromkeys(several_in(field, data), (word,))
        chosen = chosen_in(field, data)
        return {chosen: (word,)} if chosen != NOBODY else {}

    return read


def _players(asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
    is_lead = question.pending.step.startswith(fixed_steps.LEAD_INVESTIGATOR)
    return dict(_named("lead" if is_lead else "chosen")(asking, question, data))


def _pairs(_asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
    """Damage and horror of each partner, together."""
    found: dict[str, tuple[int, ...]] = {}
    for field in question.fields:
        code = field.name.rpartition(".")[0]
        found[code] = (*found.get(code, ()), number_in(field, data))
    return found


def _supplies(_asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, supply = field.name.partition(".")
        number = number_in(field, data)
        if number:
            found.setdefault(code, {})[supply] = number
    return found


def _copies(_asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
    """How many copies lie in each deck, where that is another number than before."""
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, card = field.name.partition(".")
        number = number_in(field, data)
        if number != int(field.initial):
            found.setdefault(code, {})[card] = number
    return found


def _cards(asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
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


def _weaknesses(asking: Asking, question: Question, data: QueryDict) -> dict[str, Any]:
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


def _journey(asking: Asking, question: Question, data: QueryDict) -> Answer:
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
