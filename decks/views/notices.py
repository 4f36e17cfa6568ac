"""What changed of a deck's verdict: its owner has taken note."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from decks import services
from decks.views.answers import not_understood, see_other
from decks.views.reach import editable


@require_POST
def dismiss(request: HttpRequest, pk: int) -> HttpResponse:
    """Say no more of what was seen; it stays written down."""
    deck = editable(request, pk).deck
    last = request.POST.get("last", "")
    if not (last.isascii() and last.isdigit() and len(last) < 19):
        return not_understood(request)
    services.dismiss_notices(deck=deck, last=int(last), now=timezone.now())
    if "list" in request.POST:
        return see_other(reverse("decks:index"))
    return see_other(reverse("decks:show", args=[pk]))
