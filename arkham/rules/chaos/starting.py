"""Starting bags of the campaigns, and the meaning of a scenario's symbols.

The facts in ``data/chaos.json`` are the numbers of tokens for each campaign and
difficulty (BAG-01) and for side scenarios played alone (BAG-19), and both sides of the
reference cards (BAG-04).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from arkham.rules.chaos.bag import Automatic, ChaosBag, Meaning, Token
from arkham.rules.finding import Citation, faq
from arkham.rules.gists import symbol_gists
from arkham.rules.ultimatums import UltimatumEffect, under

DATA = Path(__file__).resolve().parent.parent / "data" / "chaos.json"


class Difficulty(StrEnum):
    """The four difficulties; the last two use the hard side of reference cards."""

    EASY = "easy"
    STANDARD = "standard"
    HARD = "hard"
    EXPERT = "expert"

    @property
    def harder(self) -> bool:
        """True if the hard side of a reference card applies."""
        return self in (Difficulty.HARD, Difficulty.EXPERT)


Bags = Mapping[Difficulty, ChaosBag]


@dataclass(frozen=True, slots=True)
class SymbolFact:
    """The effect of a symbol on a reference card, as far as numbers can express it.

    ``varies``: it depends on the game, or has other effects; the meaning applies while
    nothing counts yet. ``gist`` describes the whole effect in a line of our own words.
    """

    meaning: Meaning
    varies: bool = False
    gist: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class StartingCampaign:
    """A campaign with the bag it starts with at each difficulty."""

    id: str
    name: str
    bags: Bags


@dataclass(frozen=True, slots=True)
class StartingScenario:
    """A scenario: its campaign ("" for none), its reference card, its own bags."""

    id: str
    name: str
    campaign: str = ""
    card: str = ""
    bags: Bags = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A unique key: some scenarios are both in a campaign and on their own."""
        return f"{self.campaign or 'side'}.{self.id}"


@dataclass(frozen=True, slots=True)
class UltimatumTokens:
    """An ultimatum's changes to a bag when the game is set up (BAG-20)."""

    id: str
    cites: tuple[Citation, ...]
    added: tuple[Token, ...] = ()
    removed: tuple[Token, ...] = ()


# fmt: off
ULTIMATUM_TOKENS: tuple[UltimatumTokens, ...] = (
    UltimatumTokens("broken-promises", (faq("Ultimatum of Broken Promises"),), removed=(Token.ELDER_SIGN,)),  # noqa: E501
    UltimatumTokens("failure",         (faq("Ultimatum of Failure"),),         added=(Token.AUTO_FAIL,)),  # noqa: E501
)
# fmt: on


@cache
def campaigns() -> Mapping[str, StartingCampaign]:
    """Every campaign by id, in the order of the facts."""
    return {
        each["id"]: StartingCampaign(each["id"], each["name"], bags_of(each["bags"]))
        for each in _facts()["campaigns"]
    }


@cache
def scenarios() -> Mapping[str, StartingScenario]:
    """Every scenario by key, those of a campaign together."""
    found = (
        StartingScenario(
            each["id"],
            each["name"],
            each.get("campaign", ""),
            each.get("card", ""),
            bags_of(each.get("bags", {})),
        )
        for each in _facts()["scenarios"]
    )
    return {each.key: each for each in found}


def starting_bags(scenario: StartingScenario) -> Bags:
    """The bag for each difficulty of a scenario: its campaign's or its own."""
    if scenario.campaign:
        return campaigns()[scenario.campaign].bags
    return scenario.bags


def symbols_of(
    scenario: StartingScenario,
    difficulty: Difficulty,
    ultimatums: frozenset[str] = frozenset(),
) -> Mapping[Token, SymbolFact]:
    """The facts of each symbol in a scenario; empty if its card is unknown."""
    return reference_symbols(scenario.card, difficulty, ultimatums)


def reference_symbols(
    card: str, difficulty: Difficulty, ultimatums: frozenset[str] = frozenset()
) -> Mapping[Token, SymbolFact]:
    """The facts of each symbol on a reference card, by the card's code."""
    sides = _symbols().get(card, {})
    hard = difficulty.harder or under(ultimatums, UltimatumEffect.HARD_SIDE)
    return sides.get("hard" if hard else "standard", {})


@cache
def _facts() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return facts


def bags_of(found: Mapping[str, Mapping[str, int]]) -> Bags:
    """Create bags by difficulty from the numbers of their tokens."""
    return {Difficulty(each): ChaosBag.of(bag) for each, bag in found.items()}


@cache
def _symbols() -> Mapping[str, Mapping[str, Mapping[Token, SymbolFact]]]:
    return {
        card: {
            side: {
                Token(token): _symbol(fact, symbol_gists()[card][side][token])
                for token, fact in facts.items()
            }
            for side, facts in sides.items()
        }
        for card, sides in _facts()["symbols"].items()
    }


def _symbol(fact: Mapping[str, Any], gist: str) -> SymbolFact:
    automatic = fact.get("automatic")
    meaning = Meaning(
        fact.get("modifier", 0),
        fact.get("reveal_another", False),
        Automatic(automatic) if automatic else None,
    )
    return SymbolFact(meaning, fact.get("varies", False), gist)
