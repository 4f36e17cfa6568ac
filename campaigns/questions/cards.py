"""What cards of decks brought, told while decks are brought up to date."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.questions.question import Asking, Field
from campaigns.settling.cards import CardLine


def own_lines(asking: Asking) -> list[CardLine]:
    """The cards of decks that the visitor may tell of."""
    return [line for line in asking.lines if line.investigator in asking.own]


def of_others(asking: Asking, line: CardLine) -> str:
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


def card_line(asking: Asking, line: CardLine) -> Field:
    """The field in which it is told."""
    who = asking.names.card(line.investigator)
    label = _("%(who)s, experience by %(card)s") % {"who": who, "card": line.name}
    amount, hint = str(line.amount), line.hint
    return Field(
        line_name(line), label, "number", (), -99, 99, initial=amount, hint=hint
    )
