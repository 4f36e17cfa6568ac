"""Find the visitor's membership at a table, and show spoilers to those who want them.

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
    """Return the status and context that explain a refusal, one of NOT_WRITTEN.

    If the log moved, the campaign is read again.
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
    """Return the guest this browser plays as, if any."""
    return guest_behind(key_in(request))


def member(request: HttpRequest, pk: int) -> Membership:
    """Return the visitor as a member of a table; or 404."""
    found = queries.member_of(pk, visitor_of(request))
    if found is None:
        raise Http404
    return found


_SESSION = "campaigns.later"
MOST = 50  # campaigns remembered per visitor


def shows_later(request: HttpRequest, pk: int) -> bool:
    """Return whether this visitor chose to see later scenarios of a campaign."""
    return pk in request.session.get(_SESSION, [])


@keeps_something
@require_POST
def later(request: HttpRequest, pk: int) -> HttpResponse:
    """Show later scenarios, or hide them again."""
    member(request, pk)
    chosen = [each for each in request.session.get(_SESSION, []) if each != pk]
    if request.POST.get("show") == "yes":
        chosen.append(pk)
    request.session[_SESSION] = chosen[-MOST:]
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("campaigns:table", args=[pk])
    return see_other(back)
