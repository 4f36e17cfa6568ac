"""The account pages that are ours; the others are allauth's."""

from __future__ import annotations

from allauth.account import views as allauth_views
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe


@login_required
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


def email(request: HttpRequest) -> HttpResponseBase:
    """The addresses of the account, on a server that sends e-mail."""
    if not settings.EMAIL_CONFIGURED:
        raise Http404
    response: HttpResponseBase = allauth_views.email(request)
    return response
