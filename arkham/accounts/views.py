"""The account pages that are ours; the others are allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account import views as allauth_views
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts import services
from arkham.accounts.asking import account_required
from arkham.accounts.forms import KeyForm
from arkham.accounts.models import ApiKey, User


@account_required
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """What the account is, and where to change it."""
    context = {"email_configured": settings.EMAIL_CONFIGURED}
    return render(request, "account/overview.html", context)


def password_reset(request: HttpRequest) -> HttpResponseBase:
    """A link by e-mail; on a server that sends none, whom to ask instead."""
    if settings.EMAIL_CONFIGURED:
        response: HttpResponseBase = allauth_views.password_reset(request)
        return response
    return render(request, "account/password_reset_by_keeper.html")


class Addresses(allauth_views.EmailView):  # type: ignore[misc]
    """The addresses of the account."""

    def _action_send(
        self, request: HttpRequest, *args: Any, **kwargs: Any
    ) -> HttpResponseBase | None:
        """Send the link to an address again, or say why not: it has just been sent."""
        response: HttpResponseBase | None = super()._action_send(
            request, *args, **kwargs
        )
        if not self._did_send_verification_email:
            messages.info(
                request,
                _(
                    "A link was sent to this address a moment ago, and is still good. "
                    "If it doesn't arrive, try again in a few minutes."
                ),
            )
        return response


def email(request: HttpRequest) -> HttpResponseBase:
    """The addresses of the account, on a server that sends e-mail."""
    if not settings.EMAIL_CONFIGURED:
        raise Http404
    response: HttpResponseBase = Addresses.as_view()(request)
    return response


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keys(request: HttpRequest) -> HttpResponse:
    """The programs that act in one's name; a new key is shown here, once."""
    assert isinstance(request.user, User)
    form = KeyForm(request.POST if request.method == "POST" else None)
    made = None
    if form.is_valid():
        try:
            made = services.make_key(
                owner=request.user, now=timezone.now(), **form.cleaned_data
            )
            form = KeyForm()
        except services.TooManyKeys:
            form.add_error(
                None,
                _("An account has at most %(most)d keys. Revoke one you do not need.")
                % {"most": services.MOST_KEYS},
            )
    status = 422 if form.errors else 200
    context = {"form": form, "made": made, "keys": request.user.api_keys.all()}
    return render(request, "account/keys.html", context, status=status)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_key(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask first; then the key opens nothing any more."""
    key = get_object_or_404(ApiKey, pk=pk, owner=request.user, revoked_at=None)
    if request.method != "POST":
        return render(request, "account/revoke_key.html", {"key": key})
    services.revoke_key(key=key, now=timezone.now())
    messages.success(request, _("The key is revoked."))
    return redirect("account_keys")
