"""Reads what an ArkhamDB deck says of the upgrade that made it."""

from __future__ import annotations

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import LONGEST_CODE
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened

MOST = 9_999
MOST_EXILES = 500


def read_available(deck: object, pointer: str) -> int | None:
    """Experience there was to spend, None if the deck does not say.

    Its balance with the owner's adjustment; what the site says was spent is another
    program's sum, and not read. Raises :class:`Unreadable`.
    """
    if not isinstance(deck, dict):
        return None
    gained, adjusted = deck.get("xp"), deck.get("xp_adjustment")
    if gained is not None:
        gained = _number(gained, "xp", pointer)
    if adjusted is not None:
        adjusted = _number(adjusted, "xp_adjustment", pointer)
    return None if gained is None else gained + (adjusted or 0)


def _number(value: object, key: str, pointer: str) -> int:
    if type(value) is int and abs(value) <= MOST:
        return value
    expected, message = _("an integer from -9,999 to 9,999"), _("This is {found}.")
    raise Unreadable(Fault(pointer + token(key), message, expected, kind_of(value)))


def read_exiles(deck: object, pointer: str) -> list[str]:
    """The codes exiled before the upgrade, one for each copy.

    Raises :class:`Unreadable`.
    """
    told = deck.get("exile_string") if isinstance(deck, dict) else None
    if told is None:
        return []
    here = pointer + token("exile_string")
    expected = _("card codes with commas between them, at most 500")
    if not isinstance(told, str):
        raise Unreadable(Fault(here, _("This is {found}."), expected, kind_of(told)))
    codes = [code for part in told.split(",") if (code := part.strip())]
    too_long = any(len(part) > LONGEST_CODE for part in told.split(","))
    if too_long or told.count(",") >= MOST_EXILES:
        raise Unreadable(
            Fault(here, _("{found} is not understood."), expected, shortened(told))
        )
    return codes
