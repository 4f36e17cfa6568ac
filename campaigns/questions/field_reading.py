"""Reads the value of one form field."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from arkham.rules.pool import CardPool
from campaigns.questions.question import NOBODY, Field
from cardpool.misspelt import no_card_called
from cardpool.relations import full_name

LONGEST_WORDS = 300
LONGEST_CARDS = 4_000
MOST_CARDS = 60


class Misfilled(ValueError):
    """A field that is not filled in as it can be; ``field`` is its name."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def chosen_in(field: Field, data: QueryDict) -> str:
    """The one that was chosen. Raises Misfilled."""
    value = data.get(field.name, "")
    if value in {option.value for option in field.options}:
        return value
    if not field.is_needed and not value:
        return NOBODY
    raise Misfilled(field.name, _("Choose one of these."))


def several_in(field: Field, data: QueryDict) -> list[str]:
    """All that were chosen, of those that are offered."""
    offered = {option.value for option in field.options}
    return [
        value for value in dict.fromkeys(data.getlist(field.name)) if value in offered
    ]


def number_in(field: Field, data: QueryDict) -> int:
    """The number that stands there. Raises Misfilled."""
    text = data.get(field.name, "").strip() or field.initial or "0"
    text = text.replace("−", "-")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
        raise Misfilled(field.name, _("This is a whole number."))
    return int(text)


def lines_in(field: Field, data: QueryDict) -> list[str]:
    """What stands there, line by line."""
    return _lines(data.get(field.name, ""))


def cards_in(field: Field, data: QueryDict, pool: CardPool) -> list[str]:
    """The codes of cards, named one a line. Raises Misfilled."""
    try:
        return cards_named(data.get(field.name, ""), pool)
    except LookupError as error:
        raise Misfilled(field.name, str(error)) from None


def cards_named(text: str, pool: CardPool) -> list[str]:
    """The codes of cards, named one a line. Raises LookupError, and says which."""
    found = []
    for name in _lines(text):
        code = name if name in pool else _code_named(name, pool)
        if code is None:
            raise LookupError(no_card_called(name, pool))
        found.append(code)
    return found


def _lines(text: str) -> list[str]:
    lines = text[:LONGEST_CARDS].splitlines()[:MOST_CARDS]
    return [line.strip() for line in lines if line.strip()]


def _code_named(name: str, pool: CardPool) -> str | None:
    """The card of a name, with its subtitle where only that tells it apart.

    Raises LookupError for weaknesses that share a name.
    """
    wanted = name.casefold()
    begun = [card for card in pool.values() if wanted.startswith(card.name.casefold())]
    called = [card for card in begun if card.name.casefold() == wanted]
    apart = dict.fromkeys(full_name(card, pool) for card in called if card.weakness)
    if len(apart) > 1:
        raise LookupError(_("Which one: %(names)s?") % {"names": ", ".join(apart)})
    called = called or [
        card for card in begun if full_name(card, pool).casefold() == wanted
    ]
    return called[0].code if called else None
