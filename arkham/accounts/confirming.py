"""Is it really they? The password asked again before what cannot be undone."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest

from arkham.accounts.models import User


class TooManyTries(Exception):
    """The password was guessed at too often; it may be tried again later."""


def confirms(*, request: HttpRequest, user: User, password: str) -> bool:
    """Whether the password is the account's. Raises TooManyTries."""
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        raise TooManyTries
    return user.check_password(password)
