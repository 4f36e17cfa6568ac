"""Signing in for people and programs: with an account, an API key, a page’s session.

Visitors are sent to the sign-in page, and what they wrote is kept until then. Passwords
are hashed so that a small machine survives many simultaneous sign-ins.
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

from arkham.web.forms import TOKEN, fields_of, is_form, is_secret, written
from arkham.web.http import Middleware
from arkham.web.limits import KeptForStrangers, keeps_something, refused_by


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Opens and closes sign-up by a setting, and words the error messages."""

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
        """Return True unless the operator has closed sign-up."""
        return bool(settings.ORNE_SIGNUP != "closed")

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that sign-in attempts are counted by, as everywhere."""
        return address_of(request)

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Return the key that failed sign-ins are counted by: name and address.

        Counted by name only, a stranger could lock out anyone whose name is known. Each
        address is also limited across all names.
        """
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{self.get_client_ip(request)}"


class CodeAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """The second step at sign-in, in our words and with our QR code."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy(
            "This code is wrong or has expired. Enter the one your app shows now."
        ),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Recovery codes belong to two-step sign-in: set that up first."
        ),
    }

    def get_totp_label(self, user: User) -> str:
        """Return the account's label in the app: its sign-in name."""
        return user.username

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code for the app to scan."""
        return square_of(url, _("QR code for the app"))


SCHEME = "Bearer"


class KeyAuthentication(BaseAuthentication):
    """``Authorization: Bearer orne_…`` signs in the owner of the key.

    Scopes are checked here, so that no view can forget to. A view whose unsafe methods
    change nothing declares ``only_reads = True``.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        """Return the key's owner and the key; None if none was sent."""
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
        """Return the challenge of a 401, and that a key isn't valid (RFC 6750, 3.1)."""
        challenge = f'{SCHEME} realm="Orne"'
        sent = request.headers.get("Authorization", "").partition(" ")[0]
        is_sent = sent.lower() == SCHEME.lower()
        return f'{challenge}, error="invalid_token"' if is_sent else challenge


class BodilessSessionAuthentication(SessionAuthentication):
    """The session of a page, with the CSRF token in a header.

    The body is left for the view to read within its own limits: if it were searched for
    a token here, it couldn't be read again.
    """

    def enforce_csrf(self, request: Request) -> None:
        """Refuse requests from other sites."""
        bare: Any = copy(request._request)
        bare._post = QueryDict()
        bare._files = MultiValueDict()
        super().enforce_csrf(bare)


class KeyRateThrottle(Throttle):
    """Counts each API key's requests, in addition to its account's."""

    scope = "key"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key's counter; None without a key."""
        if not isinstance(request.auth, ApiKey):
            return None
        return self.cache_format % {"scope": self.scope, "ident": request.auth.pk}


class TooManyTries(Exception):
    """The password was guessed too often; it may be tried again later."""


def confirms(*, request: HttpRequest, user: User, password: str) -> bool:
    """Return whether the password is the account's. Raises TooManyTries."""
    if not ratelimit.consume(request, action="reauthenticate", user=user):
        raise TooManyTries
    return user.check_password(password)


# More at once would not be faster, and each takes ``memory_cost``.
_AT_ONCE = BoundedSemaphore(max(2, os.cpu_count() or 1))


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes (OWASP), at most one per core at once.

    Django's defaults take 100 MiB each; hashes made with them can be read, and are
    renewed when their owner signs in.
    """

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password, once a slot is free."""
        with _AT_ONCE:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether the password matches, once a slot is free."""
        with _AT_ONCE:
            return super().verify(password, encoded)


SESSION_KEY = "sign_in_reason"
SIGNED_OUT = gettext_lazy("You’re signed out. Sign in to continue.")
KEPT_KEY = "sent_signed_out"
MOST_KEPT = 20_000  # letters in a form
KEPT_FOR = 60 * 60  # seconds: on a shared browser someone else may sign in next

View = Callable[..., HttpResponseBase]


def ask_to_sign_in(request: HttpRequest, *, to: str, reason: str) -> HttpResponse:
    """Redirect to the sign-in page, which leads ``to`` an address afterwards.

    The reason is shown there and at sign-up, as long as they lead to that address.
    """
    _explain(request, to, reason)
    address = f"{reverse('account_login')}?{urlencode({'next': to})}"
    return HttpResponseRedirect(address, status=303)


def was_asked_to_sign_in(request: HttpRequest, *, to: str) -> bool:
    """Return whether this visitor was sent to sign in for this address.

    Returns True only once.
    """
    asked = request.session.get(SESSION_KEY)
    if not asked or asked["to"] != to:
        return False
    del request.session[SESSION_KEY]
    return True


def account_required(view: View) -> View:
    """Decorate a page that needs an account: others are asked to sign in."""

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
    """Decorate a page for the operator; others get 404."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_staff:
            raise Http404
        return view(request, *args, **kwargs)

    return account_required(page)


class SignedOutMiddleware(Middleware):
    """Keeps a form sent while signed out, and offers to send it after signing in.

    Without an account, a form for one's own deck gets 404; that page leads to the
    sign-in page. Files and passwords are not kept.
    """

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Return the page that offers to send the form; None if none is kept."""
        # Pages that are the same for everyone must not depend on the session.
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
        """Keep a form that got 404; the answer doesn't change."""
        is_refused = (
            isinstance(exception, Http404)
            and request.method == "POST"
            and not request.user.is_authenticated
            and not request.path.startswith("/api/")
        )
        reason = ""
        if is_refused and "HX-Request" in request.headers:
            # The page still shows what was pressed. One who never had an account isn't
            # signed out: only a cookie whose session has ended is a sign of one.
            has_cookie = settings.SESSION_COOKIE_NAME in request.COOKIES
            if has_cookie and request.session.session_key is None:
                reason = str(SIGNED_OUT)
        elif is_refused and refused_by(KeptForStrangers(), request) is None:
            here = request.get_full_path()
            reason = _kept_for(request, here)
            _explain(request, here, reason)
        # The 404 page shows the reason too.
        request.sign_in_reason = reason  # type: ignore[attr-defined]


def _explain(request: HttpRequest, to: str, reason: str) -> None:
    request.session[SESSION_KEY] = {"to": to, "reason": reason}


def _kept_for(request: HttpRequest, to: str) -> str:
    """Keep a form; return the message for the sign-in page."""
    fields = _to_keep(request)
    if fields is None:
        return str(SIGNED_OUT)
    request.session[KEPT_KEY] = {"to": to, "fields": fields, "at": time.time()}
    return _("You’re signed out. Sign in, then send what you wrote.")


def _to_keep(request: HttpRequest) -> list[tuple[str, str]] | None:
    """Return the fields of a form that may be kept until its sender signs in."""
    if not is_form(request):
        return None
    fields = [pair for pair in fields_of(request) if pair[0] != TOKEN]
    letters = sum(len(name) + len(value) for name, value in fields)
    return None if is_secret(fields) or letters > MOST_KEPT else fields
