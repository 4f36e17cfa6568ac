"""Showing what a campaign has not reached: to whoever chooses so, to nobody else."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from arkham.web.limits import keeps_something
from campaigns.views.reach import member
from decks.views.answers import see_other

_SESSION = "campaigns.later"
MOST = 50  # campaigns remembered of one visitor


def shows_later(request: HttpRequest, pk: int) -> bool:
    """Whether this visitor chose to see what comes later in a campaign."""
    return pk in request.session.get(_SESSION, [])


@keeps_something
@require_POST
def later(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what comes later, or hide it again."""
    member(request, pk)
    chosen = [each for each in request.session.get(_SESSION, []) if each != pk]
    if request.POST.get("show") == "yes":
        chosen.append(pk)
    request.session[_SESSION] = chosen[-MOST:]
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = reverse("campaigns:table", args=[pk])
    return see_other(back)
