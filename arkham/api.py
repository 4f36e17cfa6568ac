"""The root of the API with its addresses, and its description as a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, include, path, re_path, resolve
from django.utils.encoding import escape_uri_path
from django.utils.safestring import SafeString
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import permissions
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from arkham.jobs import api as jobs
from arkham.library import api as library
from arkham.rest.messages import Message, source
from arkham.web.bodies import Negotiation
from arkham.web.errors import not_found
from arkham.webhooks import api as webhooks
from campaigns import urls as campaigns
from cardpool import urls as cardpool
from decks import urls as decks

DESCRIBED = settings.SPECTACULAR_SETTINGS
METHODS = ("get", "post", "put", "patch", "delete")
OF_NO_TAG = "start"
_SCHEMAS = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a value; ``schema`` is the name of its schema, or ""."""

    words: str
    schema: str = ""


@dataclass(frozen=True, slots=True)
class SchemaValue:
    """A parameter, or a key of an object."""

    name: str
    kind: ValueType
    required: bool
    description: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """A body of a request or answer, with named examples as JSON."""

    kinds: tuple[ValueType, ...]
    examples: tuple[tuple[str, str], ...]
    status: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    id: str
    method: str
    path: str
    summary: str
    details: str
    parameters: tuple[SchemaValue, ...]
    request: Body | None
    answers: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class DescribedSchema:
    """A described object or enumeration."""

    name: str
    description: str
    kind: ValueType
    values: tuple[SchemaValue, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole API: operations by tag, and the schemas they use."""

    tags: tuple[tuple[str, tuple[Operation, ...]], ...]
    schemas: tuple[DescribedSchema, ...]


@csrf_exempt  # nothing changes here: other methods get 405
@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show every address of the API with its requests and answers."""
    written = written_reference(get_language() or settings.LANGUAGE_CODE)
    return render(request, "api/reference.html", {"reference": written})


def load_descriptions() -> None:
    """Render the API's description in every language and format.

    It only changes with the code: processes forked from this one share it.
    """
    for language, _name in settings.LANGUAGES:
        written_reference(language)
    for renderer in ApiDescription.renderer_classes:
        _described(renderer.format)


@cache
def written_reference(language: str) -> SafeString:
    """Return the reference as HTML."""
    with override(language):
        return render_to_string("api/_reference.html", {"reference": reference()})


@cache
def _schema_of_api() -> Mapping[str, Any]:
    generator: Any = SchemaGenerator
    schema: Mapping[str, Any] = generator().get_schema(public=True)
    return schema


def reference() -> Reference:
    """Read the schema of the API."""
    schema = _schema_of_api()
    tags: dict[str, list[Operation]] = {}
    for address, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                spec = methods[method]
                tag = spec.get("tags", [OF_NO_TAG])[0]
                tags.setdefault(tag, []).append(_operation(method, address, spec))
    schemas = schema["components"]["schemas"].items()
    return Reference(
        tuple((tag, tuple(found)) for tag, found in tags.items()),
        tuple(_schema(name, spec) for name, spec in schemas),
    )


def _operation(method: str, path: str, spec: Mapping[str, Any]) -> Operation:
    summary, details = _parted(spec.get("description", ""))
    asked = spec.get("requestBody")
    return Operation(
        spec["operationId"],
        method.upper(),
        path,
        spec.get("summary") or summary,
        details,
        tuple(_parameter(each) for each in spec.get("parameters", ())),
        _body(asked) if asked else None,
        tuple(_body(each, code) for code, each in spec["responses"].items()),
    )


def _parted(description: str) -> tuple[str, str]:
    """Return the first paragraph, and the rest."""
    first, _blank, rest = description.partition("\n\n")
    return " ".join(first.split()), rest


def _parameter(spec: Mapping[str, Any]) -> SchemaValue:
    return SchemaValue(
        spec["name"],
        _kind(spec.get("schema", {})),
        spec.get("required", False),
        spec.get("description", ""),
        spec["in"],
    )


def _body(spec: Mapping[str, Any], status: str = "") -> Body:
    content = spec.get("content", {})
    kinds, examples = [], {}
    for media, each in content.items():
        kind = _kind(each.get("schema", {}))
        words = kind.words if media.endswith("json") else f"{kind.words} ({media})"
        kinds.append(ValueType(words, kind.schema))
        for example in each.get("examples", {}).values():
            value = json.dumps(example["value"], indent=2, ensure_ascii=False)
            examples[example.get("summary", _("Example"))] = value
    return Body(
        tuple(dict.fromkeys(kinds)),
        tuple(examples.items()),
        status,
        spec.get("description", ""),
    )


def _schema(name: str, spec: Mapping[str, Any]) -> DescribedSchema:
    required = spec.get("required", ())
    values = tuple(
        SchemaValue(key, _kind(each), key in required, each.get("description", ""))
        for key, each in spec.get("properties", {}).items()
    )
    return DescribedSchema(name, spec.get("description", ""), _kind(spec), values)


def _kind(spec: Mapping[str, Any]) -> ValueType:
    """Return the type in words; a schema by its name."""
    kinds = list(dict.fromkeys(_kinds(spec)))
    schemas = {kind.schema for kind in kinds if kind.schema}
    words = " | ".join(kind.words for kind in kinds) or "any"
    if spec.get("nullable"):
        words = f"{words} | null"
    return ValueType(words, schemas.pop() if len(schemas) == 1 else "")


def _kinds(spec: Mapping[str, Any]) -> Iterator[ValueType]:
    reference = spec.get("$ref", "")
    if reference:
        name = reference.removeprefix(_SCHEMAS)
        yield ValueType(name, name)
        return
    for way in ("oneOf", "anyOf", "allOf"):
        for each in spec.get(way, ()):
            yield from _kinds(each)
    if "enum" in spec:
        yield ValueType(" | ".join(json.dumps(each) for each in spec["enum"]))
    elif spec.get("type") == "array":
        inner = _kind(spec.get("items", {}))
        yield ValueType(f"[{inner.words}]", inner.schema)
    elif spec.get("type") == "object" and isinstance(
        spec.get("additionalProperties"), Mapping
    ):
        inner = _kind(spec["additionalProperties"])
        yield ValueType(f"{{string: {inner.words}}}", inner.schema)
    elif "type" in spec:
        yield ValueType(spec.get("format") or spec["type"])


class AskedFormat(Negotiation):
    """Also accepts ``?format=json``, for clients that can't set the header."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the requested renderer; 404 for an unknown format."""
        asked = request.query_params.get("format") or format_suffix
        found: tuple[BaseRenderer, str]
        found = super().select_renderer(request, renderers, asked)
        return found


class ApiDescription(SpectacularAPIView):
    """The API's description, rendered once: it only changes with the program."""

    content_negotiation_class = AskedFormat

    def handle_exception(self, exc: Exception) -> Response:
        """Return refusals as problem documents, whatever format was requested."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """The description in the requested format."""
        renderer = request.accepted_renderer
        name = f"Orne.{renderer.format}"
        return HttpResponse(
            _described(renderer.format),
            content_type=renderer.media_type,
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )


@cache
def _described(form: str) -> str | bytes:
    """Return the description in a format of the schema's renderers."""
    renderer = next(
        each for each in ApiDescription.renderer_classes if each.format == form
    )
    return renderer().render(_schema_of_api(), renderer_context={})


LINKS = {
    "schema": "api:schema",
    "documentation": "api:documentation",
    "rules": "api:library:rules",
    "decks": "api:decks:decks",
    "legality": "api:decks:legality",
    "legality_batch": "api:decks:legality-batch",
    "jobs": "api:jobs:jobs",
    "webhooks": "api:webhooks:webhooks",
    "guides": "api:campaigns:guides",
    "account": "api:campaigns:account",
    "campaigns": "api:campaigns:campaigns",
    "odds": "api:campaigns:odds",
}


class RootShape(Message):
    """The name and version of the API, and the addresses it offers."""

    name: Annotated[str, source(lambda _links: DESCRIBED["TITLE"])]
    version: Annotated[str, source(lambda _links: DESCRIBED["VERSION"])]
    links: Annotated[dict[str, str], source(dict)]


class Root(APIView):
    """The start for programs."""

    permission_classes = [permissions.AllowAny]

    @extend_schema(operation_id="root", responses=RootShape)
    def get(self, request: Request) -> Response:
        """The name and version of the API and the addresses it offers."""
        links = {key: reverse(name, request=request) for key, name in LINKS.items()}
        return Response(RootShape.data(links))


@csrf_exempt
def unknown_address(request: HttpRequest) -> HttpResponse:
    """Return 404 as a problem document, with DEBUG on too.

    An address with a missing or extra trailing slash redirects to the right one with
    308, which keeps method and body. No CSRF token is required, as there is nothing to
    protect.
    """
    here = request.path_info
    meant = here.removesuffix("/") if here.endswith("/") else f"{here}/"
    match = resolve(meant)
    # Two trailing slashes are no slip.
    if "//" in (meant[-2:], here[-2:]) or match.func is unknown_address:
        return not_found(request)
    address = escape_uri_path(request.path.removesuffix(here) + meant)
    if query := request.META.get("QUERY_STRING"):
        address = f"{address}?{query}"
    return HttpResponsePermanentRedirect(address, preserve_request=True)


app_name = "api"

RULES = [
    path("rules/", library.Rules.as_view(), name="rules"),
    path("rules/<slug:slug>/", library.RuleDetail.as_view(), name="rule"),
]
JOBS = [
    path("jobs/", jobs.Jobs.as_view(), name="jobs"),
    path("jobs/<int:pk>/", jobs.JobDetail.as_view(), name="job"),
    path("jobs/<int:pk>/cancel", jobs.JobCancelling.as_view(), name="cancel"),
    path("jobs/<int:pk>/continue", jobs.JobContinuing.as_view(), name="continue"),
    path("jobs/<int:pk>/results", jobs.JobResults.as_view(), name="results"),
]
_WEBHOOK = "webhooks/<int:pk>"
_DELIVERY = f"{_WEBHOOK}/deliveries/<int:delivery>"
WEBHOOKS = [
    path("webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path(f"{_WEBHOOK}/", webhooks.WebhookDetail.as_view(), name="webhook"),
    path(f"{_WEBHOOK}/test", webhooks.WebhookTest.as_view(), name="test"),
    path(
        f"{_WEBHOOK}/rotate-secret",
        webhooks.SecretRotation.as_view(),
        name="rotate-secret",
    ),
    path(f"{_WEBHOOK}/switch-on", webhooks.SwitchingOn.as_view(), name="switch-on"),
    path(f"{_WEBHOOK}/deliveries/", webhooks.Deliveries.as_view(), name="deliveries"),
    path(f"{_DELIVERY}/send-again", webhooks.SendingAgain.as_view(), name="send-again"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", ApiDescription.as_view(), name="schema"),
    path("docs", documentation, name="documentation"),
    path("v1/", Root.as_view(), name="root"),
    path("v1/", include((decks.api_urlpatterns, "decks"))),
    path("v1/", include((campaigns.api_urlpatterns, "campaigns"))),
    path("v1/", include((RULES, "library"))),
    path("v1/", include((JOBS, "jobs"))),
    path("v1/", include((WEBHOOKS, "webhooks"))),
    path("v1/", include((cardpool.api_urlpatterns, "cardpool"))),
    path("public/", include((cardpool.public_urlpatterns, "public-cards"))),
    path("public/", include((decks.public_urlpatterns, "public-decks"))),
    path("oauth2/", include((decks.oauth2_urlpatterns, "arkhamdb-account"))),
    re_path(r"", unknown_address),
]
