"""A repeated key is refused, whatever colons there are around it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.notation.reading import Unreadable, read_json

KEYS = st.sampled_from(["a", "b", "c:d", "e"])
PLAIN = st.one_of(st.integers(0, 9), st.sampled_from(["", "x:y", ":", "::"]), st.none())


def as_text(pairs: list[tuple[str, Any]]) -> str:
    """Return the JSON object of these pairs; a list of pairs within is one too."""
    members = []
    for key, value in pairs:
        text = as_text(value) if type(value) is list else json.dumps(value)
        members.append(f"{json.dumps(key)}:{text}")
    return "{" + ",".join(members) + "}"


def has_repeated(pairs: list[tuple[str, Any]]) -> bool:
    """Return whether a key is repeated in it, or in an object within."""
    keys = [key for key, _value in pairs]
    inner = (value for _key, value in pairs if type(value) is list)
    return len({*keys}) < len(keys) or any(map(has_repeated, inner))


@given(
    st.recursive(
        st.lists(st.tuples(KEYS, PLAIN), max_size=4),
        lambda deeper: st.lists(st.tuples(KEYS, st.one_of(PLAIN, deeper)), max_size=4),
        max_leaves=12,
    )
)
def test_an_object_is_read_unless_a_key_is_repeated(
    pairs: list[tuple[str, Any]],
) -> None:
    """At any depth, with colons in keys and texts."""
    text = as_text(pairs)
    if has_repeated(pairs):
        with pytest.raises(Unreadable, match="is there twice"):
            read_json(text)
    else:
        assert read_json(text) == json.loads(text)


def test_an_escaped_colon_does_not_hide_a_repeated_key() -> None:
    """Once decoded, it makes up for the colon of the missing key."""
    with pytest.raises(Unreadable, match="is there twice"):
        read_json('{"a":1,"a":2,"b":"\\u003a"}')


def test_a_repeated_key_is_reported_before_a_later_fault() -> None:
    """As if the text were read from its beginning."""
    with pytest.raises(Unreadable, match="is there twice"):
        read_json('{"s":{"a":1,"a":2},}')
