"""The API for the card pool: cards, products, taboo lists, environments.

Everything here is public and changes only when card data are loaded, so every answer
has an ETag made of the data's version and the address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arkham.rest import public
from arkham.rest.messages import many
from arkham.rest.paging import Pages
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rules.gists import gist_of
from arkham.web.problems import Problem
from cardpool.catalog import current_pool
from cardpool.languages import shown_text
from cardpool.models import DataVersion, Environment, Pack
from cardpool.queries import found, read_search
from cardpool.search import describe
from cardpool.search.lexicon import QueryError
from cardpool.serializers import (
    CardDetailShape,
    CardShape,
    EnvironmentShape,
    PackShape,
    TabooListDetailShape,
    TabooListShape,
    detail_of,
    environment_data,
)

CARD: dict[str, Any] = {
    "code": "01060",
    "name": "Shrivelling",
    "subname": "",
    "type": "asset",
    "scope": "player",
    "classes": ["mystic"],
    "weakness": None,
    "level": 0,
    "cost": 3,
    "icons": {"willpower": 0, "intellect": 0, "combat": 1, "agility": 0, "wild": 0},
    "skills": None,
    "slots": ["arcane"],
    "traits": ["spell"],
    "health": None,
    "sanity": None,
    "victory": None,
    "unique": False,
    "permanent": False,
    "exceptional": False,
    "myriad": False,
    "researched": False,
    "researched_from": [],
    "deck_limit": None,
    "uses": "charges",
    "tags": [],
    "bonded_to": [],
    "encounter_set": None,
    "restriction": None,
    "signature": None,
    "creation_only": False,
    "campaign_only": False,
    "multiplayer_only": False,
    "reward": False,
    "in_decks": True,
    "customization": [],
    "errata": [],
    "printings": [
        {"code": "01060", "pack": "core", "position": 60, "quantity": 1},
        {"code": "01560", "pack": "rcore", "position": 60, "quantity": 2},
    ],
    "investigator": None,
    "gist": {"text": gist_of("01060").text, "elder_sign": "", "lines": []},
}

# Keys that only the card in full has.
DETAIL: dict[str, Any] = CARD | {
    "versions": ["01060", "02154", "02306"],
    "bonded": [],
    "taboo": [],
    "text": None,
}

PACK: dict[str, Any] = {
    "code": "dwlp",
    "name": "The Dunwich Legacy Investigator Expansion",
    "cycle": "dwl",
    "cycle_name": "The Dunwich Legacy",
    "position": 1,
    "released": "2024-01-12",
    "chapter": 1,
    "holds": ["dwl", "tmm", "tece", "bota", "uau", "wda", "litas"],
}

TABOO_LIST: dict[str, Any] = {"id": 1, "date": "2019-04-20", "cards": 13}

# The first two of its changes.
TABOO_DETAIL: dict[str, Any] = {
    "id": 1,
    "date": "2019-04-20",
    "cards": 13,
    "changes": [
        {
            "code": "01020",
            "experience": 2,
            "exceptional": None,
            "deck_limit": None,
            "campaign_only": False,
            "text_only": False,
        },
        {
            "code": "01033",
            "experience": 0,
            "exceptional": None,
            "deck_limit": None,
            "campaign_only": False,
            "text_only": True,
        },
    ],
}

ENVIRONMENT: dict[str, Any] = {
    "slug": "current",
    "name": "Current",
    "kind": "current",
    "date": None,
    "cycles": [],
    "packs": [
        "core",
        "fhvc",
        "fhvp",
        "har",
        "jac",
        "nat",
        "rcore",
        "ste",
        "tdcc",
        "tdcp",
        "tskc",
        "tskp",
        "win",
    ],
}


class CardDataView(public.PublicView):
    """Base of views that depend only on the card data."""

    def version(self) -> object:
        """Return the version of the card data, and when they were loaded."""
        held = DataVersion.objects.values_list("version", "loaded_at").first()
        return held or current_pool().version


View = TypeVar("View", bound=Callable[..., Response])


def _documented(
    operation: str, shape: Any, example: OpenApiExample, **more: Any
) -> Callable[[View], View]:
    return extend_schema(
        operation_id=operation,
        tags=["cards"],
        examples=[example],
        parameters=[*more.pop("parameters", []), IF_NONE_MATCH],
        responses={200: shape, 304: UNCHANGED},
        **more,
    )


def _example(name: str, value: object) -> OpenApiExample:
    return OpenApiExample(name, value, response_only=True)


class FoundPages(Pages):
    """Pages of search results, with the search in words."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page in the API's schema."""
        page = super().get_paginated_response_schema(schema)
        page["properties"]["understood"] = {
            "type": "string",
            "description": "The search as it was carried out, in words.",
            "example": "class seeker, type event",
        }
        page["properties"]["guess"] = {
            "type": "array",
            "items": {"type": "string"},
            "description": (
                "What was searched for instead of words that no card has. Empty if the "
                "search found cards as it was, or none at all."
            ),
            "example": [],
        }
        return page | {"required": [*page["required"], "understood", "guess"]}


class Cards(CardDataView):
    """The cards that a search finds."""

    pagination_class = FoundPages

    @_documented(
        "cards",
        many(CardShape),
        _example("A card", CARD),
        parameters=[
            OpenApiParameter(
                "q",
                {"type": "string", "format": "card-search"},
                description=(
                    "A search in the language of the card pages. We assume that words "
                    "no card has are misspelled; ordinary words such as `level 0` and "
                    "`seeker event` are read as conditions. Encounter and story "
                    "cards are among the answers only with `show:encounter`, "
                    "`show:story` or `show:all`. Answers come in the order of their "
                    "codes, whatever `sort:` says."
                ),
                examples=[
                    OpenApiExample("Everything", ""),
                    OpenApiExample(
                        "What an investigator may include", "access:01004 level<=2"
                    ),
                ],
            )
        ],
    )
    def get(self, request: Request) -> Response:
        """The cards that a search finds, in code order, a page at a time."""
        try:
            search = read_search(request.query_params.get("q", ""))
        except QueryError as error:
            raise _refused(error) from error
        codes = self.paginate_queryset(found(search).only("pk"))
        response = self.get_paginated_response(
            [CardShape.data(search.pool[row.pk]) for row in codes or ()]
        )
        response.data |= {"understood": describe(search), "guess": [*search.guess]}
        return response


def _refused(error: QueryError) -> Problem:
    return Problem(
        400,
        str(error),
        kind="search",
        title=_("We don’t understand this search"),
        parameter="q",
        column=error.column,
        found=error.found,
        expected=error.expected,
        suggestion=error.suggestion,
    )


class CardDetail(CardDataView):
    """One card."""

    @_documented("card", CardDetailShape, _example("A card in full", DETAIL))
    def get(self, request: Request, code: str) -> Response:
        """A card by the code of any of its printings."""
        pool = current_pool()
        card = pool.get_card(code)
        if card is None:
            raise Http404
        text = shown_text(card.code)
        return Response(detail_of(card, pool, text))


class Packs(CardDataView):
    """The products."""

    @_documented("packs", many(PackShape), _example("A product", PACK))
    def get(self, request: Request) -> Response:
        """Every product, in order of appearance."""
        packs = Pack.objects.select_related("cycle")
        return Response([PackShape.data(each) for each in packs])


class TabooLists(CardDataView):
    """The taboo lists."""

    @_documented("taboo_lists", many(TabooListShape), _example("A list", TABOO_LIST))
    def get(self, request: Request) -> Response:
        """Every edition of the taboo list, newest first."""
        lists = current_pool().taboo_lists[::-1]
        return Response([TabooListShape.data(each) for each in lists])


class TabooListDetail(CardDataView):
    """One taboo list."""

    @_documented(
        "taboo_list",
        TabooListDetailShape,
        _example("A list in full", TABOO_DETAIL),
        parameters=[
            OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH),
        ],
    )
    def get(self, request: Request, id: int) -> Response:
        """One edition of the taboo list, complete in itself."""
        taboo = current_pool().taboo_list(id)
        if taboo is None:
            raise Http404
        return Response(TabooListDetailShape.data(taboo))


class Environments(CardDataView):
    """The named environments."""

    def version(self) -> object:
        """Add the environments to the version of the card data."""
        return super().version(), list(self._environments().values_list())

    @_documented(
        "environments",
        many(EnvironmentShape),
        _example("Current", ENVIRONMENT),
    )
    def get(self, request: Request) -> Response:
        """Every named environment, with the products in it."""
        pool = current_pool()
        return Response([environment_data(row, pool) for row in self._environments()])

    def _environments(self) -> QuerySet[Environment]:
        return Environment.objects.prefetch_related("cycles", "packs")
