"""Drafts: opened by their private link, and saved in an account."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.asking import ask_to_sign_in, was_asked_to_sign_in
from arkham.web.limits import refused_to_keep
from cardpool.catalog import current_judge
from decks import queries, services
from decks.models import Deck, Revision
from decks.views.answers import see_other
from decks.views.reach import editable, hold_key, keys_of, owner_of, title_of


@require_safe
def draft(request: HttpRequest, key: str) -> HttpResponse:
    """Open a draft by its private link; the key goes to the session."""
    deck = Deck.objects.filter(key=key, owner=None).first()
    if deck is None:
        context = {
            "title": _("This draft isn’t here any more"),
            "detail": _(
                "This link opens no draft. It may have been saved in an account, which "
                "ends the link, deleted, or left unchanged for 90 days."
            ),
            "is_deck": True,
        }
        return render(request, "error.html", context, status=404)
    if key not in keys_of(request):
        if refusal := refused_to_keep(request):
            return refusal
        hold_key(request, key)
    return see_other(reverse("decks:edit", args=[deck.pk]))


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a draft in the visitor's account, at once or after signing in.

    Signing in leads back here by GET. That saves only what was pressed before: a link
    on another site does nothing.
    """
    revision = editable(request, pk)
    deck, owner, here = revision.deck, owner_of(request), request.path
    if owner is None and request.method == "POST":
        reason = _("Sign in or make an account, and “%(title)s” is saved in it.")
        title = _title(revision)
        return ask_to_sign_in(request, to=here, reason=reason % {"title": title})
    if owner is not None and (
        request.method == "POST" or was_asked_to_sign_in(request, to=here)
    ):
        services.keep_deck(deck=deck, owner=owner)
        messages.success(request, _("The deck is saved in your account."))
    return see_other(reverse("decks:edit", args=[pk]))


@require_POST
def keep_all(request: HttpRequest) -> HttpResponse:
    """Save every draft this browser holds."""
    owner = owner_of(request)
    if owner is not None:
        drafts = list(queries.editable_by(owner, keys_of(request)).filter(owner=None))
        for deck in drafts:
            services.keep_deck(deck=deck, owner=owner)
        said = ngettext(
            "%(number)d draft is saved in your account.",
            "%(number)d drafts are saved in your account.",
            len(drafts),
        )
        messages.success(request, said % {"number": len(drafts)})
    return see_other(reverse("decks:index"))


def _title(revision: Revision) -> str:
    card = current_judge().pool.get_card(revision.list["investigator_code"])
    return title_of(revision.deck, card)
