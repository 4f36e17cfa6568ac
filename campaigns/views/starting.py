"""The campaigns of a visitor, and every way to start another.

A campaign starts with a guide, a single scenario, or its state on paper.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.scenarios import led_up_to
from arkham.rules.campaign.reading.files import Words
from arkham.rules.finding import Finding
from arkham.rules.notation.reading import Unreadable
from arkham.web.forms import sent_once
from campaigns import queries, services
from campaigns.forms.entering import StandingForm
from campaigns.forms.entering_parts import PaperFormContext, PlaceForm
from campaigns.forms.start import StartForm, by_origin
from campaigns.guides import opening
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Membership, Role
from campaigns.pages.board import names_at
from campaigns.people.rights import may_organise
from campaigns.people.table import own_decks, visitor_of
from campaigns.services import EntryRefused
from campaigns.services.entering import may_be_entered
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context
from campaigns.views.table import write_context
from campaigns.words.names import CampaignNames
from cardpool.catalog import current_pool
from decks.models import Collection
from decks.pages.notes import notes_of
from decks.views.reach import not_understood, see_other


class Single(NamedTuple):
    """A scenario of a guide, and how it can be played by itself."""

    id: str
    name: str
    on_its_own: bool
    after_the_rest: bool


def singles_of(row: Guide, words: Words) -> tuple[Single, ...]:
    """Return the scenarios of a guide that can be played by themselves, in order.

    On its own if it has a standalone setup; after the rest unless it is the first of
    its campaign. Raises GuideMissing.
    """
    guide = opening.opened(row)
    names = CampaignNames(current_pool(), guide, words)
    known = list(dict.fromkeys((*guide.order, *guide.scenarios)))
    games = [
        guide.scenarios[each]
        for each in known
        if not guide.scenarios[each].is_interlude
    ]
    after_others = led_up_to(guide)
    found = (
        Single(
            each.id,
            names.scenario(each.id),
            each.standalone_setup is not None,
            each.id in after_others,
        )
        for each in games
    )
    return tuple(each for each in found if each.on_its_own or each.after_the_rest)


def single_label(row: Guide, words: Words, standalone: str, simulated: str) -> str:
    """Return a label for a campaign of a single scenario; "" for a whole campaign."""
    if not (standalone or simulated):
        return ""
    names = CampaignNames(current_pool(), opening.opened(row), words)
    if standalone:
        return _("%(scenario)s, on its own") % {"scenario": names.scenario(standalone)}
    names_in_text = {"scenario": names.scenario(simulated)}
    return _("%(scenario)s, after a campaign resolved without playing") % names_in_text


@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask first for the current scenario, then for everything on the sheet."""
    sitting = member(request, pk)
    known = _known(sitting)
    if request.method == "POST":
        return _entered(request, sitting, known)
    place = PlaceForm(known, request.GET if "scenario" in request.GET else None)
    standing = StandingForm(known, place) if place.is_valid() else None
    return _page(request, sitting, place=place, standing=standing)


def _known(sitting: Membership) -> PaperFormContext:
    seats = sitting.campaign.seats.order_by("pk")
    return PaperFormContext(
        names_at(sitting), tuple(seat.investigator for seat in seats)
    )


def _entered(
    request: HttpRequest, sitting: Membership, known: PaperFormContext
) -> HttpResponse:
    place = PlaceForm(known, request.POST)
    context = write_context(request)
    if context is None or not place.is_valid():
        return not_understood(request)
    standing = StandingForm(known, place, request.POST)
    if not standing.is_valid():
        return _page(request, sitting, status=422, place=place, standing=standing)
    try:
        services.enter_campaign(
            campaign=sitting.campaign,
            member=sitting,
            position=standing.position,
            context=context,
            reason=standing.cleaned_data["reason"],
        )
    except NOT_WRITTEN as refusal:
        more = refusal_context(sitting, refusal)
    else:
        messages.success(request, _("The campaign continues from here."))
        return see_other(reverse("campaigns:table", args=[sitting.campaign_id]))
    return _page(request, sitting, place=place, standing=standing, **more)


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    context = {
        "campaign": campaign,
        "is_possible": may_organise(sitting)
        and may_be_entered(campaign, replayed(campaign)),
        "has_seats": campaign.seats.exists(),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/enter.html", context, status=status)


SINGLE = ("standalone", "simulated")  # the fields that name a single scenario
LONGEST = 100
MOST_IN_FULL = 20  # campaigns shown with their question: fewer than the cached replays


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the visitor's campaigns, archived ones apart."""
    mine = list(
        queries.memberships_of(visitor_of(request)).order_by("-campaign__changed_at")
    )
    running = [each for each in mine if each.campaign.archived_at is None]
    context = {
        "running": running[:MOST_IN_FULL],
        "earlier": running[MOST_IN_FULL:],
        "archived": [each for each in mine if each.campaign.archived_at is not None],
    }
    return render(request, "campaigns/index.html", context)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def new(request: HttpRequest) -> HttpResponse:
    """Start a campaign."""
    user = request.user
    assert isinstance(user, User)
    sent = request.POST if request.method == "POST" else request.GET
    beginning = {
        key: sent[key][:LONGEST] for key in ("guide", *SINGLE) if sent.get(key)
    }
    guides = opening.listed(opening.usable_by(user))
    if "standalone" not in beginning:  # side scenarios are not a campaign
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
        except EntryRefused as refusal:
            for each in refusal.findings:
                form.add_error(None, _finding_html(each))
        except Unreadable as error:
            form.add_error(None, "; ".join(str(each.text) for each in error.faults))
        else:
            _invite(campaign)
            return see_other(reverse("campaigns:table", args=[campaign.pk]))
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "single": _single(user, form, beginning)}
    return render(request, "campaigns/new.html", context, status=status)


def _invite(campaign: Campaign) -> None:
    """Create a link if seats are free: the first page of the table shows it."""
    if services.free_seats(campaign).exists():
        organiser = campaign.memberships.get(role=Role.ORGANISER)
        services.invite(campaign=campaign, member=organiser, now=timezone.now())


def _finding_html(finding: Finding) -> SafeString:
    """Return a finding with a link to its rule, for a form's errors."""
    (note,) = notes_of((finding,), current_pool())
    context = {"note": note}
    return mark_safe(render_to_string("campaigns/_finding.html", context))  # noqa: S308


def _begun(user: User, form: StartForm) -> Campaign:
    """Start the campaign; with its other half, if both are wanted."""
    options: dict[str, Any] = {
        "organiser": user,
        "guide": form.chosen_guide,
        "name": form.cleaned_data["name"],
        "standalone": form.cleaned_data["standalone"],
        "simulated": form.cleaned_data["simulated"],
        "terms": form.terms,
        "sitting": form.sitting(),
        "ultimatums": form.chosen_ultimatums,
        "now": timezone.now(),
    }
    if form.is_of_both:
        return services.start_halves(usable=opening.usable_by(user), **options)
    return services.start_campaign(**options)


def _single(user: User, form: StartForm, beginning: Mapping[str, str]) -> str:
    """Return a label for the single scenario; "" for a whole campaign."""
    guide = form.guides.get(beginning.get("guide", ""))
    if guide is None:
        return ""
    standalone, simulated = (beginning.get(key, "") for key in SINGLE)
    return single_label(guide, opening.words_for(guide, user), standalone, simulated)


@account_required
@require_safe
def single(request: HttpRequest) -> HttpResponse:
    """Choose a single scenario: first a guide, then one of its scenarios."""
    user = request.user
    assert isinstance(user, User)
    guides = {str(each.pk): each for each in opening.listed(opening.usable_by(user))}
    sides = [each for each in guides.values() if each.guide_id == queries.SIDE]
    guided = (each for each in sides if each.origin != Guide.Origin.FACTS)
    guide = guides.get(request.GET.get("guide", ""), next(guided, None))
    singles = singles_of(guide, opening.words_for(guide, user)) if guide else ()
    context = {
        "groups": by_origin(list(guides.values())),
        "guide": guide,
        "singles": singles,
        "has_earlier": any(each.after_the_rest for each in singles),
    }
    return render(request, "campaigns/single.html", context)
