"""A skill test read from its address: its odds, the tokens drawn, the result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.card import Card
from arkham.rules.chaos import Automatic, ChaosBag, Meaning, SkillTest, Token
from arkham.rules.chaos.bag import PASSING, SYMBOLS
from arkham.rules.chaos.starting import SymbolFact
from arkham.rules.chaos.testing import Result, odds_of, out_of_the_bag, result_of
from arkham.rules.draws.record import draw_token
from arkham.rules.gists import gist_of
from arkham.rules.odds import MOST_MODIFIER, MOST_SKILL
from arkham.web.language import signed, word_of
from campaigns.at_table.odds import percent
from campaigns.play.addresses import (
    LETTERS,
    TOKEN_OF,
    Pairs,
    change,
    number,
    of_campaign,
    text_value,
)
from campaigns.play.bag import ShownToken
from decks.draws.drawing import new_seed

MOST_ICONS = 20
MOST_DRAWN = 60
ANOTHER, SUCCESS, FAILURE = "another", "success", "failure"
VARIES = "varies"  # names a token with a meaning that depends on the game
MAY_VARY = (*SYMBOLS, Token.ELDER_SIGN)
SKILLS: tuple[tuple[str, str | Promise], ...] = (
    ("willpower", gettext_lazy("Willpower")),
    ("intellect", gettext_lazy("Intellect")),
    ("combat", gettext_lazy("Combat")),
    ("agility", gettext_lazy("Agility")),
)
LIMITS: Mapping[str, int] = {
    "skill": MOST_SKILL,
    "icons": MOST_ICONS,
    "difficulty": MOST_SKILL,
}


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a test besides the bag, counted before the draw."""

    skill: int = 3
    icons: int = 0
    difficulty: int = 3

    @property
    def total(self) -> int:
        """The skill value with the icons committed (TEST-02)."""
        return self.skill + self.icons


@dataclass(frozen=True, slots=True)
class Trial:
    """A test at the table: the bag, the numbers, the tokens drawn so far.

    The last ``chosen`` of these were chosen by hand. ``varying`` are tokens with
    numbers that depend on the game or are unknown, such as an elder sign, which is
    printed on the investigator.
    """

    test: SkillTest
    numbers: Numbers
    seed: str
    drawn: tuple[Token, ...]
    varying: tuple[Token, ...] = ()
    campaign: str = ""  # the number of the campaign whose scenario is being played
    chosen: int = 0

    @property
    def size(self) -> int:
        """The number of tokens in the bag; a template would index the bag."""
        return self.test.bag.size

    @property
    def assumed(self) -> list[tuple[str, str, int, int, int]]:
        """The fields of those tokens in the bag: name, word, value, least and most."""
        limits = -MOST_MODIFIER, MOST_MODIFIER
        return [
            (f"m_{token}", word_of(token), self.test.meanings[token].modifier, *limits)
            for token in self.varying
            if self.test.bag[token]
        ]

    @property
    def odds(self) -> Fraction | None:
        """The odds of passing, before the first token is drawn."""
        odds = odds_of(self.test)
        if odds is None:
            return None
        return odds.passing(self.numbers.total, self.numbers.difficulty)

    @property
    def percent(self) -> str:
        """The odds in per cent; “” if they are not computed."""
        return "" if self.odds is None else percent(self.odds)

    @property
    def result(self) -> Result:
        """The result of the tokens drawn."""
        numbers = self.numbers
        return result_of(self.test, numbers.total, numbers.difficulty, self.drawn)

    @property
    def sum(self) -> str:
        """How the total was reached: 3 + 1 − 2 → 2."""
        parts = f"{self.numbers.skill}"
        if self.numbers.icons:
            parts += f" + {self.numbers.icons}"
        modifier = self.result.modifier
        if modifier:
            parts += f" {signed(modifier)[0]} {abs(modifier)}"
        return f"{parts} → {self.result.total}"

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        result = self.result
        if result.automatic is Automatic.FAILURE:
            return _("Fails automatically")
        if result.open:
            return _("Reveal another token")
        if result.automatic is Automatic.SUCCESS:
            return _("Succeeds automatically")
        if result.passed:
            return _("Passed by %(margin)d") % {"margin": result.margin}
        return _("Failed by %(margin)d") % {"margin": -result.margin}

    @property
    def style(self) -> str:
        """The result as a keyword: open, passed or failed."""
        if self.result.open:
            return "open"
        return "passed" if self.result.passed else "failed"

    @property
    def outside(self) -> list[ShownToken]:
        """The tokens drawn, in order."""
        return [ShownToken(token) for token in self.drawn]

    @property
    def left(self) -> list[ShownToken]:
        """The tokens still in the bag."""
        bag = self.test.bag.without_tokens(out_of_the_bag(self.test, self.drawn))
        return [ShownToken(token, count) for token, count in bag.counts]

    def following(self) -> Trial:
        """Return the next test with this bag, without the bless and curse drawn."""
        gone = [token for token in self.drawn if token in PASSING]
        test = replace(self.test, bag=self.test.bag.without_tokens(gone))
        numbers = replace(self.numbers, icons=0)
        return replace(self._without_tokens(), test=test, numbers=numbers)

    def _without_tokens(self) -> Trial:
        return replace(self, seed=new_seed(), drawn=(), chosen=0)

    def after(self, step: str) -> Trial:
        """Return the test after a button: a number changed, tokens drawn or back."""
        if step == "draw":
            return replace(_drawn_out(self), chosen=0)
        if step.startswith("token."):
            letters = letters_of(self.drawn) + step.removeprefix("token.")
            drawn = drawn_of(self.test, letters)
            chosen = self.chosen + len(drawn) - len(self.drawn)
            return replace(self, drawn=drawn, chosen=chosen)
        if step.startswith("base."):
            skill = self.numbers.skill
            value = number(step.removeprefix("base."), skill, LIMITS["skill"])
            return replace(self, numbers=replace(self.numbers, skill=value))
        if step == "back":
            return self._without_tokens()
        return replace(self, numbers=_stepped(self.numbers, step))

    @property
    def is_settled(self) -> bool:
        """Whether no more tokens have to be drawn."""
        return not self.result.open


def drawn_of(test: SkillTest, text: str) -> tuple[Token, ...]:
    """Return the drawn tokens of an address, as far as the bag has them."""
    drawn: list[Token] = []
    for letter in text[:MOST_DRAWN]:
        token = TOKEN_OF.get(letter)
        left = test.bag.without_tokens(out_of_the_bag(test, drawn))
        if token is not None and left[token]:
            drawn.append(token)
    return tuple(drawn)


def letters_of(drawn: tuple[Token, ...]) -> str:
    """Return the tokens as letters for an address."""
    return "".join(LETTERS[token] for token in drawn)


def _drawn_out(trial: Trial) -> Trial:
    """Draw tokens until the chain ends; token *n*, from 1, has the seed ``seed/n``."""
    while trial.result.open and len(trial.drawn) < MOST_DRAWN:
        bag = trial.test.bag.without_tokens(out_of_the_bag(trial.test, trial.drawn))
        record, _bag = draw_token(bag, f"{trial.seed}/{len(trial.drawn) + 1}")
        trial = replace(
            trial, drawn=(*trial.drawn, *(Token(each) for each in record.result))
        )
    return trial


def _stepped(numbers: Numbers, step: str) -> Numbers:
    """Return the numbers after a button: ``skill+``, ``icons-`` …"""
    name, by = step[:-1], {"+": 1, "-": -1}.get(step[-1:], 0)
    if name not in LIMITS or not by:
        return numbers
    count = min(max(getattr(numbers, name) + by, 0), LIMITS[name])
    return replace(numbers, **{name: count})


def skills_of(card: Card | None) -> list[tuple[str, str | Promise, int]]:
    """Return the skills of an investigator: sign, name, value."""
    if card is None or card.skills is None:
        return []
    return [
        (name, word, value)
        for (name, word), value in zip(SKILLS, card.skills, strict=True)
    ]


_FIXED = re.compile(r"\+(\d+)(?! per)(\.(?!.*automatic))?")


def elder_sign_of(investigator: str) -> SymbolFact:
    """Return what an elder sign does for an investigator; +1 if unknown."""
    gist = gist_of(investigator).elder_sign
    if gist.startswith("Automatic success"):
        return SymbolFact(Meaning(automatic=Automatic.SUCCESS), gist=gist)
    found = _FIXED.match(gist or "+1")
    modifier = int(found[1]) if found else 0
    return SymbolFact(Meaning(modifier), not (found and found[2]), gist)


def symbol_pairs(facts: Mapping[Token, SymbolFact]) -> Pairs:
    """Return what symbols do, as parts of an address."""
    pairs: Pairs = []
    for token, fact in facts.items():
        meaning = fact.meaning
        pairs.append((f"m_{token}", meaning.modifier))
        another = ANOTHER if meaning.reveal_another else ""
        effect = meaning.automatic.value if meaning.automatic else another
        pairs.append((f"e_{token}", effect))
    return pairs


def test_pairs(
    bag: ChaosBag, facts: Mapping[Token, SymbolFact], investigator: str, campaign: str
) -> Pairs:
    """Return the address of a test with a bag and what is known of its symbols.

    Tokens that the table has revealed are drawn.
    """
    pairs: Pairs = [("investigator", investigator)] if investigator else []
    drawn = [("drawn", letters_of(bag.revealed))] if bag.revealed else []
    bag = bag.with_tokens(bag.revealed)
    pairs += [(f"n_{token}", count) for token, count in bag.counts]
    facts = {**facts, Token.ELDER_SIGN: elder_sign_of(investigator)}
    pairs += [pair for pair in symbol_pairs(facts) if pair[1] != ""]
    varying = varying_symbols(facts)
    pairs += [
        (VARIES, each.value) for each in MAY_VARY if each in varying and bag[each]
    ]
    return [*pairs, *drawn, ("campaign", campaign)]


def varying_symbols(facts: Mapping[Token, SymbolFact]) -> set[Token]:
    """Return the symbols that depend on the game."""
    return {each for each, fact in facts.items() if fact.varies}


def pairs_of(trial: Trial, investigator: str, meanings: Pairs) -> Pairs:
    """Return the address of a test; ``meanings`` are the form's."""
    pairs: Pairs = [("investigator", investigator)] if investigator else []
    pairs += [(name, getattr(trial.numbers, name)) for name in LIMITS]
    pairs += [(f"n_{token}", count) for token, count in trial.test.bag.counts]
    pairs += meanings
    pairs += [(VARIES, token.value) for token in trial.varying]
    pairs += [("seed", trial.seed), ("drawn", letters_of(trial.drawn))]
    pairs += [("chosen", trial.chosen)] if trial.chosen else []
    return [*pairs, *of_campaign(trial.campaign)]


def with_symbol_counted(asked: QueryDict) -> QueryDict:
    """Return the address after a button that changes what a symbol counts as."""
    step = text_value(asked, "do")
    by = {"+": 1, "-": -1}.get(step[-1:], 0)
    if step[:-1] not in [f"m_{token}" for token in MAY_VARY]:
        return asked
    counted = asked.copy()
    modifier = change(text_value(asked, step[:-1]), MOST_MODIFIER) + by
    counted[step[:-1]] = str(min(max(modifier, -MOST_MODIFIER), MOST_MODIFIER))
    return counted
