"""The pages beside the builder: all terms, and a list from elsewhere."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from arkham.rules.notation.reading import Unreadable
from cardpool.catalog import current_judge
from decks import services
from decks.forms.circumstances import CircumstancesForm
from decks.forms.lists import ListForm
from decks.interchange.importing import read_list
from decks.lists.content import Content, checked
from decks.pages.differences import differences
from decks.pages.display import Judged
from decks.services.chain import is_played
from decks.services.ledger import balance_of
from decks.views.builder import (
    played_page,
    stale_page,
    without_revision,
)
from decks.views.reach import editable, owner_of, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def circumstances(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything about the table that a deck list does not say."""
    revision = editable(request, pk)
    if request.method != "POST" and is_played(revision):
        return see_other(reverse("decks:show", args=[pk]))
    expected = request.POST.get("revision", "")
    judged = Judged(revision.content, current_judge())
    if request.method != "POST":
        form = CircumstancesForm(judged)
    elif not (expected.isascii() and expected.isdigit() and len(expected) < 10):
        return without_revision(request)
    else:
        form = CircumstancesForm(judged, request.POST)
        content = _content_of(form)
        if content is not None:
            try:
                services.revise_deck(
                    deck=revision.deck,
                    content=content,
                    expected_revision=int(expected),
                    now=timezone.now(),
                    actor=owner_of(request),
                )
            except services.Stale as stale:
                return stale_page(request, revision.deck, stale)
            except services.AlreadyPlayed:
                return played_page(request, revision.deck)
            return see_other(reverse("decks:edit", args=[pk]))
    context = {
        "deck": revision.deck,
        "revision": revision,
        "judged": judged,
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "decks/terms.html", context, status=status)


def _content_of(form: CircumstancesForm) -> Content | None:
    """The deck on the terms of a form; None, said on the form, if they don't fit."""
    if not form.is_valid():
        return None
    try:
        return checked(form.content())
    except Unreadable as error:
        for fault in error.faults:
            form.add_error(None, fault.text)
        return None


@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: HttpRequest, pk: int) -> HttpResponse:
    """A list from elsewhere takes the place of this one, once it has been looked at."""
    revision = editable(request, pk)
    if request.method != "POST" and is_played(revision):
        return see_other(reverse("decks:show", args=[pk]))
    context: dict[str, Any] = {"deck": revision.deck, "revision": revision}
    if request.method != "POST":
        return render(request, "decks/paste.html", context | {"form": ListForm()})
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "decks/paste.html", context | {"form": form}, status=422)
    judge = current_judge()
    read = read_list(form.list_text, judge.pool, form.file_name)
    context |= {"form": ListForm(initial={"text": form.list_text}), "read": read}
    if read.content is None:
        return render(request, "decks/paste.html", context, status=422)
    context["judged"] = Judged(read.content, judge)
    context["differences"] = differences(read.content, revision.content, judge.pool)
    context["balance"] = balance = balance_of(revision.deck)
    context["brings"] = read.carried if read.carried not in (0, balance) else None
    return render(request, "decks/paste.html", context)
