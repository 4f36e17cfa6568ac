"""Who is this visitor at a table? An account, or a guest whose browser has a key."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from campaigns import queries
from campaigns.models import Guest, Membership
from campaigns.people.guests import guest_behind, key_in, visitor_of
from campaigns.services import Forbidden, LogMoved, Refused

NOT_WRITTEN = (LogMoved, Refused, Forbidden)


def refusal_told(sitting: Membership, refusal: Exception) -> dict[str, Any]:
    """The status of a page, and what it needs to say why; for one of NOT_WRITTEN.

    Where the log moved, the campaign is read as it is now.
    """
    match refusal:
        case LogMoved():
            sitting.campaign.refresh_from_db()
            return {"status": 409, "missed": refusal.missed}
        case Refused():
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
