"""Finds the known spellings that a misspelt one is most like.

How many letters are wrong is measured by rapidfuzz: a letter too many, too few,
another, or two that changed places. The rules alone need nothing installed; without
rapidfuzz the standard library compares, more slowly.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

try:
    from rapidfuzz.distance import OSA, Prefix
    from rapidfuzz.process import extract
except ImportError:
    OSA = Prefix = extract = None  # type: ignore[assignment]

MOST_LIKE = 3
ALIKE = 0.7  # of 1: three wrong letters in ten
_ROUNDING = 1e-6  # one wrong letter in five is not quite 0.8
_WEIGHED = 4  # spellings compared more closely, for each that is wanted


def closest(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[str]:
    """The folded spellings most like a folded text, the likeliest first."""
    return [spelling for spelling, _likeness in weighed(text, known, most, alike)]


def weighed(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[tuple[str, float]]:
    """The same, each with how like it is: 1 for equal.

    Of those that are equally like it, one with the same letters comes first, then what
    begins as it does.
    """
    spellings = list(known)
    if extract is None:
        matches = get_close_matches(text, spellings, most, alike)
        return [(each, SequenceMatcher(None, each, text).ratio()) for each in matches]
    found = extract(
        text,
        spellings,
        scorer=OSA.normalized_similarity,
        score_cutoff=alike - _ROUNDING,
        limit=_WEIGHED * most,
    )

    letters = sorted(text)

    def weight(match: tuple[str, float]) -> tuple[float, bool, int]:
        spelling, likeness = match
        is_other = sorted(spelling) != letters
        return -likeness, is_other, -Prefix.similarity(text, spelling)

    return sorted(((each[0], each[1]) for each in found), key=weight)[:most]
