"""Reads the form of a victory display, and fills it in from an answer.

Cards that are not listed go by their names; the points are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.by_hand.displays import printed_points
from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.outcomes import TOTAL, ShownDisplay
from arkham.rules.pool import CardPool
from campaigns.questions.display import (
    TOTAL_REASON,
    display_answer,
    display_from,
    points_by,
)
from campaigns.questions.form import (
    AnswerField,
    Filled,
    NumberField,
    QuestionForm,
    lines_of,
)
from campaigns.questions.kinds import besides
from campaigns.questions.question import (
    OTHERS,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.words.names import CampaignNames
from cardpool.words import meant, with_meant


class DisplayForm(QuestionForm):
    """The form of a display: numbers may be left out, cards need victory points."""

    def field_for(self, field: QuestionField) -> AnswerField:
        """The field that reads what is filled in there."""
        kinds = {"tick": _TickField, "number": _CountField, "cards": _WorthField}
        kind = kinds.get(field.kind)
        return super().field_for(field) if kind is None else kind(field, self)

    def clean(self) -> dict[str, Any]:
        """Ask why the total is another one, where all else can be read."""
        if not self.errors:
            shown = self.shown()
            if shown.cards and shown.is_corrected and not self.reason:
                message = _("%(points)s: why is the total different?")
                self.add_error(TOTAL_REASON, message % {"points": come_to(shown)})
        return self.cleaned_data

    @property
    def reason(self) -> str:
        """Why the total is another one, where a reason is given."""
        return str(self.cleaned_data[TOTAL_REASON])

    def shown(self) -> ShownDisplay:
        """The victory display as it was read."""
        copies: Counter[str] = Counter()
        for name, value in self.cleaned_data.items():
            if name == OTHERS:
                copies.update(value)
            elif name not in (TOTAL, TOTAL_REASON):
                copies[name] += value or 0
        total = self.cleaned_data[TOTAL]
        return display_from(self.asking, self.question.pending, copies, total)


class _TickField(AnswerField):
    def understood(self, text: str) -> int:
        return int(bool(text.strip()))


class _CountField(NumberField):
    def understood(self, text: str) -> int | None:  # type: ignore[override]
        return super().understood(text) if text.strip() else None


class _WorthField(AnswerField):
    def __init__(self, asked: QuestionField, form: QuestionForm) -> None:
        super().__init__(asked, form)
        self.names, self.pending = form.asking.names, form.question.pending

    def understood(self, text: str) -> list[str]:
        return [_code_of(name, self.pending, self.names) for name in lines_of(text)]


def display_of(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> Answer:
    """The answer: cards, a total with its reason, or a number. Raises Misfilled."""
    form = DisplayForm(asking, question, data)
    form.read()
    return display_answer(question.pending, form.shown(), form.reason)


def come_to(shown: ShownDisplay) -> str:
    """What the cards that are named come to."""
    message = ngettext(
        "These cards add up to %(count)d victory point",
        "These cards add up to %(count)d victory points",
        shown.counted,
    )
    return message % {"count": shown.counted}


def shown_in(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> ShownDisplay:
    """The victory display as it is filled in. Raises Misfilled."""
    form = DisplayForm(asking, question, data)
    if set(form.errors) - {TOTAL_REASON}:
        form.read()
    return form.shown()


def fill_display(
    question: FormQuestion, answer: Answer, names: CampaignNames
) -> Filled:
    """The cards in the victory display, those the question did not list by name."""
    if answer.kind == COUNTED:
        return {TOTAL: [str(answer.value)]}
    others = besides(question, answer.value)
    named = [named_as(code, question.pending, names.pool) for code in others]
    found = {
        code: [str(numbers[0])]
        for code, numbers in answer.value.items()
        if numbers and (numbers[0] or code == TOTAL) and code not in others
    }
    if named:
        found[OTHERS] = ["\n".join(named)]
    if answer.reason:
        found[TOTAL_REASON] = [answer.reason]
    return found


def named_as(code: str, pending: Pending, pool: CardPool) -> str:
    """By what a card is filled in: its name, or its code where that is another's."""
    card = pool.get_card(code)
    name = card.name if card is not None else code
    return name if _worth(_called(name, pending, pool), pending, pool) == code else code


def _code_of(name: str, pending: Pending, names: CampaignNames) -> str:
    """The card of this name, or code, that has points. Raises ValidationError."""
    pool = names.pool
    called = [*_called(name, pending, pool)] or [*_called_in_full(name, names)]
    if (code := _worth(called, pending, pool)) is not None:
        return code
    if called:
        message = _("“%(name)s” has no victory points.") % {"name": name[:60]}
        raise ValidationError(message)
    points = points_by(pending, pool)
    known = (card.name for code, card in pool.items() if points(code) is not None)
    message = _("We couldn’t find a card called “%(name)s”.") % {"name": name[:60]}
    raise ValidationError(with_meant(message, meant(name, known)))


def _worth(codes: Iterable[str], pending: Pending, pool: CardPool) -> str | None:
    """The first of these cards that has victory points."""
    points = points_by(pending, pool)
    return next((code for code in codes if points(code) is not None), None)


def _called_in_full(name: str, names: CampaignNames) -> Iterator[str]:
    """The cards with points that are called so with their subtitles."""
    wanted = name.casefold()
    for code in printed_points():
        if names.card(code).casefold() == wanted:
            yield code


def _called(name: str, pending: Pending, pool: CardPool) -> Iterator[str]:
    """The cards of this name, or code; first those expected."""
    if name in pool:
        yield name
    wanted = name.casefold()
    for each in pending.worth:
        card = pool.get_card(each.code)
        if card is not None and card.name.casefold() == wanted:
            yield each.code
    yield from (card.code for card in pool.values() if card.name.casefold() == wanted)
