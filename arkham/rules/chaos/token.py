"""The chaos tokens, and how many of each there are."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Token(StrEnum):
    """The kinds of chaos tokens (BAG-03), in the order bags are listed in."""

    PLUS_ONE = "+1"
    ZERO = "0"
    MINUS_ONE = "-1"
    MINUS_TWO = "-2"
    MINUS_THREE = "-3"
    MINUS_FOUR = "-4"
    MINUS_FIVE = "-5"
    MINUS_SIX = "-6"
    MINUS_SEVEN = "-7"
    MINUS_EIGHT = "-8"
    SKULL = "skull"
    CULTIST = "cultist"
    TABLET = "tablet"
    ELDER_THING = "elder_thing"
    AUTO_FAIL = "auto_fail"
    ELDER_SIGN = "elder_sign"
    BLESS = "bless"
    CURSE = "curse"
    FROST = "frost"


NUMBERS: Mapping[Token, int] = MappingProxyType(
    {token: int(token) for token in Token if token.lstrip("+-").isdigit()}
)
SYMBOLS = (Token.SKULL, Token.CULTIST, Token.TABLET, Token.ELDER_THING)

# BAG-05, BAG-06, BAG-10: in the bag and sealed on cards together. Of every other kind
# there is no end (BAG-26).
LIMITS: Mapping[Token, int] = MappingProxyType(
    {Token.BLESS: 10, Token.CURSE: 10, Token.FROST: 8}
)
# BAG-05, BAG-06, BAG-09: once revealed, and at the end of a game, these go to the pool
# of tokens and not back to the bag.
PASSING = frozenset({Token.BLESS, Token.CURSE})
ORDER: Mapping[Token, int] = MappingProxyType(
    {token: place for place, token in enumerate(Token)}
)
