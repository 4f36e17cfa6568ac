"""The form that filters the list of cards without the search language.

Every field is a condition of that language, so that the form and the language cannot
disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arkham.rules.vocabulary import CardClass, CardType
from cardpool.search.query import Condition, SearchValue, Term, both
from cardpool.words import CLASSES, TYPES

HIGHEST_LEVEL = 5
ANYWHERE = 0  # the column of what stands in no search box

CLASS_FIELD = [(name, CLASSES[name]) for name in (*CardClass, "neutral")]
TYPE_FIELD = [
    (kind.value, TYPES[kind])
    for kind in (
        CardType.INVESTIGATOR,
        CardType.ASSET,
        CardType.EVENT,
        CardType.SKILL,
        CardType.TREACHERY,
        CardType.ENEMY,
    )
]
LEVELS = [(str(level), str(level)) for level in range(HIGHEST_LEVEL + 1)]
ORDERS = [
    ("", _("Name")),
    ("class", _("Class")),
    ("type", _("Type")),
    ("level", _("Level")),
    ("cost", _("Cost")),
    ("set", _("Product")),
]


class BrowseForm(forms.Form):
    """The search box and the filters beside it."""

    q = forms.CharField(required=False, strip=True, label=_("Search"))
    by_class = forms.MultipleChoiceField(
        choices=CLASS_FIELD,
        required=False,
        label=_("Class"),
        widget=forms.CheckboxSelectMultiple,
    )
    type = forms.ChoiceField(
        choices=[("", _("Any type")), *TYPE_FIELD], required=False, label=_("Type")
    )
    least = forms.ChoiceField(
        choices=[("", "–"), *LEVELS], required=False, label=_("Level from")
    )
    most = forms.ChoiceField(
        choices=[("", "–"), *LEVELS], required=False, label=_("to")
    )
    show = forms.MultipleChoiceField(
        choices=[("story", _("Story cards")), ("encounter", _("Encounter cards"))],
        required=False,
        label=_("Show too"),
        widget=forms.CheckboxSelectMultiple,
    )
    sort = forms.ChoiceField(choices=ORDERS, required=False, label=_("Order"))
    investigator = forms.CharField(required=False)

    def with_filters(self, search: Term) -> Term:
        """A search narrowed by the filters that make sense; the others are ignored."""
        self.is_valid()
        return both(search, *self._conditions(self.cleaned_data))

    def _conditions(self, chosen: dict[str, Any]) -> Iterator[Condition]:
        for field, key, operator in (
            ("by_class", "class", ":"),
            ("type", "type", ":"),
            ("least", "level", ">="),
            ("most", "level", "<="),
            ("show", "show", ":"),
            ("sort", "sort", ":"),
            ("investigator", "access", ":"),
        ):
            values = chosen.get(field) or ()
            if values:
                listed = [values] if isinstance(values, str) else values
                yield Condition(
                    SearchValue(key, ANYWHERE),
                    operator,
                    tuple(SearchValue(value, ANYWHERE) for value in listed),
                )
