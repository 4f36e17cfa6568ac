"""Printed texts of the shared data, and the runs of six words in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

IN_A_ROW = 6
_PRINTED = re.compile("text|flavor|customization_(text|change)")


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a JSON value with its key."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from strings(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each, key)
    elif isinstance(value, str):
        yield key, value


def runs(text: str) -> set[tuple[str, ...]]:
    """Return every run of six words, ignoring markup, quotes and case."""
    plain = re.sub(r"<[^>]+>|['’]", "", text.lower())
    listed = re.findall(r"[^\W_]+", plain)
    ends = range(IN_A_ROW, len(listed) + 1)
    return {tuple(listed[end - IN_A_ROW : end]) for end in ends}


@cache
def printed_runs(shared_data: Path) -> frozenset[tuple[str, ...]]:
    """Return every run of six words printed on any card or taboo list."""
    folder = shared_data / "data" / "arkhamdb"
    found: set[tuple[str, ...]] = set()
    for file in [*sorted(folder.glob("pack/*/*.json")), folder / "taboos.json"]:
        for key, text in strings(json.loads(file.read_text())):
            if _PRINTED.search(key):
                found |= runs(text)
    assert len(found) > 200_000
    return frozenset(found)
