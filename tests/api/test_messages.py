"""The fields of a message class define how it is described, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import pytest

from arkham.rest import reading
from arkham.rest.messages import (
    MOST_ITEMS,
    Message,
    MessagePart,
    Number,
    reads,
    schema,
    source,
)
from arkham.rules.notation.reading import MOST_FAULTS, Unreadable


class Seated(NamedTuple):
    """A person at a table."""

    pk: int
    called: str
    friends: tuple[tuple[str, int], ...]
    tags: tuple[str, ...] = ()
    ages: Mapping[str, int] = MappingProxyType({})


class FriendPart(MessagePart):
    """A friend, and for how long."""

    name: Annotated[str, source(0)]
    class_: Annotated[int, source(1)]


class SeatedShape(Message):
    """A person at a table.

    A ``note`` is
    in capitals.
    """

    id: Annotated[Number, source("pk")]
    name: Annotated[str, schema(maxLength=5), source("called"), "As they are called."]
    friends: Annotated[tuple[FriendPart, ...], schema(maxItems=2)] = ()
    note: Annotated[str, source(lambda seated: seated.called.upper())] | None = None
    tags: tuple[str, ...] = ()
    ages: dict[str, int] = field(default_factory=dict)


def test_a_missing_member_is_reported_with_its_type() -> None:
    """Each at its own pointer."""
    with pytest.raises(Unreadable) as refused:
        reading.read(SeatedShape, {"stray": 1, "friends": [{}]}, apart=True)

    faults = refused.value.faults
    missing = [
        (each.pointer, each.expected)
        for each in faults
        if each.text == "This is missing."
    ]
    assert missing == [
        ("/id", "a whole number"),
        ("/name", "a text of at most 5 characters"),
        ("/friends/0/name", "a text of at most 2,000 characters"),
        ("/friends/0/class_", "a whole number"),
    ]
    assert [each.pointer for each in faults if each.pointer == "/stray"]


def test_a_message_is_described() -> None:
    """Members without a default are required."""
    described = SeatedShape.describe(lambda other: {})

    words = "A person at a table.\n\nA `note` is in capitals."
    assert described["description"] == words
    assert described["required"] == ["id", "name"]
    assert described["properties"]["id"] == {"type": "integer", "minimum": 1}
    assert described["properties"]["name"] == {
        "type": "string",
        "maxLength": 5,
        "description": "As they are called.",
    }
    friends = described["properties"]["friends"]
    assert friends["maxItems"] == 2
    assert friends["items"]["required"] == ["name", "class"]
    assert described["properties"]["tags"]["maxItems"] == MOST_ITEMS


def test_a_message_is_written() -> None:
    """From attributes, computed values and context."""
    seated = Seated(7, "Dora", (("Bob", 3),))

    assert SeatedShape.data(seated, note=None) == {
        "id": 7,
        "name": "Dora",
        "friends": [{"name": "Bob", "class": 3}],
        "note": None,
        "tags": [],
        "ages": {},
    }


def test_a_message_is_read() -> None:
    """Into the types of its fields."""
    found = reading.read(SeatedShape, {"id": 7, "name": "Dora"})

    assert found == SeatedShape(id=7, name="Dora")


@pytest.mark.parametrize(
    ("sent", "pointers"),
    [
        ({}, ["/id", "/name"]),
        ({"id": 0, "name": "Dorothy"}, ["/id", "/name"]),
        ({"id": "7", "name": 7, "more": 1}, ["", "/id", "/name"]),
        ({"id": 1, "name": "Dora", "note": 3}, ["/note"]),
        ({"id": 1, "name": "Dora", "friends": [{}, {}]}, ["/friends/0/name"]),
        ({"id": 1, "name": "Dora", "tags": ["x"] * (MOST_ITEMS + 1)}, ["/tags"]),
        ({"id": 1, "name": "Dora", "ages": [["Bob", 30]]}, ["/ages"]),
        ({"id": 1, "name": "Dora", "ages": []}, ["/ages"]),
        ([], [""]),
    ],
)
def test_every_fault_has_its_pointer(sent: Any, pointers: list[str]) -> None:
    """The limits of the description are checked."""
    with pytest.raises(Unreadable) as refused:
        reading.read(SeatedShape, sent)

    assert set(pointers) <= {fault.pointer for fault in refused.value.faults}


class OpenShape(Message, is_open=True):
    """A message with additional members."""

    id: Number


class WiderShape(OpenShape):
    """A subclass of one with additional members."""


class ListShape(Message, of=Annotated[tuple[OpenShape, ...], schema(maxItems=2)]):
    """A list instead of an object."""


def test_an_open_message_takes_more_members() -> None:
    """The description says so, for subclasses too."""
    for shape in (OpenShape, WiderShape):
        assert shape.describe(lambda other: {})["additionalProperties"] is True
        assert reading.read(shape, {"id": 1, "more": 2}).id == 1


def test_a_message_may_be_a_list() -> None:
    """It is described and read as one."""
    described = ListShape.describe(lambda other: {"$ref": other.__name__})

    assert described == {
        "type": "array",
        "items": {"$ref": "OpenShape"},
        "maxItems": 2,
        "description": "A list instead of an object.",
    }
    assert reading.read(ListShape, [{"id": 3}]) == (OpenShape(id=3),)
    with pytest.raises(Unreadable):
        reading.read(ListShape, [{"id": 3}] * 3)


def test_a_list_is_read_up_to_the_maximum_of_faults() -> None:
    """A long list of invalid items takes little time."""
    tried = []

    def refuse(value: object) -> None:
        tried.append(value)
        raise reading.Wrong("something better")

    many = Annotated[tuple[Annotated[Any, reads(refuse)], ...], schema(maxItems=5_000)]
    with pytest.raises(Unreadable) as refused:
        reading.read(many, [0] * 5_000)

    assert len(refused.value.faults) == len(tried) == MOST_FAULTS
    with pytest.raises(Unreadable):
        reading.read(many, [0] * 5_001)
    assert len(tried) == MOST_FAULTS


def test_a_list_may_have_a_limit_of_its_own() -> None:
    """Above the usual one."""
    long = Annotated[tuple[int, ...], schema(maxItems=MOST_ITEMS + 1)]

    assert reading.read(long, [1] * (MOST_ITEMS + 1)) == (1,) * (MOST_ITEMS + 1)
