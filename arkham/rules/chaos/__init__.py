"""The chaos bag: its contents, the changes it allows, and the odds of a test.

A bag is a value (:mod:`.bag`), and rules judge the changes to it (:mod:`.changes`). The
odds of a test are exact (:mod:`.odds`), even if several tokens are revealed and the
player chooses among them (:mod:`.choosing`).
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
