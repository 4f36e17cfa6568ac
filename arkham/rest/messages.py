"""Messages of the API: what a program sends or is sent, described once.

A message is a class whose annotated fields say all there is to say of it. Its schema in
the API's description, the strict reader of what is sent (``arkham.rest.reading``) and
the writer of what is answered are made from them::

    class KeptGuide(Message):
        id: Annotated[int, schema(minimum=1), source("pk")]
        name: Annotated[str, "What it is called."]
        side: str | None

Its docstring describes it, a text beside a type the field. ``schema`` adds keywords of
JSON schema, which are the limits of what is read as well. ``source`` says where the
value is found in what is answered, unless it is the attribute of the same name. A list
that is sent is a tuple.
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
NAME = "x-component"  # marks a schema that is to be a component, until it is one
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
    """Keywords of JSON schema that hold for a field."""

    def __hash__(self) -> int:  # type: ignore[override]
        """Types are looked up with what is annotated to them."""
        return hash(tuple(self))


class source(NamedTuple):  # noqa: N801 - the same
    """Where the value of a field is found: attributes, a place, or by a function."""

    found: str | int | Callable[[Any], Any]


class like(NamedTuple):  # noqa: N801 - the same
    """Described as another type is: what is sent is read by something else."""

    other: Any


class reads(NamedTuple):  # noqa: N801 - the same
    """Read by a function, which raises Unreadable with pointers from there on."""

    by: Callable[[Any], Any]


MOST_ITEMS = 400  # of what is sent, where no other limit is given

Count = Annotated[int, schema(minimum=0)]
Number = Annotated[int, schema(minimum=1)]
Address = Annotated[str, schema(format="uri")]


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(field,)
)
class MessagePart:
    """An object inside a message, described where it stands.

    What has no default must be there; nothing else may.
    """

    component: ClassVar[str] = ""
    is_open: ClassVar[bool] = False
    of: ClassVar[Any] = None

    def __init_subclass__(
        cls, component: str = "", is_open: bool = False, of: Any = None
    ) -> None:
        """Make a frozen dataclass of it; ``component`` describes it under a name.

        ``is_open``: others may be there; ``of`` is what it is, if it is no object.
        """
        super().__init_subclass__()
        cls.component, cls.of = component, of
        if is_open:
            cls.is_open = True
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its JSON schema; ``refer`` gives the reference to another message."""
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
        """What is answered about something; ``known`` are members in JSON types."""
        made: Any = cls  # for mypy, instances alone have a hash
        return _writer_of(made, frozenset(known))(found, known)


class Message(MessagePart):
    """What a program sends or is sent: a component of the API's description.

    Its name there is that of the class, without "Shape".
    """


def many(message: type[Message]) -> Any:
    """A list of such messages, as views describe their answers."""
    return serializers.ListSerializer(child=_Described(message))


def schema_of(hint: Any, refer: Refer) -> Schema:
    """The JSON schema of a type, with what is annotated."""
    bare, notes = _apart(hint)
    others = [each.other for each in notes if isinstance(each, like)]
    described = schema_of(others[0], refer) if others else _bare_schema(bare, refer)
    keywords: Schema = {}
    for note in notes:
        if isinstance(note, str):
            keywords["description"] = note
        elif isinstance(note, schema):
            keywords |= note
        if NAME in keywords:  # the keywords of one place come after
            described, keywords = described | keywords, {}
    if keywords and described.keys() & {"$ref", NAME}:
        return {**keywords, "allOf": [described]}
    return {**described, **deepcopy(keywords)}


def component(name: str) -> schema:
    """Make a component of this name of a type that is none by itself.

    Generators of clients make a class of it, and of what has no name a guess.
    """
    return schema({NAME: name})


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


def name_of(message: type[Message]) -> str:
    """The name of its component."""
    return message.__name__.removesuffix("Shape")


@cache
def hints_of(part: Any) -> Mapping[str, Any]:
    """The types of its fields, in order, with what is annotated to them."""
    # With names of its own, a function among them would not see those of its module.
    found = get_type_hints(part, localns={}, include_extras=True)
    return {each.name: found[each.name] for each in fields(part)}


# -- described --


def _documented(part: type[MessagePart]) -> str:
    """The docstring as Markdown, each of its paragraphs a line."""
    paragraphs = cleandoc(part.__doc__ or "").replace("``", "`").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _called(name: str) -> str:
    """The member of a field; a word of Python has a line behind it."""
    return name.removesuffix("_")


def _is_required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type, and what is annotated to it."""
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


# -- written --


@cache
def _writer_of(part: Any, known: frozenset[str]) -> Callable[[Any, Data], Data]:
    """What makes JSON of it, but for what is known.

    It is Python made of the fields, as quick as a function written by hand.
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
    """What makes JSON of a value of this type; None if it is JSON already."""
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


# -- in the API's description --


class _Described(serializers.Serializer[Any]):
    """A message where a serializer is expected."""

    def __init__(self, message: type[Message]) -> None:
        super().__init__()
        self.message = message


class _Extension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Puts messages into the API's description."""

    target_class: type[Any] = Message
    match_subclasses = True

    def message(self) -> type[Message]:
        """What is described."""
        return self.target  # type: ignore[no-any-return]

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """The name of the class without "Shape"."""
        return name_of(self.message())

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """The message itself, whatever stands for it."""
        return self.message()

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Schema:
        """Its schema, and the messages it refers to beside it."""
        return deepcopy(self.message().describe(referring(auto_schema, direction)))


class _DescribedExtension(_Extension):  # type: ignore[no-untyped-call]
    """The same for what stands for a message."""

    target_class = _Described

    def message(self) -> type[Message]:
        """What is described."""
        return self.target.message  # type: ignore[no-any-return]


def referring(auto_schema: AutoSchema, direction: Direction) -> Refer:
    """What gives the reference to another message or shape."""

    def refer(other: Any) -> Schema:
        return auto_schema.resolve_serializer(other, direction).ref

    return refer
