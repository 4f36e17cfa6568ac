"""Decks without an account: drafts, and verdicts shared by link."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.authentication import ask_to_sign_in, was_asked_to_sign_in
from arkham.rules.notation.reading import Unreadable
from arkham.web.forms import sent_once
from arkham.web.limits import (
    KeptForStrangers,
    SharedByAccounts,
    keeps_something,
    refused_by,
)
from cardpool.catalog import current_judge
from decks import services
from decks.lists.content import Content, parse_content
from decks.models import DRAFT_LIFETIME, Deck, SharedVerdict
from decks.pages.display import Judged
from decks.pages.my_decks import ShownVerdict
from decks.pages.terms import summary
from decks.views.reach import (
    deck_title,
    drafts_of,
    editable,
    gone_on_with,
    hold_key,
    keys_of,
    not_understood,
    owner_of,
    see_other,
)


@require_safe
def draft(request: HttpRequest, key: str) -> HttpResponse:
    """Open a draft by its private link, and store its key in the session."""
    deck = Deck.objects.filter(key=key, owner=None).first()
    if deck is None:
        context = {
            "title": _("This draft isn’t here any more"),
            "detail": _(
                "This link doesn’t open a draft. It may have been saved in an account "
                "(which ends the link), deleted, or left unchanged for %(days)d days."
            )
            % {"days": DRAFT_LIFETIME.days},
            "is_deck": True,
        }
        return render(request, "error.html", context, status=404)
    if key not in keys_of(request):
        if refusal := refused_by(KeptForStrangers(), request):
            return refusal
        hold_key(request, key, by_link=True)
    return see_other(reverse("decks:edit", args=[deck.pk]))


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Save a draft in the visitor's account, at once or after signing in.

    Signing in leads back here by GET. That saves only if the button was pressed before,
    so that a link on another site does nothing.
    """
    revision = editable(request, pk)
    deck, owner, here = revision.deck, owner_of(request), request.path
    if owner is None and request.method == "POST":
        reason = _("Sign in or create an account to save “%(title)s”.")
        title = deck_title(revision)
        return ask_to_sign_in(request, to=here, reason=reason % {"title": title})
    if owner is not None and (
        request.method == "POST" or was_asked_to_sign_in(request, to=here)
    ):
        services.keep_deck(deck=deck, owner=owner)
        if wanted := gone_on_with(request, deck):
            return wanted
        messages.success(request, _("The deck is saved in your account."))
    return see_other(reverse("decks:edit", args=[pk]))


@require_POST
def keep_all(request: HttpRequest) -> HttpResponse:
    """Save every draft begun in this browser in the account."""
    owner = owner_of(request)
    if owner is not None:
        drafts = list(drafts_of(request))
        for deck in drafts:
            services.keep_deck(deck=deck, owner=owner)
        said = ngettext(
            "%(number)d draft is saved in your account.",
            "%(number)d drafts are saved in your account.",
            len(drafts),
        )
        messages.success(request, said % {"number": len(drafts)})
    return see_other(reverse("decks:index"))


@keeps_something
@require_POST
@sent_once
def share_list(request: HttpRequest) -> HttpResponse:
    """Share the verdict on a list that isn't saved as a deck."""
    try:
        content = parse_content(request.POST.get("content", ""))
    except Unreadable:
        return not_understood(request)
    return _share(request, content, request.POST.get("name", ""))


@keeps_something
@require_POST
@sent_once
def share_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """Share the verdict on the latest revision of a deck."""
    revision = editable(request, pk)
    return _share(request, revision.content, revision.deck.name)


@require_safe
def shared_verdict(request: HttpRequest, key: str) -> HttpResponse:
    """Show a shared verdict, and the verdict by today's rules."""
    shared = SharedVerdict.objects.filter(key=key).first()
    if shared is None:
        return _forgotten(request)
    services.note_seen(shared=shared, now=timezone.now())
    judged = Judged(shared.content, current_judge())
    context = {
        "shared": shared,
        "then": ShownVerdict(shared),
        "judged": judged,
        "terms": summary(judged),
    }
    return render(request, "decks/shared.html", context)


def _forgotten(request: HttpRequest) -> HttpResponse:
    days = settings.ORNE_VERDICT_DAYS
    detail = ngettext(
        "This link doesn’t open a verdict. We delete a verdict if its link isn’t "
        "opened for %(days)d day. Ask for a new link, or judge the deck again.",
        "This link doesn’t open a verdict. We delete a verdict if its link isn’t "
        "opened for %(days)d days. Ask for a new link, or judge the deck again.",
        days,
    ) % {"days": days}
    context = {"title": _("This verdict isn’t here any more"), "detail": detail}
    return render(request, "error.html", context, status=404)


def _share(request: HttpRequest, content: Content, name: str) -> HttpResponse:
    if refusal := refused_by(SharedByAccounts(), request):
        return refusal
    now = timezone.now()
    services.forget_verdicts(now=now)
    shared = services.share_verdict(
        content=content,
        verdict=Judged(content, current_judge()).verdict,
        now=now,
        name=name,
    )
    return see_other(reverse("verdict", args=[shared.key]))
