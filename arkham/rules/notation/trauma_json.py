"""Reads how the trauma of cards is shared out, where the player chooses."""

from __future__ import annotations

from typing import Any

from arkham.rules.deck import TraumaChoice
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened

KINDS = ("physical", "mental")
MOST_POINTS = 99
MOST_CARDS = 20
LONGEST = 40


def read_trauma(value: object, here: str) -> tuple[TraumaChoice, ...]:
    """The choices in an object: card → physical and mental points.

    Raises :class:`Unreadable`.
    """
    if not isinstance(value, dict) or len(value) > MOST_CARDS:
        raise _wrong(here, value, _("an object: card code → physical, mental"))
    return tuple(
        _choice(code, told, here + token(code)) for code, told in sorted(value.items())
    )


def _choice(code: str, told: object, here: str) -> TraumaChoice:
    if len(code) > LONGEST or not isinstance(told, dict) or told.keys() - set(KINDS):
        raise _wrong(here, told, _("an object with physical and mental"))
    for kind, points in told.items():
        if type(points) is not int or not 0 <= points <= MOST_POINTS:
            raise _wrong(here + token(kind), points, _("an integer from 0 to 99"))
    return TraumaChoice(code, *(told.get(kind, 0) for kind in KINDS))


def _wrong(here: str, value: Any, expected: str) -> Unreadable:
    shown = repr(value) if isinstance(value, (str, int, float)) else kind_of(value)
    return Unreadable(
        Fault(here, _("{found} is not understood."), expected, shortened(shown))
    )
