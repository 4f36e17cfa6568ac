"""Verdicts given away: made from any judged deck, and seen by whoever has the link."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from arkham.rules.notation.reading import Unreadable
from arkham.web.limits import keeps_something
from cardpool.catalog import current_judge
from decks import services
from decks.lists.content import Content, parse_content
from decks.models import SharedVerdict
from decks.pages.display import Judged
from decks.pages.notices import ShownVerdict
from decks.pages.terms import summary
from decks.views.answers import not_understood, see_other
from decks.views.reach import editable


@keeps_something
@require_POST
def share_list(request: HttpRequest) -> HttpResponse:
    """Share the verdict on a deck that is kept nowhere else."""
    try:
        content = parse_content(request.POST.get("content", ""))
    except Unreadable:
        return not_understood(request)
    return _share(content, request.POST.get("name", ""))


@keeps_something
@require_POST
def share_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """Share the verdict on the latest revision of a deck."""
    revision = editable(request, pk)
    return _share(revision.content, revision.deck.name)


@require_safe
def shared_verdict(request: HttpRequest, key: str) -> HttpResponse:
    """What was judged once, and what came of it."""
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
        "This link opens no verdict. A verdict is deleted if its link isn’t opened for "
        "%(days)d day. Ask for a new link, or judge the deck again.",
        "This link opens no verdict. A verdict is deleted if its link isn’t opened for "
        "%(days)d days. Ask for a new link, or judge the deck again.",
        days,
    ) % {"days": days}
    context = {"title": _("This verdict isn’t here any more"), "detail": detail}
    return render(request, "error.html", context, status=404)


def _share(content: Content, name: str) -> HttpResponse:
    now = timezone.now()
    services.forget_verdicts(now=now)
    shared = services.share_verdict(
        content=content,
        verdict=Judged(content, current_judge()).verdict,
        now=now,
        name=name,
    )
    return see_other(reverse("verdict", args=[shared.key]))
