"""The form for the experience of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardpool.words import fold, meant
from decks.forms.played import WindowForm
from decks.models import LONGEST_REASON, LONGEST_SCENARIO, LedgerEntry
from decks.pages.display import Judged
from decks.pages.figures import Earning, earning
from decks.services.games import (
    NamedScenario,
    booked,
    known_scenarios,
    price_of,
    scenarios_for,
)
from decks.services.ledger import MOST_CORRECTED, MOST_EARNED, Earned

BONUSES = range(1, 4)
BY_CARDS = 2  # lines for cards that the deck doesn't include

Pair = tuple[forms.BoundField, forms.BoundField]


class PlayedForm(WindowForm):
    """The results of a scenario for a deck, and what its next upgrade has to know.

    A card of the deck that always gives experience has a filled-in line, which players
    may clear. For other cards only the name is filled in.
    """

    def __init__(self, judged: Judged, data: Any = None) -> None:
        super().__init__(judged, data)
        self._paired: list[str] = []
        self._filled: list[str] = []
        self.meant: list[str] = []  # scenarios with similar names
        of_window = list(self.fields)
        self._add_earned()
        # In the order of the page, which opens at the first invalid field.
        self.order_fields([each for each in self.fields if each not in of_window])

    def _add_earned(self) -> None:
        self.fields["scenario"] = forms.CharField(
            label=_("Scenario"),
            max_length=LONGEST_SCENARIO,
            required=False,
            help_text=_("Choose one from the list or enter your own."),
            widget=forms.TextInput(attrs={"list": "scenarios"}),
        )
        self._amount(
            "cost",
            _("Experience paid to play it"),
            help_text=_(
                "For a side scenario in a campaign. Leave empty for the printed price "
                "of one in the list, or enter 0 if it was free."
            ),
        )
        rows = ((row.code, row.copies) for row in self.judged.rows)
        found = list(earning(rows, self.pool))
        barring = " ".join(each.description for each in found if each.card.bars)
        self._amount("victory", _("Victory display, total"), help_text=barring)
        for number in BONUSES:
            self._pair(f"bonus_{number}", _("Bonus"), _("What for"))
        # Cards that give it to everyone are counted with the victory display.
        own = [each for each in found if not (each.card.bars or each.card.everyone)]
        for number in range(1, len(own) + BY_CARDS + 1):
            self._pair(f"card_{number}", _("From a card"), _("Which card"))
        for number, each in enumerate(own, 1):
            self._fill_in(f"card_{number}", each)

    def _pair(self, name: str, label: str, reason: str) -> None:
        self._amount(name, label, -MOST_EARNED)
        self._reason(f"{name}_for", reason)
        self._paired.append(name)

    def _fill_in(self, name: str, earning: Earning) -> None:
        self._filled.append(name)
        amount, reason = self.fields[name], self.fields[f"{name}_for"]
        reason.initial, reason.help_text = earning.card.name, earning.description
        amount.initial = earning.by_itself() or None

    def _reason(self, name: str, label: str) -> None:
        self.fields[name] = forms.CharField(
            label=label, max_length=LONGEST_REASON, required=False
        )

    def pairs(self) -> list[Pair]:
        """Return amounts with their reasons: the deck's own cards, and a bonus."""
        return self._pairs([*self._filled, self._paired[0]])

    def further_pairs(self) -> list[Pair]:
        """Return the other pairs, which few games need."""
        rest = self._paired[1:]
        return self._pairs([name for name in rest if name not in self._filled])

    def _pairs(self, names: Iterable[str]) -> list[Pair]:
        return [(self[name], self[f"{name}_for"]) for name in names]

    @property
    def scenarios(self) -> tuple[NamedScenario, ...]:
        """The scenarios to choose from."""
        return scenarios_for(self.judged.content)

    def clean_scenario(self) -> str:
        """Return the name as printed; suggest known ones for a similar name."""
        name = str(self.cleaned_data["scenario"]).strip()
        printed = {fold(each.name): each.name for each in known_scenarios()}
        if fold(name) in printed:
            return printed[fold(name)]
        if name and self.data.get("own_name") != name:
            self.meant = meant(name, printed.values())
        if self.meant:
            message = _("We don’t know a scenario called “%(name)s”.")
            raise forms.ValidationError(message % {"name": name})
        return name

    def clean(self) -> None:
        """Refuse a reason without an amount, except for the deck's own cards."""
        super().clean()
        data = self.cleaned_data
        for name in self._paired:
            is_empty = name in data and data[name] is None
            if is_empty and data.get(f"{name}_for") and name not in self._filled:
                self.add_error(name, _("Enter an amount, or clear the reason."))

    def scenario(self) -> str:
        """Return the scenario that was played, "" if unknown."""
        return str(self.cleaned_data["scenario"])

    def cost(self) -> int:
        """Return what was paid to play it: as entered, or as printed."""
        cost = self.cleaned_data["cost"]
        if cost is not None:
            return int(cost)
        return price_of(self.scenario(), self.judged.content)

    def earned(self) -> tuple[Earned, ...]:
        """Return the entries for the ledger."""
        return booked(self.scenario(), self.cost(), self._earned())

    def _earned(self) -> tuple[Earned, ...]:
        data = self.cleaned_data
        kinds = {"bonus": LedgerEntry.Kind.BONUS, "card": LedgerEntry.Kind.CARD}
        return (
            Earned(LedgerEntry.Kind.VICTORY, data["victory"] or 0),
            *(
                Earned(
                    kinds[name.partition("_")[0]], data[name] or 0, data[f"{name}_for"]
                )
                for name in self._paired
            ),
        )


class LedgerCorrectionForm(forms.Form):
    """The form that corrects experience, with a reason.

    ``after`` is the last entry of the ledger on the page with the form.
    """

    after = forms.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput
    )
    amount = forms.IntegerField(
        label=gettext_lazy("Amount (negative to remove)"),
        min_value=-MOST_CORRECTED,
        max_value=MOST_CORRECTED,
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=LONGEST_REASON)

    def clean_amount(self) -> int:
        """Refuse 0, which corrects nothing."""
        amount = int(self.cleaned_data["amount"])
        if not amount:
            raise forms.ValidationError(_("0 changes nothing."))
        return amount
