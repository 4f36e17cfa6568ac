"""Investigators who retire, or go on to another campaign."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from arkham.accounts.asking import account_required
from campaigns import queries, services
from campaigns.forms.departing import TransferForm
from campaigns.guides import access
from campaigns.models import Membership, Seat
from campaigns.pages.board import names_at
from campaigns.people.rights import Right, may_tell, require
from campaigns.people.table import company_of
from campaigns.services import Forbidden, LogMoved, Refused
from campaigns.services.writing import LONGEST_REASON
from campaigns.views.reach import member, refusal_told
from campaigns.views.seating import refused, to_people
from campaigns.views.table import sight_of
from decks.lists.content import whole
from decks.views.answers import not_understood, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """Let an investigator play no more here; asked first, with the reason."""
    sitting = member(request, pk)
    found = get_object_or_404(
        sitting.campaign.seats.select_related("campaign__guide"), pk=seat
    )
    if request.method != "POST":
        return _retiring(request, sitting, found)
    sight = sight_of(request)
    if sight is None:
        return not_understood(request)
    try:
        services.retire(
            seat=found,
            member=sitting,
            reason=whole(request.POST.get("reason", ""))[:LONGEST_REASON],
            sight=sight,
        )
    except (LogMoved, Refused) as refusal:
        more = refusal_told(sitting, refusal) | {
            "reason": request.POST.get("reason", "")
        }
        return _retiring(request, sitting, found, **more)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Retired. Another investigator may be chosen now."))
    return to_people(pk)


def _retiring(
    request: HttpRequest,
    sitting: Membership,
    seat: Seat,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "seat": seat,
        "name": names_at(sitting).card(seat.investigator),
        "writes": may_tell(sitting, (seat.investigator,)),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/retire.html", context, status=status)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def transfer(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin another campaign with investigators of this one."""
    sitting = member(request, pk)
    try:
        require(sitting, Right.ORGANISE)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    guides = access.listed(access.usable_by(request.user))
    form = TransferForm(
        request.POST if request.method == "POST" else None,
        company=company_of(sitting),
        guides=list(guides.exclude(guide_id=queries.SIDE)),
    )
    found: Any = ()
    if request.method == "POST" and form.is_valid():
        try:
            begun = services.transfer_campaign(
                campaign=sitting.campaign,
                member=sitting,
                guide=form.chosen_guide,
                going=form.going,
                name=form.cleaned_data["name"],
                now=timezone.now(),
            )
        except Forbidden as refusal:
            return refused(request, sitting, refusal)
        except Refused as refusal:
            found = refusal.findings
        else:
            return see_other(reverse("campaigns:table", args=[begun.pk]))
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "form": form,
        "findings": found,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/transfer.html", context, status=status)
