"""The root of the API: what it offers, and where."""

from __future__ import annotations

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import URLPattern, URLResolver, include, path, re_path, resolve
from django.utils.encoding import escape_uri_path
from drf_spectacular.utils import extend_schema, inline_serializer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from arkham.errors import not_found
from arkham.library import urls as library
from campaigns import urls as campaigns
from cardpool import urls as cardpool
from cardpool.public import urls as public_cards
from decks import public_urls as public_decks
from decks import urls as decks


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


def unknown_address(request: HttpRequest) -> HttpResponse:
    """404 as a problem document, with DEBUG on too.

    An address with a slash too few or too many at its end leads to the one meant.
    """
    here = request.path_info
    meant = here.removesuffix("/") if here.endswith("/") else f"{here}/"
    match = resolve(meant)
    # A slash at the end of a code makes it a wrong code, and two are no slip.
    wrong = here.endswith("/") and (match.kwargs or meant.endswith("/"))
    if wrong or match.func is unknown_address:
        return not_found(request)
    address = escape_uri_path(request.path.removesuffix(here) + meant)
    if query := request.META.get("QUERY_STRING"):
        address = f"{address}?{query}"
    return HttpResponsePermanentRedirect(address, preserve_request=True)


app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path(
        "docs",
        # Swagger UI draws its icons from data: addresses.
        csp_update({"img-src": ["data:"]})(
            SpectacularSwaggerSplitView.as_view(url_name="api:schema")
        ),
        name="documentation",
    ),
    path("v1/", Root.as_view(), name="root"),
    path("v1/", include((library.api_urlpatterns, "library"))),
    path("v1/", include((cardpool.api_urlpatterns, "cardpool"))),
    path("v1/", include((decks.api_urlpatterns, "decks"))),
    path("v1/", include((campaigns.api_urlpatterns, "campaigns"))),
    path("public/", include((public_cards.urlpatterns, "public-cards"))),
    path("public/", include((public_decks.api_urlpatterns, "public-decks"))),
    re_path(r"", unknown_address),
]
