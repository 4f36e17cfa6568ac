"""Answers changes of a deck that is in play, whichever page they come from."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from arkham.web.errors import Middleware
from decks.services.hooks import DeckInPlay
from decks.views.desk import in_play_page


class InPlayMiddleware(Middleware):
    """Shows why a deck stays as it is, and the way to its table."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """409, with the reason."""
        if not isinstance(exception, DeckInPlay):
            return None
        return in_play_page(request, exception)
