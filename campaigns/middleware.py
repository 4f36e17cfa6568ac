"""What a page says of a campaign that cannot be read."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from campaigns.guides.opening import GuideMissing
from campaigns.log.store import LogBroken


class UnreadableCampaigns:
    """A log with a gap, or a guide that is gone, has a page; it is no fault of ours.

    The API says the same as problems (``campaigns.api.access``).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing but what the view answers."""
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """409, with what is wrong; None for all other faults."""
        match exception:
            case LogBroken():
                detail = _(
                    "We can’t read entry %(sequence)d of the log. Nothing is lost: "
                    "the operator of this server can restore it."
                ) % {"sequence": exception.sequence}
            case GuideMissing():
                detail = str(exception)
            case _:
                return None
        context = {"title": _("We can’t read this campaign"), "detail": detail}
        return render(request, "error.html", context, status=409)
