"""Read values from the addresses of the helpers, and write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import QueryDict

from arkham.rules.chaos import Token
from arkham.rules.vocabulary import is_digits

Pairs = list[tuple[str, str | int]]
MOST = 99
LONGEST_NAME = 60
LONGEST_SEED = 64
# The letters of tokens.
LETTERS: Mapping[Token, str] = {
    token: chr(ord("a") + place) for place, token in enumerate(Token)
}
TOKEN_OF: Mapping[str, Token] = {letter: token for token, letter in LETTERS.items()}
_YES_AND_NO: Mapping[str, bool] = {"yes": True, "no": False}


def number(text: str, default: int = 0, most: int = MOST) -> int:
    """Return a number from 0 to ``most``; the default if there is none."""
    known = number_or_none(text, most)
    return default if known is None else known


def number_or_none(text: str, most: int = MOST) -> int | None:
    """Return a number from 0 to ``most``; None if there is none."""
    if is_digits(text, 3):
        return min(int(text), most)
    return None


def change(text: str, most: int = MOST) -> int:
    """Return a number from ``-most`` to ``most``; 0 if there is none."""
    size = number(text.removeprefix("-"), 0, most)
    return -size if text.startswith("-") else size


def yes_or_no(text: str) -> bool | None:
    """Read ``yes`` or ``no``; None for anything else."""
    return _YES_AND_NO.get(text)


def name(text: str) -> str:
    """Return a name as typed, in one line and without null characters."""
    return " ".join(text.replace("\x00", "").split())[:LONGEST_NAME]


def names(texts: Sequence[str], most: int) -> list[str]:
    """Return the names that aren't empty, ``most`` at most."""
    return [each for each in map(name, texts[: 4 * most]) if each][:most]


def text_value(asked: QueryDict, key: str) -> str:
    """Return the value of a key; “” if it is missing."""
    return asked.get(key, "") or ""


def digits(asked: QueryDict, key: str) -> str:
    """Return the value of a key if it is a number; else “”."""
    text = text_value(asked, key)
    return text if is_digits(text, 9) else ""


def of_campaign(number: str) -> Pairs:
    """Return the part of an address that leads back to a campaign, if one does."""
    return [("campaign", number)] if number else []
