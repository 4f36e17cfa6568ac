"""The page a campaign ends with, and its picture to share."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.ending import CampaignEnding, ending_of, picture_of
from campaigns.views.reach import member
from campaigns.views.timeline import desk_of


@require_safe
def ending(request: HttpRequest, pk: int) -> HttpResponse:
    """What a campaign came to; of one that goes on, so far."""
    sitting = member(request, pk)
    context = {
        "campaign": sitting.campaign,
        "ending": _ending(sitting),
        "is_over": replayed(sitting.campaign).replay.pending is None,
    }
    return render(request, "campaigns/ending.html", context)


@require_safe
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """The same as a picture (SVG)."""
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
