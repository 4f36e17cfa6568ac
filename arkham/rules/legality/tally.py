"""Counts a whole deck in one sum.

A tally is one integer made of fixed-width fields. Every entry of a deck list (a code
and its number of copies) has its own tally, compiled once; a deck's tally is the sum
over its entries. The low fields count cards, so that ordinary cards have small tallies.
The next ones count the entries that concern a rule, so that rules which nothing
concerns need not be called. Fields laid out by a frame come last.
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

# The fields for counts that every frame has.
COUNTED = 0
EXPERIENCE = COUNTED + FIELD
BASIC_WEAKNESSES = EXPERIENCE + FIELD
_CONCERNS = BASIC_WEAKNESSES + FIELD


class Concern(IntEnum):
    """Properties of an entry (or a frame) that wake rules; each has one field."""

    UNKNOWN = 0
    OUTSIDE = 1  # not a card that a deck can include
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
    MODE = 13  # restricted to deck creation, campaigns or games of several; rewards
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
    UNWRITTEN = 30  # a line of a sheet needs a choice

    one: int  # the tally of one entry with this concern
    bits: int  # the mask of this concern's field in a deck's tally

    def __init__(self, place: int) -> None:
        self.one = 1 << (_CONCERNS + SIGN * place)
        self.bits = SIGN_MASK << (_CONCERNS + SIGN * place)


def wakes(*concerns: Concern) -> int:
    """A mask of concerns: if any of their fields isn't zero, the rule wakes."""
    mask = 0
    for concern in concerns:
        mask |= concern.bits
    return mask


FIRST_FREE = _CONCERNS + SIGN * len(Concern)  # frames lay out more fields from here
ALL_CONCERNS = (1 << FIRST_FREE) - (1 << _CONCERNS)
# Not fields of a tally: each is set if a count that every deck must meet is not met.
UNMET_SIZE, UNMET_WEAKNESSES, UNMET_SIGNATURES, NO_ROOM, UNMET_HUNCH, EXCESS = (
    1 << FIRST_FREE + bit for bit in range(6)
)  # from EXCESS on, one bit for each kind of limit on copies


def read(tally: int, shift: int) -> int:
    """Return the number in the field that starts at ``shift``."""
    return (tally & FIELD_MASK << shift) >> shift  # shifting first would copy all above
