"""What cards of decks brought, asked while decks are brought up to date."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from campaigns.questions.form import QuestionForm
from campaigns.questions.question import (
    Fields,
    FormQuestion,
    QuestionContext,
    QuestionField,
)
from campaigns.settling.cards import CardLine
from decks.services.ledger import MOST_EARNED


def own_lines(asking: QuestionContext) -> list[CardLine]:
    """The cards of decks that the visitor may tell of."""
    return [line for line in asking.lines if line.investigator in asking.own]


def of_others(asking: QuestionContext, line: CardLine) -> str:
    """What a card of somebody else's deck brought, or that it is to be told."""
    told = {
        "who": asking.names.card(line.investigator),
        "card": line.name,
        "amount": line.amount,
    }
    if line.is_told:
        return _("%(who)s: %(amount)d experience by %(card)s.") % told
    return _("%(who)s has still to tell what %(card)s brought.") % told


def line_name(line: CardLine) -> str:
    """What the field of a card is called."""
    return f"card.{line.investigator}.{line.card}"


def card_line(asking: QuestionContext, line: CardLine) -> QuestionField:
    """The field in which it is told."""
    who = asking.names.card(line.investigator)
    label = _("%(who)s, experience by %(card)s") % {"who": who, "card": line.name}
    amount, hint = str(line.amount), line.hint
    return QuestionField(
        line_name(line), label, "number", (), -99, 99, initial=amount, hint=hint
    )


def deck_fields(asking: QuestionContext) -> Fields:
    """A field for each card of a deck that the visitor may tell of."""
    return tuple(card_line(asking, line) for line in own_lines(asking))


def told_of_decks(
    asking: QuestionContext, question: FormQuestion, data: QueryDict
) -> dict[str, dict[str, int]]:
    """What cards brought, by investigator and card. Raises Misfilled."""
    if not question.is_upgrade:
        return {}
    form = QuestionForm(asking, question, data)
    form.full_clean()
    for name, amount in [*form.cleaned_data.items()]:
        if abs(amount) > MOST_EARNED:
            form.add_error(name, _("At most 99, more or fewer."))
    cleaned = form.read()
    found: dict[str, dict[str, int]] = {}
    for line in own_lines(asking):
        if line_name(line) in cleaned:
            found.setdefault(line.investigator, {})[line.card] = cleaned[
                line_name(line)
            ]
    return found
