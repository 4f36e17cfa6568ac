"""The form of a question: each field read for what it is, all that is wrong at once.

Whether the answer may be given is judged by the rules when it is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.pool import CardPool
from campaigns.questions.question import (
    LONGEST_WORDS,
    NOBODY,
    FormQuestion,
    Misfilled,
    QuestionContext,
    QuestionField,
)
from cardpool.relations import full_name
from cardpool.words import no_card_called
from decks.lists.content import whole

Filled = dict[str, list[str]]  # what stands in the fields, by their names
Cleaned = Mapping[str, Any]  # what was read in each field
LONGEST_CARDS = 4_000
MOST_CARDS = 60


class QuestionForm(forms.Form):
    """The form of a question, with a field of the right kind for each of its own."""

    def __init__(
        self, asking: QuestionContext, question: FormQuestion, data: QueryDict
    ) -> None:
        super().__init__(data)
        self.asking, self.question = asking, question
        for field in question.fields:
            self.fields[field.name] = self.field_for(field)

    def field_for(self, field: QuestionField) -> AnswerField:
        """The field that reads what is filled in there."""
        return _FIELDS[field.kind](field, self)

    def read(self) -> Cleaned:
        """What was read in each field. Raises Misfilled, with all that is wrong."""
        if self.errors:
            raise Misfilled(
                {name: str(faults[0]) for name, faults in self.errors.items()}
            )
        return self.cleaned_data


class AnswerField(forms.Field):
    """Something to be filled in, as the question describes it."""

    def __init__(self, asked: QuestionField, form: QuestionForm) -> None:
        super().__init__(required=False, label=asked.label)
        self.asked = asked
        self.pool = form.asking.names.pool
        self.many = form.question.pending.many

    def clean(self, value: Any) -> Any:
        """What stands there. Raises ValidationError where it cannot be read."""
        return self.understood(value or "")

    def understood(self, text: str) -> Any:
        """The same, of text."""
        raise NotImplementedError


class OneField(AnswerField):
    """One of the options."""

    def understood(self, text: str) -> str:
        """The value of the option that was chosen; NOBODY where none has to be."""
        if text in {option.value for option in self.asked.options}:
            return text
        if not self.asked.is_needed and not text:
            return NOBODY
        raise forms.ValidationError(_("Choose one of these."))


class SeveralField(AnswerField):
    """Some of the options."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        """All that were chosen, of those that are offered."""
        offered = {option.value for option in self.asked.options}
        return [each for each in dict.fromkeys(value or ()) if each in offered]


class NumberField(AnswerField):
    """A whole number."""

    def understood(self, text: str) -> int:
        """The number; what is filled in beforehand where nothing stands there."""
        text = (text.strip() or self.asked.initial or "0").replace("−", "-")
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
            raise forms.ValidationError(_("Enter a whole number."))
        return int(text)


class WordsField(AnswerField):
    """Words of the table's own."""

    def understood(self, text: str) -> str:
        """The words, without space around them; as many as are kept."""
        words = whole(text).strip()[:LONGEST_WORDS]
        if not words and self.asked.is_needed:
            raise forms.ValidationError(_("Fill this in."))
        return words


class CardsField(AnswerField):
    """Cards, by their names or codes, one a line."""

    def understood(self, text: str) -> list[str]:
        """The codes of the cards."""
        try:
            return cards_named(text, self.pool)
        except LookupError as error:
            raise forms.ValidationError(str(error)) from None


class DrawnField(CardsField):
    """As many weaknesses as were drawn, by their names."""

    def understood(self, text: str) -> list[str]:
        """The codes of the weaknesses."""
        found = super().understood(text)
        if len(found) != self.many:
            message = ngettext(
                "Enter the weakness that was drawn.",
                "Enter the %(count)d weaknesses that were drawn.",
                self.many,
            )
            raise forms.ValidationError(message % {"count": self.many})
        return found


_FIELDS: dict[str, type[AnswerField]] = {
    "one": OneField,
    "pick": OneField,
    "menu": OneField,
    "several": SeveralField,
    "number": NumberField,
    "tick": NumberField,
    "words": WordsField,
    "line": WordsField,
    "cards": CardsField,
    "card": DrawnField,
}


def cards_named(text: str, pool: CardPool) -> list[str]:
    """The codes of cards, named one a line. Raises LookupError, and says which."""
    found = []
    for name in lines_of(text):
        code = name if name in pool else _code_named(name, pool)
        if code is None:
            raise LookupError(no_card_called(name, pool))
        found.append(code)
    return found


def names_of(text: str, pool: CardPool) -> str:
    """The names by which these cards are read again; a code where none leads back."""
    return "\n".join(_name_of(code, pool) for code in text.splitlines())


def _name_of(code: str, pool: CardPool) -> str:
    card = pool.get_card(code)
    for name in (card.name, full_name(card, pool)) if card is not None else ():
        with suppress(LookupError):
            if _code_named(name, pool) == code:
                return name
    return code


def lines_of(text: str) -> list[str]:
    """What stands there, line by line."""
    lines = text[:LONGEST_CARDS].splitlines()[:MOST_CARDS]
    return [line.strip() for line in lines if line.strip()]


def _code_named(name: str, pool: CardPool) -> str | None:
    """The card of a name, with its subtitle where names are shared.

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
