"""The terms a table agrees on at the start, and what its organiser may change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.library import VERSIONS
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import (
    ALL,
    REFRACTIONS,
    ULTIMATUMS,
    Ultimatum,
    UltimatumEffect,
    UltimatumKind,
    under,
)
from arkham.web.forms import offer_choices
from campaigns.models import Campaign
from campaigns.models.campaign import LONGEST_NAME
from campaigns.pages.ultimatums import LONGEST_OWN, UltimatumOption, option_of
from campaigns.settling.terms import RESTRICTED, WITHOUT_TABOOS, read_terms, terms_data
from campaigns.words.log_entries import faq_named
from decks.forms.circumstances import Boxes, date_of_environment, require_environment
from decks.lists.content import whole
from decks.models import Collection
from decks.pages.terms import ENVIRONMENTS, cycles_of_limited


class ClosingForm(forms.Form):
    """The password again, and a confirmation."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(
        label=gettext_lazy("I’m sure. This can’t be undone."),
        error_messages={
            "required": gettext_lazy("Check the box to confirm that you’re sure.")
        },
    )
    seen = forms.CharField(widget=forms.HiddenInput)


class NameForm(forms.Form):
    """The name of the campaign."""

    name = forms.CharField(
        label=gettext_lazy("Name of the campaign"),
        max_length=LONGEST_NAME,
        show_hidden_initial=True,
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        self.campaign = campaign
        super().__init__(data, initial={"name": campaign.name})

    def clean_name(self) -> str:
        """Return the name; refuse it once if someone else changed it meanwhile."""
        name, now = str(self.cleaned_data["name"]), self.campaign.name
        initial = self.add_initial_prefix("name")
        seen = self.data.get(initial, now)
        if now in (seen, name):
            return name
        if name == seen:
            return now
        shown: dict[str, Any] = dict(self.data.items())
        self.data = shown | {initial: now}
        raise forms.ValidationError(
            _("Someone else named it “%(name)s” first. Save again to use yours."),
            params={"name": now},
        )


class TableTermsForm(forms.Form):
    """The people who answer, the taboo lists, and the collection for weaknesses."""

    answers = forms.ChoiceField(
        label=gettext_lazy("Who answers questions"), choices=[], required=False
    )
    taboo = forms.ChoiceField(label=gettext_lazy("Taboo list"), required=False)
    collection = forms.ChoiceField(
        label=gettext_lazy("Draw weaknesses from"), required=False
    )

    def __init__(
        self,
        campaign: Campaign,
        collections: Iterable[Collection],
        pool: CardPool,
        data: Any = None,
    ) -> None:
        self.campaign = campaign
        agreed = campaign.terms
        initial = {
            "answers": agreed.get("answers", ""),
            "taboo": agreed.get("taboo", ""),
            "collection": str(agreed.get("collection") or ""),
        }
        super().__init__(data, initial=initial)
        lists = _taboos(pool)
        offer_choices(self, "taboo", [("", _("Each player chooses")), *lists])
        restricted = _("The organiser, and each player for their own investigator")
        everybody = ("", _("Every player"))
        offer_choices(self, "answers", [everybody, (RESTRICTED, restricted)])
        self._add_seats(pool, [("", _("Same as the table")), *lists])
        self.order_fields(["answers", "taboo", *self.seated, "collection"])
        own = [(str(each.pk), str(each)) for each in collections]
        kept = agreed.get("collection")
        if kept and str(kept) not in dict(own):
            own.append((str(kept), _("The collection chosen before")))
        offer_choices(self, "collection", [("", _("Every product")), *own])
        for field in self.fields.values():
            field.show_hidden_initial = True

    def _add_seats(self, pool: CardPool, lists: list[tuple[str, str]]) -> None:
        """Add a taboo list for each investigator, as it may differ (TABOO-02)."""
        agreed = self.campaign.terms.get("taboos", {})
        seats = self.campaign.seats.values_list("investigator", flat=True)
        self.seated = {f"taboo_{code}": code for code in seats}
        for name, code in self.seated.items():
            card = pool.get_card(code)
            label = _("Taboo list: %(name)s") % {"name": card.name if card else code}
            self.fields[name] = forms.ChoiceField(
                label=label, choices=lists, required=False, initial=agreed.get(code, "")
            )

    @property
    def terms(self) -> dict[str, Any]:
        """All terms of the table with these changes; only if the form is valid."""
        chosen = self._chosen("collection")
        taboos = dict(self.campaign.terms.get("taboos", {}))
        for name, code in self.seated.items():
            taboos[code] = self._chosen(name)
        changed = {
            **self.campaign.terms,
            "answers": self._chosen("answers"),
            "taboo": self._chosen("taboo"),
            "taboos": {code: each for code, each in taboos.items() if each},
            "collection": int(chosen) if chosen else None,
        }
        return terms_data(read_terms(changed))

    def _chosen(self, name: str) -> str:
        """Return the field's value if it was changed in the form; else the current one.

        So a stale window doesn't undo another window's change.
        """
        was_shown = self.add_initial_prefix(name) in self.data
        if was_shown and name not in self.changed_data:
            return str(self[name].initial)
        return str(self.cleaned_data[name])


def _taboos(pool: CardPool) -> list[tuple[str, str]]:
    lists = [(str(taboo.id), taboo.date) for taboo in pool.taboo_lists]
    return [(WITHOUT_TABOOS, _("No taboo list")), *reversed(lists)]


class FaqForm(forms.Form):
    """The version of the FAQ in which rules are shown."""

    faq = forms.ChoiceField(
        label=gettext_lazy("Show rules as of"),
        help_text=gettext_lazy(
            "Only for the rules you read here: the campaign always uses the newest FAQ."
        ),
    )

    def __init__(self, version: str, data: Any = None) -> None:
        super().__init__(data, initial={"faq": version})
        offer_choices(self, "faq", [(each, faq_named(each)) for each in VERSIONS[::-1]])


def _last_played(campaign: Campaign) -> str:
    """Return a campaign's name with its guide and its last change."""
    name, guide = campaign.name, campaign.guide.name
    when = date_format(localtime(campaign.changed_at), "SHORT_DATETIME_FORMAT")
    return f"{name}, {when}" if name == guide else f"{name} ({guide}), {when}"


class LinkForm(forms.Form):
    """The campaign that is linked to this one."""

    other = forms.ChoiceField(label=gettext_lazy("The other campaign"))

    def __init__(self, others: Iterable[Campaign], data: Any = None) -> None:
        super().__init__(data)
        self.others = {str(each.pk): each for each in others}
        named = [(key, _last_played(each)) for key, each in self.others.items()]
        offer_choices(self, "other", named)

    @property
    def chosen(self) -> Campaign:
        """The chosen campaign; only if the form is valid."""
        return self.others[self.cleaned_data["other"]]


class BranchForm(forms.Form):
    """A copy of the campaign as it was after an entry."""

    up_to = forms.IntegerField(label=gettext_lazy("Copy up to entry"), min_value=1)
    name = forms.CharField(
        label=gettext_lazy("Name of the copy"), max_length=LONGEST_NAME
    )

    def __init__(self, campaign: Campaign, data: Any = None) -> None:
        named = _("%(name)s: what if") % {"name": campaign.name}
        initial = {"up_to": campaign.last, "name": named[:LONGEST_NAME]}
        super().__init__(data, initial=initial, auto_id="branch_%s")
        field = self.fields["up_to"]
        assert isinstance(field, forms.IntegerField)
        field.max_value = campaign.last
        field.widget.attrs["max"] = campaign.last


Choices = list[tuple[str, str | Promise]]
UltimatumGroup = tuple[str, bool, list[tuple[UltimatumOption, bool]]]
SEATS = range(1, 5)  # of a table at the start


class AgreeingForm(forms.Form):
    """Everything a table may agree on before it plays; all of it is optional."""

    folded = ("taboo", "collection", "environment", "date", "cycles", "packs")

    def agree(self, collections: Iterable[Collection], pool: CardPool) -> None:
        """Add the fields."""
        self.pool = pool
        self._add_taboos(pool)
        owned = [(str(each.pk), str(each)) for each in collections]
        self.fields["collection"] = forms.ChoiceField(
            label=_("Draw weaknesses from"),
            choices=[("", _("Every product")), *owned],
            required=False,
        )
        self._add_environment(pool)
        self.fields["oaths"] = forms.MultipleChoiceField(
            choices=[(each, row.name) for each, row in ALL.items()], required=False
        )
        self.fields["own_oath"] = forms.CharField(
            label=_("Your own"), max_length=LONGEST_OWN, required=False
        )

    def _add_taboos(self, pool: CardPool) -> None:
        lists = _taboos(pool)
        self.fields["taboo"] = forms.ChoiceField(
            label=_("Taboo list"),
            choices=[("", _("Each player chooses")), *lists],
            required=False,
        )
        for number in SEATS:
            self.fields[f"taboo_{number}"] = forms.ChoiceField(
                label=_("Taboo list, seat %(number)d") % {"number": number},
                choices=[("", _("Same as the table")), *lists],
                required=False,
            )

    def _add_environment(self, pool: CardPool) -> None:
        kinds: Choices = [("", _("Not chosen")), *ENVIRONMENTS.items()]
        self.fields["environment"] = forms.ChoiceField(
            label=_("Environment"), choices=kinds, required=False
        )
        self.fields["date"] = date_of_environment()
        self.fields["cycles"] = forms.MultipleChoiceField(
            label=_("Cycles"),
            choices=cycles_of_limited(pool),
            required=False,
            widget=Boxes,
            help_text=_("Only for the limited environment: choose three."),
        )
        packs = sorted(
            pool.packs.values(), key=lambda each: (each.released, each.position)
        )
        self.fields["packs"] = forms.MultipleChoiceField(
            label=_("Products"),
            choices=[(each.code, each.name) for each in packs],
            required=False,
            widget=Boxes,
            help_text=_("Only if you choose a list of products."),
        )

    def clean(self) -> dict[str, Any]:
        """Require that the terms fit together."""
        data = super().clean() or {}
        require_environment(self, data)
        if under(data.get("oaths", ()), UltimatumEffect.FOLLOWS_TABOOS):
            self._force_taboos(data)
        return data

    def _force_taboos(self, data: dict[str, Any]) -> None:
        """Require a taboo list for everyone (TABOO-02)."""
        message = _("Under the Ultimatum of Orthodoxy every deck follows a taboo list.")
        for name in ("taboo", *(each.name for each in self.place_taboos)):
            if data.get(name) == WITHOUT_TABOOS:
                self.add_error(name, message)

    @property
    def terms(self) -> dict[str, Any]:
        """The terms that the table agrees on."""
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
        """The chosen ultimatums: id, and name if it is the table's own."""
        found = [(each, "") for each in self.cleaned_data["oaths"]]
        name = " ".join(whole(self.cleaned_data["own_oath"]).split())
        called = slugify(name, allow_unicode=True)
        return [*found, (f"own-{called}", name)] if called else found

    # -- shown --

    @property
    def place_taboos(self) -> Iterator[forms.BoundField]:
        """The taboo lists of single seats."""
        return (self[f"taboo_{number}"] for number in SEATS)

    @property
    def ultimatum_groups(self) -> Iterator[UltimatumGroup]:
        """All ultimatums in groups, each with whether it is chosen."""
        chosen = set(self["oaths"].value() or ())
        for title, found in (
            (_("Ultimatums"), _of_kind(UltimatumKind.ULTIMATUM)),
            (_("Boons"), _of_kind(UltimatumKind.BOON)),
            (_("Refractions, each for one campaign"), [*REFRACTIONS.values()]),
        ):
            options = [(option_of(row), row.id in chosen) for row in found]
            yield title, any(row.id in chosen for row in found), options

    @property
    def has_terms(self) -> bool:
        """Whether the first folded part should be open because it has content."""
        own = any(self[name].value() or self[name].errors for name in self.folded)
        return own or self.has_place_taboos

    @property
    def has_place_taboos(self) -> bool:
        """Whether any seat follows another list than the table."""
        return any(each.value() or each.errors for each in self.place_taboos)

    @property
    def has_ultimatums(self) -> bool:
        """Whether the second folded part should be open."""
        return any(self[name].value() for name in ("oaths", "own_oath"))


def _of_kind(kind: UltimatumKind) -> list[Ultimatum]:
    return [row for row in ULTIMATUMS.values() if row.kind is kind]
