"""The form for the scenario that a campaign on paper has reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.facts import campaign_facts, known_campaigns
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.paper.entering import orders_of
from arkham.rules.chaos.starting import Difficulty
from campaigns.words.names import CHOICES, Names

PRINTING = "printing"


@dataclass(frozen=True, slots=True)
class Known:
    """What the forms are made of: what things are called, and who sits there."""

    names: Names
    sitting: tuple[str, ...]

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The orders of play there are, if there are several."""
        return orders_of(self.names.guide)

    def bag(self, difficulty: str) -> Mapping[str, int]:
        """The bag a campaign of this difficulty begins with, where that is known."""
        campaign = self.names.guide.id
        if campaign not in known_campaigns() or difficulty not in {*Difficulty}:
            return {}
        bag = campaign_facts(campaign).bags.get(Difficulty(difficulty))
        return {token.value: count for token, count in bag.counts} if bag else {}

    def later(self, played: tuple[str, ...]) -> set[tuple[str, str]]:
        """Lines that are written only after these scenarios, as far as facts tell."""
        campaign = self.names.guide.id
        if campaign not in known_campaigns() or not played:
            return set()
        facts = campaign_facts(campaign)
        told = {*facts.setup.lines}
        for each in played:
            told |= {*(facts.scenarios[each].lines if each in facts.scenarios else ())}
        return {line for each in facts.scenarios.values() for line in each.lines} - told


class PlaceForm(forms.Form):
    """Which scenario comes now, and how difficult the campaign is."""

    scenario = forms.ChoiceField(label=gettext_lazy("The scenario you will play now"))
    difficulty = forms.ChoiceField(
        label=gettext_lazy("Difficulty"),
        choices=[(each.value, CHOICES[each.value]) for each in Difficulty],
        initial=Difficulty.STANDARD.value,
    )

    def __init__(self, known: Known, data: Any = None) -> None:
        super().__init__(data)
        self.known = known
        guide = known.names.guide
        listed = dict.fromkeys((*guide.order, *guide.scenarios))
        field = self.fields["scenario"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(each, known.names.scenario(each)) for each in listed]
        if known.orders:
            self.fields[PRINTING] = forms.ChoiceField(
                label=_("Which of these does your campaign guide have?"),
                choices=[
                    (each, known.names.choice(SETUP, PRINTING, each))
                    for each in known.orders
                ],
            )

    @property
    def order(self) -> tuple[str, ...]:
        """The order of play that was chosen; nothing for that of the guide."""
        return self.known.orders.get(self.cleaned_data.get(PRINTING, ""), ())

    def before(self) -> tuple[str, ...]:
        """The scenarios before it in that order."""
        order = self.order or self.known.names.guide.order
        scenario = self.cleaned_data["scenario"]
        return order[: order.index(scenario)] if scenario in order else ()
