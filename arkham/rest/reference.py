"""Describes the API to readers: the OpenAPI schema as a page of the site."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")
OF_NO_TAG = "start"
_SCHEMAS = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a value; ``schema`` is the name of a described one, else ""."""

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
    """What is sent or answered, with examples as JSON by their names."""

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
    """A described object or list of words."""

    name: str
    description: str
    kind: ValueType
    values: tuple[SchemaValue, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole API: operations by their tags, and the schemas they use.

    ``digest`` names this state of it, for a cache that outlives the program.
    """

    digest: str
    tags: tuple[tuple[str, tuple[Operation, ...]], ...]
    schemas: tuple[DescribedSchema, ...]


@csrf_exempt  # nothing is changed here: another method is refused as such
@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    """Show every address of the API, and what is sent and answered there."""
    return render(request, "api/reference.html", {"reference": reference()})


@lru_cache(maxsize=1)  # it changes with the code alone
def reference() -> Reference:
    """Read the schema of the API."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    schema = generator.get_schema(public=True)  # type: ignore[no-untyped-call]
    tags: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                spec = methods[method]
                tag = spec.get("tags", [OF_NO_TAG])[0]
                tags.setdefault(tag, []).append(_operation(method, path, spec))
    schemas = schema["components"]["schemas"].items()
    written = json.dumps(schema, default=str, sort_keys=True)
    return Reference(
        hashlib.sha256(written.encode()).hexdigest(),
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
    """The first sentence, and the rest."""
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
    """The type in words; a described schema by its name."""
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
