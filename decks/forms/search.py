"""The form that searches for cards to add."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arkham.signs import SIGNS
from cardpool.filters import TYPE_FIELD, Choices, FilterForm, SeveralField
from decks.pages.offers import (
    ORDERS,
    SECOND_DECK,
    SHOWN_AT_FIRST,
    SHOWN_AT_MOST,
    CardSearch,
)

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor", "neutral")


def classes() -> Choices:
    """The classes to choose from."""
    return [(each, SIGNS[each].title) for each in CLASSES]


ORDER_WORDS: Choices = [
    ("class", pgettext_lazy("order", "Class")),
    ("type", pgettext_lazy("order", "Type")),
    ("level", pgettext_lazy("order", "Level")),
    ("cost", pgettext_lazy("order", "Cost")),
    ("name", pgettext_lazy("order", "Name")),
    ("set", pgettext_lazy("order", "Product")),
]


class WishForm(FilterForm):
    """Which cards to look for, in which order, and where they are to go."""

    type = SeveralField(_("Type"), TYPE_FIELD[1:])  # no investigators
    order = forms.CharField(required=False, label=_("Sort"))
    into = forms.CharField(required=False, label=_("Add to"))
    shown = forms.IntegerField(required=False)

    orders = ORDER_WORDS

    def wish(self) -> CardSearch:
        """What is looked for. An order or a place that is unknown is the usual one."""
        chosen = self.chosen
        shown = chosen.get("shown") or SHOWN_AT_FIRST
        return CardSearch(
            words=chosen.get("q", ""),
            filters=self.term,
            owned=self.owned_codes,
            order=_among(chosen.get("order"), ORDERS) or ORDERS[0],
            into=_among(chosen.get("into"), (SECOND_DECK,)),
            shown=min(max(shown, SHOWN_AT_FIRST), SHOWN_AT_MOST),
        )

    def address(self, shown: int = 0) -> str:
        """The search as an address says it, with so many cards shown."""
        state = [(name, value) for name, value in self.state if name != "shown"]
        if shown > SHOWN_AT_FIRST:
            state.append(("shown", str(shown)))
        return urlencode([*self.kept.items(), *state])


def _among(value: object, known: Iterable[str]) -> str:
    return str(value) if value in tuple(known) else ""
