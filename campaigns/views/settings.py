"""The organiser's settings of a campaign, and closing an account."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arkham.accounts.authentication import TooManyTries, account_required, confirms
from arkham.accounts.models import User
from arkham.rules.campaign.interpreter import may_be_linked
from arkham.rules.vocabulary import is_digits
from arkham.web.forms import sent_once
from arkham.web.limits import KeptForStrangers, refused_by
from campaigns import queries, services
from campaigns.forms.settings import (
    BranchForm,
    ClosingForm,
    FaqForm,
    LinkForm,
    NameForm,
    TableTermsForm,
)
from campaigns.guides import opening
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import Folded, replayed
from campaigns.models import Campaign, Guide, Membership, Role
from campaigns.pages.board import names_at
from campaigns.people.table import visitor_of
from campaigns.services import ClosingMoved, Differences
from campaigns.services.account import AccountClosing, closing_of
from campaigns.services.agreements import pinned
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context
from campaigns.views.table import write_context
from campaigns.words.changes import describe_changes
from campaigns.words.log_entries import text_of, title_of
from campaigns.words.names import CampaignNames
from campaigns.words.problems import problem_found
from cardpool.catalog import current_pool
from decks.models import Collection
from decks.views.reach import not_understood, see_other

DELETE = "delete"


@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show or change name, terms, guide and links; copy, archive or delete it."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _page(request, sitting)
    do = _ACTS.get(request.POST.get("do", ""))
    if do is None:
        return not_understood(request)
    try:
        return do(request, sitting)
    except NOT_WRITTEN as refusal:
        return _page(request, sitting, **refusal_context(sitting, refusal))


def _rename(request: HttpRequest, sitting: Membership) -> HttpResponse:
    form = NameForm(sitting.campaign, request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, name_form=form)
    services.rename_campaign(
        campaign=sitting.campaign, member=sitting, name=form.cleaned_data["name"]
    )
    return _done(request, sitting, _("Saved the name."))


def _agree(request: HttpRequest, sitting: Membership) -> HttpResponse:
    form = _terms_form(sitting, request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, terms_form=form)
    services.change_terms(campaign=sitting.campaign, member=sitting, terms=form.terms)
    return _done(request, sitting, _("Saved the rules of the table."))


def _pin(request: HttpRequest, sitting: Membership) -> HttpResponse:
    context = write_context(request)
    if context is None:
        return not_understood(request)
    form = FaqForm(pinned(sitting.campaign), request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, faq_form=form)
    services.pin_faq(
        campaign=sitting.campaign,
        member=sitting,
        faq=form.cleaned_data["faq"],
        context=context,
    )
    return _done(request, sitting, _("Pages now show the rules of this FAQ."))


def _put_away(request: HttpRequest, sitting: Membership) -> HttpResponse:
    campaign = sitting.campaign
    now = timezone.now() if campaign.archived_at is None else None
    services.archive(campaign=campaign, member=sitting, now=now)
    describe_changes = _("Archived.") if now is not None else _("Unarchived.")
    return _done(request, sitting, describe_changes)


def _link(request: HttpRequest, sitting: Membership) -> HttpResponse:
    form = _link_form(request, sitting, request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, link_form=form)
    services.link_campaigns(
        campaign=sitting.campaign, member=sitting, other=form.chosen, now=timezone.now()
    )
    return _done(request, sitting, _("The two campaigns are linked."))


def _branch(request: HttpRequest, sitting: Membership) -> HttpResponse:
    form = BranchForm(sitting.campaign, request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, branch_form=form)
    if refusal := refused_by(KeptForStrangers(), request):
        return refusal
    twin = services.branch(
        campaign=sitting.campaign,
        member=sitting,
        now=timezone.now(),
        up_to=form.cleaned_data["up_to"],
        name=form.cleaned_data["name"],
    )
    messages.success(request, _("This is the copy. The original hasn’t changed."))
    return see_other(reverse("campaigns:table", args=[twin.pk]))


def _delete(request: HttpRequest, sitting: Membership) -> HttpResponse:
    if request.POST.get("sure") != "yes":
        return _page(request, sitting, status=422, unsure=True)
    campaign, now = sitting.campaign, timezone.now()
    services.delete_campaign(campaign=campaign, member=sitting, now=now)
    messages.success(request, _("“%(name)s” was deleted.") % {"name": campaign.name})
    return see_other(reverse("campaigns:index"))


def _compare(request: HttpRequest, sitting: Membership) -> HttpResponse:
    guide = _other_guide(request, sitting)
    found = services.compare_guides(campaign=sitting.campaign, guide=guide)
    known = replayed(sitting.campaign)
    differences = _differences(found, known, names_at(sitting))
    return _page(request, sitting, other=guide, differences=differences)


def _adopt(request: HttpRequest, sitting: Membership) -> HttpResponse:
    context = write_context(request)
    if context is None:
        return not_understood(request)
    services.adopt_guide(
        campaign=sitting.campaign,
        member=sitting,
        guide=_other_guide(request, sitting),
        context=context,
    )
    return _done(request, sitting, _("The campaign uses this version now."))


_ACTS: dict[str, Callable[[HttpRequest, Membership], HttpResponse]] = {
    "rename": _rename,
    "agree": _agree,
    "pin": _pin,
    "put-away": _put_away,
    "link": _link,
    "branch": _branch,
    DELETE: _delete,
    "compare": _compare,
    "adopt": _adopt,
}


def _done(request: HttpRequest, sitting: Membership, message: str) -> HttpResponse:
    messages.success(request, message)
    return see_other(reverse("campaigns:settings", args=[sitting.campaign_id]))


def _other_guide(request: HttpRequest, sitting: Membership) -> Guide:
    chosen = request.POST.get("guide", "")
    if not is_digits(chosen, 9):
        raise Http404
    found = queries.other_versions(sitting.campaign, visitor_of(request))
    return get_object_or_404(found, pk=int(chosen))


def _differences(
    found: Differences, known: Folded, names: CampaignNames
) -> dict[str, Any]:
    entries = {each.sequence: each for each in known.entries}
    return {
        "changes": describe_changes(found.settlement, names),
        "problems": [
            problem_found(each, names, entries.get(each.sequence))
            for each in found.problems
        ],
        "unreached": [
            f"{each.sequence} · {title_of(each, names)}: {text_of(each, names)}"
            for each in found.unreached
        ],
    }


def _link_form(request: HttpRequest, sitting: Membership, data: Any = None) -> LinkForm:
    """Return a form with the campaigns that can be linked; empty for most guides."""
    campaign, others = sitting.campaign, []
    if campaign.linked_id is None and _may_be_linked(campaign):
        found = queries.to_be_linked(campaign, visitor_of(request))
        others = [each for each in found if _may_be_linked(each)]
    return LinkForm(others, data)


def _may_be_linked(campaign: Campaign) -> bool:
    try:
        return may_be_linked(opening.opened(campaign.guide))
    except GuideMissing:
        return False


def _terms_form(sitting: Membership, data: Any = None) -> TableTermsForm:
    collections = Collection.objects.none()
    if sitting.user is not None:
        collections = Collection.objects.filter(owner=sitting.user)
    return TableTermsForm(sitting.campaign, collections, current_pool(), data)


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    context = {
        "campaign": campaign,
        "organises": sitting.role == Role.ORGANISER,
        "name_form": NameForm(campaign),
        "terms_form": _terms_form(sitting),
        "faq_form": FaqForm(pinned(campaign)),
        "branch_form": BranchForm(campaign),
        "link_form": _link_form(request, sitting),
        "linked": queries.linked_to(campaign, visitor_of(request)),
        "guides": queries.other_versions(sitting.campaign, visitor_of(request)),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/settings.html", context, status=status)


@account_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest) -> HttpResponse:
    """Show what closing does; then, with the password, close the account."""
    assert isinstance(request.user, User)
    user = request.user
    if request.method != "POST":
        return _closing_page(request, closing_of(user))
    form = ClosingForm(request.POST)
    if not form.is_valid():
        return _closing_page(request, closing_of(user), form, status=422)
    try:
        password = form.cleaned_data["password"]
        if not confirms(request=request, user=user, password=password):
            form.add_error("password", _("This is not your password."))
            return _closing_page(request, closing_of(user), form, status=422)
        services.close_account(
            user=user, now=timezone.now(), seen=form.cleaned_data["seen"]
        )
    except TooManyTries:
        form.add_error("password", _("Too many tries. Wait a minute."))
        return _closing_page(request, closing_of(user), form, status=429)
    except ClosingMoved as moved:
        message = _(
            "Something has changed since you loaded this page. Your account "
            "wasn’t closed."
        )
        form.add_error(None, message)
        return _closing_page(request, moved.now, form, status=409)
    logout(request)
    messages.success(request, _("Your account is closed."))
    return see_other(reverse("home"))


def _closing_page(
    request: HttpRequest,
    closing: AccountClosing,
    form: ClosingForm | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {"closing": closing, "form": form or ClosingForm()}
    return render(request, "account/close.html", context, status=status)
