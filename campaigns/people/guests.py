"""Guests, who play without an account, and the links that bring people to a table.

The browser of a guest has a key, in a signed cookie; only a digest of it is kept here.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from io import BytesIO
from typing import NamedTuple
from uuid import UUID

import segno
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe

from arkham.accounts.models import User
from campaigns.models import Guest, Invitation

_SIGNER = Signer(salt="campaigns.invitation", sep=".")


def token_of(invitation: Invitation) -> str:
    """What stands in the link; the same whenever it is shown."""
    return _SIGNER.sign(invitation.key.hex)


def invitation_behind(token: str) -> Invitation | None:
    """The invitation a link stands for, whether it is still open or not."""
    try:
        key = UUID(_SIGNER.unsign(token))
    except (BadSignature, ValueError):
        return None
    found = Invitation.objects.select_related("campaign", "seat")
    return found.filter(key=key).first()


def is_open(invitation: Invitation, now: datetime) -> bool:
    """Whether the link still brings people to its table."""
    is_used_up = (
        invitation.most_uses is not None and invitation.uses >= invitation.most_uses
    )
    in_time = invitation.revoked_at is None and now < invitation.expires_at
    return in_time and not is_used_up


def square_of(address: str, title: str) -> SafeString:
    """An address as a square code a phone reads, drawn as SVG and called ``title``."""
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        dark="#000",
        light="#fff",
        svgclass="square",
        lineclass=None,
        title=title,
        nl=False,
    )
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 (segno escapes the title)


COOKIE = "orne_guest"
LIFETIME = 400 * 24 * 60 * 60  # seconds; browsers keep nothing longer
KEY_BYTES = 24
_SALT = "campaigns.guest"
_KEYS = Signer(salt=_SALT, sep=".")


class Visitor(NamedTuple):
    """The visitor of a page: an account, a guest, both, or a stranger."""

    user: User | None = None
    guest: str = ""  # the digest of a guest's key


def visitor_of(request: HttpRequest) -> Visitor:
    """The visitor a request comes from."""
    user = request.user if isinstance(request.user, User) else None
    key = key_in(request)
    return Visitor(user, digest_of(key) if key else "")


def key_in(request: HttpRequest) -> str:
    """The key of a guest that a request brings; "" for none."""
    return request.get_signed_cookie(COOKIE, default="", salt=_SALT) or ""


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


def new_guest_key() -> str:
    """A key that can't be guessed."""
    return secrets.token_urlsafe(KEY_BYTES)


def sealed(key: str) -> str:
    """A key for the form of a page, which no one else can write."""
    return _KEYS.sign(key)


def unsealed(text: str) -> str:
    """The key a form brings back; "" for one that we did not seal."""
    try:
        return _KEYS.unsign(text)
    except BadSignature:
        return ""


def digest_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


def guest_behind(key: str) -> Guest | None:
    """The guest a key belongs to."""
    if not key:
        return None
    return Guest.objects.filter(digest=digest_of(key)).first()
