"""Answers for other sites about published decks: oEmbed, and their cards.

The mod for Tabletop Simulator looks up decks and taboo lists at addresses of
arkham.build; pointed here, it finds the same. An absent deck has no body, as in the
public API.
"""

from __future__ import annotations

import json
import uuid
from typing import Annotated, Any
from urllib.parse import urlsplit

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arkham.accounts.models import User
from arkham.rest import reading
from arkham.rest.messages import Message, schema
from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import value_of
from arkham.web.limits import ReportsOfVisitors, refused_by
from arkham.web.problems import Problem
from cardpool.catalog import current_pool
from cardpool.languages import shown_name
from cardpool.models import PublicList
from cardpool.public.answers import (
    MAX_AGE,
    TABOOS,
    PublicApiView,
    answered,
    documented,
    etag_of,
)
from cardpool.public.cards import php_json
from decks import queries, services
from decks.api.bodies import body_of
from decks.api.sharing import (
    OpenDeckView,
    deck_answer,
    decklist_answer,
    published_version,
)
from decks.models import LONGEST_REPORT, Report, Showing
from decks.pages.deck_image import HEIGHT, WIDTH

FRAME_WIDTH, FRAME_HEIGHT = 640, 720
LEAST, MOST = 200, 4_000  # pixels of a frame
LONGEST_ADDRESS = 2_000
DECKLIST = "decklist"  # the type that clients send with the number of a published deck


class OEmbedShape(Message):
    """The data by which another site shows a deck (oembed.com)."""

    version: Annotated[str, "Always 1.0."]
    type: Annotated[str, "Always rich."]
    provider_name: str
    provider_url: str
    title: str
    author_name: str
    cache_age: int
    html: Annotated[str, "A frame with the deck."]
    width: int
    height: int
    thumbnail_url: Annotated[str, "Absent where a ``maxwidth`` was sent."] = ""
    thumbnail_width: int = 0
    thumbnail_height: int = 0


class ReportShape(Message):
    """What is wrong with a published deck."""

    reason: Annotated[str, schema(enum=Report.Reason.values)]
    text: Annotated[str, reading.text(LONGEST_REPORT, fewest=1)]


class DeckReport(APIView):
    """Reports a published deck."""

    permission_classes = [AllowAny]
    refuses = ("409",)

    @extend_schema(
        operation_id="decklist_report",
        tags=["decks"],
        request=ReportShape,
        responses={204: None},
    )
    def post(self, request: Request, number: int) -> HttpResponseBase:
        """Report a published deck to the operators, with a key or without.

        409 if it isn't kept: you have reported the deck, or it has enough reports.
        """
        showing, _revision = published_version(number)
        sent = body_of(ReportShape, value_of(request))
        if not sent.text.strip():
            detail = _("Say what we should look at.")
            raise Problem(422, detail, pointer="/text")
        if refusal := refused_by(ReportsOfVisitors(), request._request):
            return refusal
        reporter = request.user if isinstance(request.user, User) else None
        said: Any = {"reporter": reporter, "reason": sent.reason, "text": sent.text}
        not_kept = services.report_deck(showing=showing, now=timezone.now(), **said)
        if not_kept is not None:
            raise Problem(409, _(not_kept.value), kind="report-not-kept")
        return Response(status=204)


class OEmbed(PublicApiView):
    """The oEmbed answer for a deck."""

    refuses = ("404",)

    @documented(
        "oembed",
        OEmbedShape,
        OpenApiParameter("url", str, required=True, description="A deck's page."),
        OpenApiParameter("maxwidth", int, description="Largest width, in pixels."),
        OpenApiParameter("maxheight", int, description="Largest height, in pixels."),
        OpenApiParameter("format", {"type": "string", "enum": ["json"]}),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """The oEmbed data of the published deck at an address of this server."""
        if request.query_params.get("format", "json") != "json":
            raise Problem(400, _("Only JSON is available."), parameter="format")
        showing = _deck_at(request)
        width = _pixels(request, "maxwidth", FRAME_WIDTH)
        height = _pixels(request, "maxheight", FRAME_HEIGHT)
        here = request.build_absolute_uri
        title = _title(showing)
        frame = format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" '
            'frameborder="0"></iframe>',
            here(reverse("decks:embedded", args=[showing.pk])),
            width,
            height,
            title,
        )
        owner = showing.deck.owner
        fields = {
            "version": "1.0",
            "type": "rich",
            "provider_name": "Orne",
            "provider_url": here("/"),
            "title": title,
            "author_name": owner.username if owner else "",
            "cache_age": MAX_AGE,
            "html": frame,
            "width": width,
            "height": height,
        }
        if "maxwidth" not in request.query_params:
            image = reverse("decks:picture", args=[showing.pk])
            fields["thumbnail_url"] = here(image)
            fields |= {"thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
        body = php_json(fields)
        return answered(request, body, etag=etag_of(body))


class PlayedCardShape(Message):
    """A card, and the number of decks that include it."""

    code: str
    name: str
    decks: int


class PlayedCardsShape(Message):
    """The cards of published decks, those of most decks first."""

    decks: Annotated[int, "How many decks were counted."]
    cards: list[PlayedCardShape]


class PlayedCards(PublicApiView):
    """The cards of published decks."""

    refuses = ("404",)

    @documented(
        "played_cards",
        PlayedCardsShape,
        OpenApiParameter("investigator", str, description="Only for this card code."),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """In how many published decks each card is, counted once a day.

        Weaknesses, and cards that an investigator must have, are left out.
        """
        pool = current_pool()
        wanted = request.query_params.get("investigator", "")
        card = pool.get_card(wanted)
        if wanted and (card is None or card.investigator is None):
            detail = _("No investigator has the code %(code)s.") % {"code": wanted[:20]}
            raise Problem(404, detail, parameter="investigator")
        played = queries.played_cards(card.code if card else "")
        cards = [
            {"code": code, "name": known.name, "decks": number}
            for code, number in played.cards.items()
            if (known := pool.get_card(code))
        ]
        body = php_json({"decks": played.decks, "cards": cards})
        return answered(request, body, etag=etag_of(body))


class SharedDeck(OpenDeckView):
    """A deck by the number or key that its page shows."""

    @extend_schema(exclude=True)
    def get(self, request: Request, place: int | uuid.UUID) -> HttpResponseBase:
        """A deck as in the public API: `?type=decklist` asks for a published one."""
        is_decklist = request.query_params.get("type") == DECKLIST
        if is_decklist and isinstance(place, int):
            return decklist_answer(request, place)
        return deck_answer(request, place)


class TabooSets(PublicApiView):
    """Every taboo list with its cards."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        """All taboo lists, newest first; their cards as lists, not as JSON text."""
        body = PublicList.objects.values_list("body", flat=True).filter(pk=TABOOS)
        sets = []
        for each in json.loads(body.first() or "[]"):
            cards = json.loads(each["cards"])
            dates = {"date": each["date_start"], "card_count": len(cards)}
            sets.append(each | dates | {"cards": cards})
        text = php_json({"data": {"taboo_set": sets}})
        return answered(request, text, etag=etag_of(text))


def _deck_at(request: Request) -> Showing:
    """Return the published deck at the address in the query; or 404 (400)."""
    named = request.query_params.get("url")
    if named is None:
        raise Problem(400, _("Expected: the address of a deck."), parameter="url")
    try:
        address = urlsplit(named[:LONGEST_ADDRESS])
    except ValueError:
        raise Http404 from None
    is_here = address.netloc.lower() == request.get_host().lower()
    showing = queries.shown_at(address.path) if is_here else None
    if showing is None or showing.kind != Showing.Kind.PUBLISHED:
        raise Http404
    return showing


def _title(showing: Showing) -> str:
    card = current_pool().get_card(showing.investigator)
    return showing.deck.name or (shown_name(card) if card else "")


def _pixels(request: Request, name: str, usual: int) -> int:
    """Return the size of the frame; 400 for anything but a number of pixels."""
    text = request.query_params.get(name)
    if text is None:
        return usual
    if not (is_digits(text, 5) and int(text) > 0):
        raise Problem(400, _("Expected: a number of pixels."), parameter=name)
    return max(LEAST, min(usual, int(text), MOST))
