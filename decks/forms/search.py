"""Forms that search for cards to add, and for investigators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arkham.rules.pool import CardPool
from arkham.signs import SIGNS
from cardpool.filter_fields import (
    TYPE_FIELD,
    AddressForm,
    Choices,
    OneOfField,
    SomeOfField,
    by_cycle,
)
from cardpool.filters import FilterForm
from decks.pages.investigators import BY_CLASS, InvestigatorSearch, investigator_packs
from decks.pages.offers import (
    CONSIDERED,
    ORDERS,
    PLAYED,
    SECOND_DECK,
    SHOWN_AT_FIRST,
    SHOWN_AT_MOST,
    CardSearch,
)

CLASSES = ("guardian", "seeker", "rogue", "mystic", "survivor", "neutral")


def classes() -> Choices:
    """Return the classes to choose from."""
    return [(each, SIGNS[each].title) for each in CLASSES]


ORDER_WORDS: Choices = [
    ("class", pgettext_lazy("order", "Class")),
    ("type", pgettext_lazy("order", "Type")),
    ("level", pgettext_lazy("order", "Level")),
    ("cost", pgettext_lazy("order", "Cost")),
    ("name", pgettext_lazy("order", "Name")),
    ("set", pgettext_lazy("order", "Product")),
    (PLAYED, pgettext_lazy("order", "Most played")),
]


class WishForm(FilterForm):
    """A search for cards: filters, order, and where to add them."""

    type = SomeOfField(_("Type"), TYPE_FIELD[1:])  # no investigators
    order = forms.CharField(required=False, label=_("Sort by"))
    into = forms.CharField(required=False, label=_("Add"))
    shown = forms.IntegerField(required=False)

    orders = ORDER_WORDS

    def clean_order(self) -> str:
        """Return a known order; "" for the usual one."""
        return _among(self.cleaned_data["order"], ORDERS[1:])

    def clean_shown(self) -> int | None:
        """Return how many cards to show, if more than at first."""
        shown: int = self.cleaned_data["shown"] or SHOWN_AT_FIRST
        return min(shown, SHOWN_AT_MOST) if shown > SHOWN_AT_FIRST else None

    def wish(self) -> CardSearch:
        """Return the search; unknown orders and places become the usual ones."""
        chosen = self.chosen
        return CardSearch(
            words=chosen.get("q", ""),
            filters=self.term,
            owned=self.owned_codes,
            order=chosen.get("order", ORDERS[0]),
            into=_among(chosen.get("into"), (SECOND_DECK, CONSIDERED)),
            shown=chosen.get("shown", SHOWN_AT_FIRST),
        )

    def address(self, shown: int = 0) -> str:
        """Return the search as a query string that shows this many cards."""
        state = [(name, value) for name, value in self.state if name != "shown"]
        if shown > SHOWN_AT_FIRST:
            state.append(("shown", str(shown)))
        return urlencode([*self.kept.items(), *state])


class InvestigatorForm(AddressForm):
    """A search for investigators, and the order of the results."""

    q = forms.CharField(required=False, max_length=100, label=_("Name"))
    product = OneOfField(_("Product"))
    owned = forms.BooleanField(required=False, label=_("Only what I own"))
    sort = OneOfField(
        _("Sort by"),
        [("", _("By class")), ("name", _("By name")), ("newest", _("Newest first"))],
    )

    def __init__(
        self,
        data: Mapping[str, Any],
        pool: CardPool,
        owned: frozenset[str] | None = None,
    ) -> None:
        super().__init__(data, auto_id="sift-%s")
        self.owned_codes = owned
        self.fields["class"] = SomeOfField(_("Class"), classes())
        product = self.fields["product"]
        assert isinstance(product, OneOfField)
        packs = by_cycle(investigator_packs(pool), pool)
        product.choices = [("", _("Any product")), *packs]

    @property
    def class_field(self) -> forms.BoundField:
        """The field of classes, since ``class`` can't be an attribute."""
        return self["class"]

    @property
    def misread(self) -> list[str]:
        """The ignored parts of the search, with the reasons."""
        said = super().misread + [str(each) for each in self.errors.get("q", ())]
        if self.wants_collection:
            said.append(str(_("Only what I own: we don’t know what you own yet.")))
        return said

    @property
    def lacks_collection(self) -> bool:
        """True if the reader's collection is unknown."""
        return self.owned_codes is None

    @property
    def wants_collection(self) -> bool:
        """True if the reader asks for owned cards without a collection."""
        return "owned" in self.chosen and self.lacks_collection

    def wanted(self) -> InvestigatorSearch:
        """Return the search for investigators."""
        chosen = self.chosen
        return InvestigatorSearch(
            words=chosen.get("q", ""),
            classes=tuple(chosen.get("class", ())),
            product=chosen.get("product", ""),
            owned=self.owned_codes if "owned" in chosen else None,
            order=chosen.get("sort") or BY_CLASS,
        )


def _among(value: object, known: Iterable[str]) -> str:
    return str(value) if value in tuple(known) else ""
