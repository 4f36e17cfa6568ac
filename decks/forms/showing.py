"""What a deck is called and who sees it; what published decks are searched by."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from cardpool.words import fold
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS
from decks.queries import Sought
from decks.services.sharing import DeckLabels

MOST_SOUGHT = 100  # letters


class BesideForm(forms.Form):
    """A deck's name, notes and tags."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=LONGEST_NAME, required=False
    )
    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        max_length=LONGEST_TAGS,
        required=False,
        help_text=gettext_lazy("Words with blanks between them: solo beginner theme"),
        widget=forms.TextInput(attrs={"autocapitalize": "none"}),
    )
    notes = forms.CharField(
        label=pgettext_lazy("of a deck", "Notes"),
        max_length=LONGEST_NOTES,
        required=False,
        strip=False,
        help_text=gettext_lazy(
            "Markdown: **bold**, *slanted*, # a heading, - a list, [words](address). "
            "HTML is left out."
        ),
        widget=forms.Textarea(attrs={"rows": 12}),
    )

    @property
    def beside(self) -> DeckLabels:
        """What was handed in."""
        data = self.cleaned_data
        return DeckLabels(data["name"], data["notes"], data["tags"])


class SearchForm(forms.Form):
    """What published decks are searched by."""

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
        label=gettext_lazy("Order"),
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
    def sought(self) -> Sought:
        """What is searched for, in a form that was understood."""
        data = self.cleaned_data
        return Sought(
            # What folds to nothing, as "%" does, is found nowhere.
            fold(data["q"]) or data["q"],
            data["investigator"],
            fold(data["tag"]) or data["tag"],
            data["since"],
            data["order"] == "oldest",
        )
