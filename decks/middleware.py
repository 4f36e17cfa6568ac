"""Answers changes of a deck that is in play, whichever page they come from."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from decks.services.hooks import DeckInPlay
from decks.views.desk import in_play_page


class InPlayMiddleware:
    """Shows why a deck stays as it is, and the way to its table."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as ever."""
        return self.get_response(request)

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """409, with the reason."""
        if not isinstance(exception, DeckInPlay):
            return None
        return in_play_page(request, exception)
