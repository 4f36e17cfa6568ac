"""Forms about the people of a table: inviting, seating, moving on.

An investigator is seated with a player and a deck; investigators move to another
campaign with what they may bring; guests enter a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.web.forms import offer_choices
from campaigns.forms.start import DECK, by_origin, investigators_of, seat_choices
from campaigns.models import Guide, Membership, Role, Seat
from campaigns.models.campaign import LONGEST_NAME
from campaigns.models.people import LONGEST_PERSON
from campaigns.people.table import (
    USUAL_HOURS,
    Company,
    OwnDeck,
    SeatedInvestigator,
    own_decks,
    unsealed,
)
from campaigns.services import SeatTransfer, Sitting, may_sit
from campaigns.services.people import MOST_USES
from cardpool.catalog import current_pool

MOST_EXPERIENCE = 999


class TransferForm(forms.Form):
    """The other campaign, and each investigator who may move to it."""

    guide = forms.ChoiceField(label=gettext_lazy("Campaign"))
    name = forms.CharField(
        label=gettext_lazy("Name of the campaign"),
        required=False,
        max_length=LONGEST_NAME,
    )

    def __init__(self, data: Any, *, company: Company, guides: list[Guide]) -> None:
        super().__init__(data)
        self.guides = {str(guide.pk): guide for guide in guides}
        offer_choices(self, "guide", by_origin(guides))
        self.places = [each for each in company.places if not each.fate]
        for each in self.places:
            self._add(each)

    def _add(self, place: SeatedInvestigator) -> None:
        key = place.seat.pk
        self.fields[f"goes_{key}"] = forms.BooleanField(
            label=place.name, required=False, initial=True
        )
        self.fields[f"unspent_{key}"] = forms.IntegerField(
            label=_("Unspent experience of %(name)s") % {"name": place.name},
            min_value=0,
            max_value=MOST_EXPERIENCE,
            required=False,
            initial=SeatTransfer(place.seat).experience,
        )

    @property
    def chosen_guide(self) -> Guide:
        """The chosen guide."""
        return self.guides[self.cleaned_data["guide"]]

    @property
    def going(self) -> list[SeatTransfer]:
        """The investigators who move on."""
        return [
            SeatTransfer(each.seat, self.cleaned_data[f"unspent_{each.seat.pk}"])
            for each in self.places
            if self.cleaned_data[f"goes_{each.seat.pk}"]
        ]

    @property
    def rows(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """The fields of each investigator."""
        for each in self.places:
            yield self[f"goes_{each.seat.pk}"], self[f"unspent_{each.seat.pk}"]


class SitForm(forms.Form):
    """The investigator, the player, and where the deck is."""

    seat = forms.ChoiceField(label=gettext_lazy("Investigator"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Deck"),
        choices=[
            (Seat.Kind.NONE, Seat.Kind.NONE.label),
            (Seat.Kind.PAPER, Seat.Kind.PAPER.label),
        ],
        required=False,
        help_text=gettext_lazy("Skip this if you chose one of your decks above."),
    )
    player = forms.ChoiceField(label=gettext_lazy("Who plays"), required=False)
    name = forms.CharField(
        label=gettext_lazy("Name of a player without an account"),
        max_length=LONGEST_PERSON,
        required=False,
    )

    def __init__(
        self,
        data: Any,
        *,
        company: Company,
        place: SeatedInvestigator | None,
        decks: list[OwnDeck],
        choices: list[tuple[str, Any]],
    ) -> None:
        players = _players(company)
        usual = str(place.seat.member_id or "") if place else str(company.member.pk)
        super().__init__(data, initial={"player": usual})
        self.place = place
        self.decks = {str(each.deck.pk): each for each in decks}
        self.members = {str(each.pk): each for each in players}
        self.offers_anyone = any(group for _label, group in choices)
        offer_choices(self, "seat", [("", _("Choose an investigator")), *choices])
        named = [(str(each.pk), each.name) for each in players]
        offer_choices(
            self,
            "player",
            [*named, ("", _("A free seat, or a player without an account"))],
        )
        if not company.organises:
            del self.fields["player"], self.fields["name"]

    @property
    def instead(self) -> Seat | None:
        """The seat of an eliminated investigator who is replaced."""
        return self.place.seat if self.place is not None else None

    @property
    def played_by(self) -> Membership | None:
        """The player of the investigator; None if it isn't a member."""
        return self.members.get(self.cleaned_data.get("player", ""))

    @property
    def sitting(self) -> Sitting:
        """The new seat's investigator, player and deck."""
        kind, _colon, value = self.cleaned_data["seat"].partition(":")
        name = self.cleaned_data.get("name", "")
        if kind == DECK:
            own = self.decks[value]
            return Sitting(own.investigator, name, own.deck)
        chosen = self.cleaned_data["kind"] or Seat.Kind.NONE
        return Sitting(value, name, None, chosen, is_mine="player" not in self.fields)


def sit_form(asked: QueryDict, data: QueryDict | None, company: Company) -> SitForm:
    """Return the form for a newcomer, or for a successor on the seat ``instead``."""
    wanted = (data or asked).get("instead", "")
    place = next(
        (each for each in company.places if each.fate and str(each.seat.pk) == wanted),
        None,
    )
    pool = current_pool()
    everybody = investigators_of(pool)
    instead = place.seat if place is not None else None
    free = set(may_sit(company.campaign, (card.code for card in everybody), instead))
    decks = [
        each
        for each in own_decks(company.member.user, company.campaign)
        if each.investigator in free
    ]
    cards = (card for card in everybody if card.code in free)
    choices = seat_choices(decks, cards, pool)
    return SitForm(data, company=company, place=place, decks=decks, choices=choices)


def _players(company: Company) -> list[Membership]:
    """Return the members who may play: everyone but spectators."""
    present = (each.member for each in company.sitters)
    return [each for each in present if each.role != Role.SPECTATOR]


HOURS = (2, 24, 24 * 7, USUAL_HOURS, 24 * 90)


class SeatField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A choice of seats, labelled by investigator."""

    called: dict[int, str] = {}

    def label_from_instance(self, obj: Any) -> str:
        """Return the investigator's name."""
        return self.called.get(obj.pk, "")


class InviteForm(forms.Form):
    """The purpose of a link, and how long it works."""

    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=Role.choices,
        initial=Role.PLAYER,
        help_text=gettext_lazy(
            "A scribe answers and corrects for everyone; a spectator only watches."
        ),
    )
    seat = SeatField(
        label=gettext_lazy("Their investigator"),
        queryset=Seat.objects.none(),
        required=False,
        empty_label=gettext_lazy("None yet"),
    )
    hours = forms.TypedChoiceField(
        label=gettext_lazy("The link works for"), coerce=int, initial=USUAL_HOURS
    )

    most_uses = forms.IntegerField(
        label=gettext_lazy("For how many people"),
        required=False,
        min_value=1,
        max_value=MOST_USES,
        help_text=gettext_lazy("Leave empty for everyone who has the link."),
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
        """How long the link works."""
        return timedelta(hours=self.cleaned_data["hours"])


class GuestForm(forms.Form):
    """A guest's name at the table.

    The page provides the key the guest will have, so pressing twice makes one guest.
    """

    key = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    name = forms.CharField(
        label=gettext_lazy("Your name at the table"),
        max_length=LONGEST_PERSON,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )

    def clean_key(self) -> str:
        """Return the key, or "" if our pages didn't make it."""
        return unsealed(self.cleaned_data["key"])


def _lasting(hours: int) -> str:
    """Return a number of hours in words."""
    if hours <= 24:
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    days = hours // 24
    return _("%(count)d days") % {"count": days}
