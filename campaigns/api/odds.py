"""The API's door to odds: a test in, the odds of passing it out."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request

from arkham.rules.notation.reading import Unreadable
from arkham.rules.odds import odds_text, read_odds
from campaigns.api import examples
from campaigns.serializers.odds import OddsQuestionShape, OddsShape
from decks.api.legality import LegalityThrottle, OpenView
from decks.api.refusals import MISSHAPEN, refusal


class OddsThrottle(LegalityThrottle):
    """Counts strangers' questions about odds; the rate is a setting."""

    scope = "odds"


class TestOdds(OpenView):
    """How likely is this test to be passed?"""

    throttle_classes = [OddsThrottle]

    @extend_schema(
        operation_id="odds",
        tags=["odds"],
        request={"application/json": OddsQuestionShape},
        responses={200: OddsShape},
        examples=[
            OpenApiExample("A test", examples.QUESTION, request_only=True),
            OpenApiExample("Its odds", examples.ANSWER, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """The odds of a test, as exact fractions.

        Takes the tokens in the bag, what the symbols do, and the difficulty; answers
        with the odds of passing at each skill value and those of every sum of
        modifiers. Tokens that have another revealed are followed to the end. A bag
        beyond its limits is a finding; its odds are told all the same.
        """
        value = self.value(request)
        try:
            asked = read_odds(value)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        return HttpResponse(odds_text(asked), content_type="application/json")
