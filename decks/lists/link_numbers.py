"""Numbers of private links, for programs that know every deck by a number.

A link's number holds 52 of the 122 random bits of its key, enough that nobody finds a
deck by trying: with ten thousand decks shared and ten thousand tries a minute, the
first is found after some eighty years. The bit above them is set, so that no number of
a link is a deck's own, and all are whole numbers in JavaScript too (below 2^53). With
its link a number is withdrawn: the next link has another.
"""

from __future__ import annotations

from uuid import UUID

LEAST = 1 << 52
# The bits of a key, from the highest: 48 random ones, the version (4), random ones.
_VERSION = 4 << 76
_FIRST, _SECOND = 80, 72  # bits below the first twelve digits, and the one after "4"
_DIGIT = 0xF


def number_of(key: UUID) -> int:
    """The number of the link that is made of this key."""
    return LEAST | key.int >> _FIRST << 4 | key.int >> _SECOND & _DIGIT


def keys_of(number: int) -> tuple[UUID, UUID] | None:
    """The first and the last key whose link has this number; None if none can have."""
    if not LEAST <= number < 2 * LEAST:
        return None
    bits = number - LEAST
    first = bits >> 4 << _FIRST | _VERSION | (bits & _DIGIT) << _SECOND
    return UUID(int=first), UUID(int=first | (1 << _SECOND) - 1)
