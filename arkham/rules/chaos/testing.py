"""A skill test as a table enters it: its bag, its revealed tokens, its result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import comb

from arkham.rules.chaos.bag import (
    PRINTED,
    Automatic,
    ChaosBag,
    Meaning,
    Pouch,
    Token,
    check_bag,
    poured,
    without_meaning,
)
from arkham.rules.chaos.choosing import choosing_one, choosing_several, tail
from arkham.rules.chaos.odds import Odds, common_denominator, odds_of_a_test
from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    gettext_noop,
    rule,
    rules_reference,
)


@dataclass(frozen=True, slots=True)
class ChosenOdds:
    """The weight of passing, out of ``whole``, for each sum of modifiers needed.

    ``lowest`` is a sum that every test reaches unless it fails automatically; the
    weights are for ``lowest``, ``lowest`` + 1, …; the last one can't be reached.
    """

    whole: int
    lowest: int
    weights: tuple[int, ...]

    def weight(self, need: int) -> int:
        """The weight of reaching a sum of modifiers."""
        place = min(max(need - self.lowest, 0), len(self.weights) - 1)
        return self.weights[place]


def odds_of_choosing(pouch: Pouch, revealed: int, resolved: int) -> ChosenOdds:
    """The odds if ``resolved`` of ``revealed`` tokens (1 to 5) are chosen.

    If the bag has fewer tokens, all are revealed; if they are no more than
    ``resolved``, all are resolved.
    """
    revealed = min(revealed, pouch.size)
    lowest, highest = _reach(pouch, min(resolved, pouch.size))
    needs = range(lowest, highest + 2)
    whole = comb(pouch.size, revealed) * common_denominator(pouch.size - revealed)
    if revealed <= resolved:
        odds = odds_of_a_test(pouch, max(revealed, 1))
        below = [0] * len(needs)
        for modifier, weight in odds.weights.items():
            below[modifier - lowest] = weight
        reached = [each + odds.success for each in tail(below)]
        return ChosenOdds(odds.whole, lowest, tuple(reached))
    if resolved == 1:
        weights = choosing_one(pouch, revealed, needs)
    else:
        weights = choosing_several(pouch, revealed, resolved, needs)
    return ChosenOdds(whole, lowest, tuple(weights))


def _reach(pouch: Pouch, ends: int) -> tuple[int, int]:
    """The lowest and the highest sum of modifiers if ``ends`` tokens end the chains."""
    chained = [modifier * count for modifier, count in pouch.more]
    chained += [modifier for modifier, _count in pouch.once]
    ending = [0, *(modifier for modifier, _count in pouch.plain)]
    lowest = sum(min(each, 0) for each in chained) + ends * min(ending)
    highest = sum(max(each, 0) for each in chained) + ends * max(ending)
    return lowest, highest


MOST_TOKENS = 300
MOST_WORK = 250_000  # in steps of a few tenths of a microsecond


class RevealWay(Enum):
    """How the tokens of a test are revealed: how many, and how many are resolved.

    If fewer are resolved, the player chooses, knowing the test. ``AGAIN``: the first
    auto-fail is cancelled and returned, and another token revealed (ULT-21).
    """

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    ONE_OF_TWO = "1 of 2"
    ONE_OF_THREE = "1 of 3"
    ONE_OF_FOUR = "1 of 4"
    ONE_OF_FIVE = "1 of 5"
    TWO_OF_THREE = "2 of 3"
    AGAIN = "1, auto-fail cancelled once"

    @property
    def resolved(self) -> int:
        """The number of tokens resolved."""
        return int(self.value[0])

    @property
    def revealed(self) -> int:
        """The number of tokens revealed at once."""
        if self is RevealWay.AGAIN:
            return 1
        return int(self.value[-1])

    @property
    def chooses(self) -> bool:
        """True if the player chooses among the tokens."""
        return self.resolved < self.revealed


@dataclass(frozen=True, slots=True)
class SkillTest:
    """Everything the odds of a test depend on, except skill and difficulty.

    ``meanings`` are those entered by the table; a symbol without one counts as 0.
    """

    bag: ChaosBag
    meanings: Mapping[Token, Meaning] = field(default_factory=dict)
    way: RevealWay = RevealWay.ONE

    @property
    def pouch(self) -> Pouch:
        """The bag's tokens, grouped by their effect in this test."""
        return poured(self.bag, self.meanings, cancelling=self.way is RevealWay.AGAIN)

    @property
    def puts_back(self) -> bool:
        """True if the first auto-fail goes back into the bag."""
        return self.pouch.returned > 0


@dataclass(frozen=True, slots=True)
class SkillOdds:
    """The odds of a test: ``every`` outcome, or ``chosen`` if the player chooses."""

    every: Odds | None = None
    chosen: ChosenOdds | None = None

    def passing(self, skill: int, difficulty: int) -> Fraction:
        """The odds of passing with a skill value (including icons)."""
        if self.every is not None:
            return self.every.passing(skill, difficulty)
        assert self.chosen is not None
        need = difficulty - skill if difficulty > 0 else self.chosen.lowest
        return Fraction(self.chosen.weight(need), self.chosen.whole)


def _work(test: SkillTest) -> int:
    """Estimate the work of enumerating all choices.

    It is the number of draws, each with chains whose polynomials have many terms; the
    wider their sums spread, the longer the numbers they are packed into.
    """
    pouch = test.pouch
    groups = len(pouch.more) + len(pouch.once) + bool(pouch.lucky)
    chained = pouch.size - pouch.ends
    draws = comb(groups + test.way.revealed, groups)
    if test.way.resolved > 1:  # many of them share their chains
        kinds = groups + len(pouch.plain) + 2
        draws = comb(kinds + test.way.revealed - 1, test.way.revealed) // 4
    spread = sum(abs(modifier) * count for modifier, count in pouch.more)
    return draws * (chained + 1) ** 2 * (1 + spread // 100)


@rule(
    "odds.too-many-chains",
    rows=("BAG-24", "TEST-16"),
    cites=(rules_reference("Chaos Tokens"),),
)
def too_many_chains(test: SkillTest) -> Iterator[Finding]:
    """We compute the odds of choosing a token unless too many tokens reveal another."""
    if test.bag.size > MOST_TOKENS or (test.way.chooses and _work(test) > MOST_WORK):
        yield Finding(
            gettext_noop(
                "Too many kinds of tokens reveal another token: we can’t compute "
                "these odds."
            ),
            severity=Severity.INCOMPLETE,
            remedy_text=gettext_noop(
                "Choose from fewer tokens, or put in fewer that reveal another."
            ),
        )


@rule(
    "odds.untold", rows=("BAG-04", "TEST-16"), cites=(rules_reference("Chaos Tokens"),)
)
def unexplained_tokens(test: SkillTest) -> Iterator[Finding]:
    """Symbols and the elder sign do what the scenario and the investigator say."""
    missing = without_meaning(test.bag, test.meanings)
    if missing:
        named = ", ".join(missing)
        yield Finding(
            gettext_noop("We don’t know what these do, so they count as 0: {tokens}."),
            severity=Severity.ADVICE,
            actual=named,
            remedy_text=gettext_noop("Enter what they do."),
            values=(("tokens", named),),
        )


TEST_RULES: tuple[Rule[SkillTest], ...] = (too_many_chains, unexplained_tokens)


def check_test(test: SkillTest) -> tuple[Finding, ...]:
    """Everything worth knowing about the bag and the test before trusting the odds."""
    found = (finding for rule in TEST_RULES for finding in rule(test))
    return (*check_bag(test.bag), *found)


def odds_of(test: SkillTest) -> SkillOdds | None:
    """The exact odds of a test; None if there are too many chains."""
    if too_many_chains(test):
        return None
    way = test.way
    if not way.chooses:
        return SkillOdds(every=odds_of_a_test(test.pouch, way.revealed))
    return SkillOdds(chosen=odds_of_choosing(test.pouch, way.revealed, way.resolved))


@dataclass(frozen=True, slots=True)
class Result:
    """A test after some tokens; ``open`` if another one is to be revealed.

    ``total`` is never below 0 (TEST-04); ``margin`` is what it passes by, or fails by
    if negative. An ``automatic`` outcome doesn't depend on the numbers: success makes
    the difficulty 0, failure the total (TEST-06).
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
    """The result of tokens, in the order they were revealed (TEST-04 … TEST-06).

    ``test.bag`` is the bag before the first one was revealed. Every token revealed is
    resolved, so if the player chooses among tokens, ValueError is raised.
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
    """The revealed tokens that have not gone back into the bag (ULT-21)."""
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
    """The meaning of a token after others: the second frost fails the test (BAG-10)."""
    meaning = test.meanings.get(token) or PRINTED.get(token) or Meaning()
    failed = Meaning(automatic=Automatic.FAILURE)
    if token is Token.FROST:
        return failed if token in before else Meaning(meaning.modifier, True)
    if token is Token.AUTO_FAIL and test.puts_back and token not in before:
        return Meaning(0, True)
    if meaning.automatic is Automatic.FAILURE:
        return failed
    return meaning
