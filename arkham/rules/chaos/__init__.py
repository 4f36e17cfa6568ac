"""What is in the chaos bag, what may be done with it, and how a test will go.

A bag is a value (:mod:`.bag`), what happens to it a change that rules judge
(:mod:`.changes`); the odds of a test are exact (:mod:`.odds`), several tokens among
which one chooses included (:mod:`.choosing`).
"""

from __future__ import annotations

from arkham.rules.chaos.bag import Automatic, ChaosBag, Meaning, Meanings, Token
from arkham.rules.chaos.odds import Odds
from arkham.rules.chaos.testing import RevealWay, SkillOdds, SkillTest, odds_of

__all__ = [
    "Automatic",
    "ChaosBag",
    "Meaning",
    "Meanings",
    "Odds",
    "RevealWay",
    "SkillOdds",
    "SkillTest",
    "Token",
    "odds_of",
]
