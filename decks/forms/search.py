"""The form that searches for cards to add."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from arkham.rules.vocabulary import CardType
from arkham.signs import SIGNS
from cardpool.words import TYPES as TYPE_WORDS
from decks.pages.offers import (
    LEVELS,
    ORDERS,
    SECOND_DECK,
    SHOWN_AT_FIRST,
    SHOWN_AT_MOST,
    CardSearch,
)

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor", "neutral")
TYPES = ("asset", "event", "skill")
Offered = list[tuple[str, str | Promise]]


def classes() -> Offered:
    """The classes to choose from."""
    return [(each, SIGNS[each].title) for each in CLASSES]


def filters() -> dict[str, Offered]:
    """The values of the plain filters with their words."""
    return {
        "classes": classes(),
        "types": [(each, TYPE_WORDS[CardType(each)]) for each in TYPES],
        "levels": [
            (
                each,
                _("%(first)s to %(last)s")
                % dict(zip(("first", "last"), each.split("-"), strict=True))
                if "-" in each
                else each,
            )
            for each in LEVELS
        ],
        "orders": list(ORDER_WORDS.items()),
    }


ORDER_WORDS: dict[str, str | Promise] = {
    "class": pgettext_lazy("order", "Class"),
    "type": pgettext_lazy("order", "Type"),
    "level": pgettext_lazy("order", "Level"),
    "cost": pgettext_lazy("order", "Cost"),
    "name": pgettext_lazy("order", "Name"),
    "set": pgettext_lazy("order", "Product"),
}


class WishForm(forms.Form):
    """Which cards to look for. What makes no sense is left out, not refused."""

    q = forms.CharField(required=False, max_length=1_000)
    card_class = forms.CharField(required=False)
    type = forms.CharField(required=False)
    level = forms.CharField(required=False)
    order = forms.CharField(required=False)
    into = forms.CharField(required=False)
    shown = forms.IntegerField(required=False)

    def wish(self) -> CardSearch:
        """The wish that was uttered."""
        self.full_clean()
        data = self.cleaned_data
        shown = data.get("shown") or SHOWN_AT_FIRST
        return CardSearch(
            words=data.get("q", ""),
            card_class=_among(data.get("card_class"), CLASSES),
            type=_among(data.get("type"), TYPES),
            level=_among(data.get("level"), LEVELS),
            order=_among(data.get("order"), ORDERS) or ORDERS[0],
            into=_among(data.get("into"), (SECOND_DECK,)),
            shown=min(max(shown, SHOWN_AT_FIRST), SHOWN_AT_MOST),
        )


def _among(value: object, known: Iterable[str]) -> str:
    return str(value) if value in tuple(known) else ""
