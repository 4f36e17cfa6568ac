"""What does a deck of ArkhamDB's say of the upgrade that made it?"""

from __future__ import annotations

from typing import Any

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of

MOST = 9_999


def read_available(deck: object, pointer: str) -> int | None:
    """Experience there was to spend, None if the deck does not say.

    Its balance with the owner's adjustment; what the site says was spent is another
    program's sum, and not read. Raises :class:`Unreadable`.
    """
    if not isinstance(deck, dict) or deck.get("xp") is None:
        return None
    parts = {key: deck.get(key) or 0 for key in ("xp", "xp_adjustment")}
    for key, value in parts.items():
        if type(value) is not int or abs(value) > MOST:
            expected = _("an integer from -9,999 to 9,999")
            here = pointer + token(key)
            message = _("This is {found}.")
            raise Unreadable(Fault(here, message, expected, kind_of(value)))
    return sum(parts.values())


def exiles_in(deck: object) -> Any:
    """The codes exiled before the upgrade, unread; None if the deck does not say."""
    return deck.get("exile_string") if isinstance(deck, dict) else None
