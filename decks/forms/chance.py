"""Forms for draws: pools, corrections, random upgrades and hands."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.draws.odds import MOST_WANTED, Wanted
from arkham.rules.legality.modes import STANDALONE_CEILING
from arkham.web.forms import offer_choices
from decks.models import LONGEST_REASON, Collection, Deck

EVERYTHING = "all"
MOST_DRAWN = 9
MOST_TURNS = 12
MOST_FEWER = 5


class PoolForm(forms.Form):
    """The collection that weaknesses are drawn from, and the decks that share it."""

    collection = forms.ChoiceField(label=gettext_lazy("Collection"), required=False)
    table = forms.MultipleChoiceField(
        label=gettext_lazy("Other decks using the same collection"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Their weaknesses are left out of the pool."),
    )
    trait = forms.ChoiceField(label=gettext_lazy("Only with the trait"), required=False)
    count = forms.IntegerField(
        label=gettext_lazy("How many"), min_value=1, max_value=MOST_DRAWN
    )

    def __init__(
        self,
        data: Any,
        collections: list[Collection],
        decks: list[tuple[Deck, str]],
        traits: list[str],
        count: int,
    ) -> None:
        usual = next((each for each in collections if each.advises), None)
        initial: dict[str, Any] = {
            "count": max(count, 1),
            "collection": str(usual.pk) if usual else EVERYTHING,
            "table": [],
            "trait": "",
        }
        super().__init__(data, initial=initial)
        own = [(str(each.pk), each.name) for each in collections]
        every = (EVERYTHING, _("One of each product"))
        offer_choices(self, "collection", [*own, every])
        offer_choices(self, "table", [(str(deck.pk), title) for deck, title in decks])
        named = ((trait, trait.title()) for trait in traits)
        offer_choices(self, "trait", [("", _("Any")), *named])
        if not decks:
            del self.fields["table"]


class DrawCorrectionForm(forms.Form):
    """The reason why a draw is not valid."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Everyone can see it beside the draw."),
    )


class UpgradesForm(forms.Form):
    """The experience of a standalone deck that is upgraded at random."""

    experience = forms.IntegerField(
        label=gettext_lazy("Experience"),
        min_value=1,
        max_value=STANDALONE_CEILING,
        initial=9,
    )


class HandForm(forms.Form):
    """The cards wanted in a hand, and the mulligan."""

    want = forms.MultipleChoiceField(
        label=gettext_lazy("Cards you’re looking for"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    how = forms.ChoiceField(
        label=gettext_lazy("You need"),
        choices=[
            (Wanted.ANY.value, gettext_lazy("any of them")),
            (Wanted.ALL.value, gettext_lazy("one of each")),
        ],
        required=False,
    )
    mulligan = forms.BooleanField(
        label=gettext_lazy("Mulligan everything else"), required=False
    )
    fewer = forms.IntegerField(
        label=gettext_lazy("Fewer cards in the opening hand"),
        min_value=0,
        max_value=MOST_FEWER,
        required=False,
    )
    sought = forms.ChoiceField(label=gettext_lazy("Card put into the hand first"))

    def __init__(
        self,
        data: Any,
        offered: list[tuple[str, SafeString]],
        sought: list[tuple[str, str]],
    ) -> None:
        super().__init__(
            data, initial={"how": Wanted.ANY.value, "mulligan": True, "fewer": 0}
        )
        offer_choices(self, "want", offered)
        if sought:
            offer_choices(self, "sought", [("", _("Nothing")), *sought])
            self.fields["sought"].required = False
        else:
            del self.fields["sought"]

    def clean_want(self) -> list[str]:
        """Refuse more cards than the odds are computed for."""
        wanted: list[str] = self.cleaned_data["want"]
        if len(wanted) > MOST_WANTED:
            raise forms.ValidationError(
                _("Choose at most %(most)d cards.") % {"most": MOST_WANTED}
            )
        return wanted
