"""A campaign that began on paper is entered where it stands."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaigns import services
from campaigns.forms.entering import StandingForm
from campaigns.forms.entering_place import Known, PlaceForm
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.board import names_at
from campaigns.people.rights import may_organise
from campaigns.services.entering import may_be_entered
from campaigns.views.reach import NOT_WRITTEN, member, refusal_told
from campaigns.views.table import sight_of
from decks.views.answers import not_understood, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, pk: int) -> HttpResponse:
    """First which scenario comes now, then everything that stands on the sheet."""
    sitting = member(request, pk)
    known = _known(sitting)
    if request.method == "POST":
        return _entered(request, sitting, known)
    place = PlaceForm(known, request.GET if "scenario" in request.GET else None)
    standing = StandingForm(known, place) if place.is_valid() else None
    return _page(request, sitting, place=place, standing=standing)


def _known(sitting: Membership) -> Known:
    seats = sitting.campaign.seats.order_by("pk")
    return Known(names_at(sitting), tuple(seat.investigator for seat in seats))


def _entered(request: HttpRequest, sitting: Membership, known: Known) -> HttpResponse:
    place = PlaceForm(known, request.POST)
    sight = sight_of(request)
    if sight is None or not place.is_valid():
        return not_understood(request)
    standing = StandingForm(known, place, request.POST)
    if not standing.is_valid():
        return _page(request, sitting, status=422, place=place, standing=standing)
    try:
        services.enter_campaign(
            campaign=sitting.campaign,
            member=sitting,
            position=standing.position,
            sight=sight,
            reason=standing.cleaned_data["reason"],
        )
    except NOT_WRITTEN as refusal:
        more = refusal_told(sitting, refusal)
    else:
        messages.success(request, _("The campaign goes on from here."))
        return see_other(reverse("campaigns:table", args=[sitting.campaign_id]))
    return _page(request, sitting, place=place, standing=standing, **more)


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    context = {
        "campaign": campaign,
        "is_possible": may_organise(sitting)
        and may_be_entered(campaign, replayed(campaign)),
        "has_seats": campaign.seats.exists(),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/enter.html", context, status=status)
