"""How people and programs sign in: with an account, an API key, a page's session.

Passwords are hashed so that a small machine survives many who sign in at once.
"""

from __future__ import annotations

import os
from copy import copy
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from arkham.accounts import services
from arkham.accounts.models import ApiKey, User
from arkham.emblems import square_of
from arkham.web.problems import Problem
from arkham.web.rate_limits import Throttle, address_of

if TYPE_CHECKING:
    from rest_framework.views import APIView


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Opens and closes sign-up by a setting, and names errors in our words."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": gettext_lazy("This name or password is wrong."),
        "email_password_mismatch": gettext_lazy("This address or password is wrong."),
        "invalid_login": gettext_lazy("This name or password is wrong."),
        "username_taken": gettext_lazy(
            "This name is already taken. Choose another, or sign in."
        ),
        "too_many_login_attempts": gettext_lazy(
            "Too many tries. Wait a few minutes, then sign in again."
        ),
        "rate_limited": gettext_lazy("Too many tries. Wait a minute."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """True unless the keeper of this server has closed sign-up."""
        return bool(settings.ORNE_SIGNUP != "closed")

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address sign-in attempts are counted by, the same as everywhere."""
        return address_of(request)

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Under which failures to sign in are counted: the name and the address.

        Counted by the name alone, a stranger could lock out anybody whose name is
        known. All names together are limited by address beside this.
        """
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{self.get_client_ip(request)}"


class CodeAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The second step at sign-in, in our words and with our square to scan."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy(
            "This code is wrong or has expired. Enter the one your app shows now."
        ),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Recovery codes belong to two-step sign-in: set that up first."
        ),
    }

    def get_totp_label(self, user: User) -> str:
        """What the app calls the account: the name it signs in with."""
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """The square that the app scans."""
        return square_of(url, _("QR code for the app"))


SCHEME = "Bearer"


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer orne_…`` signs in the owner of the key.

    What the key may not do is refused here, so that no view can forget to. A view
    whose unsafe methods change nothing says so with ``only_reads = True``.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        """Who the key's owner is, and the key; None if none was sent."""
        scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        key = services.key_behind(text=text.strip(), now=timezone.now())
        if key is None:
            raise AuthenticationFailed(
                _("We don’t know this API key, or it was revoked.")
            )
        view = (request.parser_context or {}).get("view")
        only_reads = request.method in SAFE_METHODS or getattr(
            view, "only_reads", False
        )
        if not (key.may_write or only_reads):
            raise Problem(
                403,
                _("This API key can only read. Create one that can write."),
                kind="read-only-key",
            )
        return key.owner, key

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return f'{SCHEME} realm="Orne"'


class BodilessSessionAuthentication(SessionAuthentication):
    """The session of a page; its token against forgery comes in the header.

    The body is left to be read by the view, whole and within its own bounds: looked
    through for a token here, it could be read no more.
    """

    def enforce_csrf(self, request: Request) -> None:
        """Refuse what another site has sent."""
        bare: Any = copy(request._request)
        bare._post = QueryDict()
        bare._files = MultiValueDict()
        super().enforce_csrf(bare)


class KeyRateThrottle(Throttle):
    """Counts the requests of each API key by itself, beside those of its account."""

    scope = "key"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Under which the key's requests are counted; None without one."""
        if not isinstance(request.auth, ApiKey):
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.auth.pk}


class TooManyTries(Exception):
    """The password was guessed at too often; it may be tried again later."""


def confirms(*, request: HttpRequest, user: User, password: str) -> bool:
    """Whether the password is the account's. Raises TooManyTries."""
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        raise TooManyTries
    return user.check_password(password)


# More at a time would be no faster, and each takes ``memory_cost``.
_AT_ONCE = BoundedSemaphore(max(2, os.cpu_count() or 1))


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes (OWASP), only as many at once as cores.

    Django's own settings take 100 MiB each; hashes made with them are read, and made
    again when their owner signs in.
    """

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """The hash of a password, once there is room to make it."""
        with _AT_ONCE:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is the one, once there is room to try it."""
        with _AT_ONCE:
            return super().verify(password, encoded)
