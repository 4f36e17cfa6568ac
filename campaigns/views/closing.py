"""Closing an account, after all that becomes of what it has was shown."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from arkham.accounts.passwords import TooManyTries, confirms
from campaigns import services
from campaigns.forms.settings import ClosingForm
from campaigns.people.closing import AccountClosing, closing_of
from campaigns.services import ClosingMoved
from decks.views.reach import see_other


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Show what is kept and what goes; then, with the password, close it."""
    assert isinstance(request.user, User)
    user = request.user
    if request.method != "POST":
        return _page(request, closing_of(user))
    form = ClosingForm(request.POST)
    if not form.is_valid():
        return _page(request, closing_of(user), form, status=422)
    try:
        password = form.cleaned_data["password"]
        if not confirms(request=request, user=user, password=password):
            form.add_error("password", _("This is not your password."))
            return _page(request, closing_of(user), form, status=422)
        services.close_account(
            user=user, now=timezone.now(), seen=form.cleaned_data["seen"]
        )
    except TooManyTries:
        form.add_error("password", _("Too many tries. Wait a minute."))
        return _page(request, closing_of(user), form, status=429)
    except ClosingMoved as moved:
        message = _("Something has changed since you looked. Nothing was closed.")
        form.add_error(None, message)
        return _page(request, moved.now, form, status=409)
    logout(request)
    messages.success(request, _("Your account is closed."))
    return see_other(reverse("home"))


def _page(
    request: HttpRequest,
    closing: AccountClosing,
    form: ClosingForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {"closing": closing, "form": form or ClosingForm()}
    return render(request, "account/close.html", context, status=status)
