"""Values for formats that only Orne knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis import SerializationContext


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the folder out with the slow tests: only reading it takes a minute."""
    return True if config.option.markexpr == "not slow" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder as slow."""
    for item in items:
        if "contract" in item.path.parts:
            item.add_marker(pytest.mark.slow)


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
schemathesis.openapi.format("card-code", st.sampled_from(("01006", "01018", "90001")))
schemathesis.openapi.format(
    "card-title", st.sampled_from(("Beat Cop", "Leo De Luca", "Machete"))
)


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
