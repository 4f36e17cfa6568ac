"""Chance at the table: what is asked is drawn here, and what the bag keeps written."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaigns import services
from campaigns.services import Forbidden, LogMoved, Refused
from campaigns.views.reach import member
from campaigns.views.table import refused, sight_of
from decks.views.answers import not_understood, see_other


@require_POST
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Let chance answer what is asked now."""
    sitting = member(request, pk)
    sight = sight_of(request)
    if sight is None:
        return not_understood(request)
    try:
        services.draw_at_random(campaign=sitting.campaign, member=sitting, sight=sight)
    except (LogMoved, Refused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Drawn. The log has the draw and its record."))
    return see_other(reverse("campaigns:table", args=[pk]))


@require_POST
def draw_place(request: HttpRequest, pk: int) -> HttpResponse:
    """Let chance name a place of the scenario."""
    sitting = member(request, pk)
    sight, count = sight_of(request), request.POST.get("count", "1")
    if sight is None or not (count.isascii() and count.isdigit() and len(count) < 3):
        return not_understood(request)
    try:
        services.draw_place(
            campaign=sitting.campaign,
            member=sitting,
            scenario=request.POST.get("scenario", ""),
            step=request.POST.get("step", ""),
            count=int(count),
            sight=sight,
        )
    except (LogMoved, Refused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    address = reverse("campaigns:scenario", args=[pk])
    return see_other(f"{address}#drawn-title")


@require_POST
def keep_frost(request: HttpRequest, pk: int) -> HttpResponse:
    """Write into the log the frost tokens that stay in the bag."""
    sitting = member(request, pk)
    sight = sight_of(request)
    if sight is None:
        return not_understood(request)
    try:
        services.keep_frost(
            campaign=sitting.campaign,
            member=sitting,
            scenario=request.POST.get("scenario", ""),
            sight=sight,
        )
    except (LogMoved, Refused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Written: the frost tokens stay in the bag."))
    return see_other(reverse("campaigns:scenario", args=[pk]) + "#bag")
