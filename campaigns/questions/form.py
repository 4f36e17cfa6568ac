"""The form of a question: reads each field by its kind and reports all errors at once.

Whether the answer is allowed is judged by the rules when it is written.
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
from arkham.rules.vocabulary import is_digits
from campaigns.questions.question import (
    LONGEST_WORDS,
    NO_CHOICE,
    FormQuestion,
    Misfilled,
    QuestionContext,
    QuestionField,
)
from cardpool.relations import full_name
from cardpool.words import no_card_called
from decks.lists.content import whole

Filled = dict[str, list[str]]  # initial values, by field
Cleaned = Mapping[str, Any]  # the value read from each field
LONGEST_CARDS = 4_000
MOST_CARDS = 60


class QuestionForm(forms.Form):
    """The form of a question, with a form field for each of its fields."""

    def __init__(
        self, asking: QuestionContext, question: FormQuestion, data: QueryDict
    ) -> None:
        super().__init__(data)
        self.asking, self.question = asking, question
        for field in question.fields:
            self.fields[field.name] = self.field_for(field)

    def field_for(self, field: QuestionField) -> AnswerField:
        """Return the form field for a field of the question."""
        return _FIELDS[field.kind](field, self)

    def read(self) -> Cleaned:
        """Return the value read from each field. Raises Misfilled, with every error."""
        if self.errors:
            raise Misfilled(
                {name: str(faults[0]) for name, faults in self.errors.items()}
            )
        return self.cleaned_data


class AnswerField(forms.Field):
    """A form field for a field of the question."""

    def __init__(self, asked: QuestionField, form: QuestionForm) -> None:
        super().__init__(required=False, label=asked.label)
        self.asked = asked
        self.pool = form.asking.names.pool
        self.many = form.question.pending.many

    def clean(self, value: Any) -> Any:
        """Return the value read. Raises ValidationError if it can't be read."""
        return self.understood(value or "")

    def understood(self, text: str) -> Any:
        """Return the value of a text."""
        raise NotImplementedError


class OneField(AnswerField):
    """One of the options."""

    def understood(self, text: str) -> str:
        """Return the chosen option's value; NO_CHOICE if none is chosen or needed."""
        if text in {option.value for option in self.asked.options}:
            return text
        if not self.asked.is_needed and not text:
            return NO_CHOICE
        raise forms.ValidationError(_("Choose one of these."))


class SeveralField(AnswerField):
    """Some of the options."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        """Return the chosen options that are offered."""
        offered = {option.value for option in self.asked.options}
        return [each for each in dict.fromkeys(value or ()) if each in offered]


class NumberField(AnswerField):
    """A whole number."""

    def understood(self, text: str) -> int:
        """Return the number; the initial value if the field is empty."""
        text = (text.strip() or self.asked.initial or "0").replace("−", "-")
        digits = text.removeprefix("-")
        if not is_digits(digits, 6):
            raise forms.ValidationError(_("Enter a whole number."))
        return int(text)


class WordsField(AnswerField):
    """Free text from the table."""

    def understood(self, text: str) -> str:
        """Return the text, stripped and cut to the longest allowed."""
        words = whole(text).strip()[:LONGEST_WORDS]
        if not words and self.asked.is_needed:
            raise forms.ValidationError(_("Fill this in."))
        return words


class CardsField(AnswerField):
    """Cards by name or code, one per line."""

    def understood(self, text: str) -> list[str]:
        """Return the codes of the cards."""
        try:
            return cards_named(text, self.pool)
        except LookupError as error:
            raise forms.ValidationError(str(error)) from None


class DrawnField(CardsField):
    """As many weaknesses as were drawn, by name."""

    def understood(self, text: str) -> list[str]:
        """Return the codes of the weaknesses."""
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
    """Return the codes of cards, named one per line. Raises LookupError."""
    found = []
    for name in lines_of(text):
        code = name if name in pool else _code_named(name, pool)
        if code is None:
            raise LookupError(no_card_called(name, pool))
        found.append(code)
    return found


def names_of(text: str, pool: CardPool) -> str:
    """Return the names that read back as these cards; a code if no name does."""
    return "\n".join(_name_of(code, pool) for code in text.splitlines())


def _name_of(code: str, pool: CardPool) -> str:
    card = pool.get_card(code)
    for name in (card.name, full_name(card, pool)) if card is not None else ():
        with suppress(LookupError):
            if _code_named(name, pool) == code:
                return name
    return code


def lines_of(text: str) -> list[str]:
    """Return the non-empty lines of a text."""
    lines = text[:LONGEST_CARDS].splitlines()[:MOST_CARDS]
    return [line.strip() for line in lines if line.strip()]


def _code_named(name: str, pool: CardPool) -> str | None:
    """Return the code of a card by name, with its subtitle if names repeat.

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
