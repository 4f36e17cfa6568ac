"""The description of signing in and of refusals in the API's schema."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.renderers import SafeDumper  # type: ignore[attr-defined]
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS
from rest_framework.views import APIView

from arkham.accounts.models import LONGEST_IDEMPOTENCY_KEY
from arkham.rest.messages import (
    NAME,
    Message,
    MessagePart,
    Number,
    name_of,
    referring,
    schema,
)
from arkham.rest.public import IF_NONE_MATCH, UNCHANGED
from arkham.rules.vocabulary import CardClass
from arkham.web.problems import CONTENT_TYPE

Expected = Annotated[str, "What may be there."]
Line = Annotated[Number, "Line of the body, where its text is broken."]
Column = Annotated[Number, "The column in that line."]


class ErrorPart(MessagePart):
    """A fault with its place."""

    pointer: str = ""
    parameter: str = ""
    detail: str
    expected: Expected = ""
    line: Line = 1
    column: Column = 1


class ProblemShape(Message, is_open=True):
    """Why the request was refused (RFC 9457)."""

    type: Annotated[str, "A permanent name of the kind."]
    title: str
    status: int
    detail: str
    instance: str
    pointer: Annotated[str, "JSON pointer to the fault in the body."] = ""
    parameter: Annotated[str, "The name of the query parameter at fault."] = ""
    expected: Expected = ""
    line: Line = 1
    column: Column = 1
    errors: Annotated[list[ErrorPart], "Every fault with its place."] = field(
        default_factory=list
    )
    findings: Annotated[
        list[dict[str, Any]], "What the rules find, if they forbid it."
    ] = field(default_factory=list)


class OtherStateProblemShape(ProblemShape):
    """Why a request was refused whose If-Match is missing or names another state."""

    etag: Annotated[str, "The ETag of what is there now."]


class StaleProblemShape(OtherStateProblemShape):
    """Why a change based on an earlier state was refused."""

    current: Annotated[Any, "What is there now."]
    yours: Annotated[Any, schema(nullable=True), "What you sent; null for a deletion."]
    base: Annotated[
        Any, schema(nullable=True), "What both were made from; null if unknown."
    ]


CLASSES = [each.value for each in CardClass]  # a single list, so that it has one name

PROBLEMS = {
    "400": "We couldn’t read the request.",
    "401": "The API key is missing, not known here or revoked.",
    "403": "Not allowed: a key that can only read can't write.",
    "404": "There is nothing here, or you may not see it.",
    "406": "Only JSON is available.",
    "409": "Its state doesn’t allow this change.",
    "411": "Content-Length is missing: send the body in one piece.",
    "412": "It has changed since; the revision you sent is not the current one.",
    "413": "The body is too large.",
    "415": "We don’t understand a body of this type.",
    "422": "The body was read, but is not what was expected.",
    "428": "If-Match is missing.",
    "429": "Too many requests; Retry-After says when to come back.",
}

IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "minLength": 1, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag you last saw: what has changed since is not overwritten.",
)
IF_MATCH_IF_NAMED = OpenApiParameter(
    IF_MATCH.name,
    IF_MATCH.type,
    OpenApiParameter.HEADER,
    description="The ETag you last saw; without it, changes since then aren't noticed.",
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {
        "type": "string",
        "minLength": 1,
        "maxLength": LONGEST_IDEMPOTENCY_KEY,
        "pattern": "^[!-~]([ -~]*[!-~])?$",
    },
    OpenApiParameter.HEADER,
    description=(
        "A name you give this request. If you repeat it within a day, it isn't carried "
        "out again: you get the first answer, with the header Idempotent-Replayed. "
        "A different request with the same name is refused with 422."
    ),
)

# What YAML 1.2 reads as a number unless it is quoted. The dumper only knows YAML 1.1,
# where 01088 is a string: other readers would get the card code 1088.
SafeDumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z|0o[0-7]+\Z"),
    list("-+.0123456789"),
)

Direction = Literal["request", "response"]


def with_components(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Move named schemas to the components, and refer to them."""
    components: dict[str, Any] = result["components"]["schemas"]
    found: dict[str, Any] = {}

    def referring(node: Any) -> Any:
        if isinstance(node, list):
            return [referring(each) for each in node]
        if not isinstance(node, dict):
            return node
        schema = {key: referring(each) for key, each in node.items() if key != NAME}
        if NAME not in node:
            return schema
        name = node[NAME]
        if found.setdefault(name, schema) != schema:
            raise ValueError(f"two schemas are named {name}")
        return {"$ref": f"#/components/schemas/{name}"}

    result["paths"] = referring(result["paths"])
    described = {name: referring(each) for name, each in components.items()}
    for name in found.keys() & described.keys():
        if found[name] != described[name]:
            raise ValueError(f"two schemas are named {name}")
    result["components"]["schemas"] = dict(sorted((described | found).items()))
    return result


def described_once(endpoints: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Omit endpoints that one view serves both with and without a trailing slash."""
    views = {(path, callback.cls) for path, _regex, _method, callback in endpoints}
    return [
        each
        for each in endpoints
        if not each[0].endswith("/")
        or (each[0].removesuffix("/"), each[3].cls) not in views
    ]


def query_parameters(api_view: type[APIView], method: str) -> frozenset[str] | None:
    """Return the query parameters of an operation, by its description.

    None for a method that the view doesn't have.
    """
    handler = getattr(api_view, method.lower(), None)
    if handler is None:
        return None
    described = getattr(handler, "kwargs", {}).get("schema", ProblemSchema)
    schema: ProblemSchema = described()
    view = api_view()
    view.setup(HttpRequest())
    schema.view, schema.method, schema.path = view, method, ""
    return schema.known_query()


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the API key."""

    target_class = "arkham.accounts.authentication.KeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return a bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "orne_…",
            "description": "An API key, made on the page of your account.",
        }


class PageSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """Describes the session of a page."""

    target_class = "arkham.accounts.authentication.BodilessSessionAuthentication"


class ProblemSchema(AutoSchema):
    """Adds to every operation the problem documents it may answer with.

    A view lists the methods that require ``If-Match`` in ``revisioned``, those that
    accept it in ``matched_if_named``, those with a quota in ``has_quota``, and other
    refusals' statuses in ``refuses``; methods decorated by ``arkham.rest.idempotency``
    accept ``Idempotency-Key``. If content negotiation ``takes_any_accept``, there is no
    406.
    """

    def get_override_parameters(self) -> list[Any]:
        """Return the headers the operation reads, in addition to its parameters."""
        parameters = super().get_override_parameters()
        named = {getattr(each, "name", "") for each in parameters}
        headers = [IF_MATCH] if self._is_revisioned() else []
        if self.method == "GET" and IF_NONE_MATCH.name not in named:
            headers += [IF_NONE_MATCH]
        headers += [IF_MATCH_IF_NAMED] if self._is_matched_if_named() else []
        headers += [IDEMPOTENCY_KEY] if self._is_idempotent() else []
        return [*parameters, *headers]

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """Return the name of a component, without "Shape"."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Shape")

    def get_auth(self) -> list[dict[str, Any]]:
        """Return the required authentication; empty if it is optional.

        Such endpoints accept a key too, but client generators require what is listed
        here.
        """
        demanded: list[dict[str, Any]] = super().get_auth()
        return [] if {} in demanded else demanded

    def known_query(self) -> frozenset[str]:
        """Return the names of this operation's query parameters."""
        declared = [
            each.name if isinstance(each, OpenApiParameter) else str(each["name"])
            for each in self.get_override_parameters()
            if not isinstance(each, OpenApiParameter)
            or each.location == OpenApiParameter.QUERY
        ]
        paged = getattr(self.view, "pagination_class", None)
        if paged is not None and self.method == "GET" and self._is_list_view():
            paginator = paged()
            declared += [
                each["name"]
                for each in paginator.get_schema_operation_parameters(self.view)
            ]
        return frozenset(declared)

    def _is_revisioned(self) -> bool:
        return self.method in getattr(self.view, "revisioned", ())

    def _is_matched_if_named(self) -> bool:
        return self.method in getattr(self.view, "matched_if_named", ())

    def _is_idempotent(self) -> bool:
        handler = getattr(self.view, self.method.lower(), None)
        return bool(getattr(handler, "idempotent", False))

    def _get_request_body(self, direction: Direction = "request") -> Any:
        body = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        # A described body is required: an empty one is not JSON.
        return body | {"required": True} if body else body

    def _get_request_for_media_type(
        self, serializer: Any, direction: Direction = "request"
    ) -> Any:
        """Return the reference to a body; a PATCH body gets a name of its own."""
        if isinstance(serializer, type) and issubclass(serializer, Message):
            if self.method != "PATCH":
                return referring(self, direction)(serializer), True
            name = f"Patched{name_of(serializer)}Request"
            schema = serializer.describe(referring(self, direction))
            return self._refers(name, schema), True
        return super()._get_request_for_media_type(serializer, direction)  # type: ignore[no-untyped-call]

    def _get_response_bodies(self, direction: Direction = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if self.method == "GET":
            bodies.setdefault("304", {"description": UNCHANGED.description})
        refer = referring(self, direction)
        for status in self._problems():
            content = {CONTENT_TYPE: {"schema": refer(self._shape(status))}}
            bodies.setdefault(
                status, {"description": PROBLEMS[status], "content": content}
            )
        return dict(sorted(bodies.items()))

    def _shape(self, status: str) -> type[ProblemShape]:
        """Return the shape of the refusals with a status."""
        if status == "412" and self.method not in SAFE_METHODS:
            return StaleProblemShape
        return OtherStateProblemShape if status in ("412", "428") else ProblemShape

    def _refers(self, name: str, schema: dict[str, Any]) -> Any:
        """Return a reference to a schema, and register it as a component."""
        component = ResolvedComponent(  # type: ignore[no-untyped-call]
            name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema
        )
        self.registry.register_on_missing(component)
        return component.ref

    def _problems(self) -> list[str]:
        """Return the statuses of the operation's possible refusals."""
        statuses = ["400", "429"]
        if not getattr(self.view.content_negotiation_class, "takes_any_accept", False):
            statuses += ["406"]
        if self.view.authentication_classes:
            statuses += ["401"]
        statuses += ["412"] if self.method in SAFE_METHODS else ["403"]
        if self._is_idempotent():
            statuses += ["422"]
        if self.method in ("POST", "PUT", "PATCH"):
            statuses += ["411", "413", "415", "422"]
        if "{" in self.path or self._is_list_view():
            statuses += ["404"]
        if self._is_revisioned():
            statuses += ["409", "412", "428"]
        if self._is_matched_if_named():
            statuses += ["412"]
        if self.method in getattr(self.view, "has_quota", ()):
            statuses += ["409"]
        return [*statuses, *getattr(self.view, "refuses", ())]
