"""How signing in to the API, and its refusals, are documented."""

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
Column = Annotated[Number, "Column of that line."]


class ErrorPart(MessagePart):
    """A fault, with its place."""

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
    parameter: Annotated[str, "Name of the query parameter at fault."] = ""
    expected: Expected = ""
    line: Line = 1
    column: Column = 1
    errors: Annotated[list[ErrorPart], "Every fault with its place."] = field(
        default_factory=list
    )
    findings: Annotated[
        list[dict[str, Any]], "What the rules find, if they forbid it."
    ] = field(default_factory=list)


class StaleProblemShape(ProblemShape):
    """Why a change based on an earlier state was refused."""

    current: Annotated[Any, "What is there now."]
    yours: Annotated[
        Any,
        schema(nullable=True),
        "What you sent; null for a deletion.",
    ]
    base: Annotated[
        Any, schema(nullable=True), "What both were made from; null if unknown."
    ]
    etag: Annotated[str, "The ETag of what is there now."]


CLASSES = [each.value for each in CardClass]  # one name for them in the description

PROBLEMS = {
    "400": "We couldn’t read the request.",
    "401": "The API key is missing, not known here or revoked.",
    "403": "Not allowed: a key that can only read can't write.",
    "404": "We don’t know this one.",
    "406": "Only JSON is available.",
    "409": "Its state doesn’t allow this change.",
    "411": "Content-Length is missing: send the body in one piece.",
    "412": "It was changed since; the revision sent is not the current one.",
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
        "pattern": "^[!-~]+$",
    },
    OpenApiParameter.HEADER,
    description=(
        "A name of your own for this request. Sent again under it within a day, it is "
        "not carried out again but answered as before, with the header "
        "Idempotent-Replayed. Another request under the same name is refused with 422."
    ),
)

# What YAML 1.2 reads as a number unless it is quoted. The dumper knows YAML 1.1 alone,
# where 01088 is a text: a card's code would be another, 1088, to other readers.
SafeDumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z|0o[0-7]+\Z"),
    list("-+.0123456789"),
)

Direction = Literal["request", "response"]


def with_components(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Puts what is named among the components, and a reference in its places."""
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
    """Leaves out what one view answers with a slash at its end as well as without."""
    views = {(path, callback.cls) for path, _regex, _method, callback in endpoints}
    return [
        each
        for each in endpoints
        if not each[0].endswith("/")
        or (each[0].removesuffix("/"), each[3].cls) not in views
    ]


def query_parameters(api_view: type[APIView], method: str) -> frozenset[str] | None:
    """What an operation takes in its query, by its own description.

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
    """The API key in the API's description."""

    target_class = "arkham.accounts.authentication.KeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """A bearer token."""
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "orne_…",
            "description": "An API key, made on the page of your account.",
        }


class PageSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The session of a page in the API's description."""

    target_class = "arkham.accounts.authentication.BodilessSessionAuthentication"


class ProblemSchema(AutoSchema):
    """Adds to every operation the problem documents it may answer with.

    A view that asks for ``If-Match`` says so with ``revisioned``, the methods that do,
    one that heeds it where it is sent with ``matched_if_named``; the methods that meet
    a quota stand in ``has_quota``; what ``arkham.rest.idempotency`` decorates takes
    ``Idempotency-Key``; other statuses that a view refuses with it names in
    ``refuses``. Where a content negotiation ``takes_any_accept`` nobody meets 406.
    """

    def get_override_parameters(self) -> list[Any]:
        """The headers that the operation reads, beside what is said of it."""
        parameters = super().get_override_parameters()
        named = {getattr(each, "name", "") for each in parameters}
        headers = [IF_MATCH] if self._is_revisioned() else []
        if self.method == "GET" and IF_NONE_MATCH.name not in named:
            headers += [IF_NONE_MATCH]
        headers += [IF_MATCH_IF_NAMED] if self._is_matched_if_named() else []
        headers += [IDEMPOTENCY_KEY] if self._is_idempotent() else []
        return [*parameters, *headers]

    def get_serializer_name(self, serializer: Any, direction: Direction) -> str:
        """The name of a component: what is described, not that it is a shape."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Shape")

    def get_auth(self) -> list[dict[str, Any]]:
        """What must be shown to be let in; nothing where it may be left out.

        A key is taken at those doors too, but generators of clients demand what is
        named here.
        """
        demanded: list[dict[str, Any]] = super().get_auth()
        return [] if {} in demanded else demanded

    def known_query(self) -> frozenset[str]:
        """The names of the query parameters of this operation."""
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
        # Where a body is described it is needed: an empty one is not JSON.
        return body | {"required": True} if body else body

    def _get_request_for_media_type(
        self, serializer: Any, direction: Direction = "request"
    ) -> Any:
        """The reference to a body; of one that changes a part it is another's."""
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
            is_stale = status == "412" and self.method not in SAFE_METHODS
            shape = StaleProblemShape if is_stale else ProblemShape
            content = {CONTENT_TYPE: {"schema": refer(shape)}}
            bodies.setdefault(
                status, {"description": PROBLEMS[status], "content": content}
            )
        return dict(sorted(bodies.items()))

    def _refers(self, name: str, schema: dict[str, Any]) -> Any:
        """A reference to a described shape, which is among the components then."""
        component = ResolvedComponent(  # type: ignore[no-untyped-call]
            name=name, type=ResolvedComponent.SCHEMA, object=name, schema=schema
        )
        self.registry.register_on_missing(component)
        return component.ref

    def _problems(self) -> list[str]:
        """The statuses of the refusals that can meet this operation."""
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
