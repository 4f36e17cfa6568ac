"""The odds worked out by the phone equal the server's exactly."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from playwright.sync_api import Page

from arkham.rules.chaos import Automatic, ChaosBag, Meaning, SkillTest, Token, odds_of
from arkham.rules.chaos.bag import LIMITS, PRINTED, WITH_MEANINGS

BAGS = 400
ALL_AT_ONCE = """async (tests) => {
  const { passing } = await import("/static/arkham/phone_bag.js");
  return tests.map(([tokens, skill, difficulty]) =>
    passing(tokens, skill, difficulty).map(String)
  );
}"""


def _a_test(dice: random.Random) -> tuple[SkillTest, int, int]:
    """A bag of up to four of each kind, with symbols of every possible effect."""
    kinds = dice.sample(list(Token), dice.randint(1, len(Token)))
    counts = {
        each.value: dice.randint(1, LIMITS.get(each, 4))
        if each in LIMITS
        else dice.randint(1, 4)
        for each in kinds
    }
    meanings = {
        each: Meaning(
            dice.randint(-6, 3),
            dice.random() < 0.3,
            dice.choice([None, None, None, Automatic.SUCCESS, Automatic.FAILURE]),
        )
        for each in WITH_MEANINGS
        if dice.random() < 0.7
    }
    test = SkillTest(ChaosBag.of(counts), meanings)
    return test, dice.randint(0, 8), dice.randint(0, 8)


def _for_the_phone(test: SkillTest) -> list[dict[str, Any]]:
    """Return the tokens as a page passes them to its script."""
    tokens = []
    for token, count in test.bag.counts:
        meaning = test.meanings.get(token) or PRINTED.get(token) or Meaning()
        is_frost = token is Token.FROST
        tokens.append(
            {
                "count": count,
                "modifier": meaning.modifier,
                "another": meaning.reveal_another,
                "once": is_frost,
                "automatic": (meaning.automatic or "") if not is_frost else "",
            }
        )
    return tokens


def test_the_phones_odds_are_the_same_fractions(page: Page) -> None:
    """For bags with chains, lucky tokens, frost, and chains that never end."""
    dice = random.Random("a phone")
    tests = [_a_test(dice) for _number in range(BAGS)]
    page.goto("/offline/")
    asked = [
        [_for_the_phone(test), skill, difficulty] for test, skill, difficulty in tests
    ]
    found = page.evaluate(ALL_AT_ONCE, asked)
    expected = []
    for test, skill, difficulty in tests:
        odds = odds_of(test)
        assert odds is not None
        expected.append(odds.passing(skill, difficulty))
    assert [Fraction(int(above), int(below)) for above, below in found] == expected
    assert len(set(expected)) > BAGS / 4
