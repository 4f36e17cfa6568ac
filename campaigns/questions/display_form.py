"""Read the form of a victory display, and fill it in from an answer.

Cards that are not listed are typed by name; the points are counted.
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
from arkham.rules.campaign.by_hand.scenarios import printed_points
from arkham.rules.campaign.state.answers import COUNTED, Answer
from arkham.rules.campaign.state.lookup import TOTAL, ShownDisplay
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
    """The form of a display: numbers are optional, cards need victory points."""

    def field_for(self, field: QuestionField) -> AnswerField:
        """Return the form field for a field of the question."""
        kinds = {"tick": _TickField, "number": _CountField, "cards": _WorthField}
        kind = kinds.get(field.kind)
        return super().field_for(field) if kind is None else kind(field, self)

    def clean(self) -> dict[str, Any]:
        """Require a reason for a corrected total, if everything else can be read."""
        if not self.errors:
            shown = self.shown()
            if shown.cards and shown.is_corrected and not self.reason:
                message = _("%(points)s: why is the total different?")
                self.add_error(TOTAL_REASON, message % {"points": points_text(shown)})
        return self.cleaned_data

    @property
    def reason(self) -> str:
        """The reason for a corrected total, or ""."""
        return str(self.cleaned_data[TOTAL_REASON])

    def shown(self) -> ShownDisplay:
        """Return the victory display as entered."""
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
    """Return cards, a total with its reason, or a number. Raises Misfilled."""
    form = DisplayForm(asking, question, data)
    form.read()
    return display_answer(question.pending, form.shown(), form.reason)


def points_text(shown: ShownDisplay) -> str:
    """Return the sum of the points of the named cards, in words."""
    message = ngettext(
        "These cards add up to %(count)d victory point",
        "These cards add up to %(count)d victory points",
        shown.counted,
    )
    return message % {"count": shown.counted}


def filled_display(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> ShownDisplay:
    """Return the victory display as filled in. Raises Misfilled."""
    form = DisplayForm(asking, question, data)
    if set(form.errors) - {TOTAL_REASON}:
        form.read()
    return form.shown()


def fill_display(
    question: FormQuestion, answer: Answer, names: CampaignNames
) -> Filled:
    """Return initial values for a display; unlisted cards by name."""
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
    """Return a card's name, or its code if that name leads to another card."""
    card = pool.get_card(code)
    name = card.name if card is not None else code
    return name if _worth(_called(name, pending, pool), pending, pool) == code else code


def _code_of(name: str, pending: Pending, names: CampaignNames) -> str:
    """Return the code of a card with points by name or code. Raises ValidationError."""
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
    """Return the first of these cards that has victory points, or None."""
    points = points_by(pending, pool)
    return next((code for code in codes if points(code) is not None), None)


def _called_in_full(name: str, names: CampaignNames) -> Iterator[str]:
    """Yield the cards with points whose full name, with subtitle, is this."""
    wanted = name.casefold()
    for code in printed_points():
        if names.card(code).casefold() == wanted:
            yield code


def _called(name: str, pending: Pending, pool: CardPool) -> Iterator[str]:
    """Yield the cards with this name or code, expected ones first."""
    if name in pool:
        yield name
    wanted = name.casefold()
    for each in pending.worth:
        card = pool.get_card(each.code)
        if card is not None and card.name.casefold() == wanted:
            yield each.code
    yield from (card.code for card in pool.values() if card.name.casefold() == wanted)
