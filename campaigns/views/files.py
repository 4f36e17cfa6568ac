"""A campaign as a file, its experience as a table, and campaigns that come in."""

from __future__ import annotations

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from campaigns import queries, services
from campaigns.experience_csv import experience_csv
from campaigns.forms.files import FileForm
from campaigns.guests import visitor_of
from campaigns.models import Campaign
from campaigns.services import Refused
from campaigns.views.log_page import desk_of
from campaigns.views.reach import member
from decks.views.answers import see_other


@require_safe
def experience(request: HttpRequest, pk: int) -> HttpResponse:
    """Every point of experience with its source, as CSV."""
    sitting = member(request, pk)
    return _file(
        experience_csv(desk_of(sitting)), sitting.campaign, "experience.csv", "text/csv"
    )


@require_safe
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole campaign as one file."""
    campaign = member(request, pk).campaign
    data = services.export_campaign(campaign=campaign)
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return _file(text, campaign, "campaign.json", "application/json")


def _file(text: str, campaign: Campaign, name: str, kind: str) -> HttpResponse:
    stem = slugify(campaign.name) or str(campaign.pk)
    disposition = content_disposition_header(True, f"{stem}-{name}") or ""
    return HttpResponse(
        text,
        content_type=f"{kind}; charset=utf-8",
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """Take in a campaign from a file of ours, or from a backup of the field's app."""
    form = FileForm(request.POST or None, request.FILES or None)
    context = {"form": form, "faults": (), "findings": ()}
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        try:
            imported = services.import_campaign(
                organiser=request.user,
                data=form.cleaned_data["file"],
                usable=queries.usable_guides(visitor_of(request)),
                now=timezone.now(),
            )
        except Unreadable as error:
            context["faults"] = error.faults[:20]
        except Refused as refusal:
            context["findings"] = refusal.findings
        else:
            if imported.is_other:
                messages.warning(
                    request,
                    _("It was played by another version of this guide. Look it over."),
                )
            return see_other(reverse("campaigns:log", args=[imported.campaign.pk]))
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/bring.html", context, status=status)
