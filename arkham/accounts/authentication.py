"""How people and programs sign in: with an account, an API key, a page’s session.

A visitor is sent to the sign-in page, and what they wrote is kept until then. Passwords
are hashed so that a small machine survives many who sign in at once.
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
from arkham.web.request_limits import Throttle, address_of

if TYPE_CHECKING:
    from rest_framework.views import APIView


import time
from collections.abc import Callable
from functools import wraps

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from arkham.web.errors import Middleware
from arkham.web.forms import TOKEN, fields_of, is_form, is_secret, written
from arkham.web.limits import keeps_something, refused_to_keep


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


SESSION_KEY = "sign_in_reason"
KEPT_KEY = "sent_signed_out"
MOST_KEPT = 20_000  # letters of a form
KEPT_FOR = 60 * 60  # seconds: on a shared browser another person may sign in next

View = Callable[..., HttpResponseBase]


def ask_to_sign_in(request: HttpRequest, *, to: str, reason: str) -> HttpResponse:
    """Redirect to the sign-in page, which leads ``to`` an address afterwards.

    The reason is shown there and at sign-up, as long as they lead to that address.
    """
    _explain(request, to, reason)
    address = f"{reverse('account_login')}?{urlencode({'next': to})}"
    return HttpResponseRedirect(address, status=303)


def was_asked_to_sign_in(request: HttpRequest, *, to: str) -> bool:
    """Whether this visitor was sent to sign in and then go ``to`` this address.

    The answer is yes once.
    """
    asked = request.session.get(SESSION_KEY)
    if not asked or asked["to"] != to:
        return False
    del request.session[SESSION_KEY]
    return True


def account_required(view: View) -> View:
    """Decorates a page for accounts alone: others are asked to sign in."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.method != "POST":
            return redirect_to_login(request.get_full_path())
        here = request.get_full_path()
        return ask_to_sign_in(request, to=here, reason=_kept_for(request, here))

    return keeps_something(page)


def operators_only(view: View) -> View:
    """Decorates a page for the operator; it does not exist for others."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return account_required(page)


class SignedOutMiddleware(Middleware):
    """Keeps what is sent signed out, and offers to send it once signed in.

    Without an account a form to a deck of one's own finds nothing; the page that says
    so leads to the sign-in page. Files and passwords are not kept.
    """

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """The page that offers to send the form; None where none is kept."""
        # What is the same for everybody must not come to depend on the session.
        may_be_kept = (
            request.method == "GET"
            and settings.SESSION_COOKIE_NAME in request.COOKIES
            and not request.path.startswith("/api/")
        )
        if not may_be_kept or not request.user.is_authenticated:
            return None
        kept = request.session.get(KEPT_KEY)
        if not kept or kept["to"] != request.get_full_path():
            return None
        del request.session[KEPT_KEY]
        if time.time() - kept.get("at", 0) > KEPT_FOR:
            return None
        shown = {**kept, "written": written(kept["fields"])}
        return render(request, "account/send_again.html", shown)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Keep a form that has found nothing; the answer stays what it is."""
        is_kept = (
            isinstance(exception, Http404)
            and request.method == "POST"
            and not request.user.is_authenticated
            and not request.path.startswith("/api/")
            and "HX-Request" not in request.headers
        )
        if is_kept and refused_to_keep(request) is None:
            here = request.get_full_path()
            reason = _kept_for(request, here)
            _explain(request, here, reason)
            # The page that says that nothing was found says this too.
            request.sign_in_reason = reason  # type: ignore[attr-defined]


def _explain(request: HttpRequest, to: str, reason: str) -> None:
    request.session[SESSION_KEY] = {"to": to, "reason": reason}


def _kept_for(request: HttpRequest, to: str) -> str:
    """Keep a form; what the sign-in page says then."""
    fields = _to_keep(request)
    if fields is None:
        return _("You’re signed out. Sign in to continue.")
    request.session[KEPT_KEY] = {"to": to, "fields": fields, "at": time.time()}
    return _("You’re signed out. Sign in, then send what you wrote.")


def _to_keep(request: HttpRequest) -> list[tuple[str, str]] | None:
    """The fields of a form that may be kept until its sender has signed in."""
    if not is_form(request):
        return None
    fields = [pair for pair in fields_of(request) if pair[0] != TOKEN]
    letters = sum(len(name) + len(value) for name, value in fields)
    return None if is_secret(fields) or letters > MOST_KEPT else fields
