"""The operator's page: how the server is, what it does, and who has an account."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arkham import health
from arkham.accounts import services as accounts
from arkham.accounts.asking import operators_only
from arkham.accounts.models import User
from arkham.jobs.kinds import kind_of
from arkham.jobs.models import Job
from arkham.web.refusals import most_refused
from campaigns.models import Role
from cardpool.catalog import current_pool
from decks.models import Deck, SharedVerdict

MOST_JOBS = 10
MOST_REFUSED = 10
MOST_ACCOUNTS = 50
LONGEST_SEARCH = 100
PARTS = {
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Migrations"),
    "cache": gettext_lazy("Cache"),
    "workers": gettext_lazy("Workers"),
    "disk": gettext_lazy("Disk"),
}


class FilledQuota(NamedTuple):
    """A quota, and how much of it is used: by all, or by the account with most."""

    name: Any
    most: int
    used: int


@operators_only
@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Each part of the server, jobs, quotas, and who was refused."""
    parts = [(PARTS[name], found) for name, found in health.parts().items()]
    jobs = Job.objects.select_related("owner")[:MOST_JOBS]
    context = {
        "parts": parts,
        "jobs": [(each, kind_of(each)) for each in jobs],
        "stopped": Job.objects.filter(state=Job.State.STOPPED).count(),
        "running": Job.objects.filter(state=Job.State.RUNNING).count(),
        "cards": len(current_pool()),
        "pool_version": current_pool().version,
        "rooms": list(_rooms()),
        "refused": most_refused()[:MOST_REFUSED],
        "accounts": User.objects.count(),
        "blocked": User.objects.filter(is_active=False).count(),
    }
    return render(request, "operator/index.html", context)


def _rooms() -> Iterator[FilledQuota]:
    """The quotas that fill up, the fullest of each."""
    quotas = settings.ORNE_QUOTAS
    drafts = Deck.everything.filter(owner=None)
    yield FilledQuota(_("Drafts"), quotas["drafts"], drafts.count())
    yield FilledQuota(
        _("Shared verdicts"), quotas["verdicts"], SharedVerdict.objects.count()
    )
    organised = Q(memberships__role=Role.ORGANISER)
    for kind, name, counted in (
        ("decks", _("Decks of one account"), Count("decks")),
        (
            "campaigns",
            _("Campaigns of one account"),
            Count("memberships", filter=organised),
        ),
        ("jobs", _("Jobs of one account"), Count("jobs")),
        ("webhooks", _("Webhooks of one account"), Count("webhooks")),
    ):
        yield FilledQuota(name, quotas[kind], _most_of_one(counted))


def _most_of_one(counted: Count) -> int:
    numbers = User.objects.annotate(number=counted).order_by("-number")
    return numbers.values_list("number", flat=True).first() or 0


@operators_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """Find accounts, block them, and let them in again."""
    sought = request.GET.get("q", "")[:LONGEST_SEARCH].replace("\x00", "").strip()
    if request.method == "POST":
        _change(request)
        query = f"?{urlencode({'q': sought})}" if sought else ""
        return HttpResponseRedirect(reverse("operator_accounts") + query, status=303)
    found = _found(sought)
    context = {
        "sought": sought,
        "found": found[:MOST_ACCOUNTS],
        "more": found.count() > MOST_ACCOUNTS,
    }
    return render(request, "operator/accounts.html", context)


def _found(sought: str) -> QuerySet[User]:
    """Accounts by a part of their name or address; without one the latest."""
    named = Q(username__icontains=sought) | Q(email__icontains=sought)
    return User.objects.filter(named).order_by("-date_joined", "-pk")


def _change(request: HttpRequest) -> None:
    text = request.POST.get("account", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    account = get_object_or_404(User, pk=number)
    said = {"name": account.username}
    if request.POST.get("act") == "unblock":
        accounts.unblock(account=account)
        messages.success(request, _("%(name)s can sign in again.") % said)
        return
    try:
        accounts.block(account=account)
    except accounts.IsOperator:
        messages.error(request, _("%(name)s operates this server.") % said)
    else:
        text = _("%(name)s is blocked: signed out, and keys and apps don’t work.")
        messages.success(request, text % said)
