"""Find odds by trying everything: every possible token, every choice, one by one.

Slow and simple on purpose: it follows the rows of the rule book and shares nothing with
how the program counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from arkham.rules.chaos import Automatic, ChaosBag, Meaning, Meanings, Token

PRINTED = {
    Token.BLESS: Meaning(2, True),
    Token.CURSE: Meaning(-2, True),
    Token.FROST: Meaning(-1, True),
    Token.AUTO_FAIL: Meaning(0, False, Automatic.FAILURE),
}


@dataclass(frozen=True)
class So:
    """A test in progress: the tokens left in the bag, and the effects resolved."""

    bag: tuple[Token, ...]
    total: int = 0
    failed: bool = False
    succeeded: bool = False
    frosts: int = 0
    cancels: int = 0


def meaning_of(token: Token, told: Meanings) -> Meaning:
    """Return the meaning of a token."""
    if token in told:
        return told[token]
    if token in PRINTED:
        return PRINTED[token]
    return Meaning(int(token)) if token.lstrip("+-").isdigit() else Meaning()


def passes(so: So, skill: int, difficulty: int) -> bool:
    """Return whether the test succeeds (steps ST.5 and ST.6)."""
    if so.failed:
        return False
    return so.succeeded or max(0, skill + so.total) >= difficulty


def resolved(so: So, token: Token, told: Meanings) -> tuple[So, bool]:
    """Apply a token's effect; return it with whether another token is revealed."""
    meaning = meaning_of(token, told)
    if token is Token.FROST:
        so = replace(so, frosts=so.frosts + 1)
        if so.frosts == 2:
            return replace(so, failed=True), False
    so = replace(
        so,
        total=so.total + meaning.modifier,
        failed=so.failed or meaning.automatic is Automatic.FAILURE,
        succeeded=so.succeeded or meaning.automatic is Automatic.SUCCESS,
    )
    return so, meaning.reveal_another


def finished(
    so: So, others: int, told: Meanings, skill: int, difficulty: int
) -> Fraction:
    """Return the odds of passing when more tokens are revealed one after the other."""
    if not others or not so.bag or so.frosts == 2:
        return Fraction(passes(so, skill, difficulty))
    odds = Fraction(0)
    for place, token in enumerate(so.bag):
        fails = meaning_of(token, told).automatic is Automatic.FAILURE
        if token is Token.AUTO_FAIL and fails and so.cancels:  # it goes back
            again = replace(so, cancels=so.cancels - 1)
            odds += finished(again, others, told, skill, difficulty)
            continue
        left = replace(so, bag=so.bag[:place] + so.bag[place + 1 :])
        after, another = resolved(left, token, told)
        odds += finished(after, others - 1 + another, told, skill, difficulty)
    return odds / len(so.bag)


def tried(
    bag: ChaosBag,
    told: Meanings,
    revealed: int,
    chosen: int,
    skill: int,
    difficulty: int,
    *,
    cancelling: bool = False,
) -> Fraction:
    """Return the odds of passing with the best choice among the revealed tokens."""
    tokens = tuple(token for token, count in bag.counts for _copy in range(count))
    revealed = min(revealed, len(tokens))
    chosen = min(chosen, revealed)
    cancels = 1 if cancelling else 0
    if chosen == revealed:
        so = So(tokens, cancels=cancels)
        return finished(so, max(revealed, 1), told, skill, difficulty)
    places = range(len(tokens))
    odds = Fraction(0)
    draws = list(combinations(places, revealed))
    for draw in draws:
        left = tuple(tokens[place] for place in places if place not in draw)
        best = Fraction(0)
        for choice in combinations(draw, chosen):
            so, others = So(left), 0
            for place in choice:
                so, another = resolved(so, tokens[place], told)
                others += another
            best = max(best, finished(so, others, told, skill, difficulty))
        odds += best
    return odds / len(draws)
