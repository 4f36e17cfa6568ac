"""Pointers lead to positions in JSON texts, and repeated keys are found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    """To the key in an object or the value in an array; else as far as it exists."""
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
    """At its second occurrence in its object, however it is written."""
    assert repeated_key(text) == (key, pointer, position)


def test_a_text_without_a_repeated_key_is_refused() -> None:
    """The same key in different objects is no repetition."""
    with pytest.raises(ValueError, match="no key is repeated"):
        repeated_key('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}')


def test_a_key_repeated_at_the_end_of_a_long_object_is_found() -> None:
    """Members are examined in groups, and then separated again."""
    many = ",".join(f'"{number:05}":1' for number in range(5_000))
    text = f'{{"id":"x","slots":{{"late":{{}},{many} , "late" :2,"00007":1}}}}'
    assert repeated_key(text) == ("late", "/slots/late", text.rindex('"late"'))


Members = list[tuple[str, Any]]
_MEMBERS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(["1", "null", '"a"', '":"', '"\\"a\\":1"', "[ ]"]),
    lambda inner: st.lists(st.tuples(st.sampled_from("abcd"), inner), max_size=6),
    max_leaves=14,
)


Again = tuple[str, str, int] | None


def _written(members: Members, start: int, at: str) -> tuple[str, Again]:
    """Return an object's text and its first repeated key, if any."""
    text, held = "{", set[str]()
    again: Again = None
    for key, value in members:
        text += ", " if held else ""
        pointer, position = f"{at}/{key}", start + len(text)
        if key in held and again is None:
            again = (key, pointer, position)
        held.add(key)
        text += f"{json.dumps(key)}: "
        if isinstance(value, str):
            text += value
            continue
        inner, deeper = _written(value, start + len(text), pointer)
        text += inner
        again = again or deeper
    return text + "}", again


@given(_MEMBERS.filter(lambda each: not isinstance(each, str)))
def test_the_first_repeated_key_is_found_wherever_it_is(members: Members) -> None:
    """Whether members are examined in groups or one by one."""
    text, again = _written(members, 0, "")
    if again is not None:
        assert repeated_key(text) == again
        return
    with pytest.raises(ValueError, match="no key is repeated"):
        repeated_key(text)


def test_lines_and_columns_count_from_one() -> None:
    """A line break belongs to the line that it ends."""
    assert [line_and_column("ab\nc\n", at) for at in range(5)] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
        (2, 2),
    ]


def test_a_key_is_escaped_in_a_pointer() -> None:
    """Tilde and slash, as in RFC 6901."""
    assert token("a~b/c") == "/a~0b~1c"
