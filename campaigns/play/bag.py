"""The chaos bag in play: how its steps are written, and how it is shown.

An address, or a scenario in play, stores the bag at the start, a seed, and the steps as
letters, so it always shows the same: ``d`` draws, ``e`` ends the test, ``g`` the game;
before a token's letter, ``a`` adds it, ``t`` takes it out, ``s`` seals it and ``r``
releases it; ``p`` is a token that a phone without network drew, only in a scenario in
play. In an address the steps are separated by dots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from arkham.rules.chaos import ChaosBag, Token
from arkham.rules.chaos.bag import LIMITS, PASSING
from arkham.rules.chaos.changes import (
    Add,
    EndGame,
    EndTest,
    Release,
    Remove,
    Seal,
    check_change,
)
from arkham.rules.draws.record import (
    PHONE,
    BagEvent,
    Draws,
    Seeds,
    Step,
    change_of,
    numbered,
    played,
)
from arkham.rules.finding import Finding, Severity
from arkham.rules.finding import gettext_noop as noop
from arkham.web.language import finding_text, sign_of, word_of
from campaigns.play.addresses import LETTERS, TOKEN_OF

MOST_STEPS = 300
CARD = ""  # practice doesn't ask which card a token is sealed on
_STEP = re.compile(r"[deg]|[atsr][a-s]")
_ALONE: Mapping[str, Step] = {"d": Draws(), "e": EndTest(), "g": EndGame()}


def read_steps(text: str) -> list[str]:
    """Return the steps of an address; anything else is left out."""
    return [each for each in text.split(".") if _STEP.fullmatch(each)][:MOST_STEPS]


def is_step(text: str) -> bool:
    """Return whether letters are a step of a scenario in play."""
    return _STEP.fullmatch(text) is not None or is_on_phone(text)


def is_on_phone(text: str) -> bool:
    """Return whether letters are a token that a phone without network drew."""
    return len(text) == 2 and text[0] == "p" and text[1] in TOKEN_OF


def step_of(text: str) -> Step:
    """Return the step that letters represent."""
    if text in _ALONE:
        return _ALONE[text]
    token = TOKEN_OF[text[1]]
    match text[0]:
        case "a":
            return Add(token)
        case "t":
            return Remove(token)
        case "s":
            return Seal(token, CARD)
        case "p":
            return Draws(token)
    return Release(token, CARD)


@dataclass(frozen=True, slots=True)
class ShownToken:
    """A token as a page shows it, with the number of copies and its letter."""

    token: Token
    count: int = 1

    @property
    def word(self) -> str:
        """Its name."""
        return word_of(self.token)

    @property
    def sign(self) -> str:
        """The name of its sign; “” for a number."""
        return sign_of(self.token)

    @property
    def letter(self) -> str:
        """The letter of the token in steps."""
        return LETTERS[self.token]


@dataclass(frozen=True, slots=True)
class TokenLimit:
    """A kind of token with a limit: its number and its limit."""

    shown: ShownToken
    limit: int
    full: bool
    empty: bool


@dataclass(frozen=True, slots=True)
class Practice:
    """A bag after the steps taken so far."""

    start: ChaosBag
    seed: str
    steps: tuple[str, ...]
    events: tuple[BagEvent, ...]
    most: int = MOST_STEPS

    @property
    def bag(self) -> ChaosBag:
        """The bag after the last step."""
        return self.events[-1].bag if self.events else self.start

    @property
    def began_with(self) -> tuple[tuple[str, int], ...]:
        """The bag at the start, by kind."""
        return tuple((token.value, count) for token, count in self.start.counts)

    @property
    def size(self) -> int:
        """The number of tokens in the bag."""
        return self.bag.size

    @property
    def inside(self) -> list[ShownToken]:
        """The tokens in the bag."""
        return [ShownToken(token, count) for token, count in self.bag.counts]

    @property
    def outside(self) -> list[ShownToken]:
        """The revealed tokens, in order."""
        return [ShownToken(token) for token in self.bag.revealed]

    @property
    def sealed(self) -> list[ShownToken]:
        """The sealed tokens, one by one."""
        return [ShownToken(token) for _card, token in self.bag.sealed]

    @property
    def revealed_letters(self) -> str:
        """The letters of the revealed tokens, in order."""
        return "".join(each.letter for each in self.outside)

    @property
    def sealed_letters(self) -> str:
        """The letters of the sealed tokens, sorted."""
        return "".join(sorted(each.letter for each in self.sealed))

    @property
    def counters(self) -> list[TokenLimit]:
        """The kinds with a limit."""
        return [
            TokenLimit(
                ShownToken(token, self.bag[token]),
                limit,
                self.bag.room(token) == 0,
                self.bag[token] == 0,
            )
            for token, limit in LIMITS.items()
        ]

    @property
    def frost_left(self) -> int:
        """The frost tokens the bag would keep if the game ended now (BAG-11)."""
        return self.bag.after_the_game()[Token.FROST]

    @property
    def full(self) -> bool:
        """Whether no more steps are stored."""
        return len(self.steps) >= self.most

    @property
    def hint(self) -> str:
        """What the last token requires, if the token itself says so."""
        return hint_of(self.bag.revealed)

    @property
    def is_on_phone(self) -> bool:
        """Whether a phone without network drew the token in force."""
        draws = (each.draw for each in reversed(self.events) if each.draw is not None)
        last = next(draws, None)
        return last is not None and last.generator == PHONE

    @property
    def on_phone(self) -> int:
        """The number of tokens that phones without network drew."""
        return sum(map(is_on_phone, self.steps))

    @property
    def refused(self) -> tuple[Finding, ...]:
        """The findings against the last step, if any."""
        return tuple(self.events[-1].findings) if self.events else ()

    @property
    def history(self) -> Iterator[str]:
        """Every step in words, latest first."""
        return map(_words, reversed(self.events))


def practice_of(
    start: ChaosBag,
    seed: str,
    steps: list[str],
    *,
    most: int = MOST_STEPS,
    seeds: Seeds | None = None,
) -> Practice:
    """Return the bag after the steps, of which at most ``most`` are kept.

    ``seeds`` provides the draws' seeds if they aren't numbered from ``seed``.
    """
    events = played(start, seeds or numbered(seed), map(step_of, steps))
    return Practice(start, seed, tuple(steps), events, most)


def hint_of(revealed: tuple[Token, ...]) -> str:
    """Return what the last of these tokens requires, if the token itself says so."""
    if not revealed:
        return ""
    if revealed.count(Token.FROST) > 1:
        return _("Two frost tokens: the test fails automatically.")
    last = revealed[-1]
    if last in PASSING or last is Token.FROST:
        return _("%(token)s: reveal another.") % {"token": word_of(last)}
    if last is Token.AUTO_FAIL:
        return _("The test fails automatically.")
    return ""


def findings_against(bag: ChaosBag, text: str) -> list[Finding]:
    """Return why the rules forbid a step, or why it has no effect."""
    change = change_of(step_of(text))
    if change is None:
        message = noop("The bag is empty.")
        return [] if bag.size else [Finding(message, rule="play.empty-bag")]
    found = check_change(bag, change)
    serious = [each for each in found if each.severity is Severity.ILLEGAL]
    return serious or [each for each in found if text[0] == "a" and each.expected == 0]


def steps_between(
    bag: ChaosBag, before: Mapping[str, int], after: Mapping[str, int]
) -> list[str]:
    """Return the steps that make the same changes in the bag, as far as it can."""
    steps: list[str] = []
    for token in Token:
        change = after.get(token.value, 0) - before.get(token.value, 0)
        if change < 0:
            change = -min(-change, bag[token])
        steps += [f"{'a' if change > 0 else 't'}{LETTERS[token]}"] * abs(change)
    return steps


def query_of(practice: Practice, steps: tuple[str, ...]) -> str:
    """Return the address of the same practice with these steps."""
    tokens = {f"n_{token}": count for token, count in practice.start.counts}
    return urlencode({**tokens, "seed": practice.seed, "steps": ".".join(steps)})


def _words(event: BagEvent) -> str:
    if event.draw is not None:
        drawn = [word_of(Token(each)) for each in event.draw.result]
        token = drawn[0] if drawn else _("nothing")
        if event.draw.generator == PHONE:
            says = _("revealed: %(token)s, drawn on a phone without network")
            return says % {"token": token}
        return _("revealed: %(token)s") % {"token": token}
    if event.forbidden:
        return _("refused: %(why)s") % {
            "why": " ".join(finding_text(each) for each in event.findings)
        }
    match event.step:
        case EndTest():
            return _("the test ended; tokens returned")
        case EndGame():
            return _("the game ended; bless and curse tokens removed")
        case Add(token):
            return _("added: %(token)s") % {"token": word_of(token)}
        case Remove(token):
            return _("removed: %(token)s") % {"token": word_of(token)}
        case Seal(token):
            return _("sealed: %(token)s") % {"token": word_of(token)}
        case Release(token):
            return _("released: %(token)s") % {"token": word_of(token)}
    raise AssertionError("no other step is offered")
