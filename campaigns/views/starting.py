"""The campaigns somebody keeps, and beginning another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from arkham.rules.finding import Finding, filled
from arkham.rules.library import entry_of, library
from arkham.rules.notation.reading import Unreadable
from campaigns import queries, services
from campaigns.forms.start import StartForm, by_origin
from campaigns.guides import access
from campaigns.models import Campaign
from campaigns.pages.single import singles_of, told_of
from campaigns.people.guests import visitor_of
from campaigns.people.table import own_decks
from campaigns.services import Refused
from cardpool.catalog import current_pool
from decks.models import Collection
from decks.views.answers import see_other

SINGLE = ("standalone", "simulated")  # the scenario, where it is but one
LONGEST = 100


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


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Begin a campaign."""
    user = request.user
    assert isinstance(user, User)
    told = request.POST if request.method == "POST" else request.GET
    beginning = {
        key: told[key][:LONGEST] for key in ("guide", *SINGLE) if told.get(key)
    }
    guides = access.listed(access.usable_by(user))
    if "standalone" not in beginning:  # there is no campaign of side scenarios
        guides = guides.exclude(guide_id=queries.SIDE)
    form = StartForm(
        request.POST if request.method == "POST" else None,
        guides=list(guides),
        decks=own_decks(user),
        collections=list(Collection.objects.filter(owner=user)),
        pool=current_pool(),
        beginning=beginning,
    )
    if request.method == "POST" and form.is_valid():
        try:
            campaign = _begun(user, form)
        except Refused as refusal:
            for each in refusal.findings:
                form.add_error(None, _told(each))
        except Unreadable as error:
            form.add_error(None, "; ".join(str(each.text) for each in error.faults))
        else:
            return see_other(reverse("campaigns:table", args=[campaign.pk]))
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "single": _single(user, form, beginning)}
    return render(request, "campaigns/new.html", context, status=status)


def _told(finding: Finding) -> SafeString:
    """A finding with the way to its rule, among the errors of a form."""
    entry = entry_of(library(), finding.rule)
    text = filled(_(finding.message), finding.values)
    told = {"text": text, "entry": entry}
    return mark_safe(render_to_string("campaigns/_finding.html", told))  # noqa: S308


def _begun(user: User, form: StartForm) -> Campaign:
    """The campaign as it is told; with its other half, if both are begun."""
    told: dict[str, Any] = {
        "organiser": user,
        "guide": form.chosen_guide,
        "name": form.cleaned_data["name"],
        "standalone": form.cleaned_data["standalone"],
        "simulated": form.cleaned_data["simulated"],
        "terms": form.terms,
        "sitting": form.sitting(),
        "sworn": form.sworn,
        "now": timezone.now(),
    }
    if form.is_of_both:
        return services.start_halves(usable=access.usable_by(user), **told)
    return services.start_campaign(**told)


def _single(user: User, form: StartForm, beginning: Mapping[str, str]) -> str:
    """The single scenario that is begun with, in a line; nothing of a campaign."""
    guide = form.guides.get(beginning.get("guide", ""))
    if guide is None:
        return ""
    standalone, simulated = (beginning.get(key, "") for key in SINGLE)
    return told_of(guide, access.words_for(guide, user), standalone, simulated)


@account_required
@require_safe
def single(request: HttpRequest) -> HttpResponse:
    """Choose one scenario: of which guide, and then which of it."""
    user = request.user
    assert isinstance(user, User)
    guides = {str(each.pk): each for each in access.listed(access.usable_by(user))}
    guide = guides.get(request.GET.get("guide", ""))
    context = {
        "groups": by_origin(list(guides.values())),
        "guide": guide,
        "singles": singles_of(guide, access.words_for(guide, user)) if guide else (),
    }
    return render(request, "campaigns/single.html", context)
