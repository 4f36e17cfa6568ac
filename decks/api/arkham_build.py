"""The addresses of arkham.build's API that mods for tables on a screen ask.

The Tabletop Simulator mod looks decks and taboo lists up there; pointed here, it finds
the same. An absent deck has no body, as in the public API.
"""

from __future__ import annotations

import json
import uuid

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from cardpool.models import PublicList
from cardpool.public.answers import TABOOS, PublicApiView, answered, etag_of
from cardpool.public.cards import php_json
from decks.api.sharing import OpenDeckView, deck_answer, decklist_answer

DECKLIST = "decklist"  # the type of deck that is asked for by a published number


class SharedDeck(OpenDeckView):
    """A deck by the number or key that its page shows."""

    @extend_schema(exclude=True)
    def get(self, request: Request, place: int | uuid.UUID) -> HttpResponseBase:
        """As the public API has it: `?type=decklist` asks for a published one."""
        is_decklist = request.query_params.get("type") == DECKLIST
        if is_decklist and isinstance(place, int):
            return decklist_answer(request, place)
        return deck_answer(request, place)


class TabooSets(PublicApiView):
    """Every taboo list with its cards."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """The newest first; the cards of each are a list here, not JSON in a string."""
        body = PublicList.objects.values_list("body", flat=True).filter(pk=TABOOS)
        sets = []
        for each in json.loads(body.first() or "[]"):
            cards = json.loads(each["cards"])
            dates = {"date": each["date_start"], "card_count": len(cards)}
            sets.append(each | dates | {"cards": cards})
        text = php_json({"data": {"taboo_set": sets}})
        return answered(request, text, etag=etag_of(text))
