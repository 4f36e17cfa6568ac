"""The end of a campaign and its picture, its achievements, and statistics across all.

The log ticks some achievements, the table ticks the others.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.rules.vocabulary import is_digits
from campaigns import services
from campaigns.log.entries import Ticked
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.counting import (
    MOST_COLUMNS,
    figures_of,
    person_lines,
    scenario_lines,
)
from campaigns.pages.ending import (
    CampaignEnding,
    achievements_of,
    ending_of,
    picture_of,
)
from campaigns.pages.markup import Marking
from campaigns.pages.statistics import CampaignFilter, campaigns_of, statistics_of
from campaigns.people.rights import may_play
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context, shows_later
from campaigns.views.table import write_context
from campaigns.views.timeline import desk_of
from cardpool.catalog import current_pool
from decks.views.reach import not_understood, see_other

LONGEST_KEY = 9  # digits
LONGEST_GUIDE = 80


@account_required
@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """Show statistics of all campaigns, or of those that a filter selects."""
    user = request.user
    assert isinstance(user, User)
    shelf, wanted = campaigns_of(user), filter_of(request)
    counts = statistics_of(shelf.matching(wanted), current_pool())
    lines = scenario_lines(counts, shelf.guides)
    context = {
        "shelf": shelf,
        "wanted": wanted,
        "counts": counts,
        "figures": figures_of(counts),
        "scenarios": lines[:MOST_COLUMNS],
        "others": lines[MOST_COLUMNS:],
        "people": person_lines(counts),
    }
    return render(request, "campaigns/statistics.html", context)


def filter_of(request: HttpRequest) -> CampaignFilter:
    """Return the filter of an address; ignore what isn't a number."""
    return CampaignFilter(
        _key(request.GET.get("campaign", "")),
        request.GET.get("guide", "")[:LONGEST_GUIDE],
        _key(request.GET.get("person", "")),
    )


def _key(text: str) -> int | None:
    return int(text) if is_digits(text, LONGEST_KEY) else None


MOST_DIGITS = 4


@require_http_methods(["GET", "HEAD", "POST"])
def achievements(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all achievements, or tick one by hand."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _page(request, sitting)
    context, ticked = write_context(request), _ticked(request)
    if context is None or ticked is None:
        return not_understood(request)
    try:
        services.tick_achievement(
            campaign=sitting.campaign, member=sitting, ticked=ticked, context=context
        )
    except NOT_WRITTEN as refusal:
        return _page(request, sitting, **refusal_context(sitting, refusal))
    messages.success(request, _("Recorded."))
    return see_other(reverse("campaigns:achievements", args=[pk]))


def _ticked(request: HttpRequest) -> Ticked | None:
    """Return what was ticked; None for what our forms never send."""
    number = request.POST.get("number", "0")
    if not is_digits(number, MOST_DIGITS):
        return None
    achievement = request.POST.get("achievement", "")
    items = tuple(request.POST.getlist("item"))
    return Ticked(achievement, int(number), items) if achievement else None


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    desk = desk_of(sitting)
    found = achievements_of(replayed(campaign), desk.names, desk.reasons)
    context = {
        "campaign": campaign,
        "marking": Marking(campaign),
        "begun": [each for each in found if each.is_begun],
        "others": [each for each in found if not each.is_begun],
        "done": sum(each.is_done for each in found),
        "count": len(found),
        "open": shows_later(request, campaign.pk) or status != 200,
        "writes": may_play(sitting),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/achievements.html", context, status=status)


@require_safe
def ending(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a campaign's results, or those so far."""
    sitting = member(request, pk)
    context = {
        "campaign": sitting.campaign,
        "ending": _ending(sitting),
        "is_over": replayed(sitting.campaign).replay.pending is None,
    }
    return render(request, "campaigns/ending.html", context)


@require_safe
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the results as a picture (SVG)."""
    sitting = member(request, pk)
    context = {"picture": picture_of(sitting.campaign, _ending(sitting))}
    response = render(
        request, "campaigns/picture.svg", context, content_type="image/svg+xml"
    )
    response["Cache-Control"] = "no-cache, private"
    return response


def _ending(sitting: Membership) -> CampaignEnding:
    campaign = sitting.campaign
    return ending_of(campaign, replayed(campaign), desk_of(sitting))
