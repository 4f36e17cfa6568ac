"""The chaos tokens: in the bag, revealed or sealed, and their effects on a test.

Numbers, bless, curse, frost and the auto-fail have fixed meanings. Symbols depend on
the scenario's reference card, the elder sign on the investigator (BAG-04), so the
caller passes their meanings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from string import digits
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.finding import (
    Finding,
    Phrase,
    Remedy,
    Rule,
    Value,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _


class Token(StrEnum):
    """The kinds of chaos tokens (BAG-03), in the order in which bags are listed."""

    PLUS_ONE = "+1"
    ZERO = "0"
    MINUS_ONE = "-1"
    MINUS_TWO = "-2"
    MINUS_THREE = "-3"
    MINUS_FOUR = "-4"
    MINUS_FIVE = "-5"
    MINUS_SIX = "-6"
    MINUS_SEVEN = "-7"
    MINUS_EIGHT = "-8"
    SKULL = "skull"
    CULTIST = "cultist"
    TABLET = "tablet"
    ELDER_THING = "elder_thing"
    AUTO_FAIL = "auto_fail"
    ELDER_SIGN = "elder_sign"
    BLESS = "bless"
    CURSE = "curse"
    FROST = "frost"


_WORDS = {
    Token.SKULL: _("skull"),
    Token.CULTIST: _("cultist"),
    Token.TABLET: _("tablet"),
    Token.ELDER_THING: _("elder thing"),
    Token.AUTO_FAIL: _("auto-fail"),
    Token.ELDER_SIGN: _("elder sign"),
    Token.BLESS: _("bless"),
    Token.CURSE: _("curse"),
    Token.FROST: _("frost"),
}


def token_words(token: Token) -> Value:
    """A token as written before the word "token": a number or its symbol's name."""
    return Phrase(_WORDS[token]) if token in _WORDS else token.value


NUMBERS: Mapping[Token, int] = MappingProxyType(
    {token: int(token) for token in Token if token[-1] in digits}
)
SYMBOLS = (Token.SKULL, Token.CULTIST, Token.TABLET, Token.ELDER_THING)

# BAG-05, BAG-06, BAG-10: limits for the bag and sealed tokens together. All other kinds
# are unlimited (BAG-26).
LIMITS: Mapping[Token, int] = MappingProxyType(
    {Token.BLESS: 10, Token.CURSE: 10, Token.FROST: 8}
)
MOST_OF_A_KIND = 99  # more than in any real bag, though no rule says so
# BAG-05, BAG-06, BAG-09: once revealed, and at the end of a game, these go to the pool
# of tokens and not back to the bag.
PASSING = frozenset({Token.BLESS, Token.CURSE})
ORDER: Mapping[Token, int] = MappingProxyType(
    {token: place for place, token in enumerate(Token)}
)

Counts = tuple[tuple[Token, int], ...]  # in the order of the kinds, without zeros


@dataclass(frozen=True, slots=True)
class ChaosBag:
    """The chaos tokens of a table.

    ``counts`` are those in the bag; ``revealed`` those that a test has revealed, in
    that order; ``sealed`` those on cards, each with the name of its card.
    """

    counts: Counts = ()
    revealed: tuple[Token, ...] = ()
    sealed: tuple[tuple[str, Token], ...] = ()

    @classmethod
    def of(cls, tokens: Mapping[str, int]) -> ChaosBag:
        """Create a bag from numbers by kind. Raises ValueError if any is invalid."""
        counted = Counter({Token(kind): count for kind, count in tokens.items()})
        if min(counted.values(), default=0) < 0:
            raise ValueError("no bag holds fewer than no tokens")
        return cls(counts_of(counted))

    @property
    def size(self) -> int:
        """The number of tokens in the bag."""
        return sum(count for _kind, count in self.counts)

    def __getitem__(self, token: Token) -> int:
        """The number of tokens of a kind in the bag."""
        return dict(self.counts).get(token, 0)

    def held(self, token: Token) -> int:
        """The number of tokens that count against the limit of their kind.

        They are those in the bag, those sealed, and revealed ones that will return.
        """
        sealed = sum(each is token for _where, each in self.sealed)
        coming = 0 if token in PASSING else self.revealed.count(token)
        return self[token] + sealed + coming

    def room(self, token: Token) -> int | None:
        """How many more there may be; None if there is no limit."""
        limit = LIMITS.get(token)
        return None if limit is None else max(limit - self.held(token), 0)

    def with_tokens(self, tokens: Iterable[Token]) -> ChaosBag:
        """Return the bag with these tokens added."""
        counted = Counter(dict(self.counts))
        counted.update(tokens)
        return replace(self, counts=counts_of(counted))

    def without_tokens(self, tokens: Iterable[Token]) -> ChaosBag:
        """Return the bag without these tokens. Raises ValueError if it lacks any."""
        counted = Counter(dict(self.counts))
        counted.subtract(Counter(tokens))
        if min(counted.values(), default=0) < 0:
            raise ValueError("there are not so many tokens in the bag")
        return replace(self, counts=counts_of(counted))

    def after_the_test(self) -> ChaosBag:
        """Revealed tokens return to the bag, bless and curse to the pool (BAG-22)."""
        back = [token for token in self.revealed if token not in PASSING]
        return replace(self.with_tokens(back), revealed=())

    def after_the_game(self) -> ChaosBag:
        """Return all sealed tokens and remove bless and curse, but not frost.

        Rows BAG-09, BAG-11, BAG-13.
        """
        bag = self.after_the_test()
        bag = replace(
            bag.with_tokens(token for _where, token in bag.sealed),
            sealed=(),
        )
        kept = {token: n for token, n in bag.counts if token not in PASSING}
        return replace(bag, counts=counts_of(kept))


def counts_of(tokens: Mapping[Token, int]) -> Counts:
    """Numbers of tokens in the order of their kinds, without zeros."""
    kinds = sorted((kind for kind, n in tokens.items() if n), key=ORDER.__getitem__)
    return tuple((kind, tokens[kind]) for kind in kinds)


def _over(bag: ChaosBag, token: Token) -> Iterator[Finding]:
    held, limit = bag.held(token), LIMITS[token]
    if held > limit:
        yield Finding(
            ngettext_noop(
                "There is {held} {token} token in the bag and on cards.",
                "There are {held} {token} tokens in the bag and on cards.",
                "held",
            ),
            actual=held,
            expected=limit,
            remedy=Remedy("remove", copies=held - limit, values=(token.value,)),
            remedy_text=_("Remove {surplus}."),
            values=(
                ("held", held),
                ("token", token_words(token)),
                ("surplus", held - limit),
            ),
        )


@rule("bag.bless", rows=("BAG-05",), cites=(rules_reference("Bless and Curse"),))
def blessings(bag: ChaosBag) -> Iterator[Finding]:
    """There are at most ten bless tokens in the bag and sealed on cards in play."""
    yield from _over(bag, Token.BLESS)


@rule("bag.curse", rows=("BAG-06",), cites=(rules_reference("Bless and Curse"),))
def curses(bag: ChaosBag) -> Iterator[Finding]:
    """There are at most ten curse tokens in the bag and sealed on cards in play."""
    yield from _over(bag, Token.CURSE)


@rule("bag.frost", rows=("BAG-10",), cites=(rules_reference("Frost"),))
def frost(bag: ChaosBag) -> Iterator[Finding]:
    """There are at most eight frost tokens in the bag and sealed on cards in play."""
    yield from _over(bag, Token.FROST)


BAG_RULES: tuple[Rule[ChaosBag], ...] = (blessings, curses, frost)


def check_bag(bag: ChaosBag) -> tuple[Finding, ...]:
    """Everything that is wrong with a bag."""
    return tuple(finding for rule in BAG_RULES for finding in rule(bag))


class Automatic(StrEnum):
    """An outcome that doesn't depend on numbers."""

    SUCCESS = "success"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A token's modifier, whether it reveals another, and any automatic outcome."""

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
# The table enters the meanings of these; cards can change bless and curse, too.
WITH_MEANINGS = (*SYMBOLS, Token.ELDER_SIGN, Token.AUTO_FAIL, Token.BLESS, Token.CURSE)


class Pouch(NamedTuple):
    """The tokens in the bag, grouped by their effect.

    ``plain`` tokens have a modifier and end a chain, the highest first; ``wins`` and
    ``fails`` end it and decide the test. ``more`` have a modifier and reveal another;
    ``lucky`` reveal another and make the test succeed. In each group of ``once`` the
    first token is like one of ``more``, and the second fails the test. The first
    revealed of ``returned``, which are among ``fails``, goes back into the bag.
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
        """The number of tokens that end a chain."""
        return self.wins + self.fails + sum(count for _modifier, count in self.plain)

    @property
    def size(self) -> int:
        """The number of all tokens."""
        others = sum(count for _modifier, count in (*self.more, *self.once))
        return self.ends + self.lucky + others


def without_meaning(bag: ChaosBag, meanings: Meanings) -> tuple[Token, ...]:
    """The tokens in the bag without a known meaning; they count as 0."""
    return tuple(
        token
        for token, _count in bag.counts
        if token not in meanings and token not in PRINTED
    )


def poured(bag: ChaosBag, meanings: Meanings, *, cancelling: bool = False) -> Pouch:
    """Group the bag's tokens by their effect.

    ``cancelling``: the first auto-fail is cancelled and returned, and another token is
    revealed in its place (Boon of Athena, ULT-21).
    """
    plain: dict[int, int] = {}
    more: dict[int, int] = {}
    once: list[tuple[int, int]] = []
    wins = fails = lucky = returned = 0
    for token, count in bag.counts:
        meaning = meanings.get(token) or PRINTED.get(token) or Meaning()
        if token is Token.FROST:
            once.append((meaning.modifier, count))
        elif meaning.automatic is Automatic.FAILURE:
            fails += count  # even if it reveals another
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
