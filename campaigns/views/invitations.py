"""Links that let people join a table: created, shown, revoked and followed.

Visitors join with an account, or as guests who can play at once.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.emblems import square_of
from arkham.web.forms import sent_once
from arkham.web.limits import keeps_something
from campaigns import queries, services
from campaigns.forms.people import GuestForm, InviteForm
from campaigns.models import Guest, Invitation, Membership, Role, Seat
from campaigns.pages.board import names_at
from campaigns.people.rights import Right, require
from campaigns.people.table import (
    COOKIE,
    MAY,
    Visitor,
    company_of,
    digest_of,
    invitation_behind,
    is_open,
    lost_codes,
    new_guest_key,
    remember_guest,
    sealed,
    token_of,
    visitor_of,
)
from campaigns.services import EntryRefused, Forbidden, InvitationClosed
from campaigns.views.reach import guest_of, member
from campaigns.views.seating import people_page, refused, to_people
from cardpool.catalog import current_pool
from decks.models import Deck
from decks.queries import investigator_codes
from decks.services import keep_deck
from decks.views.reach import drafts_of, see_other


@require_POST
@sent_once
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a link, and show it."""
    sitting = member(request, pk)
    form = InviteForm(request.POST, company=company_of(sitting))
    if not form.is_valid():
        return people_page(request, sitting, status=422, invite=form)
    try:
        made = services.invite(
            campaign=sitting.campaign,
            member=sitting,
            role=form.cleaned_data["role"],
            seat=form.cleaned_data["seat"],
            lifetime=form.lifetime,
            most_uses=form.cleaned_data["most_uses"],
            now=timezone.now(),
        )
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    return see_other(reverse("campaigns:invitation", args=[pk, made.pk]))


@require_safe
def invitation(request: HttpRequest, pk: int, made: int) -> HttpResponse:
    """Show a link to send, or to scan with a phone."""
    sitting = member(request, pk)
    try:
        require(sitting, Right.ORGANISE)
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    found = _made(sitting, made)
    path = reverse("campaigns:join", args=[token_of(found)])
    address = request.build_absolute_uri(path)
    code = found.seat.investigator if found.seat is not None else ""
    context = {
        "campaign": sitting.campaign,
        "member": sitting,
        "invitation": found,
        "is_open": is_open(found, timezone.now()),
        "address": address,
        "square": square_of(address, _("QR code of the link")),
        "may": MAY[found.role],
        "investigator": names_at(sitting).card(code) if code else "",
    }
    return render(request, "campaigns/invitation.html", context)


@require_POST
def revoke(request: HttpRequest, pk: int, made: int) -> HttpResponse:
    """Revoke a link."""
    sitting = member(request, pk)
    try:
        services.revoke_invitation(
            invitation=_made(sitting, made), member=sitting, now=timezone.now()
        )
    except Forbidden as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("The link no longer works. People who used it stay."))
    return to_people(pk)


def _made(sitting: Membership, pk: int) -> Invitation:
    made = sitting.campaign.invitations.select_related("seat")
    return get_object_or_404(made, pk=pk)


@keeps_something
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation, and let the visitor join."""
    invitation = invitation_behind(token)
    if invitation is None:
        return _unknown(request)
    form = GuestForm(
        request.POST if request.method == "POST" else None,
        initial={"key": sealed(new_guest_key())},
    )
    if not is_open(invitation, timezone.now()):
        return _closed(request, invitation, form)
    if request.method != "POST":
        return _page(request, invitation, token, form)
    try:
        return _joined(request, invitation, token, form)
    except InvitationClosed:
        return _closed(request, invitation, form)
    except EntryRefused as refusal:
        return _page(
            request, invitation, token, form, status=422, findings=refusal.findings
        )


def _joined(
    request: HttpRequest, invitation: Invitation, token: str, form: GuestForm
) -> HttpResponse:
    table = reverse("campaigns:table", args=[invitation.campaign_id])
    now, key, seat = timezone.now(), "", _chosen_seat(request, invitation)
    if isinstance(request.user, User):
        services.join(invitation=invitation, user=request.user, now=now, seat=seat)
        return see_other(table)
    guest = guest_of(request)
    if guest is None and not form.is_valid():
        return _page(request, invitation, token, form, status=422)
    name = guest.name if guest is not None else form.cleaned_data["name"]
    _member, key = services.join_as_guest(
        invitation=invitation,
        name=name,
        guest=guest,
        key="" if guest is not None else form.cleaned_data["key"],
        now=now,
        seat=seat,
    )
    response = see_other(f"{table}?welcome=1")
    if key:
        remember_guest(response, request, key)
    return response


def _chosen_seat(request: HttpRequest, invitation: Invitation) -> Seat | None:
    """Return the free seat that was chosen, if it is at this table."""
    chosen = request.POST.get("seat", "")
    free = {str(each.pk): each for each in services.free_seats(invitation.campaign)}
    return free.get(chosen)


@account_required
@require_POST
def claim(request: HttpRequest) -> HttpResponse:
    """Move what this browser has as a guest to the account."""
    guest = guest_of(request)
    if guest is None:
        return see_other(reverse("campaigns:index"))
    assert isinstance(request.user, User)
    now = timezone.now()
    claimed = services.claim(guest=guest, user=request.user, now=now)
    messages.success(request, _("Your seats now belong to your account."))
    own = drafts_of(request)
    codes = investigator_codes(own)
    for code in dict.fromkeys(codes.values()):
        drafts = [pk for pk, of in codes.items() if of == code]
        waiting = _waiting_seats(request.user, code)
        if len(drafts) == 1 and len(waiting) == 1:
            deck = own.get(pk=drafts[0])
            keep_deck(deck=deck, owner=request.user)
            _seat_deck(waiting[0], deck, now)
    only = claimed[0].campaign_id if len(claimed) == 1 else None
    back = reverse("campaigns:index")
    response = see_other(reverse("campaigns:table", args=[only]) if only else back)
    response.delete_cookie(COOKIE, samesite="Lax")
    return response


def play_saved_draft(request: HttpRequest, deck: Deck) -> HttpResponse | None:
    """Play a deck just saved at the only seat that waits for it, and go to that table.

    Seats of the account count, and of the guest this browser was until it signed in,
    which the account then claims. None if no seat waits for it, or several.
    """
    user, now = request.user, timezone.now()
    guest = guest_of(request) if request.method == "GET" else None
    assert isinstance(user, User)
    code = investigator_codes(Deck.objects.filter(pk=deck.pk)).get(deck.pk, "")
    waiting = _waiting_seats(user, code, guest)
    if len(waiting) != 1:
        return None
    (seat,) = waiting
    response = see_other(reverse("campaigns:table", args=[seat.campaign_id]))
    if seat.member is not None and seat.member.user_id is None:
        assert guest is not None
        services.claim(guest=guest, user=user, now=now)
        response.delete_cookie(COOKIE, samesite="Lax")
    if not _seat_deck(seat, deck, now):
        return None
    said = _("The deck is saved in your account and plays in %(campaign)s.")
    messages.success(request, said % {"campaign": seat.campaign.name})
    return response


def _waiting_seats(user: User, code: str, guest: Guest | None = None) -> list[Seat]:
    """Return seats without a deck where an account or guest plays an investigator."""
    players = Q(member__user=user)
    if guest is not None:
        players |= Q(member__guest=guest)
    seats = Seat.objects.filter(
        players,
        investigator=code,
        kind=Seat.Kind.NONE,
        member__left_at=None,
        campaign__archived_at=None,
    )
    return list(seats.select_related("member", "campaign__guide"))


def _seat_deck(seat: Seat, deck: Deck, now: datetime) -> bool:
    """Play an account's deck on its seat, if allowed; return whether it was."""
    member = seat.campaign.memberships.get(user=deck.owner)
    try:
        services.link_deck(seat=seat, member=member, deck=deck, now=now)
    except (EntryRefused, Forbidden):
        return False
    return True


def _page(
    request: HttpRequest,
    invitation: Invitation,
    token: str,
    form: GuestForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    seat = invitation.seat
    pool = current_pool()
    card = pool.get_card(seat.investigator) if seat is not None else None
    offers = seat is None and invitation.role != Role.SPECTATOR
    free = services.free_seats(invitation.campaign).order_by("pk") if offers else ()
    gone = lost_codes(invitation.campaign)
    context = {
        "invitation": invitation,
        "campaign": invitation.campaign,
        "token": token,
        "form": form,
        "guest": guest_of(request),
        "may": MAY[invitation.role],
        "investigator": card.name if card is not None else "",
        "free": [
            (each, found.name, each.investigator in gone)
            for each in free
            if (found := pool.get_card(each.investigator)) is not None
        ],
        "is_lost": seat is not None and seat.investigator in gone,
        "is_taken": seat is not None and seat.member_id is not None,
        "sitting": queries.member_of(invitation.campaign_id, visitor_of(request)),
        **more,
    }
    return render(request, "campaigns/join.html", context, status=status)


def _unknown(request: HttpRequest) -> HttpResponse:
    """Return 404: no invitation has this link, or its campaign was deleted."""
    context = {
        "title": _("This invitation doesn’t exist"),
        "detail": _(
            "This link doesn’t open a table. The campaign may have been deleted, or "
            "part of the link is missing. Ask for a new link."
        ),
    }
    return render(request, "error.html", context, status=404)


def _closed(
    request: HttpRequest, invitation: Invitation, form: GuestForm
) -> HttpResponse:
    """Return 410 for a revoked or expired link, without revealing the table.

    Members of the table, perhaps after pressing twice, are sent to it.
    """
    visitor, key = visitor_of(request), ""
    if not visitor.user and not visitor.guest and form.is_valid():
        key = form.cleaned_data["key"]
        visitor = Visitor(guest=digest_of(key) if key else "")
    if queries.member_of(invitation.campaign_id, visitor) is not None:
        response = see_other(reverse("campaigns:table", args=[invitation.campaign_id]))
        if key:
            remember_guest(response, request, key)
        return response
    context = {
        "title": _("This invitation is closed"),
        "detail": _("It was revoked or has expired. Ask for a new link."),
    }
    return render(request, "error.html", context, status=410)
