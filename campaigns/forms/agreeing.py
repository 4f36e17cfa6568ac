"""What a table agrees on as it begins: products, taboos, ultimatums and boons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.notation.circumstances_json import CYCLES_OF_LIMITED
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import (
    ALL,
    REFRACTIONS,
    ULTIMATUMS,
    UltimatumEffect,
    UltimatumKind,
    under,
)
from campaigns.pages.ultimatums import LONGEST_OWN, UltimatumOption, option_of
from campaigns.settling.terms import WITHOUT_TABOOS
from decks.forms.circumstances import Boxes
from decks.lists.content import whole
from decks.models import Collection
from decks.pages.terms import ENVIRONMENTS, cycles_of_limited

Choices = list[tuple[str, str | Promise]]
# The lists of single seats; there are as many as sit at a table as it begins.
SEATS: tuple[str | Promise, ...] = (
    gettext_lazy("List of taboos at the first seat"),
    gettext_lazy("At the second"),
    gettext_lazy("At the third"),
    gettext_lazy("At the fourth"),
)


class AgreeingForm(forms.Form):
    """All a table may agree on before it plays; nothing of it need be said."""

    folded = ("taboo", "collection", "environment", "date", "cycles", "packs")

    def agree(self, collections: Iterable[Collection], pool: CardPool) -> None:
        """Add the fields."""
        self.pool = pool
        self._add_taboos(pool)
        owned = [(str(each.pk), str(each)) for each in collections]
        self.fields["collection"] = forms.ChoiceField(
            label=_("Weaknesses are drawn from"),
            choices=[("", _("Every product")), *owned],
            required=False,
        )
        self._add_environment(pool)
        self.fields["oaths"] = forms.MultipleChoiceField(
            choices=[(each, row.name) for each, row in ALL.items()], required=False
        )
        self.fields["own_oath"] = forms.CharField(
            label=_("One of your own"), max_length=LONGEST_OWN, required=False
        )

    def _add_taboos(self, pool: CardPool) -> None:
        lists = [(str(taboo.id), taboo.date) for taboo in reversed(pool.taboo_lists)]
        none = (WITHOUT_TABOOS, _("None"))
        self.fields["taboo"] = forms.ChoiceField(
            label=_("List of taboos"),
            choices=[("", _("Everybody as they like")), none, *lists],
            required=False,
        )
        for number, label in enumerate(SEATS, 1):
            self.fields[f"taboo_{number}"] = forms.ChoiceField(
                label=str(label),
                choices=[("", _("As the table")), none, *lists],
                required=False,
            )

    def _add_environment(self, pool: CardPool) -> None:
        kinds: Choices = [("", _("Not agreed on")), *ENVIRONMENTS.items()]
        self.fields["environment"] = forms.ChoiceField(
            label=_("Environment"), choices=kinds, required=False
        )
        self.fields["date"] = forms.DateField(
            label=_("Current at"),
            required=False,
            widget=forms.DateInput(attrs={"type": "date"}),
            help_text=_(
                "For the current environment; without a date, the newest known."
            ),
        )
        self.fields["cycles"] = forms.MultipleChoiceField(
            label=_("Cycles"),
            choices=cycles_of_limited(pool),
            required=False,
            widget=Boxes,
            help_text=_("For the limited environment: three."),
        )
        packs = sorted(
            pool.packs.values(), key=lambda each: (each.released, each.position)
        )
        self.fields["packs"] = forms.MultipleChoiceField(
            label=_("Products"),
            choices=[(each.code, each.name) for each in packs],
            required=False,
            widget=Boxes,
            help_text=_("For a list of products."),
        )

    def clean(self) -> dict[str, Any]:
        """What was agreed on goes together."""
        data = super().clean() or {}
        kind = data.get("environment")
        if kind == "limited" and len(data.get("cycles", ())) != CYCLES_OF_LIMITED:
            self.add_error("cycles", _("Choose three cycles."))
        if kind == "products" and not data.get("packs"):
            self.add_error("packs", _("Choose the products."))
        if under(data.get("oaths", ()), UltimatumEffect.FOLLOWS_TABOOS):
            self._force_taboos(data)
        return data

    def _force_taboos(self, data: dict[str, Any]) -> None:
        """Everybody follows a list (TABOO-02): an error where one is refused."""
        places = [f"taboo_{number}" for number in range(1, len(SEATS) + 1)]
        for name in ("taboo", *places):
            if data.get(name) == WITHOUT_TABOOS:
                message = _(
                    "Under the Ultimatum of Orthodoxy everybody follows a list."
                )
                self.add_error(name, message)

    @property
    def terms(self) -> dict[str, Any]:
        """What the table agrees on beside its log."""
        data = self.cleaned_data
        found: dict[str, Any] = {"taboo": data["taboo"]}
        if data["collection"]:
            found["collection"] = int(data["collection"])
        if data["environment"]:
            found["environment"] = self._environment(data["environment"])
        return found

    def _environment(self, kind: str) -> dict[str, Any]:
        data = self.cleaned_data
        match kind:
            case "current" if data["date"]:
                return {"kind": kind, "date": data["date"].isoformat()}
            case "limited":
                return {"kind": kind, "cycles": data["cycles"]}
            case "products":
                return {"kind": kind, "packs": data["packs"]}
        return {"kind": kind}

    @property
    def chosen_ultimatums(self) -> list[tuple[str, str]]:
        """The ultimatums chosen: id, and the name of one of the table's own."""
        found = [(each, "") for each in self.cleaned_data["oaths"]]
        name = " ".join(whole(self.cleaned_data["own_oath"]).split())
        called = slugify(name, allow_unicode=True)
        return [*found, (f"own-{called}", name)] if called else found

    # -- shown --

    @property
    def place_taboos(self) -> Iterator[forms.BoundField]:
        """The lists of single places."""
        return (self[f"taboo_{number}"] for number in range(1, len(SEATS) + 1))

    @property
    def ultimatum_groups(
        self,
    ) -> Iterator[tuple[str, bool, list[tuple[UltimatumOption, bool]]]]:
        """All that can be chosen, in groups, each with whether it is."""
        chosen = set(self["oaths"].value() or ())
        rows = ULTIMATUMS.values()
        for title, found in (
            (
                _("Ultimatums"),
                [row for row in rows if row.kind is UltimatumKind.ULTIMATUM],
            ),
            (_("Boons"), [row for row in rows if row.kind is UltimatumKind.BOON]),
            (_("Refractions: each of one campaign"), [*REFRACTIONS.values()]),
        ):
            is_chosen = any(row.id in chosen for row in found)
            yield (
                title,
                is_chosen,
                [(option_of(row), row.id in chosen) for row in found],
            )

    @property
    def has_terms(self) -> bool:
        """Whether the first folded part is to be open: something is said there."""
        own = any(self[name].value() or self[name].errors for name in self.folded)
        return own or self.has_place_taboos

    @property
    def has_place_taboos(self) -> bool:
        """Whether anybody follows another list than the table."""
        return any(each.value() or each.errors for each in self.place_taboos)

    @property
    def has_ultimatums(self) -> bool:
        """Whether the second folded part is to be open."""
        return any(self[name].value() for name in ("oaths", "own_oath"))
