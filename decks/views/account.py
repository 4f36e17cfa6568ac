"""Pages of a whole account: its file, imports, preferences."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.accounts.preferences import (
    keep_in_browser,
    preferences_of,
    save_preferences,
)
from arkham.rules.notation.reading import Unreadable
from arkham.web.forms import sent_once
from arkham.web.request_limits import AROUND_A_FILE, takes_up_to
from cardpool.catalog import current_pool
from decks.forms.lists import AccountFileForm, ManyListsForm
from decks.forms.terms import PreferencesForm
from decks.interchange.account_file import MOST_BYTES
from decks.interchange.account_import import account_text, import_account
from decks.interchange.account_reading import read_account
from decks.interchange.importing import placed
from decks.interchange.many import MOST_PLACES, TooMany, import_places
from decks.pages.owned import Shelves
from decks.services.collecting import collection_of
from decks.views.reach import owner_of, see_other


@account_required
@require_safe
def account_file(request: HttpRequest) -> HttpResponse:
    """Export everything in the account as a file."""
    owner = request.user
    assert isinstance(owner, User)
    now = timezone.now()
    disposition = content_disposition_header(True, f"orne-{now:%Y-%m-%d}.json")
    assert disposition is not None
    return HttpResponse(
        account_text(owner=owner, now=now, browser=preferences_of(request)),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


@takes_up_to(MOST_BYTES + AROUND_A_FILE)
@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def belongings(request: HttpRequest) -> HttpResponse:
    """Export everything in the account, or import such a file."""
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
            browser = preferences_of(request)
            result = import_account(owner=owner, account=account, browser=browser)
            messages.success(request, result.summary)
            if result.shown:
                messages.info(request, _private_here(result.shown))
            return see_other(reverse("decks:index"))
    return render(request, "decks/belongings.html", context, status=422)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def import_many(request: HttpRequest) -> HttpResponse:
    """Import many decks at once, and show the outcome of each."""
    owner = request.user
    assert isinstance(owner, User)
    pool, preferences = current_pool(), preferences_of(request)
    if request.method != "POST":
        form = ManyListsForm()
        form.add_terms(preferences, pool)
        return render(request, "decks/import_many.html", {"form": form})
    form = ManyListsForm(request.POST, request.FILES)
    form.add_terms(preferences, pool)
    context: dict[str, object] = {"form": form, "most": MOST_PLACES}
    if form.is_valid():
        try:
            places = form.places()
        except TooMany as error:
            form.add_error(None, str(error))
        else:
            outcomes = import_places(
                owner=owner,
                places=places,
                pool=pool,
                here=request.build_absolute_uri("/"),
                now=timezone.now(),
                preferences=form.first_terms,
            )
            counts = Counter(each.kind for each in outcomes)
            again = ManyListsForm()
            again.add_terms(preferences, pool, form.first_terms)
            context |= {
                "form": again,
                "outcomes": [each for each in outcomes if each.kind != "later"],
                "rest": [each for each in outcomes if each.kind == "later"],
                "imported": counts["imported"],
                "left": counts.total() - counts["imported"],
            }
    status = 422 if form.errors else 200
    return render(request, "decks/import_many.html", context, status=status)


def _private_here(shown: int) -> str:
    """Return a message about imported decks that others saw elsewhere."""
    return ngettext(
        "%(number)d shared deck was imported as private. You can share it again on "
        "its page.",
        "%(number)d shared decks were imported as private. You can share each again "
        "on its page.",
        shown,
    ) % {"number": shown}


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and change the visitor's preferences."""
    owner, now = owner_of(request), preferences_of(request)
    form = PreferencesForm(now, current_pool(), request.POST or None)
    if request.method == "POST" and form.is_valid():
        response = see_other(reverse("account_preferences"))
        if owner is not None:
            save_preferences(user=owner, changed=form.changed, browser=now)
        else:
            keep_in_browser(response, replace(now, **form.changed))
        messages.success(request, _("Your preferences are saved."))
        return response
    collection = collection_of(owner)
    context = {
        "form": form,
        "collection": collection,
        "owned": collection and Shelves(collection, current_pool()),
        "is_bound_to_browser": owner is None,
    }
    status = 422 if form.errors else 200
    return render(request, "account/preferences.html", context, status=status)
