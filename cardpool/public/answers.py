"""The public API's answers: rows, headers, conditional requests, JSONP.

Bodies are written once, when cards are loaded. Everything here is for strangers: no
account, cookie or key is ever read.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from arkham.rest.public import IF_NONE_MATCH
from arkham.rules.pool import CardPool
from arkham.web.http import conditional, takes_gzip
from arkham.web.problems import Problem
from arkham.web.request_limits import AnonThrottle
from cardpool.models import Picture, PublicCard, PublicList
from cardpool.public.cards import FACTIONS, SHAPE, PublicCardWriter, php_json
from cardpool.reading.records import Records, Values, read_taboo_entries


def factions() -> list[Values]:
    """Return every class, and neutral and mythos."""
    return [
        {"code": code, "name": name, "is_primary": primary, "octgn_id": None}
        for code, name, primary in FACTIONS
    ]


def pack_rows(
    records: Iterable[Values],
    places: Mapping[str, tuple[int, int]],
    known: Counter[str],
) -> Iterator[Values]:
    """Yield every product in order of release; ``known`` counts the cards of each.

    If the source has no ids for them, they are numbered in that order.
    """
    ordered = sorted(
        records,
        key=lambda each: (
            str(each.get("date_release") or "9999"),
            places.get(each["code"], (0, 0)),
            each["code"],
        ),
    )
    numbered = all(isinstance(each.get("id"), int) for each in ordered)
    for number, each in enumerate(ordered, 1):
        code = each["code"]
        cycle, position = places.get(code, (0, 0))
        yield {
            "name": each.get("name", code),
            "code": code,
            "position": position,
            "cycle_position": cycle,
            "available": each.get("date_release") or "",
            "known": known[code],
            "total": each.get("size", each.get("total")) or 0,
            "url": f"/set/{code}",
            "id": each["id"] if numbered else number,
        }


def taboo_rows(records: Iterable[Values]) -> list[Values]:
    """Return every taboo list, the newest first; its cards are JSON in a string."""
    newest = sorted(records, key=lambda each: int(each["code"]), reverse=True)
    return [_taboo(each) for each in newest]


def _taboo(values: Values) -> Values:
    start: Any = values.get("date_start") or ""
    return {
        "id": int(values["code"]),
        "code": values["code"],
        "name": values.get("name") or "",
        "active": int(bool(values.get("active", 1))),
        "date_start": start,
        "date_update": values.get("date_update") or start,
        "cards": php_json(read_taboo_entries(values.get("cards")) or []),
    }


PACKS, TABOOS, SHAPED = "packs", "taboos", "shape"


def public_cards(records: Records, pool: CardPool) -> Iterator[PublicCard]:
    """Yield a row for every printing, in the order of the list."""
    writer = PublicCardWriter(records, pool.encounter_sets)
    for place, card in enumerate(writer.bodies(_places(pool))):
        yield PublicCard(
            code=card.code,
            pack=card.pack,
            place=place,
            encounter=card.encounter,
            hidden=card.hidden,
            body=card.body,
            bonded=card.bonded,
            record=records.cards[card.code],
        )


def public_lists(records: Records, pool: CardPool) -> Iterator[PublicList]:
    """Yield a row for each list that is sent whole."""
    known = Counter(str(each.get("pack_code")) for each in records.cards.values())
    packs = list(pack_rows(records.packs, _places(pool), known))
    yield PublicList(name=PACKS, body=php_json(packs), records=records.packs)
    taboos = taboo_rows(records.taboos)
    yield PublicList(name=TABOOS, body=php_json(taboos), records=records.taboos)
    yield PublicList(name=SHAPED, body=str(SHAPE), records=[])


def public_answers_are_current() -> bool:
    """Return True if this version of Orne would write the same rows."""
    return PublicList.objects.filter(name=SHAPED, body=str(SHAPE)).exists()


def current_records() -> Records:
    """Return the records in the database."""
    held = dict(PublicList.objects.values_list("name", "records"))
    return Records(
        dict(PublicCard.objects.order_by("code").values_list("code", "record")),
        tuple(held.get(PACKS, ())),
        tuple(held.get(TABOOS, ())),
    )


def _places(pool: CardPool) -> dict[str, tuple[int, int]]:
    """Return the positions of products: that of the cycle, and that within it."""
    return {
        pack.code: (pool.cycles[pack.cycle].position, pack.position)
        for pack in pool.packs.values()
    }


MAX_AGE = 600  # seconds; as on ArkhamDB
LONGEST_CALLBACK = 100
LANGUAGE = "en"
_CALLBACK = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*", re.ASCII)
TAGS = ["public"]

JSONP = OpenApiParameter(
    "jsonp",
    {
        "type": "string",
        "maxLength": LONGEST_CALLBACK,
        "pattern": r"^[A-Za-z_$][0-9A-Za-z_$]*(\.[A-Za-z_$][0-9A-Za-z_$]*)*$",
    },
    description="JSONP callback name: the answer is a script that calls it.",
)
UNCHANGED = OpenApiResponse(description="Nothing has changed since.")


class AnyAccept(DefaultContentNegotiation):
    """Always choose JSON, whatever a client accepts."""

    takes_any_accept = True

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        """Return the only renderer."""
        return renderers[0], renderers[0].media_type


class PublicThrottle(AnonThrottle):
    """Limits the requests of an address; the rate is a setting."""

    scope = "public"


class PublicApiView(APIView):
    """Base of the public views, open to everyone and to scripts of any site."""

    authentication_classes = []
    throttle_classes = [PublicThrottle]
    permission_classes = [AllowAny]
    content_negotiation_class = AnyAccept

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Let any site read the answer, refusals too."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response["Access-Control-Allow-Origin"] = "*"
        return response


class SlashAdded(PublicApiView):
    """A list requested without its final slash."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """Redirect permanently to the address with a slash, keeping the query."""
        query = request.META.get("QUERY_STRING", "")
        address = f"{request.path}/" + (f"?{query}" if query else "")
        return HttpResponsePermanentRedirect(address)


View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def documented(
    operation: str,
    shape: Any,
    *parameters: OpenApiParameter,
    absent: OpenApiResponse | None = None,
) -> Callable[[View], View]:
    """Describe such a view; ``absent`` is its 404, if that isn't a problem document."""
    return extend_schema(
        operation_id=f"public_{operation}",
        tags=TAGS,
        auth=[],
        parameters=[*parameters, JSONP, IF_NONE_MATCH],
        responses={
            (200, "application/json"): shape,
            (200, "application/javascript"): str,
            304: UNCHANGED,
            **({404: absent} if absent else {}),
        },
    )


def host_of(request: Request) -> str:
    """Return the host as JSON addresses have it: ``http:\\/\\/host``."""
    return request.build_absolute_uri("/").rstrip("/").replace("/", r"\/")


def with_host(body: str, request: Request) -> str:
    """Return JSON with the host added to its addresses."""
    return body.replace(r'"url":"\/', rf'"url":"{host_of(request)}\/')


_CARD_ADDRESS = re.compile(r'"url":"\\/card\\/(\w+)"')


def with_pictures(body: str, fields: Mapping[str, str]) -> str:
    """Return JSON of cards with their pictures, after the addresses of the cards.

    ``fields`` are those of :func:`picture_fields`, by card code.
    """
    if not fields:
        return body
    return _CARD_ADDRESS.sub(lambda found: found[0] + fields.get(found[1], ""), body)


def picture_fields(pool: CardPool) -> dict[str, str]:
    """Return ``,"imagesrc":…,"backimagesrc":…`` of each printing with a picture.

    Addresses are paths, as on the site. English pictures are preferred, because the
    rest of the answer is English too.
    """
    rows = Picture.objects.exclude(digest="").order_by("is_back", "language")
    best: dict[tuple[str, bool], Picture] = {}
    for row in rows:
        if row.language == LANGUAGE or (row.code, row.is_back) not in best:
            best[row.code, row.is_back] = row
    found: dict[str, str] = {}
    for (code, is_back), row in best.items():
        parts = [code, row.side, row.digest, "large"]
        names = ("code", "side", "digest", "size")
        path = reverse("cardpool:picture", kwargs=dict(zip(names, parts, strict=True)))
        field = "backimagesrc" if is_back else "imagesrc"
        card = pool.get_card(code)
        printings = [each.code for each in card.printings] if card else [code]
        for each in printings:
            found[each] = found.get(each, "") + f',"{field}":{php_json(path)}'
    return found


def etag_of(*parts: object) -> str:
    """Return a weak ETag, since the same content may be compressed or not."""
    text = " ".join(str(part) for part in parts)
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


def answered(
    request: Request,
    body: str | bytes,
    *,
    etag: str,
    modified: datetime | None = None,
    max_age: int | None = MAX_AGE,
    language: str = "",
    packed: bytes | None = None,
    has_scripts: bool = True,
) -> HttpResponseBase:
    """Answer with JSON as the site would; 304 if the client has it already.

    ``packed`` is the same body in gzip, for clients that accept it. Without
    ``has_scripts``, ``?jsonp=`` is ignored.
    """
    response = HttpResponse(content_type="application/json")
    callback = _callback(request) if has_scripts else ""
    if callback:
        text = body if isinstance(body, str) else body.decode()
        response["Content-Type"] = "application/javascript"
        response.content = f"{callback}({text})".encode()
        etag = etag_of(etag, callback)
    elif packed is not None and takes_gzip(request):
        response.content = packed
        response["Content-Encoding"] = "gzip"
    else:
        response.content = body
    if packed is not None:
        patch_vary_headers(response, ["Accept-Encoding"])
    if max_age is not None:
        response["Cache-Control"] = f"max-age={max_age}, public"
    if language:
        response["Content-Language"] = language
    response["ETag"] = etag
    seconds = None
    if modified is not None:
        seconds = int(modified.timestamp())
        response["Last-Modified"] = modified.strftime("%a, %d %b %Y %H:%M:%S GMT")
    return conditional(request._request, etag, seconds, response)


def _callback(request: Request) -> str:
    """Return the name of the callback, "" for none; 400 for an invalid one."""
    if "jsonp" not in request.query_params:
        return ""
    name = request.query_params["jsonp"]
    if len(name) <= LONGEST_CALLBACK and _CALLBACK.fullmatch(name):
        return str(name)
    detail = _("Expected: the name of a JavaScript function.")
    raise Problem(400, detail, parameter="jsonp")
