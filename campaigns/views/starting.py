"""The campaigns somebody keeps, and beginning another."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.models import User
from arkham.rules.finding import filled
from arkham.rules.notation.reading import Unreadable
from campaigns import queries, services, shelf
from campaigns.forms.start import StartForm
from campaigns.guests import visitor_of
from campaigns.own_decks import own_decks
from campaigns.services import Refused
from cardpool.catalog import current_pool
from decks.models import Collection
from decks.views.answers import see_other


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The campaigns one sits at the table of; those put away stand apart."""
    mine = list(
        queries.memberships_of(visitor_of(request)).order_by("-campaign__changed_at")
    )
    context = {
        "running": [each for each in mine if each.campaign.archived_at is None],
        "archived": [each for each in mine if each.campaign.archived_at is not None],
    }
    return render(request, "campaigns/index.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Begin a campaign."""
    user = request.user
    assert isinstance(user, User)
    form = StartForm(
        request.POST if request.method == "POST" else None,
        guides=list(shelf.listed(shelf.usable_by(user)).exclude(guide_id=queries.SIDE)),
        decks=own_decks(user),
        collections=list(Collection.objects.filter(owner=user)),
        pool=current_pool(),
    )
    if request.method == "POST" and form.is_valid():
        try:
            campaign = services.start_campaign(
                organiser=user,
                guide=form.chosen_guide,
                name=form.cleaned_data["name"],
                standalone=form.cleaned_data["standalone"],
                terms=form.terms,
                sitting=form.sitting(),
                sworn=form.sworn,
                now=timezone.now(),
            )
        except Refused as refusal:
            for each in refusal.findings:
                form.add_error(None, filled(_(each.message), each.values))
        except Unreadable as error:
            form.add_error(None, "; ".join(str(each.text) for each in error.faults))
        else:
            return see_other(reverse("campaigns:table", args=[campaign.pk]))
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/new.html", {"form": form}, status=status)
