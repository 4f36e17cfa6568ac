"""Going on to another campaign: which one, and who goes with what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.start import by_origin
from campaigns.models import Guide
from campaigns.models.campaign import LONGEST_NAME
from campaigns.people.table import Company, Place
from campaigns.services import Going

MOST_EXPERIENCE = 999


class TransferForm(forms.Form):
    """The other campaign, and each investigator who may go on to it."""

    guide = forms.ChoiceField(label=gettext_lazy("Campaign"))
    name = forms.CharField(
        label=gettext_lazy("Name of the campaign"),
        required=False,
        max_length=LONGEST_NAME,
    )

    def __init__(self, data: Any, *, company: Company, guides: list[Guide]) -> None:
        super().__init__(data)
        self.guides = {str(guide.pk): guide for guide in guides}
        field = self.fields["guide"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = by_origin(guides)
        self.places = [each for each in company.places if not each.fate]
        for each in self.places:
            self._add(each)

    def _add(self, place: Place) -> None:
        key = place.seat.pk
        self.fields[f"goes_{key}"] = forms.BooleanField(
            label=place.name, required=False, initial=True
        )
        self.fields[f"unspent_{key}"] = forms.IntegerField(
            label=_("Experience of %(name)s not spent") % {"name": place.name},
            min_value=0,
            max_value=MOST_EXPERIENCE,
            required=False,
            initial=Going(place.seat).experience,
        )

    @property
    def chosen_guide(self) -> Guide:
        """The guide that is played by."""
        return self.guides[self.cleaned_data["guide"]]

    @property
    def going(self) -> list[Going]:
        """Who goes on."""
        return [
            Going(each.seat, self.cleaned_data[f"unspent_{each.seat.pk}"])
            for each in self.places
            if self.cleaned_data[f"goes_{each.seat.pk}"]
        ]

    @property
    def rows(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each investigator, together."""
        for each in self.places:
            yield self[f"goes_{each.seat.pk}"], self[f"unspent_{each.seat.pk}"]
