"""Counts a whole deck in one sum.

A tally is one integer made of fixed-width fields. Every entry of a deck list (a code
and its number of copies) has a tally of its own, compiled once; the tally of a deck
is the sum of those of its entries. The low fields count cards, so that the tallies of
ordinary cards are small numbers; those above count the entries that concern a rule, so
that rules without a concern need not be asked. What a frame counts besides comes last.
"""

from __future__ import annotations

from enum import IntEnum

SIGN = 16  # bits of a field that counts entries
SIGN_MASK = (1 << SIGN) - 1
FIELD = 32  # bits of a field that counts cards or experience
FIELD_MASK = (1 << FIELD) - 1
# Within these bounds no field can overflow into the next.
MOST_ENTRIES = 10_000
MOST_COPIES = 10_000

# The counting fields that every frame has.
COUNTED = 0
EXPERIENCE = COUNTED + FIELD
BASIC_WEAKNESSES = EXPERIENCE + FIELD
_CONCERNS = BASIC_WEAKNESSES + FIELD


class Concern(IntEnum):
    """What about an entry (or a frame) can make a rule speak; one field each."""

    UNKNOWN = 0
    OUTSIDE = 1  # not a card a deck can hold
    FOREIGN = 2  # of another investigator, or restricted
    STORY = 3
    SURPLUS = 4  # more copies in one entry than its limit
    NOT_ADMITTED = 5
    BARRED = 6
    SIGNATURE = 7  # a signature other than the original
    MODIFIER = 8
    CUSTOMIZED = 9
    RESEARCHED = 10
    FORBIDDEN = 11  # by the taboo list
    OUT_OF_POOL = 12
    MODE = 13  # marked for deck creation or campaigns only
    TRAIT_LIMIT = 14
    SHARED_TITLE = 15
    CHOICE = 16
    AT_LEAST = 17
    SIDE_DECK = 18
    STANDALONE = 19
    START = 20
    ULTIMATUM = 21
    SET_ASIDE = 22
    ATTACHED = 23
    SIGNATURES_VARY = 24
    ENVIRONMENT = 25
    BANNED = 26
    PLACEHOLDER = 27
    TRANSFORMED = 28
    OWNED = 29
    UNWRITTEN = 30  # a line of a sheet asks for a choice

    one: int  # the tally of a single entry with this concern
    bits: int  # the field of this concern, to be masked out of a deck's tally

    def __init__(self, place: int) -> None:
        self.one = 1 << (_CONCERNS + SIGN * place)
        self.bits = SIGN_MASK << (_CONCERNS + SIGN * place)


def wakes(*concerns: Concern) -> int:
    """The fields any of which, when not zero, wakes a rule."""
    mask = 0
    for concern in concerns:
        mask |= concern.bits
    return mask


FIRST_FREE = _CONCERNS + SIGN * len(Concern)  # further fields are laid out per frame
ALL_CONCERNS = (1 << FIRST_FREE) - (1 << _CONCERNS)
# Not fields of a tally: set where a count that every deck must meet is not met exactly.
UNMET_SIZE, UNMET_WEAKNESSES, UNMET_SIGNATURES, NO_ROOM, UNMET_HUNCH, EXCESS = (
    1 << FIRST_FREE + bit for bit in range(6)
)  # from EXCESS on, a bit for each kind of limit on copies that is exceeded


def read(tally: int, shift: int) -> int:
    """The number in the field that starts at ``shift``."""
    return (tally & FIELD_MASK << shift) >> shift  # a shift copies all that is above
