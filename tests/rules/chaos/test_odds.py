"""The odds of a test are exact: they match examples by hand and a trial of draws."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arkham.rules.chaos import (
    Automatic,
    ChaosBag,
    Meaning,
    Meanings,
    RevealWay,
    SkillOdds,
    SkillTest,
    Token,
    testing,
)
from arkham.rules.chaos.bag import poured, without_meaning
from arkham.rules.chaos.choosing import choosing_one, choosing_several
from tests.rules.chaos.trial import tried


def odds_of(test: SkillTest) -> SkillOdds:
    """Return the odds of a test that is known to have odds."""
    odds = testing.odds_of(test)
    assert odds is not None
    return odds


BAGS = settings(max_examples=600)  # thousands of bags altogether

small_bags = st.lists(
    st.sampled_from(
        [
            Token.PLUS_ONE,
            Token.ZERO,
            Token.MINUS_TWO,
            Token.MINUS_FOUR,
            Token.SKULL,
            Token.CULTIST,
            Token.TABLET,
            Token.ELDER_SIGN,
            Token.AUTO_FAIL,
            Token.BLESS,
            Token.BLESS,
            Token.CURSE,
            Token.CURSE,
            Token.FROST,
            Token.FROST,
        ]
    ),
    max_size=6,
).map(lambda tokens: ChaosBag().with_tokens(tokens))
meanings = st.dictionaries(
    st.sampled_from(
        [Token.SKULL, Token.CULTIST, Token.TABLET, Token.ELDER_SIGN, Token.BLESS]
    ),
    st.builds(
        Meaning,
        st.integers(-4, 3),
        st.booleans(),
        st.sampled_from([None, None, *Automatic]),
    ),
)
CHOICES = {
    1: RevealWay.ONE,
    2: RevealWay.ONE_OF_TWO,
    3: RevealWay.ONE_OF_THREE,
    4: RevealWay.ONE_OF_FOUR,
    5: RevealWay.ONE_OF_FIVE,
}
needs = st.tuples(st.integers(0, 5), st.integers(0, 5))


@BAGS
@given(small_bags, meanings, needs)
def test_odds_of_one_token_match_a_trial(
    bag: ChaosBag, told: Meanings, need: tuple[int, int]
) -> None:
    odds = odds_of(SkillTest(bag, told))
    assert odds.passing(*need) == tried(bag, told, 1, 1, *need)


@BAGS
@given(small_bags, meanings, needs, st.integers(2, 4))
def test_odds_of_several_tokens_match_a_trial(
    bag: ChaosBag, told: Meanings, need: tuple[int, int], count: int
) -> None:
    odds = odds_of(SkillTest(bag, told, RevealWay(str(count))))
    assert odds.passing(*need) == tried(bag, told, count, count, *need)


@BAGS
@given(small_bags, meanings, needs)
def test_odds_with_the_first_automatic_failure_cancelled_match_a_trial(
    bag: ChaosBag, told: Meanings, need: tuple[int, int]
) -> None:
    odds = odds_of(SkillTest(bag, told, RevealWay.AGAIN))
    assert odds.passing(*need) == tried(bag, told, 1, 1, *need, cancelling=True)


@pytest.mark.parametrize(
    ("bag", "passing"),
    [
        ({"0": 1, "auto_fail": 1}, Fraction(3, 4)),  # it is drawn twice: 1/2 · 1/2
        ({"0": 3, "auto_fail": 1}, Fraction(15, 16)),
        ({"auto_fail": 2}, Fraction(0)),
        # No auto-fail, or only one: 1 - (3/9 · 3/9), without a bless before either.
        ({"0": 6, "auto_fail": 3}, Fraction(8, 9)),
        # F F, B F F, F B F, of three: 1/9, then 1/3 · 1/4, then 1/3 · 1/3 · 1/2.
        ({"0": 1, "auto_fail": 1, "bless": 1}, 1 - Fraction(1, 9) - Fraction(5, 36)),
    ],
)
def test_a_cancelled_token_returns_to_the_bag(
    bag: dict[str, int], passing: Fraction
) -> None:
    """ULT-21: the auto-fail returns, and another token is drawn in its place."""
    odds = odds_of(SkillTest(ChaosBag.of(bag), {}, RevealWay.AGAIN))
    assert odds is not None
    assert odds.every is not None

    assert odds.passing(2, 2) == passing
    assert odds.passing(2, 2) + odds.every.automatic_failure == 1


@BAGS
@given(small_bags, meanings, needs, st.integers(2, 5))
def test_odds_of_one_chosen_token_match_a_trial(
    bag: ChaosBag, told: Meanings, need: tuple[int, int], count: int
) -> None:
    odds = odds_of(SkillTest(bag, told, CHOICES[count]))
    assert odds.passing(*need) == tried(bag, told, count, 1, *need)


@BAGS
@given(small_bags, meanings, needs)
def test_odds_of_two_chosen_tokens_match_a_trial(
    bag: ChaosBag, told: Meanings, need: tuple[int, int]
) -> None:
    odds = odds_of(SkillTest(bag, told, RevealWay.TWO_OF_THREE))
    assert odds.passing(*need) == tried(bag, told, 3, 2, *need)


# -- by hand --

STANDARD = ChaosBag.of(
    {
        "+1": 1, "0": 2, "-1": 3, "-2": 2, "-3": 1, "-4": 1,
        "skull": 2, "cultist": 1, "tablet": 1, "auto_fail": 1, "elder_sign": 1,
    }
)  # fmt: skip
TOLD = {
    Token.SKULL: Meaning(-1),
    Token.CULTIST: Meaning(-2),
    Token.TABLET: Meaning(-3),
    Token.ELDER_SIGN: Meaning(1),
}


@pytest.mark.parametrize(
    ("skill", "difficulty", "odds"),
    [
        (1, 3, Fraction(0)),
        (2, 3, Fraction(2, 16)),
        (3, 3, Fraction(4, 16)),
        (4, 3, Fraction(9, 16)),
        (5, 3, Fraction(12, 16)),
        (6, 3, Fraction(14, 16)),
        (7, 3, Fraction(15, 16)),
        (20, 3, Fraction(15, 16)),
        (0, 0, Fraction(15, 16)),  # a total is never below 0
    ],
)
def test_odds_of_a_bag_without_chains(
    skill: int, difficulty: int, odds: Fraction
) -> None:
    assert odds_of(SkillTest(STANDARD, TOLD)).passing(skill, difficulty) == odds


@pytest.mark.parametrize(
    ("bag", "skill", "difficulty", "odds"),
    [
        # Bless, then the only other token; or that token first.
        ({"bless": 1, "-1": 1}, 0, 1, Fraction(1, 2)),
        # The last token ends the chain because the bag is empty.
        ({"bless": 2, "curse": 1}, 0, 2, Fraction(1)),
        ({"bless": 2, "curse": 1}, 0, 3, Fraction(0)),
        # 0 first; frost and 0; frost and frost.
        ({"frost": 2, "0": 1}, 0, 0, Fraction(2, 3)),
        ({"frost": 2, "0": 1}, 1, 1, Fraction(1, 3)),
        ({"frost": 1}, 1, 0, Fraction(1)),
        ({"frost": 2}, 9, 0, Fraction(0)),
        ({}, 2, 2, Fraction(1)),
        ({}, 1, 2, Fraction(0)),
        ({"auto_fail": 1, "bless": 1}, 9, 0, Fraction(0)),
    ],
)
def test_odds_of_a_bag_with_chains(
    bag: dict[str, int], skill: int, difficulty: int, odds: Fraction
) -> None:
    assert odds_of(SkillTest(ChaosBag.of(bag))).passing(skill, difficulty) == odds


def test_failure_wins_over_success() -> None:
    """The same test reveals an automatic success and the automatic failure."""
    told = {Token.SKULL: Meaning(0, True, Automatic.SUCCESS)}
    bag = ChaosBag.of({"skull": 1, "auto_fail": 1, "0": 1})
    odds = odds_of(SkillTest(bag, told)).every
    assert odds is not None
    assert odds.automatic_success == Fraction(1, 6)  # skull, then 0
    assert odds.automatic_failure == Fraction(1, 2)
    assert odds.modifiers == {0: Fraction(1, 3)}


def test_margins_have_the_odds_of_every_result() -> None:
    odds = odds_of(SkillTest(STANDARD, TOLD)).every
    assert odds is not None
    assert odds.margins(3, 3) == {
        1: Fraction(2, 16),
        0: Fraction(2, 16),
        -1: Fraction(5, 16),
        -2: Fraction(3, 16),
        -3: Fraction(3, 16),  # -3 and -4: the total is 0
    }


def test_symbols_without_a_meaning_are_listed() -> None:
    assert without_meaning(STANDARD, {Token.SKULL: Meaning(-1)}) == (
        Token.CULTIST,
        Token.TABLET,
        Token.ELDER_SIGN,
    )


# Whether a curse or a frost is the better choice depends on the other tokens: the
# averages are not enough, and every draw must be examined.
@pytest.mark.parametrize(
    "bag",
    [
        {"bless": 4, "curse": 8, "frost": 3, "+1": 1, "-2": 3, "-4": 6, "auto_fail": 1},
        {"bless": 8, "curse": 8, "frost": 3, "+1": 2, "0": 3, "-2": 2, "-4": 5},
        {"bless": 6, "curse": 4, "frost": 6, "+1": 2, "-2": 1, "-4": 5, "auto_fail": 2},
    ],
)
def test_both_ways_to_choose_a_token_agree(bag: dict[str, int]) -> None:
    pouch = poured(ChaosBag.of(bag), {})
    needs = range(-30, 30)
    assert choosing_one(pouch, 5, needs) == choosing_several(pouch, 5, 1, needs)


# -- laws --

bags = st.dictionaries(st.sampled_from(list(Token)), st.integers(0, 5), min_size=1).map(
    lambda tokens: ChaosBag.of({token.value: n for token, n in tokens.items()})
)
plain_bags = st.dictionaries(
    st.sampled_from(list(Token)[:16]), st.integers(0, 6), min_size=1
).map(lambda tokens: ChaosBag.of({token.value: n for token, n in tokens.items()}))


@given(bags, meanings, st.integers(1, 5))
def test_odds_sum_to_one(bag: ChaosBag, told: Meanings, count: int) -> None:
    odds = odds_of(SkillTest(bag, told, RevealWay(str(count)))).every
    assert odds is not None
    assert odds.failure >= 0
    outcomes = [
        *odds.modifiers.values(),
        odds.automatic_success,
        odds.automatic_failure,
    ]
    assert sum(outcomes) == 1


@given(bags, meanings, st.integers(0, 6), st.integers(1, 4))
def test_more_skill_never_hurts(
    bag: ChaosBag, told: Meanings, difficulty: int, count: int
) -> None:
    odds = odds_of(SkillTest(bag, told, CHOICES[count]))
    passing = [odds.passing(skill, difficulty) for skill in range(12)]
    assert passing == sorted(passing)
    assert all(0 <= each <= 1 for each in passing)


@given(plain_bags, st.integers(0, 6))
def test_more_to_choose_from_never_hurts(bag: ChaosBag, difficulty: int) -> None:
    """Without chains only; with chains, more revealed tokens are fewer in the bag."""
    before = [Fraction(0)] * 12
    for count in (1, 2, 3, 5):
        odds = odds_of(SkillTest(bag, {}, CHOICES[count]))
        passing = [odds.passing(skill, difficulty) for skill in range(12)]
        assert all(a <= b for a, b in zip(before, passing, strict=True))
        before = passing


def test_too_many_chains_have_no_odds() -> None:
    bag = ChaosBag.of({token.value: 8 for token in Token})
    told = {
        token: Meaning(-place, True)
        for place, token in enumerate(
            (Token.SKULL, Token.CULTIST, Token.TABLET, Token.ELDER_THING)
        )
    }
    asked = SkillTest(bag, told, RevealWay.ONE_OF_FIVE)
    assert testing.odds_of(asked) is None
    (finding,) = testing.too_many_chains(asked)
    assert finding.rule == "odds.too-many-chains"
    assert testing.odds_of(SkillTest(bag, told)) is not None


def test_a_full_bag_has_odds() -> None:
    full = {"bless": 10, "curse": 10, "frost": 8, "-8": 9}
    bag = STANDARD.with_tokens(
        token for token, n in ChaosBag.of(full).counts for _copy in range(n)
    )
    for way in RevealWay:
        assert testing.too_many_chains(SkillTest(bag, TOLD, way)) == []


def test_assumed_meanings_are_reported() -> None:
    findings = testing.check_test(SkillTest(STANDARD, {Token.SKULL: Meaning(-1)}))
    assert [each.text for each in findings] == [
        "We don’t know what these do, so they count as 0: cultist, tablet, elder_sign."
    ]
    assert testing.check_test(SkillTest(STANDARD, TOLD)) == ()


def test_the_largest_bag_has_odds() -> None:
    """No weight overflows into the next, whatever the numbers."""
    told = {Token.SKULL: Meaning(-20, True), Token.CULTIST: Meaning(20, True)}
    tokens = {"skull": 30, "cultist": 30, "bless": 10, "curse": 10, "frost": 8, "0": 2}
    odds = odds_of(SkillTest(ChaosBag.of({**tokens, "-8": 10}), told)).every
    assert odds is not None
    assert odds.failure > 0
    assert sum(odds.weights.values()) + odds.failure == odds.whole
