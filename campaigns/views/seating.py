"""The people of a table: their roles, seats and decks, and leaving it.

Also retiring investigators and moving them to another campaign.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.authentication import account_required
from arkham.rules.vocabulary import is_digits
from arkham.web.forms import sent_once
from campaigns import queries, services
from campaigns.forms.people import InviteForm, SitForm, TransferForm, sit_form
from campaigns.guides import opening
from campaigns.models import Membership, Role, Seat
from campaigns.pages.board import names_at
from campaigns.people.rights import Right, may_answer_for, require
from campaigns.people.table import DECK, KEEP, Company, company_of, is_open
from campaigns.services import EntryRefused, Forbidden, LogMoved
from campaigns.services.writing import LONGEST_REASON
from campaigns.views.reach import member, refusal_context
from campaigns.views.table import write_context
from decks.lists.content import whole
from decks.models import Deck
from decks.views.reach import not_understood, see_other

PAGE = "campaigns/people.html"
LONGEST_KEY = 9  # digits


@require_safe
def people(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everyone at the table, the seats, and the invitation links."""
    return people_page(request, member(request, pk))


@require_POST
def change_role(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Change the role of a member."""
    sitting = member(request, pk)
    changed = _at(sitting, other)
    role = request.POST.get("role", "")
    if role not in Role.values:
        return not_understood(request)
    try:
        services.change_role(
            member=changed, actor=sitting, role=role, now=timezone.now()
        )
    except (Forbidden, EntryRefused) as refusal:
        return refused(request, sitting, refusal)
    message = _("%(name)s is now: %(role)s.")
    messages.success(
        request, message % {"name": changed.name, "role": Role(role).label}
    )
    return to_people(pk)


@require_POST
def go(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Leave the table, or remove a member; seats and entries stay."""
    sitting = member(request, pk)
    going = _at(sitting, other)
    now, is_own = timezone.now(), going.pk == sitting.pk
    try:
        if is_own:
            services.leave(member=going, now=now)
        else:
            services.remove_member(member=going, actor=sitting, now=now)
    except (Forbidden, EntryRefused) as refusal:
        return refused(request, sitting, refusal)
    if is_own:  # a guest without entries is deleted, and has no number any more
        message = _("You have left %(name)s. Your entries stay.")
        messages.success(request, message % {"name": sitting.campaign.name})
        return see_other(reverse("campaigns:index"))
    message = _("%(name)s has left the table. Their entries stay.")
    messages.success(request, message % {"name": going.name})
    return to_people(pk)


@require_POST
def change_seat(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """Change who plays an investigator, and with which deck."""
    sitting = member(request, pk)
    seats = sitting.campaign.seats.select_related("deck", "campaign__guide")
    found = get_object_or_404(seats, pk=seat)
    try:
        with transaction.atomic():
            _give(found, sitting, request.POST.get("player"))
            chosen = request.POST.get("deck", KEEP)
            said = _play_with(found, sitting, chosen, timezone.now())
    except (Forbidden, EntryRefused) as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, said)
    if request.POST.get("then") == "table":
        return see_other(reverse("campaigns:table", args=[pk]))
    return to_people(pk)


@require_http_methods(["GET", "HEAD", "POST"])
def sit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who may be chosen for a new seat, or add it."""
    sitting = member(request, pk)
    company = company_of(sitting)
    form = sit_form(request.GET, request.POST or None, company)
    try:
        services.require_seating(sitting, form.instead)
        if request.method == "POST" and form.is_valid():
            return _sat(sitting, form)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    except EntryRefused as refusal:
        return _sit_page(request, sitting, form, 422, refusal.findings)
    status = 422 if request.method == "POST" else 200
    return _sit_page(request, sitting, form, status)


@transaction.atomic
def _sat(sitting: Membership, form: SitForm) -> HttpResponse:
    seat = services.add_seat(
        campaign=sitting.campaign,
        member=sitting,
        sitting=form.sitting,
        instead=form.instead,
        now=timezone.now(),
    )
    if "player" in form.fields and seat.member != form.played_by:
        services.give_seat(seat=seat, member=form.played_by, actor=sitting)
    if form.instead is not None:  # the table waits for this investigator
        return see_other(reverse("campaigns:table", args=[sitting.campaign_id]))
    return to_people(sitting.campaign_id)


def _sit_page(
    request: HttpRequest,
    sitting: Membership,
    form: SitForm,
    status: int,
    found: Any = (),
) -> HttpResponse:
    context = {"campaign": sitting.campaign, "member": sitting, "form": form}
    context |= {"findings": found}
    return render(request, "campaigns/sit.html", context, status=status)


def people_page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Return the page of everyone at a table, as one member sees it."""
    company = company_of(sitting)
    context = {"campaign": company.campaign, "member": sitting, "company": company}
    context |= {"roles": Role.choices, **_links(company, more)}
    return render(request, PAGE, context | more, status=status)


def _links(company: Company, more: dict[str, Any]) -> dict[str, Any]:
    """Return the open links and the form for another, for organisers."""
    if not company.organises:
        return {}
    made = company.campaign.invitations.select_related("seat", "made_by__user")
    now = timezone.now()
    called = {each.seat.pk: each.name for each in company.places}
    links = [(it, called.get(it.seat_id or 0, "")) for it in made if is_open(it, now)]
    invite = more.get("invite") or InviteForm(None, company=company)
    return {"invitations": links, "invite": invite}


def refused(
    request: HttpRequest, sitting: Membership, refusal: Exception
) -> HttpResponse:
    """Return the people page with the reason why nothing was changed."""
    return people_page(request, sitting, **refusal_context(sitting, refusal))


def to_people(pk: int) -> HttpResponse:
    """Redirect to the people page."""
    return see_other(reverse("campaigns:people", args=[pk]))


def _at(sitting: Membership, other: int) -> Membership:
    here = sitting.campaign.memberships.filter(left_at=None)
    return get_object_or_404(here.select_related("user", "guest", "campaign"), pk=other)


def _key(text: str) -> int:
    """Return the key in a text; 0, which no row has, if it isn't one."""
    return int(text) if is_digits(text, LONGEST_KEY) else 0


def _give(seat: Seat, sitting: Membership, player: str | None) -> None:
    """Give a seat to the chosen member; None if the form doesn't ask."""
    if player is None or player == str(seat.member_id or ""):
        return
    other = _at(sitting, _key(player)) if player else None
    services.give_seat(seat=seat, member=other, actor=sitting)


def _play_with(seat: Seat, sitting: Membership, chosen: str, now: datetime) -> str:
    """Play a seat with the visitor's deck, a paper deck, or none; say what changed."""
    kind, _colon, number = chosen.partition(":")
    if kind == DECK:
        owned = Deck.objects.filter(owner__isnull=False, owner=sitting.user)
        deck = get_object_or_404(owned, pk=_key(number))
        if deck.pk != seat.deck_id:
            more = services.link_deck(seat=seat, member=sitting, deck=deck, now=now)
            return _joined(seat, more)
    elif kind != KEEP and (seat.kind, seat.deck_id) != (kind, None):
        services.unlink_deck(seat=seat, member=sitting, kind=kind)
    return _("Saved.")


def _joined(seat: Seat, more: int) -> str:
    """Say what experience a deck got from its campaign, or that it has it already."""
    rows = seat.settlements.filter(deck=seat.deck_id, taken_back_at=None)
    given = sum(each.content.get("experience", 0) for each in rows)
    if more:
        said = _("Saved. The deck got what was earned so far: %(number)+d experience.")
        return said % {"number": more}
    if not given:
        return _("Saved.")
    return _(
        "Saved. The deck was played before or has bought cards, so it keeps its own "
        "experience: the %(number)d earned so far should be in it already. If they "
        "aren’t, correct it in the deck’s history."
    ) % {"number": given}


@require_http_methods(["GET", "HEAD", "POST"])
def retire(request: HttpRequest, pk: int, seat: int) -> HttpResponse:
    """Retire an investigator, after asking for confirmation and a reason."""
    sitting = member(request, pk)
    seats = sitting.campaign.seats.select_related("campaign__guide")
    found = get_object_or_404(seats, pk=seat)
    if request.method != "POST":
        return _retiring(request, sitting, found)
    context = write_context(request)
    if context is None:
        return not_understood(request)
    try:
        services.retire(
            seat=found,
            member=sitting,
            reason=whole(request.POST.get("reason", ""))[:LONGEST_REASON],
            context=context,
        )
    except (LogMoved, EntryRefused) as refusal:
        more = refusal_context(sitting, refusal) | {
            "reason": request.POST.get("reason", "")
        }
        return _retiring(request, sitting, found, **more)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Retired. You can choose another investigator now."))
    return to_people(pk)


def _retiring(
    request: HttpRequest,
    sitting: Membership,
    seat: Seat,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "seat": seat,
        "name": names_at(sitting).card(seat.investigator),
        "writes": may_answer_for(sitting, (seat.investigator,)),
        "key": uuid.uuid4().hex,
        **more,
    }
    return render(request, "campaigns/retire.html", context, status=status)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def transfer(request: HttpRequest, pk: int) -> HttpResponse:
    """Start another campaign with investigators of this one."""
    sitting = member(request, pk)
    try:
        require(sitting, Right.ORGANISE)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    guides = opening.listed(opening.usable_by(request.user))
    form = TransferForm(
        request.POST if request.method == "POST" else None,
        company=company_of(sitting),
        guides=list(guides.exclude(guide_id=queries.SIDE)),
    )
    found: Any = ()
    if request.method == "POST" and form.is_valid():
        try:
            begun = services.transfer_campaign(
                campaign=sitting.campaign,
                member=sitting,
                guide=form.chosen_guide,
                going=form.going,
                name=form.cleaned_data["name"],
                now=timezone.now(),
            )
        except Forbidden as refusal:
            return refused(request, sitting, refusal)
        except EntryRefused as refusal:
            found = refusal.findings
        else:
            return see_other(reverse("campaigns:table", args=[begun.pk]))
    context = {"campaign": sitting.campaign, "member": sitting, "form": form}
    context |= {"findings": found}
    status = 422 if request.method == "POST" else 200
    return render(request, "campaigns/transfer.html", context, status=status)
