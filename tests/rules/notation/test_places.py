"""Positions in JSON texts: pointers lead there, repeated keys are found."""

from __future__ import annotations

import pytest

from arkham.rules.notation.places import (
    line_and_column,
    position_of,
    repeated_key,
    token,
)

TEXT = """{
  "id": 7, "slots": {"01001": 1, "x~/y": "a"},
  "more": [1, {"slots": {"01001": 2}}, [], "]"],
  "\\u0061": null
}"""


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("/id", '"id"'),
        ("/slots", '"slots": {"01001": 1'),
        ("/slots/01001", '"01001": 1'),
        ("/slots/x~0~1y", '"x~/y"'),
        ("/more/0", "1, {"),
        ("/more/1/slots/01001", '"01001": 2'),
        ("/more/3", '"]"'),
        ("/a", '"\\u0061"'),
        ("", "{\n"),
        ("/nowhere", "{\n"),
        ("/slots/nowhere/further", '"slots": {"01001": 1'),
    ],
)
def test_a_pointer_leads_to_its_place(pointer: str, found: str) -> None:
    """To the key in an object, to the value in an array; else as far as it goes."""
    assert TEXT[position_of(TEXT, pointer) :].startswith(found)


@pytest.mark.parametrize(
    ("text", "key", "pointer", "position"),
    [
        ('{"a":1,"a":2}', "a", "/a", 7),
        ('{"a":{"b":1},"b":{"c":1,"c":2}}', "c", "/b/c", 24),
        ('[{"a":1},{"a":1,"b":[],"a":2}]', "a", "/1/a", 23),
        ('{"a":1,"\\u0061":2}', "a", "/a", 7),
        ('{"a":"\\"a\\":","b":1,"b":1}', "b", "/b", 20),
        ('{"":{"":1,"":2}}', "", "//", 10),
    ],
)
def test_a_repeated_key_is_found(
    text: str, key: str, pointer: str, position: int
) -> None:
    """The second time it stands in its object, however it is written."""
    assert repeated_key(text) == (key, pointer, position)


def test_without_a_repeated_key_there_is_nothing_to_find() -> None:
    """The same key in different objects is no repetition."""
    with pytest.raises(ValueError, match="no key is repeated"):
        repeated_key('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}')


def test_lines_and_columns_count_from_one() -> None:
    """A line break ends the line it stands on."""
    assert [line_and_column("ab\nc\n", at) for at in range(5)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
    ]


def test_a_key_is_escaped_in_a_pointer() -> None:
    """Tilde and slash, as RFC 6901 says."""
    assert token("a~b/c") == "/a~0b~1c"
