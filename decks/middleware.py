"""Answer attempts to change a deck that is in play, on any page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from arkham.web.errors import Middleware
from decks.services.hooks import DeckInPlay
from decks.views.desk import in_play_page


class InPlayMiddleware(Middleware):
    """Show why the deck can't be changed, with a link to its table."""

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponse | None:
        """Answer 409 with the reason."""
        if not isinstance(exception, DeckInPlay):
            return None
        return in_play_page(request, exception)
