"""The root of the API: what it offers, and where."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import URLPattern, URLResolver, include, path, re_path, resolve
from django.utils.encoding import escape_uri_path
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema, inline_serializer
from drf_spectacular.views import SpectacularAPIView
from rest_framework import permissions, serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from arkham.library import urls as library
from arkham.rest.reference import documentation
from arkham.web.errors import not_found
from campaigns import urls as campaigns
from cardpool import urls as cardpool
from cardpool.public import urls as public_cards
from decks import public_urls as public_decks
from decks import urls as decks


class AskedFormat(DefaultContentNegotiation):
    """``?format=json`` asks for a format as the header does, where one can't be set."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """The renderer that is asked for; 404 for a format there is not."""
        asked = request.query_params.get("format") or format_suffix
        found: tuple[BaseRenderer, str]
        found = super().select_renderer(request, renderers, asked)
        return found


class ApiDescription(SpectacularAPIView):
    """The API's description, written once: it changes with the program alone."""

    content_negotiation_class = AskedFormat

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal is a problem document, whatever format was asked for."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """The description in the format asked for."""
        renderer = request.accepted_renderer
        name = f"Orne.{renderer.format}"
        return HttpResponse(
            _described(renderer.format),
            content_type=renderer.media_type,
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )


@cache
def _described(form: str) -> str | bytes:
    """The description in a format that Schema's renderers have."""
    renderer = next(
        each for each in ApiDescription.renderer_classes if each.format == form
    )
    generator: Any = SchemaGenerator
    return renderer().render(generator().get_schema(public=True), renderer_context={})


class Root(APIView):
    """Where a program starts."""

    permission_classes = [permissions.AllowAny]

    @extend_schema(
        operation_id="root",
        responses=inline_serializer(
            "Root",
            {
                "name": serializers.CharField(),
                "version": serializers.CharField(),
                "links": serializers.DictField(child=serializers.CharField()),
            },
        ),
    )
    def get(self, request: Request) -> Response:
        """The name and version of the API and the addresses it offers."""
        return Response(
            {
                "name": "Orne",
                "version": "1",
                "links": {
                    "schema": reverse("api:schema", request=request),
                    "documentation": reverse("api:documentation", request=request),
                    "rules": reverse("api:library:rules", request=request),
                    "decks": reverse("api:decks:decks", request=request),
                    "legality": reverse("api:decks:legality", request=request),
                    "legality_batch": reverse(
                        "api:decks:legality-batch", request=request
                    ),
                    "guides": reverse("api:campaigns:guides", request=request),
                    "account": reverse("api:campaigns:account", request=request),
                    "campaigns": reverse("api:campaigns:campaigns", request=request),
                    "odds": reverse("api:campaigns:odds", request=request),
                },
            }
        )


@csrf_exempt
def unknown_address(request: HttpRequest) -> HttpResponse:
    """404 as a problem document, with DEBUG on too.

    An address with a slash too few or too many at its end leads to the one meant: 308,
    so that the same method and body go there. No token is asked for where there is
    nothing that it could protect.
    """
    here = request.path_info
    meant = here.removesuffix("/") if here.endswith("/") else f"{here}/"
    match = resolve(meant)
    # Two slashes at the end are no slip.
    if "//" in (meant[-2:], here[-2:]) or match.func is unknown_address:
        return not_found(request)
    address = escape_uri_path(request.path.removesuffix(here) + meant)
    if query := request.META.get("QUERY_STRING"):
        address = f"{address}?{query}"
    return HttpResponsePermanentRedirect(address, preserve_request=True)


app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", ApiDescription.as_view(), name="schema"),
    path("docs", documentation, name="documentation"),
    path("v1/", Root.as_view(), name="root"),
    path("v1/", include((library.api_urlpatterns, "library"))),
    path("v1/", include((cardpool.api_urlpatterns, "cardpool"))),
    path("v1/", include((decks.api_urlpatterns, "decks"))),
    path("v1/", include((campaigns.api_urlpatterns, "campaigns"))),
    path("public/", include((public_cards.urlpatterns, "public-cards"))),
    path("public/", include((public_decks.api_urlpatterns, "public-decks"))),
    re_path(r"", unknown_address),
]
