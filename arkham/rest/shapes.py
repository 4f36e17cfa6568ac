"""Shapes that describe the API's messages by JSON schemas, and parts of schemas."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers

Schema = dict[str, Any]
Refer = Callable[[type], Schema]
NAME = "x-component"  # marks a schema that is to be a component, until it is one


class Shape(serializers.Serializer[Any]):
    """A shape that is described by hand rather than by fields."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The schema; ``refer`` gives the reference to another shape."""
        raise NotImplementedError


class ShapeExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Puts shapes described by hand into the API's schema."""

    target_class = Shape
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The name of the class without "Shape"; requests are marked as such."""
        return str(self.target.__class__.__name__.removesuffix("Shape"))

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        """The schema of the shape, and those it refers to beside it."""

        def refer(shape: type[Shape]) -> Schema:
            return auto_schema.resolve_serializer(shape, direction).ref

        # What is made of it is changed later: no other description may be.
        described: Schema = deepcopy(self.target.describe(refer))
        return described


def named(name: str, schema: Schema) -> Schema:
    """A schema that is described once, as a component of this name.

    Generators of clients make a class of it, and of what has no name a guess.
    """
    return {**schema, NAME: name}


def or_null(*schemas: Schema, **keys: Any) -> Schema:
    """A value of one of these schemas, or null."""
    if len(schemas) == 1 and (NAME in schemas[0] or "$ref" in schemas[0]):
        return {"allOf": list(schemas), "nullable": True, **keys}
    if len(schemas) == 1:
        # OpenAPI 3.0.3: where values are listed, null is one of them.
        listed = schemas[0].get("enum")
        enum = {"enum": [*listed, None]} if listed and None not in listed else {}
        return {**schemas[0], **enum, "nullable": True, **keys}
    return {"anyOf": list(schemas), "nullable": True, **keys}


def closed(**properties: Schema) -> Schema:
    """An object that has these properties, all of them, and no others."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }
