"""Finds who visits a table, and shows spoilers to those who choose them.

A visitor is an account, or a guest whose browser has a key.
"""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from arkham.web.limits import keeps_something
from campaigns import queries
from campaigns.models import Guest, Membership
from campaigns.people.table import guest_behind, key_in, visitor_of
from campaigns.services import EntryRefused, Forbidden, LogMoved
from decks.views.reach import see_other

NOT_WRITTEN = (LogMoved, EntryRefused, Forbidden)


def refusal_context(sitting: Membership, refusal: Exception) -> dict[str, Any]:
    """The status of a page, and what it needs to say why; for one of NOT_WRITTEN.

    Where the log moved, the campaign is read as it is now.
    """
    match refusal:
        case LogMoved():
            sitting.campaign.refresh_from_db()
            return {"status": 409, "missed": refusal.missed}
        case EntryRefused():
            return {"status": 422, "findings": refusal.findings}
        case Forbidden():
            return {"status": 403, "needs": refusal.needs}
    raise refusal


def guest_of(request: HttpRequest) -> Guest | None:
    """The guest this browser plays as, if it does."""
    return guest_behind(key_in(request))


def member(request: HttpRequest, pk: int) -> Membership:
    """The visitor as they sit at a table; or 404."""
    found = queries.member_of(pk, visitor_of(request))
    if found is None:
        raise Http404
    return found


_SESSION = "campaigns.later"
MOST = 50  # campaigns remembered of one visitor


def shows_later(request: HttpRequest, pk: int) -> bool:
    """Whether this visitor chose to see what comes later in a campaign."""
    return pk in request.session.get(_SESSION, [])


@keeps_something
@require_POST
def later(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what comes later, or hide it again."""
    member(request, pk)
    chosen = [each for each in request.session.get(_SESSION, []) if each != pk]
    if request.POST.get("show") == "yes":
        chosen.append(pk)
    request.session[_SESSION] = chosen[-MOST:]
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("campaigns:table", args=[pk])
    return see_other(back)
