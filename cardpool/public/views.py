"""Cards, classes, products and taboo lists at ArkhamDB's addresses."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache

from django.db.models import Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from cardpool.catalog import current_pool
from cardpool.models import CardImport, DataVersion, Pack, PublicCard, PublicList
from cardpool.public import answers
from cardpool.public.answers import (
    LANGUAGE,
    PACKS,
    TABOOS,
    PublicApiView,
    answered,
    documented,
    etag_of,
    with_host,
    with_pictures,
)
from cardpool.public.cards import php_json

OBJECT = {"type": "object", "additionalProperties": True}
OBJECTS = {"type": "array", "items": OBJECT}
PACKING = 6  # the gzip level: a list is compressed once, and sent often
FIRST_DAY = datetime(2016, 11, 10, tzinfo=UTC)  # of the game
# The site's answers for formats that it lacks: their content types.
OTHER_FORMATS = {
    "xml": "text/xml; charset=UTF-8",
    "xls": "text/html; charset=UTF-8",
    "xlsx": "text/html; charset=UTF-8",
}


class DataState:
    """The loaded cards and pictures, and when they were loaded."""

    def __init__(self) -> None:
        imports = CardImport.objects.filter(kind=CardImport.KIND)
        ended = imports.exclude(state=CardImport.State.RUNNING)
        seen = Subquery(ended.values("seen_at")[:1])
        held = DataVersion.objects.values_list("version", "loaded_at", seen).first()
        loaded, imported = (held[1], held[2]) if held else (FIRST_DAY, None)
        self.version = held[0] if held else ""
        # Headers have no fractions of seconds.
        latest = max(loaded, imported or FIRST_DAY)
        self.modified = latest.astimezone(UTC).replace(microsecond=0)
        self.pictures = imported.timestamp() if imported else 0.0
        self.mark = f"{self.version} {loaded.timestamp()} {self.pictures}"


@lru_cache(maxsize=2)  # for current cards and pictures, and those they replace
def _pictures(mark: str) -> dict[str, str]:
    """Return the pictures of each card in the state of this mark."""
    return answers.picture_fields(current_pool())


def _completed(body: str, state: DataState, request: Request) -> str:
    """Return cards with their pictures, if any were imported, and full addresses."""
    pictures = _pictures(state.mark) if state.pictures else {}
    return with_host(with_pictures(body, pictures), request)


class _CardView(PublicApiView):
    """Base of the views of cards."""

    def respond(
        self,
        request: Request,
        body: str | bytes,
        state: DataState,
        *,
        language: str = LANGUAGE,
        packed: bytes | None = None,
    ) -> HttpResponseBase:
        """Answer with the JSON, dated when its cards were loaded."""
        etag = etag_of(state.mark, request.build_absolute_uri())
        return answered(
            request,
            body,
            etag=etag,
            modified=state.modified,
            language=language,
            packed=packed,
        )


class PublicCardsView(_CardView):
    """Every card."""

    @documented(
        "cards",
        OBJECTS,
        OpenApiParameter(
            "encounter",
            str,
            description=(
                "1, or any value but 0, for all cards; without it, only cards in no "
                "encounter set."
            ),
        ),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """All player cards, or with ``encounter=1`` every card."""
        state = DataState()
        every = request.query_params.get("encounter", "") not in ("", "0")
        host = with_host(r'"url":"\/', request)
        body, packed = all_cards(state.mark, host, every, bool(state.pictures))
        return self.respond(request, body, state, packed=packed)


@lru_cache(maxsize=4)  # both lists, of current cards and of those they replace
def all_cards(
    state: str, host: str, every: bool, pictured: bool
) -> tuple[bytes, bytes]:
    """Return the list of cards in this state with this host, plain and in gzip."""
    rows = PublicCard.objects.order_by("place")
    if not every:
        rows = rows.filter(encounter=False)
    text = _array(rows.values_list("body", flat=True))
    text = with_pictures(text, _pictures(state) if pictured else {})
    body = text.replace(r'"url":"\/', host).encode()
    return body, gzip.compress(body, PACKING, mtime=0)


def _array(bodies: Iterable[str]) -> str:
    return f"[{','.join(bodies)}]"


class CardsOfPack(_CardView):
    """The cards of a product."""

    @documented(
        "cards_of_pack",
        OBJECTS,
        OpenApiParameter(
            "pack",
            {"type": "string", "pattern": r"^[0-9A-Za-z_]+(\.json)?$"},
            OpenApiParameter.PATH,
            description="The code of a product.",
        ),
    )
    def get(self, request: Request, pack: str) -> HttpResponseBase:
        """Every card of a product except hidden backs."""
        code, _dot, form = pack.partition(".")
        if form in OTHER_FORMATS:
            said = f"{form} format not supported. Only json is supported."
            return HttpResponse(said, content_type=OTHER_FORMATS[form])
        rows = PublicCard.objects.filter(pack=code.lower(), hidden=False)
        found = rows.order_by("place").values_list("body", "bonded")
        bodies = [_plain(*each) for each in found]
        # A bundle of other products has no cards of its own.
        if not bodies and not Pack.objects.filter(pk=code.lower()).exists():
            raise Http404
        state = DataState()
        body = _completed(_array(bodies), state, request)
        return self.respond(request, body, state, language="")


CODE = OpenApiParameter(
    "code", str, OpenApiParameter.PATH, description="The code of a printing."
)


class PublicCardView(_CardView):
    """One card."""

    @documented("card", OBJECT, CODE)
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """A card by the code of a printing."""
        rows = PublicCard.objects.filter(pk=code)
        found = rows.values_list("body", "bonded").first()
        if found is None:
            raise Http404
        state = DataState()
        body = _completed(_plain(*found), state, request)
        return self.respond(request, body, state)


def _plain(body: str, bonded: str) -> str:
    """Return a card without the part that only the list of all cards has."""
    return body.replace(bonded, "") if bonded else body


class Faq(_CardView):
    """The FAQ of a card."""

    @documented(
        "faq", {"type": "array", "items": {"type": "object"}, "maxItems": 0}, CODE
    )
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """Always empty: rulings on single cards are not stored here."""
        if not PublicCard.objects.filter(pk=code).exists():
            raise Http404
        return self.respond(request, "[]", DataState(), language="")


class PublicPacksView(_CardView):
    """Every product."""

    @documented("packs", OBJECTS)
    def get(self, request: Request) -> HttpResponseBase:
        """Every product, in order of release."""
        return self.respond(request, with_host(_list(PACKS), request), DataState())


class Taboos(_CardView):
    """Every taboo list."""

    @documented("taboos", OBJECTS)
    def get(self, request: Request) -> HttpResponseBase:
        """Every taboo list, the newest first; ``cards`` is JSON in a string."""
        return self.respond(request, _list(TABOOS), DataState())


def _list(name: str) -> str:
    return (
        PublicList.objects.values_list("body", flat=True).filter(pk=name).first()
        or "[]"
    )


class Factions(PublicApiView):
    """Every class."""

    @documented("factions", OBJECTS)
    def get(self, request: Request) -> HttpResponseBase:
        """Every class; they never change, so there is no Last-Modified."""
        body = php_json(answers.factions())
        return answered(request, body, etag=etag_of(body), language=LANGUAGE)


@require_safe
def card_page(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect from ArkhamDB's address of a card to its page."""
    get_object_or_404(PublicCard, pk=code)
    return redirect("cardpool:card", code)


@require_safe
def pack_page(request: HttpRequest, pack: str) -> HttpResponse:
    """Redirect from ArkhamDB's address of a product to a search for its cards."""
    get_object_or_404(Pack, pk=pack)
    query = urlencode({"q": f"e:{pack} show:all"})
    return HttpResponseRedirect(f"{reverse('cardpool:index')}?{query}")
