"""Who is this visitor at a table? An account, or a guest whose browser has a key."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from campaigns import queries
from campaigns.models import Guest, Membership
from campaigns.people.guests import guest_behind, key_in, visitor_of


def guest_of(request: HttpRequest) -> Guest | None:
    """The guest this browser plays as, if it does."""
    return guest_behind(key_in(request))


def member(request: HttpRequest, pk: int) -> Membership:
    """The visitor as they sit at a table; or 404."""
    found = queries.member_of(pk, visitor_of(request))
    if found is None:
        raise Http404
    return found
