"""A question on a page: its heading and fields, what they depend on, and its form.

The form reads each field by its kind and reports all errors at once. Whether the answer
is allowed is judged by the rules when it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.lookup import GameOutcome
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from campaigns.settling.cards import CardLine
from campaigns.words.names import CampaignNames
from cardpool.relations import full_name
from cardpool.words import no_card_called
from decks.lists.content import whole

ANSWER = "answer"  # the name of the only field of a question
EMBARK = "embark"
FAST, PASSING = "fast", "passing"  # how to travel
OTHERS = "others"  # the field for cards that can't be listed
NO_CHOICE = ""
DIFFICULTIES = frozenset({"easy", "standard", "hard", "expert"})
MOST = 1_000  # if a guide sets no limit to a number
MOST_COPIES = 99
FINISH = "$finish"  # the option that ends the scenario
LONGEST_WORDS = 300
LONGEST_CARDS = 4_000
MOST_CARDS = 60
Filled = dict[str, list[str]]  # initial values, by field
Cleaned = Mapping[str, Any]  # the value read from each field


class FieldOption(NamedTuple):
    """An option: its value in the form, and its label.

    ``group`` is the heading it appears under, if any.
    """

    value: str
    label: str
    group: str = ""


class QuestionField(NamedTuple):
    """A field of a question.

    ``kind`` is ``one`` (of the options), ``several``, ``number``, ``words``, ``line``
    (of text), ``cards`` (names, one per line), ``card`` (one name; options are the
    expected ones), ``tick`` (yes or no), ``pick`` (one of the options, in a line) or
    ``menu`` (one of the options, each a button). ``initial`` is the initial value,
    ``chosen`` are the options ticked initially, ``hint`` appears next to the field.
    Fields of one ``group``, an investigator or a kind of cards, appear under its name,
    with the points (``budget``) that pay their ``cost``; they are ``folded`` if they
    may spoil something or are for another player to fill in.
    """

    name: str
    label: str
    kind: str
    options: tuple[FieldOption, ...] = ()
    least: int | None = None
    most: int | None = None
    is_needed: bool = True
    initial: str = ""
    hint: str = ""
    group: str = ""
    budget: int | None = None
    cost: int = 0
    chosen: tuple[str, ...] = ()
    folded: bool = False

    @property
    def how_many(self) -> str:
        """How many of several options to choose, if that is limited."""
        if self.kind != "several":
            return ""
        if not self.options:
            return _("There is nothing to choose: continue.")
        least, most = self.least or 0, self.most or len(self.options)
        if least == most:
            return _("Exactly %(number)d.") % {"number": most}
        if most < len(self.options):
            return _("At most %(number)d.") % {"number": most}
        return _("At least %(number)d.") % {"number": least} if least > 1 else ""

    @property
    def begins_with(self) -> list[str]:
        """The initial values of the field."""
        if self.kind == "cards":
            return [self.initial] if self.initial else []
        return [*self.chosen] or self.initial.split()


class FormQuestion(NamedTuple):
    """The next question, ready for a page.

    ``text`` is sanitised HTML. ``others`` is what other members report about cards of
    decks.
    """

    pending: Pending
    heading: str
    place: str
    text: SafeString
    bullets: tuple[SafeString, ...]
    fields: tuple[QuestionField, ...]
    submit: str
    others: tuple[str, ...] = ()

    def in_order(self, own: Collection[str], players: Collection[str]) -> FormQuestion:
        """Return the question with the fields of one’s own investigators first.

        Applies only if every field belongs to one of the ``players``. Supplies that
        others pay for are folded.
        """
        heads = [each.name.partition(".")[0] for each in self.fields]
        if not {*heads} <= {*players}:
            return self
        paired = sorted(
            zip(heads, self.fields, strict=True), key=lambda it: it[0] not in own
        )
        fields = tuple(
            field._replace(folded=field.budget is not None and head not in own)
            for head, field in paired
        )
        return self._replace(fields=fields if {*heads} & {*own} else self.fields)

    @property
    def is_play(self) -> bool:
        """Whether the scenario is in play: it has a page of its own."""
        return self.pending.prompt == "play_scenario"

    @property
    def is_start(self) -> bool:
        """Whether it starts the next scenario; the heading is its name."""
        return self.pending.kind == "start_scenario"

    @property
    def is_one_tap(self) -> bool:
        """Whether one choice is the whole answer, shown as buttons."""
        return [field.kind for field in self.fields] == ["one"]

    @property
    def end(self) -> FieldOption | None:
        """The option that ends the scenario, or None."""
        options = self.fields[0].options if self.is_play and self.fields else ()
        return next((each for each in options if each.value == FINISH), None)

    @property
    def buttons(self) -> tuple[FieldOption, ...]:
        """The options of a one-tap question, unless it is about a scenario in play."""
        return () if self.end else self.fields[0].options

    @property
    def in_play(self) -> tuple[FieldOption, ...]:
        """The options that can be recorded in play, before the scenario ends."""
        options = self.fields[0].options if self.end else ()
        return tuple(each for each in options if each.value != FINISH)

    @property
    def events(self) -> tuple[FieldOption, ...]:
        """The options that only this scenario has in play."""
        return tuple(each for each in self.in_play if not each.value.startswith("$"))

    @property
    def is_about_players(self) -> bool:
        """Whether it asks who plays."""
        return self.pending.prompt == "choose_investigators"

    @property
    def is_upgrade(self) -> bool:
        """Whether decks are upgraded here."""
        return self.pending.is_upgrade


Fields = tuple[QuestionField, ...]


class QuestionContext(NamedTuple):
    """Everything needed to put a question.

    ``sitting`` are the table's investigators, who can be named as players, ``own``
    those whose decks the visitor may report on; ``lines`` is what cards in decks gave,
    ``displayed`` the names of those in the victory display, ``in_reach`` the cards that
    a question about decks or the scenario allows, ``drawn`` the investigators whose
    decks have their random basic weaknesses, ``outcomes`` how the game ends by the play
    areas.
    """

    replay: Replay
    names: CampaignNames
    sitting: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()
    lines: tuple[CardLine, ...] = ()
    displayed: tuple[str, ...] = ()
    in_reach: tuple[str, ...] = ()
    drawn: frozenset[str] = frozenset()
    outcomes: Mapping[str, GameOutcome] = MappingProxyType({})


class Misfilled(ValueError):
    """Fields with errors: the messages, by field name."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(next(iter(errors.values())))
        self.errors = errors


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
