"""Who is this visitor at a table? An account, or a guest whose browser has a key."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from campaigns import queries
from campaigns.guests import COOKIE, LIFETIME, guest_behind
from campaigns.models import Guest, Membership

_SALT = "campaigns.guest"


def guest_of(request: HttpRequest) -> Guest | None:
    """The guest this browser plays as, if it does."""
    key = request.get_signed_cookie(COOKIE, default="", salt=_SALT)
    return guest_behind(key or "")


def remember_guest(response: HttpResponseBase, request: HttpRequest, key: str) -> None:
    """Let this browser be known as a guest from now on."""
    response.set_signed_cookie(
        COOKIE,
        key,
        salt=_SALT,
        max_age=LIFETIME,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def member(request: HttpRequest, pk: int) -> Membership:
    """The visitor as they sit at a table; or 404."""
    found = queries.member_of(pk, request.user, guest_of(request))
    if found is None:
        raise Http404
    return found
