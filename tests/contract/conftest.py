"""Values for formats that only Orne knows."""

from __future__ import annotations

import json

import schemathesis
from hypothesis import strategies as st
from schemathesis import SerializationContext

_CONDITIONS = st.sampled_from(
    (
        "shrivelling",
        '"hot streak"',
        "01560",
        "class:seeker|mystic",
        "f!neutral",
        "level<=2",
        "cost:x",
        "-trait:spell",
        "access:01004",
        "under:latest",
        "taboo:any",
        "show:all",
        "e:core",
        "released>=2024",
        "is:unique",
    )
)


@st.composite
def _searches(draw: st.DrawFn) -> str:
    """Searches that can be carried out: a few conditions, joined or in parentheses."""
    conditions = draw(st.lists(_CONDITIONS, max_size=4))
    return " ".join(conditions)


schemathesis.openapi.format("card-search", _searches())


# The text that ArkhamDB keeps a deck's choices in; what holds a NUL cannot be kept.
_WORDS = st.characters(codec="utf-8", exclude_characters="\0")
schemathesis.openapi.format(
    "json-object",
    st.dictionaries(
        st.text(_WORDS, max_size=20).filter(
            lambda key: not key.startswith(("cus", "att"))
        ),
        st.text(_WORDS, max_size=40) | st.none(),
        max_size=5,
    ).map(json.dumps),
)


@schemathesis.serializer("application/x-ndjson", "application/jsonl")
def _json_lines(context: SerializationContext, value: object) -> bytes:
    """JSON lines are a text like any other."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.serializer("application/zip")
def _zips(context: SerializationContext, value: object) -> bytes:
    """Bytes as they are."""
    return value if isinstance(value, bytes) else str(value).encode()
