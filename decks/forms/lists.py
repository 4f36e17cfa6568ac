"""Forms for new decks, their labels, imported lists and searches."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from arkham.accounts.preferences import NO_PREFERENCES, Preferences
from arkham.rules.card import Card, SheetOption
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import BoxChoice
from arkham.web.errors import MEGABYTE
from cardpool.relations import side_label
from cardpool.words import capitals, fold, meant, with_meant
from decks.forms.terms import FirstTermsForm
from decks.interchange.account_file import MOST_BYTES
from decks.interchange.arkhamdb import Unreachable, is_address, read_address
from decks.interchange.importing import MOST_LETTERS, corrected
from decks.interchange.many import (
    MOST_UNPACKED,
    ListPlace,
    TooMany,
    places_in,
    places_in_zip,
)
from decks.lists.editing import Edit
from decks.models import (
    LONGEST_NAME,
    LONGEST_NOTES,
    LONGEST_REPORT,
    LONGEST_TAGS,
    Report,
)
from decks.pages import terms
from decks.pages.sheets import card_named, suggestions, trait_named
from decks.queries import DeckFilters
from decks.services.sharing import DeckLabels


def _text_in(file: UploadedFile[Any], most_bytes: int, megabytes: int) -> str:
    """Return the text of a file; raise ValidationError if too large or not text."""
    if file.size is None or file.size > most_bytes:
        raise forms.ValidationError(
            _("The file is larger than %(number)d MB.") % {"number": megabytes}
        )
    try:
        return str(file.read(), "utf-8-sig")
    except UnicodeDecodeError as error:
        raise forms.ValidationError(
            _("The file isn’t plain text: we can’t read byte %(place)d.")
            % {"place": error.start}
        ) from None


class AccountFileForm(forms.Form):
    """A file exported from an account, here or elsewhere."""

    file = forms.FileField(label=gettext_lazy("Account file"), max_length=255)

    def clean_file(self) -> str:
        """Return the text of the file."""
        file = self.cleaned_data["file"]
        assert isinstance(file, UploadedFile)
        return _text_in(file, MOST_BYTES, MOST_BYTES // MEGABYTE)


class ManyListsForm(FirstTermsForm):
    """Many decks: pasted, in a text file, or in a zip; and their first terms."""

    text = forms.CharField(
        label=gettext_lazy("Decks or addresses"),
        required=False,
        strip=False,
        max_length=MOST_LETTERS,
        widget=forms.Textarea(
            attrs={"class": "source", "rows": 10, "spellcheck": "false"}
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("or a file: JSON, text or zip"),
        required=False,
        max_length=255,
    )

    def places(self) -> list[ListPlace]:
        """Return the places of the decks; raise TooMany, even if there are none."""
        file = self.cleaned_data["file"]
        if not isinstance(file, UploadedFile):
            found = places_in(self.cleaned_data["text"])
        else:
            content = file.read(MOST_UNPACKED + 1)
            if len(content) > MOST_UNPACKED:
                message = _("The file is larger than %(number)d MB.")
                raise TooMany(message % {"number": MOST_UNPACKED // MEGABYTE})
            found = (
                places_in_zip(content)
                if content.startswith(b"PK")
                else places_in(content.decode("utf-8-sig", "replace"))
            )
        if not found:
            raise TooMany(_("Paste decks or addresses, or choose a file."))
        return found


LONGEST_TAKEN = 500
MILLION = 1_000_000


class ListForm(FirstTermsForm):
    """A deck list from elsewhere: pasted, in a file, or at a pasted address.

    For a new deck it has the fields of its terms (``add_terms``).
    """

    text = forms.CharField(
        label=gettext_lazy("Deck list"),
        required=False,
        strip=False,
        max_length=MOST_LETTERS,
        widget=forms.Textarea(
            attrs={
                "class": "source",
                "rows": 12,
                "spellcheck": "false",
                "autocapitalize": "none",
            }
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("or a file"), required=False, max_length=255
    )
    # The button of a suggestion: the number of a line, and its new text.
    take = forms.CharField(
        required=False, strip=False, max_length=LONGEST_TAKEN, widget=forms.HiddenInput
    )

    def clean_file(self) -> str:
        """Return the text of the file."""
        file = self.cleaned_data["file"]
        if not isinstance(file, UploadedFile):
            return ""
        return _text_in(file, MOST_LETTERS, MOST_LETTERS // MILLION)

    def clean(self) -> dict[str, Any]:
        """Require a text or a file; a file takes precedence."""
        data = super().clean() or {}
        if self.errors or data.get("file"):
            return data
        text = data.get("text", "")
        if not text.strip():
            raise forms.ValidationError(
                _("Paste a deck list or choose a file with one.")
            )
        if is_address(text):
            try:
                data["text"] = read_address(text)
            except Unreachable as error:
                raise forms.ValidationError(str(error)) from None
        return data

    @property
    def list_text(self) -> str:
        """The list, with the suggestion that was chosen."""
        text = str(self.cleaned_data["file"] or self.cleaned_data["text"])
        return corrected(text, self.cleaned_data["take"])

    @property
    def file_name(self) -> str:
        """The name of the file, "" if the list was pasted."""
        file = self.files.get("file")
        return file.name or "" if file is not None else ""


class WrittenForm(forms.Form):
    """The entries on one line of an upgrade sheet."""

    card = forms.CharField(max_length=40)
    line = forms.IntegerField(min_value=0, max_value=99)

    def __init__(self, pool: CardPool, data: QueryDict) -> None:
        super().__init__(data)
        self.pool = pool
        sent = "\n".join(data.getlist("written"))
        self.typed = corrected(sent, data.get("take", "")).split("\n")
        self.written: list[str] = []
        self.place: int | None = None  # the line of the sheet; None if there is none
        self.instead: list[tuple[int, str]] = []  # suggestions

    def clean(self) -> dict[str, Any]:
        """Read the entries, with codes for cards."""
        data = super().clean() or {}
        card = self.pool.get_card(str(data.get("card")))
        line = (
            next(
                (each for each in card.sheet if each.position == data.get("line")), None
            )
            if card
            else None
        )
        if line is None:
            raise forms.ValidationError(_("The upgrade sheet has no such line."))
        self.place = line.position
        texts = []
        for number, text in enumerate(map(str.strip, self.typed), 1):
            if text and line.choice is BoxChoice.CARD:
                texts.append(self._code(number, text, line))
            elif text and line.choice is BoxChoice.TRAIT:
                texts.append(self._trait(number, text))
            elif text:
                texts.append(text)
        if any(set(text) & set(",|^") for text in texts):
            raise forms.ValidationError(
                _("You can’t use commas, bars or carets on an upgrade sheet.")
            )
        self.written = texts
        return data

    def _code(self, number: int, text: str, line: SheetOption) -> str:
        """Return the code of the card of this name (or code) that the line may name."""
        if text in self.pool:
            return text
        card = card_named(text, line, self.pool)
        if card is not None:
            return card.code
        kind = "/".join(capitals(trait) for trait in line.card_traits)
        message = _("We couldn’t find a %(kind)s asset called “%(name)s”.")
        message %= {"kind": kind, "name": text}
        near = meant(text, suggestions(line, self.pool))
        self.instead = [(number, each) for each in near]
        raise forms.ValidationError(with_meant(message, near))

    def _trait(self, number: int, text: str) -> str:
        """Return the trait as printed; forbidden characters are refused later."""
        if set(text) & set(",|^"):
            return text
        trait = trait_named(text, self.pool)
        if trait:
            return trait
        message = _("No card has the trait “%(name)s”.") % {"name": text}
        near = meant(text, map(capitals, self.pool.traits))
        self.instead = [(number, each) for each in near]
        raise forms.ValidationError(with_meant(message, near))

    def edit(self) -> Edit:
        """Return the change that writes the entries."""
        card, line = self.cleaned_data["card"], self.cleaned_data["line"]
        return Edit("write", card, value="^".join(self.written), line=line)


class BeginForm(FirstTermsForm):
    """A new deck: sides, choices and terms; empty or with a starting deck."""

    def __init__(
        self,
        card: Card,
        pool: CardPool,
        data: Any = None,
        preferences: Preferences = NO_PREFERENCES,
    ) -> None:
        super().__init__(data)
        self.card, self.pool = card, pool
        assert card.investigator is not None and card.investigator.back is not None
        versions = terms.sides(card, pool)
        offers = [(each.code, side_label(each, pool)) for each in versions]
        if len(versions) > 1:
            for name, label in (("front", _("Front")), ("back", _("Back"))):
                self.fields[name] = forms.ChoiceField(
                    label=label, choices=offers, initial=card.code, required=False
                )
        for choice in card.investigator.back.choices:
            self.fields[choice.key] = forms.ChoiceField(
                label=str(terms.CHOICES[choice.key]),
                choices=[("", _("Later")), *terms.choice_values(choice)],
                required=False,
            )
        self.add_terms(preferences, pool)

    @property
    def choice_fields(self) -> list[forms.BoundField]:
        """The fields of sides and choices."""
        return [field for field in self if field.name not in self.TERMS]

    def choices(self) -> tuple[tuple[str, str], ...]:
        """Return the choices as ``choose`` takes them."""
        chosen = (
            (name, str(value))
            for name, value in self.cleaned_data.items()
            if name not in self.TERMS
        )
        own = {("front", self.card.code), ("back", self.card.code)}
        return tuple(
            (name, value)
            for name, value in chosen
            if value and (name, value) not in own
        )


MOST_SOUGHT = 100  # characters


class LabelsForm(forms.Form):
    """A deck's name, notes and tags."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST_NAME, required=False
    )
    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        max_length=LONGEST_TAGS,
        required=False,
        help_text=gettext_lazy("Words separated by spaces: solo beginner theme"),
        widget=forms.TextInput(attrs={"autocapitalize": "none"}),
    )
    notes = forms.CharField(
        label=pgettext_lazy("of a deck", "Notes"),
        max_length=LONGEST_NOTES,
        required=False,
        strip=False,
        help_text=gettext_lazy(
            "Markdown: **bold**, *italic*, # heading, - list, [words](address), "
            "[[Machete]] or [[Blackjack (2)]] for a card. HTML is removed."
        ),
        widget=forms.Textarea(attrs={"rows": 12}),
    )

    @property
    def labels(self) -> DeckLabels:
        """The name, notes and tags that were sent."""
        data = self.cleaned_data
        return DeckLabels(data["name"], data["notes"], data["tags"])


class ReportForm(forms.Form):
    """What is wrong with a published deck."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"), choices=Report.Reason.choices
    )
    text = forms.CharField(
        label=gettext_lazy("What should we look at?"),
        max_length=LONGEST_REPORT,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class SearchForm(forms.Form):
    """A search for published decks."""

    q = forms.CharField(
        label=gettext_lazy("Name of the deck"), max_length=MOST_SOUGHT, required=False
    )
    investigator = forms.ChoiceField(label=gettext_lazy("Investigator"), required=False)
    tag = forms.CharField(
        label=gettext_lazy("Tag"), max_length=MOST_SOUGHT, required=False
    )
    since = forms.DateField(
        label=gettext_lazy("Published since"),
        required=False,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    order = forms.ChoiceField(
        label=gettext_lazy("Sort by"),
        required=False,
        choices=[
            ("", gettext_lazy("Newest first")),
            ("oldest", gettext_lazy("Oldest first")),
        ],
    )

    def __init__(self, investigators: list[tuple[str, str]], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["investigator"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("All")), *investigators]

    @property
    def sought(self) -> DeckFilters:
        """The search in a valid form."""
        data = self.cleaned_data
        return DeckFilters(
            # A text that folds to "", such as "%", should match nothing.
            fold(data["q"]) or data["q"],
            data["investigator"],
            fold(data["tag"]) or data["tag"],
            data["since"],
            data["order"] == "oldest",
        )
