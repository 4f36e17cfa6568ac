"""Inviting somebody, and coming as a guest: what is filled in."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.models import Role, Seat
from campaigns.models.people import LONGEST_PERSON
from campaigns.people.table import Company
from campaigns.services.people import MOST_USES

HOURS = (2, 24, 24 * 7, 24 * 14, 24 * 90)
USUAL = 24 * 14


class SeatField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One of the seats, by the name of its investigator."""

    called: dict[int, str] = {}

    def label_from_instance(self, obj: Any) -> str:
        """The investigator."""
        return self.called.get(obj.pk, "")


class InviteForm(forms.Form):
    """What a link is for, and how long it opens the table."""

    role = forms.ChoiceField(
        label=gettext_lazy("They come as"), choices=Role.choices, initial=Role.PLAYER
    )
    seat = SeatField(
        label=gettext_lazy("Their investigator"),
        queryset=Seat.objects.none(),
        required=False,
        empty_label=gettext_lazy("None yet"),
    )
    hours = forms.TypedChoiceField(
        label=gettext_lazy("The link is good for"), coerce=int, initial=USUAL
    )

    most_uses = forms.IntegerField(
        label=gettext_lazy("For how many people"),
        required=False,
        min_value=1,
        max_value=MOST_USES,
        help_text=gettext_lazy("Leave blank for everyone who has the link."),
    )

    def __init__(self, data: Any, *, company: Company) -> None:
        super().__init__(data)
        hours = self.fields["hours"]
        assert isinstance(hours, forms.TypedChoiceField)
        hours.choices = [(each, _lasting(each)) for each in HOURS]
        seat = self.fields["seat"]
        assert isinstance(seat, SeatField)
        seat.queryset = company.campaign.seats.filter(member=None)
        seat.called = {each.seat.pk: each.name for each in company.places}

    @property
    def lifetime(self) -> timedelta:
        """How long the link is good for."""
        return timedelta(hours=self.cleaned_data["hours"])


class GuestForm(forms.Form):
    """What a guest is called at the table."""

    name = forms.CharField(
        label=gettext_lazy("Your name at the table"),
        max_length=LONGEST_PERSON,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )


def _lasting(hours: int) -> str:
    """So many hours in words."""
    if hours <= 24:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = hours // 24
    return _("%(count)d days") % {"count": days}
