"""Forms for what a table records between two scenarios without being asked.

A side scenario to play first, changes by hand, and corrections of decks during
upgrades.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.campaign.interpreter.replay import START_SIDE
from arkham.rules.campaign.judging.side_scenarios import (
    discount_of,
    is_begun_aside,
    may_come,
    named_costs,
)
from arkham.rules.campaign.model.scenario_steps import CUSTOM
from arkham.rules.campaign.state.answers import Answer, SideScenario
from arkham.web.forms import offer_choices
from campaigns.forms.corrections import (
    BetweenForm,
    ChangesForm,
    CorrectionContext,
    DeckForm,
)
from decks.lists.content import whole

OFFICIAL = "official"
MOST_COST = 99


class SideScenarioForm(BetweenForm):
    """A side scenario that is played before the campaign continues."""

    title = gettext_lazy("Play a side scenario first")
    help = gettext_lazy(
        "Each player pays its cost in unspent experience. Afterwards the campaign "
        "continues where it is now."
    )
    submit = gettext_lazy("Play it first")
    kind = START_SIDE
    scenario = forms.ChoiceField(label=gettext_lazy("Side scenario"))
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80, required=False)
    cost = forms.IntegerField(
        label=gettext_lazy("Experience each investigator pays"),
        min_value=0,
        max_value=MOST_COST,
        required=False,
    )

    def prepare(self) -> None:
        """Offer the guide's scenarios that aren't placed yet, and custom ones."""
        guide = self.context.replay.state.guide
        placed = {each.id.partition("#")[0] for each in self.context.replay.scenarios}
        side_scenarios = {
            code: each for code, each in guide.scenarios.items() if each.side
        }
        choices = [
            (code, f"{self._named(code)} – {self._priced(code, each.cost)}")
            for code, each in {**guide.side, **side_scenarios}.items()
            if code not in placed and is_begun_aside(each)
        ]
        own = (CUSTOM, _("Another one (name it below)"))
        listed = sorted(choices, key=lambda each: each[1])
        offer_choices(self, "scenario", [*listed, own])

    @property
    def named_rows(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The choice, then what only another scenario needs."""
        another = [self["name"], self["cost"]]
        return [("", [self["scenario"]]), (_("Another side scenario"), another)]

    def _named(self, code: str) -> str:
        """Return the full name, because “Part I” alone is ambiguous."""
        names = self.context.names
        return names.words.scenario(code) or names.scenario(code)

    def _priced(self, scenario: str, cost: int | None) -> str:
        """Return the cost per investigator, with exceptions for people and cards."""
        guide, names = self.context.replay.state.guide, self.context.names
        price = _cost(0 if guide.free_side_scenarios else cost)
        for code, more in named_costs(guide, scenario):
            part = {"cost": price, "name": names.card(code), "more": (cost or 0) + more}
            price = _("%(cost)s, %(name)s %(more)d") % part
        if (discount := discount_of(guide, scenario)) is not None:
            less = (cost or 0) - discount.less
            part = {"cost": price, "name": names.card(discount.cards[0]), "less": less}
            price = _("%(cost)s (%(less)d with %(name)s)") % part
        return price

    def clean(self) -> dict[str, Any]:
        """Require a name for a custom scenario."""
        data = super().clean() or {}
        named = whole(data.get("name", "")).strip()
        if data.get("scenario") == CUSTOM and not named:
            self.add_error("name", _("What is it called?"))
        return {**data, "name": named}

    def answer(self) -> Answer:
        """Return the answer that starts it."""
        data, last = self.cleaned_data, self.context.last
        if data["scenario"] == CUSTOM:
            cost = data.get("cost") or 0
            value = SideScenario(last, CUSTOM, data["name"], cost)
            return Answer(START_SIDE, self._own_id(), "", value)
        return Answer(START_SIDE, data["scenario"], "", SideScenario(last, OFFICIAL))

    def _own_id(self) -> str:
        taken = {each.id for each in self.context.replay.scenarios}
        number = 1
        while f"own-{number}" in taken:
            number += 1
        return f"own-{number}"


def _cost(cost: int | None) -> str:
    """Return a cost in words; None is an unknown one."""
    if cost is None:
        return _("as printed")
    if cost == 0:
        return _("free")
    return ngettext("%d experience", "%d experience", cost) % cost


_BETWEEN: tuple[type[BetweenForm], ...] = (SideScenarioForm, ChangesForm)


Named = list[tuple[str, BetweenForm]]


def forms_of(context: CorrectionContext, sent: str = "", data: Any = None) -> Named:
    """Return the forms that can be sent now, by name; ``sent`` gets the ``data``."""
    found: Named = []
    if context.is_between:
        for form in _BETWEEN:
            if form is SideScenarioForm and not may_come(context.replay):
                continue
            found.append(
                (form.kind, form(context, data if form.kind == sent else None))
            )
    for code in context.upgrading:
        name = f"deck-{code}"
        found.append(
            (name, DeckForm(context, data if name == sent else None, code=code))
        )
    return found
