"""The API's door to who sees a deck."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest.idempotency import idempotent
from arkham.web.bodies import value_of
from arkham.web.http import require_match
from cardpool.catalog import current_judge
from decks import services
from decks.api.answers import answer_of, etag_of, kept_data
from decks.api.decks import TAGS, DeckView
from decks.api.refusals import body_of
from decks.models import Showing
from decks.serializers.kept import KeptDeckShape, VisibilityShape
from decks.services.sharing import PRIVATE


class DeckVisibility(DeckView):
    """Who sees this deck?"""

    revisioned = ("PUT",)

    @extend_schema(
        operation_id="deck_visibility",
        tags=TAGS,
        request=VisibilityShape,
        responses=KeptDeckShape,
    )
    @idempotent
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Make the deck private, share it by a link, or publish its latest revision.

        A link stays while the deck is shared by it, and when it is published; once it
        is private, another one is made. A deck that is published is shown as it is
        then, until it is published again.
        """
        latest = self.locked(pk)
        wanted = body_of(VisibilityShape, value_of(request)).visibility
        deck, now = latest.deck, timezone.now()
        require_match(request, etag_of(latest), current=kept_data(request, latest))
        if wanted == PRIVATE:
            services.withdraw_deck(deck=deck)
        elif wanted == Showing.Kind.LINK:
            services.share_deck(deck=deck, now=now)
        else:
            services.publish_deck(
                deck=deck, number=latest.number, pool=current_judge().pool, now=now
            )
        return answer_of(request, self.latest(pk))
