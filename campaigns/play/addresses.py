"""What is read from the addresses of the helpers, and written to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import QueryDict

Pairs = list[tuple[str, str | int]]
MOST = 99
LONGEST_NAME = 60
LONGEST_SEED = 64
_YES_AND_NO: Mapping[str, bool] = {"yes": True, "no": False}


def number(text: str, default: int = 0, most: int = MOST) -> int:
    """A number from 0 to ``most``; the default where none is written."""
    known = number_or_none(text, most)
    return default if known is None else known


def number_or_none(text: str, most: int = MOST) -> int | None:
    """A number from 0 to ``most``; None where none is written."""
    if text.isascii() and text.isdigit() and len(text) < 4:
        return min(int(text), most)
    return None


def change(text: str, most: int = MOST) -> int:
    """A number from ``-most`` to ``most``; 0 where none is written."""
    size = number(text.removeprefix("-"), 0, most)
    return -size if text.startswith("-") else size


def yes_or_no(text: str) -> bool | None:
    """``yes`` or ``no``; None for anything else."""
    return _YES_AND_NO.get(text)


def name(text: str) -> str:
    """A name as typed, without what no line holds."""
    return " ".join(text.replace("\x00", "").split())[:LONGEST_NAME]


def names(texts: Sequence[str], most: int) -> list[str]:
    """Names that say something, as many as there may be."""
    return [each for each in map(name, texts[: 4 * most]) if each][:most]


def text_value(asked: QueryDict, key: str) -> str:
    """What an address says under a key; “” for nothing."""
    return asked.get(key, "") or ""
