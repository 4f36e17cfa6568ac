"""The guides one may play by: what they are, bringing more, letting go of them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from arkham.web.body_limits import takes_up_to
from campaigns.forms.uploads import GuidesForm
from campaigns.guides import access, keeping
from campaigns.guides.files import UnusableGuides
from campaigns.guides.incoming import (
    MOST_FORM_BYTES,
    BringingThrottle,
    guides_from,
    named_sites,
)
from campaigns.guides.keeping import (
    GuideChange,
    GuideInUse,
    ImportReport,
    NothingBrought,
    TooMuchKept,
)
from campaigns.models import Guide
from campaigns.words.guide_flaws import told_flaws
from decks.views.answers import see_other


@takes_up_to(MOST_FORM_BYTES)
@csrf_exempt  # who isn't signed in is sent to sign in; _bring is protected
@require_http_methods(["GET", "HEAD", "POST"])
def guides(request: HttpRequest) -> HttpResponse:
    """The guides one may play by; bring more."""
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
        form.add_error(None, _("That is often enough for now. Try again later."))
        return _page(request, form, status=429)
    try:
        brought = guides_from(form.source)
        report = keeping.take_in_guides(
            bringing=brought, owner=owner, now=timezone.now()
        )
    except NothingBrought as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=422, flaws=told_flaws(refusal.flaws))
    except (UnusableGuides, TooMuchKept) as refusal:
        form.add_error(None, str(refusal))
        return _page(request, form, status=422)
    return render(request, "campaigns/guides_taken.html", _told(report))


def _told(report: ImportReport) -> dict[str, Any]:
    worst_first = sorted(report.taken, key=lambda each: -each.guide.serious)
    return {
        "taken": [
            (guide, change.value, told_flaws(guide.flaws))
            for guide, change in worst_first
        ],
        "counts": [
            (each.value, report.count(each))
            for each in GuideChange
            if report.count(each)
        ],
        "flaws": told_flaws(report.flaws),
    }


def _page(
    request: HttpRequest, form: GuidesForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    rows = list(access.listed(access.usable_by(request.user)).defer("flaws"))
    context = {
        "form": form,
        "own": [each for each in rows if each.owner_id is not None],
        "everybodys": [each for each in rows if each.owner_id is None],
        "sites": named_sites(),
        **more,
    }
    return render(request, "campaigns/guides.html", context, status=status)


@require_safe
def guide(request: HttpRequest, pk: int) -> HttpResponse:
    """One guide: what it is, and everything that is wrong with it."""
    kept = _held(request, pk)
    context = {"guide": kept, "flaws": told_flaws(kept.flaws)}
    return render(request, "campaigns/guide.html", context)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Let go of a guide of one's own, once that is confirmed."""
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
    told = _("“%(name)s” was removed.") % {"name": kept.name}
    messages.success(request, told)
    return see_other(reverse("campaigns:guides"))


def _held(request: HttpRequest, pk: int) -> Guide:
    """A guide that whoever asks may play by; or 404."""
    guides = access.listed(access.usable_by(request.user))
    return get_object_or_404(guides, pk=pk)
