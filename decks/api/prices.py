"""The API's door to prices: two revisions of a deck in, an invoice out."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request

from arkham.rules.notation.reading import Unreadable
from arkham.rules.pricing import invoice_of, invoice_text, read_upgrade
from decks.api import examples
from decks.api.legality import OpenView
from decks.api.named import check_named
from decks.api.refusals import MISSHAPEN, refusal
from decks.lists.judging import current_judge
from decks.serializers.priced import InvoiceShape, UpgradeShape


class UpgradePrice(OpenView):
    """What does it cost to turn this deck into that one?"""

    @extend_schema(
        operation_id="upgrade_price",
        tags=["legality"],
        request={"application/json": UpgradeShape},
        responses={200: InvoiceShape},
        examples=[
            OpenApiExample("Two revisions", examples.UPGRADE, request_only=True),
            OpenApiExample("Its invoice", examples.INVOICE, response_only=True),
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Price one upgrade.

        Takes two decks in ArkhamDB's format and answers with the least that the
        printed rules let the change cost, line by line. Illegal and unfinished decks
        are priced as well: what is wrong is a finding and changes no price. An
        investigator nobody knows is taken for the one of the old deck, or for any.
        """
        value = self.value(request)
        try:
            asked, judge = read_upgrade(value), current_judge()
            check_named(asked.circumstances, judge.pool)
            invoice = invoice_of(judge, asked)
        except Unreadable as error:
            raise refusal(error, MISSHAPEN) from None
        answer = invoice_text(asked.id, invoice)
        return HttpResponse(answer, content_type="application/json")
