"""A campaign as a file, its experience as a table, and campaigns that come in."""

from __future__ import annotations

import json
from typing import Any

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
from campaigns.backups import is_backup
from campaigns.board import names_at
from campaigns.experience_csv import experience_csv
from campaigns.forms.files import FileForm
from campaigns.guests import visitor_of
from campaigns.models import Campaign
from campaigns.services import Imported, Left, Refused
from campaigns.told import Told, told
from campaigns.views.log_page import desk_of
from campaigns.views.reach import member
from decks.views.answers import see_other

MOST_FAULTS = 20  # of a file that are told


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
    sitting = member(request, pk)
    campaign = sitting.campaign
    data = services.export_campaign(member=sitting)
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
    if request.method != "POST":
        return render(request, "campaigns/bring.html", {"form": form})
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            return _taken_in(request, form.cleaned_data["file"])
        except Unreadable as error:
            context["faults"] = error.faults[:MOST_FAULTS]
        except Refused as refusal:
            context["findings"] = refusal.findings
    return render(request, "campaigns/bring.html", context, status=422)


def _taken_in(request: HttpRequest, data: object) -> HttpResponse:
    assert isinstance(request.user, User)
    usable = queries.usable_guides(visitor_of(request))
    now = timezone.now()
    if is_backup(data):
        found = services.import_backup(
            organiser=request.user, data=data, usable=usable, now=now
        )
        taken = [each for each in found if isinstance(each, Imported)]
        context = {
            "taken": [(each, _ruled(each, request)) for each in taken],
            "left": [each for each in found if isinstance(each, Left)],
        }
        return render(request, "campaigns/brought.html", context)
    imported = services.import_campaign(
        organiser=request.user, data=data, usable=usable, now=now
    )
    if imported.is_other:
        messages.warning(
            request, _("It was played by another version of this guide. Look it over.")
        )
    other = imported.campaign.linked
    if other is not None:
        told = _("It is linked to “%(name)s” again.") % {"name": other.name}
        messages.success(request, told)
    return see_other(reverse("campaigns:log", args=[imported.campaign.pk]))


def _ruled(imported: Imported, request: HttpRequest) -> Told:
    """What the rules make otherwise than the app did, in words."""
    return told(imported.ruled, names_at(member(request, imported.campaign.pk)))
