"""An investigator sits down: who may still be chosen, who plays, with which deck."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.start import DECK, investigators_of, seat_choices
from campaigns.models import Membership, Role, Seat
from campaigns.models.people import LONGEST_PERSON
from campaigns.people.table import Company, OwnDeck, Place, own_decks
from campaigns.services import Sitting, may_sit
from cardpool.catalog import current_pool


class SitForm(forms.Form):
    """Which investigator, whose, and where the deck is."""

    seat = forms.ChoiceField(label=gettext_lazy("Investigator"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Deck"),
        choices=[
            (Seat.Kind.NONE, Seat.Kind.NONE.label),
            (Seat.Kind.PAPER, Seat.Kind.PAPER.label),
        ],
        required=False,
        help_text=gettext_lazy("A deck of yours is chosen above."),
    )
    player = forms.ChoiceField(label=gettext_lazy("Who plays"), required=False)
    name = forms.CharField(
        label=gettext_lazy("Their name, if they are not here"),
        max_length=LONGEST_PERSON,
        required=False,
    )

    def __init__(
        self,
        data: Any,
        *,
        company: Company,
        place: Place | None,
        decks: list[OwnDeck],
        choices: list[tuple[str, Any]],
    ) -> None:
        players = _players(company)
        usual = str(place.seat.member_id or "") if place else str(company.member.pk)
        super().__init__(data, initial={"player": usual})
        self.place = place
        self.decks = {str(each.deck.pk): each for each in decks}
        self.members = {str(each.pk): each for each in players}
        _choices(self, "seat", choices)
        named = [(str(each.pk), each.name) for each in players]
        _choices(self, "player", [*named, ("", _("Nobody here"))])
        if not company.organises:
            del self.fields["player"], self.fields["name"]

    @property
    def instead(self) -> Seat | None:
        """The seat of one who is gone, whom this one takes over from."""
        return self.place.seat if self.place is not None else None

    @property
    def played_by(self) -> Membership | None:
        """Who plays the investigator; None for nobody here."""
        return self.members.get(self.cleaned_data.get("player", ""))

    @property
    def sitting(self) -> Sitting:
        """Who sits down."""
        kind, _colon, value = self.cleaned_data["seat"].partition(":")
        name = self.cleaned_data.get("name", "")
        if kind == DECK:
            own = self.decks[value]
            return Sitting(own.investigator, name, own.deck)
        told = self.cleaned_data["kind"] or Seat.Kind.NONE
        return Sitting(value, name, None, told, is_mine="player" not in self.fields)


def sit_form(asked: QueryDict, data: QueryDict | None, company: Company) -> SitForm:
    """The form for a newcomer, or for whoever takes over at the seat ``instead``."""
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
        each for each in own_decks(company.member.user) if each.investigator in free
    ]
    cards = (card for card in everybody if card.code in free)
    choices = seat_choices(decks, cards, pool)
    return SitForm(data, company=company, place=place, decks=decks, choices=choices)


def _players(company: Company) -> list[Membership]:
    """Those who may play: everybody but who only reads along."""
    present = (each.member for each in company.sitters)
    return [each for each in present if each.role != Role.SPECTATOR]


def _choices(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
