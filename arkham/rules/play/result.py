"""The result of a test with given tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arkham.rules.chaos.bag import PRINTED, Automatic, Meaning, Token
from arkham.rules.chaos.testing import SkillTest


@dataclass(frozen=True, slots=True)
class Result:
    """A test after some tokens: ``open`` while another one is to be revealed.

    ``total`` is never below 0 (TEST-04); ``margin`` is what it passes by, or fails by
    below 0. An ``automatic`` outcome is decided whatever the numbers say: success
    makes the difficulty 0, failure the total (TEST-06).
    """

    modifier: int
    total: int
    margin: int
    passed: bool
    automatic: Automatic | None
    open: bool


def result_of(
    test: SkillTest, skill: int, difficulty: int, revealed: Sequence[Token]
) -> Result:
    """What the tokens come to, in the order they were revealed (TEST-04 … TEST-06).

    ``test.bag`` is the bag they came out of, before the first; every token revealed is
    resolved, so ways in which the player chooses are refused with ValueError.
    """
    if test.way.chooses:
        raise ValueError("tokens are chosen from; that has no single result")
    meanings = [
        _meaning(test, token, revealed[:at]) for at, token in enumerate(revealed)
    ]
    modifier = sum(each.modifier for each in meanings)
    ends = sum(not each.reveal_another for each in meanings)
    automatic = _decided(meanings)
    total = 0 if automatic is Automatic.FAILURE else max(skill + modifier, 0)
    margin = total - (0 if automatic is Automatic.SUCCESS else difficulty)
    return Result(
        modifier,
        total,
        margin,
        automatic is not Automatic.FAILURE and margin >= 0,
        automatic,
        ends < test.way.revealed
        and len(out_of_the_bag(test, revealed)) < test.bag.size,
    )


def out_of_the_bag(test: SkillTest, revealed: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens that were revealed and have not gone back (ULT-21)."""
    out = list(revealed)
    if test.puts_back and Token.AUTO_FAIL in out:
        out.remove(Token.AUTO_FAIL)
    return tuple(out)


def _decided(meanings: Sequence[Meaning]) -> Automatic | None:
    """The automatic outcome of all tokens together: failure wins."""
    outcomes = {each.automatic for each in meanings}
    for outcome in (Automatic.FAILURE, Automatic.SUCCESS):
        if outcome in outcomes:
            return outcome
    return None


def _meaning(test: SkillTest, token: Token, before: Sequence[Token]) -> Meaning:
    """What a token does after others: the second frost of a test fails it (BAG-10)."""
    meaning = test.meanings.get(token) or PRINTED.get(token) or Meaning()
    failed = Meaning(automatic=Automatic.FAILURE)
    if token is Token.FROST:
        return failed if token in before else Meaning(meaning.modifier, True)
    if token is Token.AUTO_FAIL and test.puts_back and token not in before:
        return Meaning(0, True)
    if meaning.automatic is Automatic.FAILURE:
        return failed
    return meaning
