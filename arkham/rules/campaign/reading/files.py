"""A file of a guide → its JSON, and what no guide may hold in any place of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arkham.rules.campaign.reading.fields import Fields, Raw
from arkham.rules.notation.reading import Unreadable, read_json

LARGEST_FILE = 8_000_000  # bytes; the longest today has a fiftieth of it
DEEPEST = 40  # lists and objects inside each other; the deepest today has a third
LARGEST_NUMBER = 1_000_000  # either way; the largest today is 1,893
NUL = "\0"  # what no database keeps


def read_file(fields: Fields, path: str, content: bytes) -> Raw | None:
    """The object a file holds; None, with a flaw, where it is none of a guide's."""
    if len(content) > LARGEST_FILE:
        fields.flaw("guide.too-large", path, len(content), f"{LARGEST_FILE} bytes")
        return None
    try:
        raw = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        fields.flaw("guide.unreadable", path, f"byte {error.start}", "UTF-8")
        return None
    except Unreadable as error:
        fault = error.faults[0]
        at = f"{path}, line {fault.line}, column {fault.column}"
        fields.flaw("guide.unreadable", at, fault.text, fault.expected)
        return None
    if not isinstance(raw, dict):
        fields.flaw("guide.wrong-type", path, raw, "an object")
        return None
    return raw if _is_fit(fields, path, raw) else None


def _is_fit(fields: Fields, path: str, raw: Raw) -> bool:
    """Whether nothing in a file is too deep, too large, or not to be kept."""
    level: list[Any] = [raw]
    is_unfit = False
    for _depth in range(DEEPEST):
        is_unfit = is_unfit or any(map(_is_unfit, level))
        level = [part for whole in level for part in _parts(whole)]
    if level:
        fields.flaw("guide.too-deep", path, level[0], f"{DEEPEST} levels at most")
    elif is_unfit:
        at, found = next(_unfit_places(path, raw))
        expected = f"a number to {LARGEST_NUMBER}, a text without NUL"
        fields.flaw("guide.wrong-type", at, found, expected)
    return not level and not is_unfit


def _parts(whole: Any) -> Any:
    """What lies right inside a list or an object."""
    if type(whole) is dict:
        return whole.values()
    return whole if type(whole) is list else ()


def _is_unfit(part: Any) -> bool:
    kind = type(part)
    if kind is str:
        return NUL in part
    if kind is int or kind is float:
        return bool(abs(part) > LARGEST_NUMBER)
    return kind is dict and any(NUL in key for key in part)


def _unfit_places(at: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """Where something unfit is, and what; the nesting is known to be bounded."""
    if _is_unfit(whole):
        yield at, whole
    elif type(whole) is dict:
        for key, part in whole.items():
            yield from _unfit_places(f"{at}.{key}", part)
    elif type(whole) is list:
        for index, part in enumerate(whole):
            yield from _unfit_places(f"{at}[{index}]", part)
