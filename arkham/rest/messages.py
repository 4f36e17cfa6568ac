"""Messages of the API: bodies of requests and answers, each described once.

A message is a class with annotated fields. From these are made its schema in the API's
description, the strict reader of requests (``arkham.rest.reading``) and the writer of
answers::

    class KeptGuide(Message):
        id: Annotated[int, schema(minimum=1), source("pk")]
        name: Annotated[str, "What it is called."]
        side: str | None

Its docstring describes the message, a text next to a type describes the field.
``schema`` adds keywords of JSON schema, which also limit what is read. ``source`` says
where an answer's value is found, unless it is the attribute of the same name. A list in
a request is read as a tuple.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import MISSING, dataclass, field, fields
from datetime import datetime
from enum import Enum
from functools import cache
from inspect import cleandoc
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers

Data = dict[str, Any]
Schema = dict[str, Any]
Refer = Callable[[type], Schema]
NAME = "x-component"  # marks a schema that will become a component
Writer = Callable[[Any], Any]

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    Any: {},
}


class schema(dict[str, Any]):  # noqa: N801 - reads as the function it is used as
    """Keywords of JSON schema for a field."""

    def __hash__(self) -> int:  # type: ignore[override]
        """Return a hash: types are looked up together with their annotations."""
        return hash(tuple(self))


class source(NamedTuple):  # noqa: N801 - the same
    """The source of a field's value: an attribute path, an index, or a function."""

    found: str | int | Callable[[Any], Any]


class like(NamedTuple):  # noqa: N801 - the same
    """Described like another type, because something else reads the value."""

    other: Any


class reads(NamedTuple):  # noqa: N801 - the same
    """Read by a function, which raises Unreadable with relative pointers."""

    by: Callable[[Any], Any]


MOST_ITEMS = 400  # in a request, unless another limit is given

Count = Annotated[int, schema(minimum=0)]
Number = Annotated[int, schema(minimum=1)]
Address = Annotated[str, schema(format="uri")]


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(field,)
)
class MessagePart:
    """An object inside a message, described in place.

    Fields without a default are required; other members are refused.
    """

    component: ClassVar[str] = ""
    is_open: ClassVar[bool] = False
    of: ClassVar[Any] = None

    def __init_subclass__(
        cls, component: str = "", is_open: bool = False, of: Any = None
    ) -> None:
        """Make it a frozen dataclass; ``component`` describes it under that name.

        ``is_open`` allows other members; ``of`` is its type if it isn't an object.
        """
        super().__init_subclass__()
        cls.component, cls.of = component, of
        if is_open:
            cls.is_open = True
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Return its JSON schema; ``refer`` returns references to other messages."""
        made: Any = cls
        if cls.of is not None:
            return {"description": _documented(made), **schema_of(cls.of, refer)}
        required = [_called(each.name) for each in fields(made) if _is_required(each)]
        return {
            "type": "object",
            "description": _documented(made),
            **({"required": required} if required else {}),
            "properties": {
                _called(name): schema_of(hint, refer)
                for name, hint in hints_of(made).items()
            },
            "additionalProperties": cls.is_open,
        }

    @classmethod
    def data(cls, found: Any, **known: Any) -> Data:
        """Return the JSON data of an object; ``known`` are members given directly."""
        made: Any = cls  # for mypy only instances have a hash
        return _writer_of(made, frozenset(known))(found, known)


class Message(MessagePart):
    """A body of a request or answer: a component of the API's description.

    Its name there is that of the class, without "Shape".
    """


def many(message: type[Message]) -> Any:
    """Return a list of such messages, as views describe their answers."""
    return serializers.ListSerializer(child=_Described(message))


def schema_of(hint: Any, refer: Refer) -> Schema:
    """Return the JSON schema of a type, with its annotations."""
    bare, notes = _apart(hint)
    others = [each.other for each in notes if isinstance(each, like)]
    described = schema_of(others[0], refer) if others else _bare_schema(bare, refer)
    keywords: Schema = {}
    for note in notes:
        if isinstance(note, str):
            keywords["description"] = note
        elif isinstance(note, schema):
            keywords |= note
        if NAME in keywords:  # the keywords of this place are added later
            described, keywords = described | keywords, {}
    if keywords and described.keys() & {"$ref", NAME}:
        return {**keywords, "allOf": [described]}
    return {**described, **deepcopy(keywords)}


def component(name: str) -> schema:
    """Make a type a component of this name.

    Client generators make a class of it, and have to guess names for anonymous types.
    """
    return schema({NAME: name})


def or_null(*schemas: Schema, **keys: Any) -> Schema:
    """Return a schema for a value of one of these schemas, or null."""
    if len(schemas) == 1 and (NAME in schemas[0] or "$ref" in schemas[0]):
        return {"allOf": list(schemas), "nullable": True, **keys}
    if len(schemas) == 1:
        # OpenAPI 3.0.3: an enum must list null as well.
        listed = schemas[0].get("enum")
        enum = {"enum": [*listed, None]} if listed and None not in listed else {}
        return {**schemas[0], **enum, "nullable": True, **keys}
    return {"anyOf": list(schemas), "nullable": True, **keys}


def name_of(message: type[Message]) -> str:
    """Return the name of its component."""
    return message.__name__.removesuffix("Shape")


@cache
def hints_of(part: Any) -> Mapping[str, Any]:
    """Return the types of its fields, in order, with annotations."""
    # Own local names, because a function could otherwise hide those of its module.
    found = get_type_hints(part, localns={}, include_extras=True)
    return {each.name: found[each.name] for each in fields(part)}


# -- describing --


def _documented(part: type[MessagePart]) -> str:
    """Return the docstring as Markdown, with each paragraph on one line."""
    paragraphs = cleandoc(part.__doc__ or "").replace("``", "`").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _called(name: str) -> str:
    """Return the member of a field; Python's keywords have a trailing underscore."""
    return name.removesuffix("_")


def _is_required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type, and its annotations."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def _bare_schema(bare: Any, refer: Refer) -> Schema:
    if bare in _PLAIN:
        return dict(_PLAIN[bare])
    origin, parts = get_origin(bare), get_args(bare)
    if origin in (Union, types.UnionType):
        found = [schema_of(each, refer) for each in parts if each is not type(None)]
        return or_null(*found) if type(None) in parts else {"anyOf": found}
    if origin in (tuple, list):
        return _list_schema(parts, refer)
    if origin in (dict, Mapping):
        item = parts[1]
        values = True if item is Any else schema_of(item, refer)
        return {"type": "object", "additionalProperties": values}
    if issubclass(bare, Message):
        return refer(bare)
    if issubclass(bare, MessagePart):
        described: Schema = bare.describe(refer)
        return described | ({NAME: bare.component} if bare.component else {})
    if issubclass(bare, Enum):
        return {"type": "string", "enum": [each.value for each in bare]}
    raise TypeError(f"{bare} has no schema")


def _list_schema(parts: tuple[Any, ...], refer: Refer) -> Schema:
    if len(parts) == 1:
        return {"type": "array", "items": schema_of(parts[0], refer)}
    if parts[1] is ...:
        limit = {"maxItems": MOST_ITEMS}
        return {"type": "array", "items": schema_of(parts[0], refer), **limit}
    items = [schema_of(each, refer) for each in dict.fromkeys(parts)]
    return {
        "type": "array",
        "items": items[0] if len(items) == 1 else {"anyOf": items},
        "minItems": len(parts),
        "maxItems": len(parts),
    }


# -- writing --


@cache
def _writer_of(part: Any, known: frozenset[str]) -> Callable[[Any, Data], Data]:
    """Return a function that makes JSON of it, except the known members.

    It is Python code generated from the fields, as fast as a handwritten function.
    """
    used: dict[str, Any] = {}
    members = []
    for name, hint in hints_of(part).items():
        member, (bare, notes) = _called(name), _apart(hint)
        place = next((each.found for each in notes if isinstance(each, source)), name)
        value, write = f"found.{place}", _writer(bare)
        if isinstance(place, int):
            value = f"found[{place}]"
        elif not isinstance(place, str):
            used[f"find_{name}"], value = place, f"find_{name}(found)"
        if write is not None:
            used[f"write_{name}"], value = write, f"write_{name}({value})"
        if member in known:
            value = f"known[{member!r}]"
        members.append(f"{member!r}: {value}")
    text = f"lambda found, known: {{{', '.join(members)}}}"
    return eval(text, used)  # type: ignore[no-any-return] # noqa: S307 (it is our own)


def _writer(hint: Any) -> Writer | None:
    """Return a function that makes JSON of this type; None if it is JSON already."""
    bare, _notes = _apart(hint)
    origin, parts = get_origin(bare), get_args(bare)
    if origin in (Union, types.UnionType):
        writers = [_writer(each) for each in parts if each is not type(None)]
        write = writers[0] if len(writers) == 1 else None
        return write and _unless_none(write)
    if origin in (tuple, list):
        alike = len(parts) == 1 or parts[1] is ...
        write = _writer(parts[0]) if alike else None
        return _list_of(write) if write else list
    if origin in (dict, Mapping):
        write = _writer(parts[1])
        return _dict_of(write) if write else dict
    if isinstance(bare, type) and issubclass(bare, MessagePart):
        return bare.data
    if isinstance(bare, type) and issubclass(bare, Enum):
        return attrgetter("value")
    return None


def _unless_none(write: Writer) -> Writer:
    return lambda value: None if value is None else write(value)


def _list_of(write: Writer) -> Writer:
    return lambda value: [write(each) for each in value]


def _dict_of(write: Writer) -> Writer:
    return lambda value: {key: write(each) for key, each in value.items()}


# -- integration in the API's description --


class _Described(serializers.Serializer[Any]):
    """A message wrapped where a serializer is expected."""

    def __init__(self, message: type[Message]) -> None:
        super().__init__()
        self.message = message


class _Extension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Adds messages to the API's description."""

    target_class: type[Any] = Message
    match_subclasses = True

    def message(self) -> type[Message]:
        """Return the message to describe."""
        return self.target  # type: ignore[no-any-return]

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the name of the class without "Shape"."""
        return name_of(self.message())

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """Return the message itself, which identifies it."""
        return self.message()

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        """Return its schema, registering the messages it refers to."""
        return deepcopy(self.message().describe(referring(auto_schema, direction)))


class _DescribedExtension(_Extension):  # type: ignore[no-untyped-call]
    """The same for wrapped messages."""

    target_class = _Described

    def message(self) -> type[Message]:
        """Return the message to describe."""
        return self.target.message  # type: ignore[no-any-return]


def referring(auto_schema: AutoSchema, direction: Direction) -> Refer:
    """Return a function that returns references to other messages."""

    def refer(other: Any) -> Schema:
        return auto_schema.resolve_serializer(other, direction).ref

    return refer
