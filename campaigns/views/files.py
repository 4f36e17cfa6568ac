"""Importing and exporting files: guides, campaigns, tables of experience."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from arkham.web.forms import sent_once
from arkham.web.request_limits import AROUND_A_FILE, takes_up_to
from campaigns import queries, services
from campaigns.files.backups import is_backup
from campaigns.files.campaign_file import MOST_BYTES
from campaigns.forms.start import FileForm, GuidesForm
from campaigns.guides import keeping, opening
from campaigns.guides.files import (
    MOST_FORM_BYTES,
    BringingThrottle,
    UnusableGuides,
    named_sites,
)
from campaigns.guides.keeping import (
    GuideChange,
    GuideInUse,
    ImportReport,
    NoGuideFound,
    TooMuchKept,
    guides_from,
)
from campaigns.models import Campaign, Guide, WaitingBackup
from campaigns.pages.board import names_at
from campaigns.pages.paper_parts import experience_csv
from campaigns.people.table import visitor_of
from campaigns.services import EntryRefused, Restored
from campaigns.views.reach import member
from campaigns.views.timeline import desk_of
from campaigns.words.changes import ChangesInWords, describe_changes
from campaigns.words.problems import shown_flaws
from decks.views.reach import see_other


@takes_up_to(MOST_FORM_BYTES)
@csrf_exempt  # strangers are sent to sign in; _bring is protected
@require_http_methods(["GET", "HEAD", "POST"])
def guides(request: HttpRequest) -> HttpResponse:
    """List the guides the visitor can use, and import more."""
    if request.method != "POST":
        return _page(request, GuidesForm())
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("campaigns:guides"))
    return _bring(request)


@csrf_protect
def _bring(request: HttpRequest) -> HttpResponse:
    owner = request.user
    assert isinstance(owner, User)
    form = GuidesForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=422)
    if not BringingThrottle().allow_request(request, None):
        form.add_error(None, _("Too many tries. Try again later."))
        return _page(request, form, status=429)
    try:
        guide_import = guides_from(form.source)
        report = keeping.store_guides(
            guide_import=guide_import, owner=owner, now=timezone.now()
        )
    except NoGuideFound as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=422, flaws=shown_flaws(refusal.flaws))
    except (UnusableGuides, TooMuchKept) as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=422)
    return render(request, "campaigns/guides_taken.html", _import_context(report))


def _import_context(report: ImportReport) -> dict[str, Any]:
    worst_first = sorted(report.guides, key=lambda each: -each.guide.serious)
    return {
        "taken": [
            (guide, change.value, shown_flaws(guide.flaws))
            for guide, change in worst_first
        ],
        "counts": [
            (each.value, report.count(each))
            for each in GuideChange
            if report.count(each)
        ],
        "flaws": shown_flaws(report.flaws),
    }


def _page(
    request: HttpRequest, form: GuidesForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    rows = list(opening.listed(opening.usable_by(request.user)).defer("flaws"))
    everybodys = opening.newest(each for each in rows if each.owner_id is None)
    facts = Guide.Origin.FACTS
    context = {
        "form": form,
        "own": [each for each in rows if each.owner_id is not None],
        "everybodys": [each for each in everybodys if each.origin != facts],
        "by_hand": [each for each in everybodys if each.origin == facts],
        "sites": named_sites(),
        **more,
    }
    return render(request, "campaigns/guides.html", context, status=status)


@require_safe
def guide(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one guide with its flaws."""
    kept = _held(request, pk)
    context = {"guide": kept, "flaws": shown_flaws(kept.flaws)}
    return render(request, "campaigns/guide.html", context)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove one of the visitor's guides, after confirmation."""
    kept = _held(request, pk)
    if kept.owner_id != request.user.pk:
        raise Http404
    if request.method != "POST":
        return render(request, "campaigns/guide_remove.html", {"guide": kept})
    try:
        keeping.remove_guide(guide=kept)
    except GuideInUse as refusal:
        context = {"guide": kept, "campaigns": refusal.campaigns}
        return render(request, "campaigns/guide_remove.html", context, status=409)
    message = _("“%(name)s” was removed.") % {"name": kept.name}
    messages.success(request, message)
    return see_other(reverse("campaigns:guides"))


def _held(request: HttpRequest, pk: int) -> Guide:
    """Return a guide that the visitor can use; or 404."""
    guides = opening.listed(opening.usable_by(request.user))
    return get_object_or_404(guides, pk=pk)


MOST_FAULTS = 20  # the most faults of a file that are shown


@require_safe
def experience(request: HttpRequest, pk: int) -> HttpResponse:
    """Return every point of experience with its source, as CSV."""
    sitting = member(request, pk)
    return _file(
        experience_csv(desk_of(sitting)), sitting.campaign, "experience.csv", "text/csv"
    )


@require_safe
def export(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the whole campaign as one file."""
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


@takes_up_to(MOST_BYTES + AROUND_A_FILE)
@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def bring(request: HttpRequest) -> HttpResponse:
    """Import a campaign from a file of ours, or from a backup of Arkham Cards."""
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _bring_page(request, form)
    context: dict[str, Any] = {}
    if form.is_valid():
        try:
            return _imported(request, form.cleaned_data["file"])
        except Unreadable as error:
            context["faults"] = error.faults[:MOST_FAULTS]
        except EntryRefused as refusal:
            context["findings"] = refusal.findings
    return _bring_page(request, form, status=422, **context)


def _bring_page(
    request: HttpRequest, form: FileForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    assert isinstance(request.user, User)
    usable = queries.usable_guides(visitor_of(request), standalone=True)
    waiting = services.waiting_backups(request.user, usable)
    context = {"form": form, "waiting": waiting, **more}
    return render(request, "campaigns/bring.html", context, status=status)


def _imported(request: HttpRequest, data: object) -> HttpResponse:
    assert isinstance(request.user, User)
    usable = queries.usable_guides(visitor_of(request), standalone=True)
    now = timezone.now()
    if is_backup(data):
        found = services.import_backup(
            organiser=request.user, data=data, usable=usable, now=now
        )
        return _restored(request, found)
    imported = services.import_campaign(
        organiser=request.user, data=data, usable=usable, now=now
    )
    if imported.is_other:
        messages.warning(
            request, _("Another version of this guide was used. Check the results.")
        )
    other = imported.campaign.linked
    if other is not None:
        describe_changes = _("It is linked to “%(name)s” again.") % {"name": other.name}
        messages.success(request, describe_changes)
    return see_other(reverse("campaigns:log", args=[imported.campaign.pk]))


def _restored(request: HttpRequest, found: services.BackupOutcome) -> HttpResponse:
    """Show the result for each campaign of a backup, and what wasn't imported."""
    context = {
        "restored": [(each, _ruled(each, request)) for each in found.restored],
        "left": found.left,
        "by_hand": found.by_hand,
        "decks": found.decks,
    }
    return render(request, "campaigns/brought.html", context)


def _ruled(restored: Restored, request: HttpRequest) -> ChangesInWords:
    """Return what the rules settle differently from the app, in words."""
    return describe_changes(
        restored.ruled, names_at(member(request, restored.campaign.pk))
    )


@account_required
@require_POST
@sent_once
def waiting(request: HttpRequest, pk: int) -> HttpResponse:
    """Import a campaign that waited for its guide, keep it by hand, or delete it."""
    kept = get_object_or_404(WaitingBackup, pk=pk, user=request.user)
    usable = queries.usable_guides(visitor_of(request), standalone=True)
    now = timezone.now()
    match request.POST.get("act"):
        case "import":
            found = services.import_waiting(waiting=kept, usable=usable, now=now)
            return _restored(request, found)
        case "by_hand":
            try:
                begun = services.keep_by_hand(waiting=kept, usable=usable, now=now)
            except EntryRefused as refusal:
                findings = refusal.findings
                return _bring_page(request, FileForm(), status=422, findings=findings)
            return see_other(reverse("campaigns:log", args=[begun[0].pk]))
        case "delete":
            kept.delete()
    return see_other(reverse("campaigns:bring"))
