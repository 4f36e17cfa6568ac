"""Answers that several pages give: a refusal, a redirect, a page or its fragment."""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from decks.models import Deck
from decks.views.reach import hold_key


def see_other(address: str) -> HttpResponse:
    """303: the form was taken, and what came of it is there."""
    return HttpResponseRedirect(address, status=303)


def opened(request: HttpRequest, deck: Deck) -> HttpResponse:
    """To the builder, with the key of a draft kept in the session."""
    if deck.key is not None:
        hold_key(request, deck.key)
    return see_other(reverse("decks:edit", args=[deck.pk]))


def carried_of(request: HttpRequest) -> int | None:
    """The experience that a list brought along, as the page passed it on, if it did."""
    text = request.POST.get("carried", "")
    return int(text) if re.fullmatch(r"-?\d{1,3}", text, re.ASCII) else None


def not_understood(request: HttpRequest, detail: str = "") -> HttpResponse:
    """400: a form that no page of ours sends."""
    context = {
        "title": _("Not understood"),
        "detail": detail
        or _("The form could not be read. Reload the page and try again."),
    }
    return render(request, "error.html", context, status=400)
