"""The result of revealed tokens, which agrees with the odds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from arkham.rules.chaos import Automatic, ChaosBag, Meaning, RevealWay, SkillTest, Token
from arkham.rules.chaos.testing import odds_of, out_of_the_bag, result_of

BLESS, CURSE, FROST, FAIL = Token.BLESS, Token.CURSE, Token.FROST, Token.AUTO_FAIL
BAG = ChaosBag.of(
    {"0": 2, "-1": 1, "auto_fail": 1, "bless": 2, "frost": 2, "elder_sign": 1}
)
TEST = SkillTest(BAG, {Token.ELDER_SIGN: Meaning(automatic=Automatic.SUCCESS)})


def test_a_token_ends_the_test_and_modifies_the_skill() -> None:
    result = result_of(TEST, 3, 2, [Token.MINUS_ONE])
    assert (result.total, result.margin, result.passed) == (2, 0, True)
    assert not result.open


@pytest.mark.parametrize("token", [BLESS, CURSE, FROST])
def test_some_tokens_reveal_another(token: Token) -> None:
    assert result_of(TEST, 3, 2, [token]).open


def test_a_test_without_revealed_tokens_is_open() -> None:
    assert result_of(TEST, 3, 2, []).open


def test_the_second_frost_fails_the_test() -> None:
    result = result_of(TEST, 9, 0, [FROST, FROST])
    assert (result.passed, result.automatic, result.open) == (
        False,
        Automatic.FAILURE,
        False,
    )


def test_automatic_failure_makes_the_total_0_and_wins_over_success() -> None:
    """TEST-06: it fails even against difficulty 0."""
    test = SkillTest(BAG, TEST.meanings, RevealWay.TWO)
    result = result_of(test, 9, 0, [FAIL, Token.ELDER_SIGN])
    assert (result.total, result.passed) == (0, False)
    result = result_of(test, 9, 3, [Token.ELDER_SIGN, FAIL])
    assert (result.total, result.margin, result.passed) == (0, -3, False)


def test_automatic_success_makes_the_difficulty_0() -> None:
    result = result_of(TEST, 2, 5, [Token.ELDER_SIGN])
    assert (result.total, result.margin, result.passed) == (2, 2, True)


def test_a_total_is_never_below_0() -> None:
    result = result_of(TEST, 0, 0, [Token.MINUS_ONE])
    assert (result.modifier, result.total, result.passed) == (-1, 0, True)


def test_an_empty_bag_ends_the_chain() -> None:
    test = SkillTest(ChaosBag.of({"bless": 2}))
    assert result_of(test, 0, 3, [BLESS]).open
    result = result_of(test, 0, 3, [BLESS, BLESS])
    assert (result.total, result.open) == (4, False)


def test_a_test_with_a_choice_of_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="chosen"):
        result_of(SkillTest(BAG, {}, RevealWay.ONE_OF_TWO), 3, 3, [Token.ZERO])


# -- by trial: every token, one after the other --


@cache
def chances(
    bag: ChaosBag, out: tuple[Token, ...]
) -> tuple[tuple[Token, Fraction], ...]:
    """Return how likely each token is next; cached, because it is needed often."""
    left = bag.without_tokens(out)
    return tuple((token, Fraction(count, left.size)) for token, count in left.counts)


def ends(test: SkillTest, skill: int, difficulty: int) -> Iterator[Fraction]:
    """Yield the odds of each chain of tokens that passes."""

    def go(drawn: list[Token], odds: Fraction) -> Iterator[Fraction]:
        result = result_of(test, skill, difficulty, drawn)
        if not result.open:
            if result.passed:
                yield odds
            return
        for token, chance in chances(test.bag, out_of_the_bag(test, drawn)):
            yield from go([*drawn, token], odds * chance)

    yield from go([], Fraction(1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "way", [RevealWay.ONE, RevealWay.TWO, RevealWay.THREE, RevealWay.AGAIN]
)
def test_results_and_odds_agree(way: RevealWay) -> None:
    for meaning in (
        TEST.meanings,
        {},
        {Token.ELDER_SIGN: Meaning(1, True, Automatic.SUCCESS)},
        {Token.ELDER_SIGN: Meaning(2, True)},
    ):
        test = SkillTest(BAG, meaning, way)
        odds = odds_of(test)
        assert odds is not None
        for skill, difficulty in product((0, 2, 4), (0, 1, 3, 5)):
            passing = sum(ends(test, skill, difficulty), Fraction(0))
            assert passing == odds.passing(skill, difficulty), (skill, difficulty)
