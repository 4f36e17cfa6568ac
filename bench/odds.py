"""Odds of a test: in this process, on one core, nothing remembered from before.

The bags are those of every campaign and difficulty with 10 bless, 10 curse and 8 frost
added, the symbols at -1 to -4.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from arkham.rules.chaos import ChaosBag, Meaning, RevealWay, SkillTest, Token, odds_of
from arkham.rules.chaos.odds import chains_of
from arkham.rules.chaos.starting import campaigns
from arkham.rules.draws.odds import tempo_of
from arkham.rules.draws.opening import Opening
from arkham.rules.odds import odds_text, read_odds
from bench.timing import each_seconds, percentile

Measures = dict[str, tuple[float, str]]
RUNS = 5
FULL = {Token.BLESS: 10, Token.CURSE: 10, Token.FROST: 8}
MEANINGS = {
    Token.SKULL: Meaning(-1),
    Token.CULTIST: Meaning(-2),
    Token.TABLET: Meaning(-3),
    Token.ELDER_THING: Meaning(-4),
    Token.ELDER_SIGN: Meaning(1),
}


@cache
def _bags() -> list[ChaosBag]:
    extra = [token for token, n in FULL.items() for _copy in range(n)]
    every = (bag for each in campaigns().values() for bag in each.bags.values())
    return [
        ChaosBag.of(
            {token.value: n for token, n in bag.counts if token not in FULL}
        ).with_tokens(extra)
        for bag in every
    ]


def _compute(bag: ChaosBag, way: RevealWay) -> None:
    chains_of.cache_clear()
    odds = odds_of(SkillTest(bag, MEANINGS, way))
    assert odds is not None
    for skill in range(13):
        odds.passing(skill, 3)


def _slow(way: RevealWay) -> tuple[float, str]:
    """The 95th percentile over the bags of the best time of each, in milliseconds."""
    work: list[Callable[[], None]] = [partial(_compute, bag, way) for bag in _bags()]
    best = [min(each_seconds([piece] * RUNS)) for piece in work]
    return percentile(best, 95) * 1_000, "ms"


def one_token() -> Measures:
    """One token with its chain, every sum of modifiers at once."""
    return {"odds.one_ms": _slow(RevealWay.ONE)}


def choices() -> Measures:
    """Several tokens and a choice among them, with their chains."""
    return {
        "odds.choose_5_ms": _slow(RevealWay.ONE_OF_FIVE),
        "odds.choose_3_ms": _slow(RevealWay.ONE_OF_THREE),
        "odds.choose_2_of_3_ms": _slow(RevealWay.TWO_OF_THREE),
    }


def answer() -> Measures:
    """A question read, answered and written, as the API does."""
    bag = {token.value: n for token, n in _bags()[0].counts}
    asked = {"bag": bag, "difficulty": 3}

    def ask() -> None:
        chains_of.cache_clear()
        odds_text(read_odds(asked))

    seconds = each_seconds([ask] * 50)
    return {"odds.answer_p95_ms": (percentile(seconds, 95) * 1_000, "ms")}


def tempo() -> Measures:
    """Ten thousand simulated openings of thirty cards and three weaknesses."""
    cards = {f"card-{number}": 2 for number in range(15)}
    weaknesses = {f"weakness-{number}": 1 for number in range(3)}
    opening = Opening(
        cards | weaknesses, frozenset(weaknesses), frozenset(), 5, 5, mulligan=True
    )
    costs = {code: number % 6 for number, code in enumerate(cards)}
    runs = [partial(tempo_of, opening, costs, 5, 5, seed=str(run)) for run in range(3)]
    return {"odds.tempo_ms": (min(each_seconds(runs)) * 1_000, "ms")}
