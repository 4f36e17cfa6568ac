"""Everything an account has: out as one file, and in again."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from arkham.web.body_limits import AROUND_A_FILE, takes_up_to
from decks.forms.lists import AccountFileForm
from decks.interchange.account_file import MOST_BYTES
from decks.interchange.account_import import account_text, take_in
from decks.interchange.account_reading import read_account
from decks.interchange.importing import placed
from decks.views.answers import see_other


@account_required
@require_safe
def account_file(request: HttpRequest) -> HttpResponse:
    """Everything of the account, to be kept or taken to another server."""
    owner = request.user
    assert isinstance(owner, User)
    now = timezone.now()
    disposition = content_disposition_header(True, f"orne-{now:%Y-%m-%d}.json")
    assert disposition is not None
    return HttpResponse(
        account_text(owner=owner, now=now),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


@takes_up_to(MOST_BYTES + AROUND_A_FILE)
@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def belongings(request: HttpRequest) -> HttpResponse:
    """Take everything along, or take a file of it in."""
    owner = request.user
    assert isinstance(owner, User)
    if request.method != "POST":
        return render(request, "decks/belongings.html", {"form": AccountFileForm()})
    form = AccountFileForm(request.POST, request.FILES)
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        try:
            account = read_account(form.cleaned_data["file"])
        except Unreadable as error:
            context["faults"] = placed(error.faults)
        else:
            taken = take_in(owner=owner, account=account)
            told = _("Decks taken in: %(made)d. Here already: %(known)d.")
            if taken.collections:
                told += " " + _("Collections taken in: %(collections)d.")
            messages.success(request, told % taken._asdict())
            if taken.shown:
                messages.info(request, _private_here(taken.shown))
            return see_other(reverse("decks:index"))
    return render(request, "decks/belongings.html", context, status=422)


def _private_here(shown: int) -> str:
    """That decks others saw elsewhere are seen by nobody else here."""
    return ngettext(
        "%(number)d deck that others saw elsewhere is private here. Its page shows it "
        "to others again.",
        "%(number)d decks that others saw elsewhere are private here. The page of each "
        "shows it to others again.",
        shown,
    ) % {"number": shown}
