"""Pages of the ultimatums of a table: choose one, draw one, drop one."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from arkham.rules.campaign.state.answers import UltimatumChosen
from arkham.rules.ultimatums import ALL
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.board import names_at
from campaigns.pages.ultimatums import LONGEST_OWN, scenario_for, ultimatum_options
from campaigns.people.rights import may_organise
from campaigns.services import WriteContext
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context
from campaigns.views.table import write_context
from decks.lists.content import whole
from decks.views.reach import not_understood, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def ultimatums(request: HttpRequest, pk: int) -> HttpResponse:
    """Show every ultimatum, boon and refraction, or choose one."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _page(request, sitting)
    context = write_context(request)
    chosen = _chosen(request, sitting)
    if context is None or (chosen is None and "name" not in request.POST):
        return not_understood(request)
    if chosen is None:
        typed = {"own": request.POST["name"]}
        return _page(request, sitting, status=422, typed=typed, nameless=True)
    return _written(request, sitting, lambda: _choose(sitting, chosen, context))


@require_POST
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the ultimatum of the next game."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)

    def drawn() -> str:
        services.draw_ultimatum(
            campaign=sitting.campaign, member=sitting, context=context
        )
        return _("Drawn and recorded.")

    return _written(request, sitting, drawn)


@require_POST
def drop(request: HttpRequest, pk: int, entry: int) -> HttpResponse:
    """Drop an ultimatum chosen by mistake, with the reason."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)

    def dropped() -> str:
        services.retract(
            campaign=sitting.campaign,
            member=sitting,
            target=entry,
            context=context,
            reason=whole(request.POST.get("reason", "")),
        )
        return _("Dropped. The log still shows it, with the reason.")

    return _written(request, sitting, dropped, entry)


def _choose(sitting: Membership, chosen: UltimatumChosen, context: WriteContext) -> str:
    services.choose_ultimatum(
        campaign=sitting.campaign, member=sitting, chosen=chosen, context=context
    )
    return _("In use from now on.")


def _chosen(request: HttpRequest, sitting: Membership) -> UltimatumChosen | None:
    """The ultimatum that was chosen; None for a name without letters and digits."""
    scenario = scenario_for(sitting.campaign, replayed(sitting.campaign))
    chosen = request.POST.get("ultimatum", "")
    if chosen in ALL:
        return UltimatumChosen(scenario, chosen)
    name = " ".join(whole(request.POST.get("name", "")).split())[:LONGEST_OWN]
    called = slugify(name, allow_unicode=True)
    return UltimatumChosen(scenario, f"own-{called}", name) if called else None


def _written(
    request: HttpRequest,
    sitting: Membership,
    write: Any,
    entry: int | None = None,
) -> HttpResponse:
    """Write, and say what was done; or the page as it is now, with why not.

    What was typed into the refused form stays there.
    """
    try:
        message = write()
    except NOT_WRITTEN as refusal:
        typed = {"own": request.POST.get("name"), "reason": request.POST.get("reason")}
        more = refusal_context(sitting, refusal) | {"typed": typed, "dropped": entry}
        return _page(request, sitting, **more)
    messages.success(request, message)
    return see_other(reverse("campaigns:ultimatums", args=[sitting.campaign_id]))


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    context = {
        "campaign": campaign,
        "member": sitting,
        "options": ultimatum_options(campaign, replayed(campaign), names_at(sitting)),
        "organises": may_organise(sitting),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/ultimatums.html", context, status=status)
