"""Sends a visitor to the sign-in page, and keeps what they wrote until then."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from arkham.web.errors import Middleware
from arkham.web.forms import TOKEN, fields_of, is_form, is_secret, written
from arkham.web.limits import keeps_something, refused_to_keep

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
