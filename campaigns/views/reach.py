"""Who is this visitor at a table? An account, or a guest whose browser has a key."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from campaigns import queries
from campaigns.guests import visitor_of
from campaigns.models import Membership


def member(request: HttpRequest, pk: int) -> Membership:
    """The visitor as they sit at a table; or 404."""
    found = queries.member_of(pk, visitor_of(request))
    if found is None:
        raise Http404
    return found
