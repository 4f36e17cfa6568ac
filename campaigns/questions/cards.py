"""Questions about cards and things somebody has, and about lines of the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.model.steps import NOBODY as NO_HOLDER
from arkham.rules.campaign.state.lookup import copies_in, holding
from campaigns.questions.form import Cleaned
from campaigns.questions.kinds import (
    QuestionKind,
    Rows,
    named,
    number_fields,
    number_of_each,
    of_each,
    offered,
    one,
    unlisted,
)
from campaigns.questions.question import (
    ANSWER,
    NOBODY,
    FieldOption,
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import CampaignNames


def _cards(asking: QuestionContext, pending: Pending) -> Fields:
    """Some cards, each with a choice; those the guide does not list are named."""
    options = tuple(offered(asking, pending))
    keys = (*pending.keys, *asking.in_reach)
    if not keys and not pending.others:
        return ()  # all of them are told of already
    if not keys:
        label = options[0].label if len(options) == 1 else _("Cards, one a line")
        return (QuestionField(ANSWER, label, "cards", options, is_needed=False),)
    listed = _listed(asking, pending, keys, options)
    return (*listed, unlisted(options)) if pending.others else listed


def _listed(
    asking: QuestionContext,
    pending: Pending,
    keys: tuple[str, ...],
    options: tuple[FieldOption, ...],
) -> Fields:
    """Cards that are listed: ticked where one thing can be said of them."""
    names = asking.names
    if len(options) == 1:
        ticks = tuple(FieldOption(key, names.card(key)) for key in keys)
        return (
            QuestionField(ANSWER, options[0].label, "several", ticks, 0, pending.most),
        )
    left_out = (*options, FieldOption(NOBODY, _("Neither")))
    return tuple(
        one(names.card(key), left_out, name=key)._replace(is_needed=False)
        for key in keys
    )


def _cards_chosen(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """Cards with their choice; those nobody listed beforehand by their names."""
    found: dict[str, Any] = {}
    for field in question.fields:
        value = cleaned[field.name]
        if field.kind == "cards":
            choice = field.options[0].value if field.options else "1"
            found |= dict.fromkeys(value, (choice,))
        elif field.kind == "several":
            found |= dict.fromkeys(value, (question.pending.offers[0].id,))
        elif value != NOBODY:
            found[field.name] = (value,)
    return found


def _lines(asking: QuestionContext, pending: Pending) -> Fields:
    """The lines that stand in the log, by their sections, or those sections."""
    options = tuple(_standing(asking, pending.keys))
    label = _("All that apply")
    return (QuestionField(ANSWER, label, "several", options, 0, len(options)),)


def _standing(asking: QuestionContext, places: Iterable[str]) -> Iterator[FieldOption]:
    state, names = asking.replay.state, asking.names
    for place in places:
        section, point, line_id = place.partition(".")
        if not point:
            yield FieldOption(place, names.section(section))
            continue
        line = next(
            each
            for each in state.section(section).lines
            if each.id == line_id and not each.crossed_out
        )
        yield FieldOption(
            place, f"{names.section(section)}: {names.line(section, line)}"
        )


def _holders(asking: QuestionContext, pending: Pending) -> Fields:
    """Who has each thing now; nothing where it is left open."""
    names = asking.names
    options = (
        FieldOption(NOBODY, _("as it is")),
        *(FieldOption(each.id, _holder(names, each.id)) for each in pending.offers),
    )
    return tuple(
        QuestionField(
            key,
            names.choice(pending.scenario, pending.step, key),
            "pick",
            options,
            is_needed=False,
            hint=", ".join(map(names.card, holding(asking.replay.state, key))),
        )
        for key in pending.keys
    )


def _holder(names: CampaignNames, code: str) -> str:
    return _("Nobody") if code == NO_HOLDER else names.card(code)


def _card_counts(asking: QuestionContext, pending: Pending) -> Fields:
    """How many copies of each card lie in each deck, as it is known."""
    names, state = asking.names, asking.replay.state
    return tuple(
        QuestionField(
            f"{code}.{card}",
            names.card(card),
            "number",
            (),
            0,
            most,
            initial=str(copies_in(state, code, card)),
            group=names.card(code),
        )
        for code in pending.codes
        for card, _least, most in pending.limits
    )


def _copies(question: FormQuestion, cleaned: Cleaned) -> dict[str, Any]:
    """How many copies lie in each deck, where that is another number than before."""
    found: dict[str, dict[str, int]] = {}
    for field in question.fields:
        code, _dot, card = field.name.partition(".")
        if cleaned[field.name] != int(field.initial):
            found.setdefault(code, {})[card] = cleaned[field.name]
    return found


CARDS: Rows = {
    ("card_choice", "string_choices"): QuestionKind(_cards, _cards_chosen),
    ("card_choice", "choice_list"): QuestionKind(number_fields, number_of_each),
    ("card_counts", "supplies"): QuestionKind(_card_counts, _copies),
    ("choose_lines", "string_choices"): QuestionKind(_lines, named("chosen")),
    ("holders", "string_choices"): QuestionKind(_holders, of_each),
}
