"""The changes that a chaos bag allows, and the bag after each of them.

A change is a value; the rules report everything that forbids it at once, and
:func:`applied` makes it. Random draws are in ``arkham.rules.draws.record``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from arkham.rules.chaos.bag import LIMITS, ChaosBag, Token, token_words
from arkham.rules.finding import (
    Finding,
    Rule,
    Severity,
    faq,
    gettext_noop,
    ngettext_noop,
    rule,
    rules_reference,
)


@dataclass(frozen=True, slots=True)
class Add:
    """An effect adds tokens: as many as are available (BAG-08)."""

    token: Token
    count: int = 1


@dataclass(frozen=True, slots=True)
class Pay:
    """A cost adds tokens: all of them, or it can't be paid (BAG-08)."""

    token: Token
    count: int = 1


@dataclass(frozen=True, slots=True)
class Remove:
    """Tokens leave the bag."""

    token: Token
    count: int = 1


@dataclass(frozen=True, slots=True)
class Reveal:
    """A token is revealed from the bag."""

    token: Token


@dataclass(frozen=True, slots=True)
class Seal:
    """A token is searched for in the bag and put on a card (BAG-12)."""

    token: Token
    card: str


@dataclass(frozen=True, slots=True)
class Release:
    """A sealed token returns to the bag (BAG-13)."""

    token: Token
    card: str


@dataclass(frozen=True, slots=True)
class Leave:
    """A card leaves play: all tokens sealed on it return to the bag (BAG-13)."""

    card: str


@dataclass(frozen=True, slots=True)
class EndTest:
    """A test ends: revealed tokens return, bless and curse to the pool (BAG-22)."""


@dataclass(frozen=True, slots=True)
class EndGame:
    """The clean-up after a game (BAG-09, BAG-11, BAG-13)."""


Change = Add | Pay | Remove | Reveal | Seal | Release | Leave | EndTest | EndGame


@dataclass(frozen=True, slots=True)
class AskedChange:
    """A change that a player asks for, and the bag it applies to."""

    bag: ChaosBag
    change: Change


def _short(
    asked: AskedChange, change: Add | Pay
) -> tuple[int, tuple[tuple[str, Any], ...]]:
    """The room for a change that adds too many tokens, with values; else -1."""
    room = asked.bag.room(change.token)
    if room is None or change.count <= room:
        return -1, ()
    values = (
        ("count", change.count),
        ("token", token_words(change.token)),
        ("room", room),
        ("limit", LIMITS[change.token]),
    )
    return room, values


@rule(
    "bag.as-many-as-there-are",
    rows=("BAG-08",),
    cites=(faq("Bless and Curse"),),
)
def bag_as_many(asked: AskedChange) -> Iterator[Finding]:
    """An effect that adds more tokens than there are adds as many as it can."""
    if not isinstance(asked.change, Add):
        return
    room, values = _short(asked, asked.change)
    if room >= 0:
        yield Finding(
            gettext_noop(
                "Only {room} of {count} {token} tokens can be added: at most {limit} "
                "may be in the bag and sealed."
            ),
            severity=Severity.ADVICE,
            actual=asked.change.count,
            expected=room,
            values=values,
        )


@rule("bag.cost", rows=("BAG-08",), cites=(faq("Bless and Curse"),))
def bag_cost(asked: AskedChange) -> Iterator[Finding]:
    """You can't pay a cost that adds more tokens than are left."""
    if not isinstance(asked.change, Pay):
        return
    room, values = _short(asked, asked.change)
    if room >= 0:
        yield Finding(
            ngettext_noop(
                "You can’t pay the cost of {count} {token} token: only {room} of "
                "{limit} are left.",
                "You can’t pay the cost of {count} {token} tokens: only {room} of "
                "{limit} are left.",
                "count",
            ),
            actual=asked.change.count,
            expected=room,
            remedy_text=gettext_noop("You can’t use the card now."),
            values=values,
        )


@rule("bag.absent", rows=("BAG-12",), cites=(rules_reference("Seal"),))
def bag_absent(asked: AskedChange) -> Iterator[Finding]:
    """Only a token that is in the bag can be revealed, sealed or removed."""
    match asked.change:
        case Remove(token, count):
            wanted = count
        case Seal(token, _) | Reveal(token):
            wanted = 1
        case _:
            return
    there = asked.bag[token]
    if wanted > there:
        yield Finding(
            ngettext_noop(
                "There is {there} {token} token in the bag, not {count}.",
                "There are {there} {token} tokens in the bag, not {count}.",
                "there",
            ),
            actual=wanted,
            expected=there,
            remedy_text=gettext_noop(
                "A card that must seal it can’t enter play; any other effect fails."
            )
            if isinstance(asked.change, Seal)
            else "",
            values=(("there", there), ("token", token_words(token)), ("count", wanted)),
        )


@rule("bag.not-sealed", rows=("BAG-13",), cites=(rules_reference("Seal"),))
def bag_not_sealed(asked: AskedChange) -> Iterator[Finding]:
    """Only a token that is sealed on a card can be released from it."""
    match asked.change:
        case Release(token, card) if (card, token) not in asked.bag.sealed:
            yield Finding(
                gettext_noop("No {token} token is sealed on {card}."),
                actual=token.value,
                expected=", ".join(
                    each.value for where, each in asked.bag.sealed if where == card
                ),
                values=(("token", token_words(token)), ("card", card)),
            )


@rule("bag.count", rows=("BAG-14",), cites=(rules_reference("Chaos Tokens"),))
def bag_count(asked: AskedChange) -> Iterator[Finding]:
    """A change adds or removes at least one token."""
    match asked.change:
        case Add(_, count) | Pay(_, count) | Remove(_, count) if count < 1:
            yield Finding(
                ngettext_noop(
                    "Add or remove at least 1 token, not {count}.",
                    "Add or remove at least 1 token, not {count}.",
                    "count",
                ),
                actual=count,
                expected=1,
                values=(("count", count),),
            )


CHANGE_RULES: tuple[Rule[AskedChange], ...] = (
    bag_count,
    bag_cost,
    bag_as_many,
    bag_absent,
    bag_not_sealed,
)


def check_change(bag: ChaosBag, change: Change) -> tuple[Finding, ...]:
    """Findings on a change: what forbids it, and what is worth knowing."""
    asked = AskedChange(bag, change)
    return tuple(finding for rule in CHANGE_RULES for finding in rule(asked))


def applied(bag: ChaosBag, change: Change) -> ChaosBag:
    """The bag after a change. Raises ValueError if a rule forbids it."""
    forbidden = [
        finding.text
        for finding in check_change(bag, change)
        if finding.severity is Severity.ILLEGAL
    ]
    if forbidden:
        raise ValueError(" ".join(forbidden))
    match change:
        case Add(token, count) | Pay(token, count):
            room = bag.room(token)
            added = count if room is None else min(count, room)
            return bag.with_tokens([token] * added)
        case Remove(token, count):
            return bag.without_tokens([token] * count)
        case Reveal(token):
            left = bag.without_tokens([token])
            return replace(left, revealed=(*bag.revealed, token))
        case Seal(token, card):
            left = bag.without_tokens([token])
            return replace(left, sealed=(*bag.sealed, (card, token)))
        case Release(token, card):
            sealed = list(bag.sealed)
            sealed.remove((card, token))
            return replace(bag.with_tokens([token]), sealed=tuple(sealed))
        case Leave(card):
            freed = [token for where, token in bag.sealed if where == card]
            sealed = [pair for pair in bag.sealed if pair[0] != card]
            return replace(bag.with_tokens(freed), sealed=tuple(sealed))
        case EndTest():
            return bag.after_the_test()
        case EndGame():
            return bag.after_the_game()
    assert_never(change)
