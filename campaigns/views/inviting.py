"""Links that bring people to a table: made, shown to be read off, revoked."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import services
from campaigns.forms.people import InviteForm
from campaigns.models import Invitation, Membership
from campaigns.pages.board import names_at
from campaigns.people.invitations import is_open, square_of, token_of
from campaigns.people.rights import Right, require
from campaigns.people.table import MAY, company_of
from campaigns.services import Forbidden
from campaigns.views.reach import member
from campaigns.views.seating import people_page, refused, to_people
from decks.views.answers import see_other


@require_POST
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link, and show it."""
    sitting = member(request, pk)
    form = InviteForm(request.POST, company=company_of(sitting))
    if not form.is_valid():
        return people_page(request, sitting, status=422, invite=form)
    try:
        made = services.invite(
            campaign=sitting.campaign,
            member=sitting,
            role=form.cleaned_data["role"],
            seat=form.cleaned_data["seat"],
            lifetime=form.lifetime,
            most_uses=form.cleaned_data["most_uses"],
            now=timezone.now(),
        )
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    return see_other(reverse("campaigns:invitation", args=[pk, made.pk]))


@require_safe
def invitation(request: HttpRequest, pk: int, made: int) -> HttpResponse:
    """A link to be sent, or read off the screen by a phone."""
    sitting = member(request, pk)
    try:
        require(sitting, Right.ORGANISE)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    found = _made(sitting, made)
    path = reverse("campaigns:join", args=[token_of(found)])
    address = request.build_absolute_uri(path)
    code = found.seat.investigator if found.seat is not None else ""
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "invitation": found,
        "is_open": is_open(found, timezone.now()),
        "address": address,
        "square": square_of(address, _("Square code of the link")),
        "may": MAY[found.role],
        "investigator": names_at(sitting).card(code) if code else "",
    }
    return render(request, "campaigns/invitation.html", context)


@require_POST
def revoke(request: HttpRequest, pk: int, made: int) -> HttpResponse:
    """Let a link bring nobody any more."""
    sitting = member(request, pk)
    try:
        services.revoke_invitation(
            invitation=_made(sitting, made), member=sitting, now=timezone.now()
        )
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("The link is revoked. Who came by it stays."))
    return to_people(pk)


def _made(sitting: Membership, pk: int) -> Invitation:
    made = sitting.campaign.invitations.select_related("seat")
    return get_object_or_404(made, pk=pk)
