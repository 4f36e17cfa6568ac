"""The most tokens of one kind that a campaign can put into its bag."""

from __future__ import annotations

from arkham.rules.chaos.bag import LIMITS, Token

KINDS = frozenset(token.value for token in Token)
# By the rules: bless, curse and frost (BAG-05, BAG-06, BAG-10).
RULED_LIMITS = {token.value: most for token, most in LIMITS.items()}
# They leave the bag when a game is cleaned up, before any interlude (BAG-09).
PASSING = (Token.BLESS.value, Token.CURSE.value)
# The tokens one set of the game has, by kind; None is without limit.
COMMON_LIMITS = {
    "+1": 3, "0": 4, "-1": 5, "-2": 4, "-3": 3, "-4": 2, "-5": 2, "-6": 2, "-7": 1,
    "-8": 1, "skull": 4, "cultist": 4, "tablet": 4, "elder_thing": 4, "auto_fail": 2,
    "elder_sign": 2, "frost": 8,
}  # fmt: skip


def limit(token: str, *, strict: bool) -> int | None:
    """How many tokens of a kind there can be; None is without limit."""
    if strict:
        return RULED_LIMITS.get(token)
    return COMMON_LIMITS.get(token, 0)
