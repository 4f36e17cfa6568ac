"""What a revealed token does to a test.

Numbers, bless, curse, frost and the automatic failure say it themselves; the symbols
have it from the scenario's reference card and the elder sign from the investigator
(BAG-04), so theirs are told by whoever asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.chaos.bag import NUMBERS, SYMBOLS, ChaosBag, Token


class Automatic(StrEnum):
    """An outcome that no number changes."""

    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A token's modifier, whether it has another revealed, and its outcome if any."""

    modifier: int = 0
    reveal_another: bool = False
    automatic: Automatic | None = None


Meanings = Mapping[Token, Meaning]

PRINTED: Meanings = MappingProxyType(
    {
        **{token: Meaning(number) for token, number in NUMBERS.items()},
        Token.AUTO_FAIL: Meaning(automatic=Automatic.FAILURE),
        Token.BLESS: Meaning(+2, reveal_another=True),
        Token.CURSE: Meaning(-2, reveal_another=True),
        # The second frost of a test fails it (BAG-10): see Pouch.once.
        Token.FROST: Meaning(-1, reveal_another=True),
    }
)
# What a table tells; cards change what bless and curse do too.
TOLD = (*SYMBOLS, Token.ELDER_SIGN, Token.AUTO_FAIL, Token.BLESS, Token.CURSE)


class Pouch(NamedTuple):
    """The tokens in the bag, sorted by what they do.

    ``plain`` modify and end a chain, the highest first; ``wins`` and ``fails`` end it
    and decide the test. ``more`` modify and have another revealed; ``lucky`` have
    another revealed and make the test a success. Of each group of ``once`` the first
    modifies and has another revealed, and the second fails the test. The first that
    comes of the ``returned``, which are among ``fails``, goes back into the bag.
    """

    plain: tuple[tuple[int, int], ...]
    wins: int
    fails: int
    more: tuple[tuple[int, int], ...]
    lucky: int
    once: tuple[tuple[int, int], ...]
    returned: int = 0

    @property
    def ends(self) -> int:
        """How many tokens end a chain."""
        return self.wins + self.fails + sum(count for _modifier, count in self.plain)

    @property
    def size(self) -> int:
        """How many tokens there are."""
        others = sum(count for _modifier, count in (*self.more, *self.once))
        return self.ends + self.lucky + others


def untold(bag: ChaosBag, told: Meanings) -> tuple[Token, ...]:
    """The tokens in the bag that nobody told the meaning of; they count as 0."""
    return tuple(
        token
        for token, _count in bag.counts
        if token not in told and token not in PRINTED
    )


def poured(bag: ChaosBag, told: Meanings, *, cancelling: bool = False) -> Pouch:
    """The bag's tokens by what they do.

    ``cancelling``: the first automatic failure is cancelled, returned and another
    token revealed in its place (Boon of Athena, ULT-21).
    """
    plain: dict[int, int] = {}
    more: dict[int, int] = {}
    once: list[tuple[int, int]] = []
    wins = fails = lucky = returned = 0
    for token, count in bag.counts:
        meaning = told.get(token) or PRINTED.get(token) or Meaning()
        if token is Token.FROST:
            once.append((meaning.modifier, count))
        elif meaning.automatic is Automatic.FAILURE:
            fails += count  # whatever it has revealed besides
            returned += count if cancelling and token is Token.AUTO_FAIL else 0
        elif meaning.automatic is Automatic.SUCCESS:
            lucky += count if meaning.reveal_another else 0
            wins += 0 if meaning.reveal_another else count
        else:
            group = more if meaning.reveal_another else plain
            group[meaning.modifier] = group.get(meaning.modifier, 0) + count
    groups = _sorted(plain), wins, fails, _sorted(more), lucky, tuple(once)
    return Pouch(*groups, returned)


def _sorted(group: dict[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(group.items(), reverse=True))
