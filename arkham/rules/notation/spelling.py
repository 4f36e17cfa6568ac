"""When are two spellings the same? Text without accents, capitals and punctuation."""

from __future__ import annotations

import re
import unicodedata

# Letters that Unicode does not take apart.
_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)
# Marks inside a word; every other mark parts words.
_INSIDE = re.compile(r"['’‘`´\".“”«»„!?…]")
_BETWEEN = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Letters and digits in lower case, one space between words.

    ``fold("Kōhaku’s “Skids”")`` is ``kohakus skids``.
    """
    bare = text.casefold()
    if not bare.isascii():
        parted = unicodedata.normalize("NFKD", bare.translate(_LETTERS))
        bare = "".join(each for each in parted if not unicodedata.combining(each))
    return _BETWEEN.sub(" ", _INSIDE.sub("", bare)).strip()
