"""The pages for facts, changes between two scenarios, and ultimatums.

None of this is asked for by a guide.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.settlement import settlement
from arkham.rules.campaign.state.answers import Stated, UltimatumChosen
from arkham.rules.ultimatums import ALL
from campaigns import services
from campaigns.forms.between import forms_of
from campaigns.forms.corrections import CorrectionContext
from campaigns.forms.facts import FORMS, FactContext
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.board import names_at
from campaigns.pages.ultimatums import LONGEST_OWN, scenario_for, ultimatum_options
from campaigns.people import rights
from campaigns.people.rights import may_organise, may_play, may_write, own_codes
from campaigns.services import WriteContext
from campaigns.settling.deck_debts import to_be_lost
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context
from campaigns.views.table import write_context
from decks.lists.content import whole
from decks.views.reach import not_understood, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def between(request: HttpRequest, pk: int) -> HttpResponse:
    """Show side scenario, changes by hand and deck corrections, or save one."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _between_page(request, sitting)
    sent, context = request.POST.get("kind", ""), write_context(request)
    correcting = _correction_context(sitting)
    form = dict(forms_of(correcting, sent, request.POST)).get(sent)
    if context is None:
        return not_understood(request)
    if form is None and store.is_written(sitting, context.key):
        return see_other(reverse("campaigns:table", args=[pk]))
    if form is None:
        return _between_page(request, sitting, status=409, is_over=True)
    if not form.is_valid():
        return _between_page(request, sitting, status=422, sent=sent)
    try:
        services.answer(
            campaign=sitting.campaign,
            member=sitting,
            given=form.answer(),
            context=context,
        )
    except NOT_WRITTEN as refusal:
        more = refusal_context(sitting, refusal)
    else:
        messages.success(request, _("Recorded."))
        return see_other(reverse("campaigns:table", args=[pk]))
    return _between_page(request, sitting, sent=sent, **more)


def _correction_context(sitting: Membership) -> CorrectionContext:
    return CorrectionContext(replayed(sitting.campaign).replay, names_at(sitting))


def _between_page(
    request: HttpRequest,
    sitting: Membership,
    *,
    status: int = 200,
    sent: str = "",
    **more: Any,
) -> HttpResponse:
    correcting = _correction_context(sitting)
    forms = [
        (name, form)
        for name, form in forms_of(correcting, sent, request.POST if sent else None)
        if rights.may_answer_for(sitting, form.codes)
    ]
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "forms": forms,
        "sent": sent,
        "last": correcting.last,
        "last_name": correcting.names.scenario(correcting.last),
        "again": correcting.again,
        "again_name": correcting.names.scenario(correcting.again),
        "is_between": correcting.is_between,
        "writes": rights.may_write(sitting),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/between.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def fact(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the forms for facts, or save a statement or an assertion."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _page(request, sitting)
    kind, context = request.POST.get("kind", ""), write_context(request)
    if kind not in FORMS or context is None:
        return not_understood(request)
    form = FORMS[kind](_everything(sitting), request.POST)
    if not form.is_valid():
        return _page(request, sitting, status=422, kind=kind, sent=form)
    stated, before = form.fact(), replayed(sitting.campaign).replay
    try:
        services.state_fact(
            campaign=sitting.campaign, member=sitting, fact=stated, context=context
        )
    except NOT_WRITTEN as refusal:
        more = refusal_context(sitting, refusal)
    else:
        sitting.campaign.refresh_from_db(fields=["last", "head"])
        after = replayed(sitting.campaign).replay
        if isinstance(stated, Stated) and settlement(before, after).is_empty:
            messages.warning(request, _without_effect(after, stated.scenario))
        else:
            messages.success(request, _("Recorded."))
        return see_other(reverse("campaigns:log", args=[pk]))
    return _page(request, sitting, kind=kind, sent=form, **more)


def _without_effect(after: Replay, scenario: str) -> str:
    """Return why a change by hand shows nowhere: it waits, or there is nothing."""
    if any(
        each.id == scenario and each.status == "started" for each in after.scenarios
    ):
        return _("Recorded. Changes by hand take effect when the scenario is over.")
    return _("Recorded, but it changed nothing.")


def _known(sitting: Membership) -> FactContext:
    """Return what the visitor may state facts about: all, or their investigators."""
    only = None if may_write(sitting) else frozenset[str]()
    if only is not None and may_play(sitting):
        only = own_codes(sitting)
    return _everything(sitting, only)


def _everything(sitting: Membership, only: frozenset[str] | None = None) -> FactContext:
    campaign, names = sitting.campaign, names_at(sitting)
    replay = replayed(campaign).replay
    return FactContext(replay, names, to_be_lost(campaign, replay, names.pool), only)


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    known, sent = _known(sitting), more.get("sent")
    empty = [(kind, form(known)) for kind, form in FORMS.items()]
    forms = [
        (kind, sent if sent is not None and more.get("kind") == kind else form)
        for kind, form in empty
        if form.is_possible
    ]
    context = {
        "campaign": sitting.campaign,
        "writes": known.only is None,
        "forms": forms,
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/fact.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def ultimatums(request: HttpRequest, pk: int) -> HttpResponse:
    """Show every ultimatum, boon and refraction, or choose one."""
    sitting = member(request, pk)
    if request.method != "POST":
        return _ultimatums_page(request, sitting)
    context = write_context(request)
    chosen = _chosen(request, sitting)
    if context is None or (chosen is None and "name" not in request.POST):
        return not_understood(request)
    if chosen is None:
        typed = {"own": request.POST["name"]}
        return _ultimatums_page(
            request, sitting, status=422, typed=typed, nameless=True
        )
    return _written(request, sitting, lambda: _choose(sitting, chosen, context))


@require_POST
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the ultimatum of the next game."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)

    def drawn() -> str:
        services.draw_ultimatum(
            campaign=sitting.campaign, member=sitting, context=context
        )
        return _("Drawn and recorded.")

    return _written(request, sitting, drawn)


@require_POST
def drop(request: HttpRequest, pk: int, entry: int) -> HttpResponse:
    """Drop an ultimatum chosen by mistake, with the reason."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)

    def dropped() -> str:
        services.retract(
            campaign=sitting.campaign,
            member=sitting,
            target=entry,
            context=context,
            reason=whole(request.POST.get("reason", "")),
        )
        return _("Dropped. The log still shows it, with the reason.")

    return _written(request, sitting, dropped, entry)


def _choose(sitting: Membership, chosen: UltimatumChosen, context: WriteContext) -> str:
    services.choose_ultimatum(
        campaign=sitting.campaign, member=sitting, chosen=chosen, context=context
    )
    return _("In use from now on.")


def _chosen(request: HttpRequest, sitting: Membership) -> UltimatumChosen | None:
    """Return the chosen ultimatum; None for a name without letters and digits."""
    scenario = scenario_for(sitting.campaign, replayed(sitting.campaign))
    chosen = request.POST.get("ultimatum", "")
    if chosen in ALL:
        return UltimatumChosen(scenario, chosen)
    name = " ".join(whole(request.POST.get("name", "")).split())[:LONGEST_OWN]
    called = slugify(name, allow_unicode=True)
    return UltimatumChosen(scenario, f"own-{called}", name) if called else None


def _written(
    request: HttpRequest, sitting: Membership, write: Any, entry: int | None = None
) -> HttpResponse:
    """Save and report it; on refusal show the current page with the reason.

    The refused form keeps what was typed.
    """
    try:
        message = write()
    except NOT_WRITTEN as refusal:
        typed = {"own": request.POST.get("name"), "reason": request.POST.get("reason")}
        more = refusal_context(sitting, refusal) | {"typed": typed, "dropped": entry}
        return _ultimatums_page(request, sitting, **more)
    messages.success(request, message)
    return see_other(reverse("campaigns:ultimatums", args=[sitting.campaign_id]))


def _ultimatums_page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    campaign = sitting.campaign
    context = {
        "campaign": campaign,
        "member": sitting,
        "options": ultimatum_options(campaign, replayed(campaign), names_at(sitting)),
        "organises": may_organise(sitting),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/ultimatums.html", context, status=status)
