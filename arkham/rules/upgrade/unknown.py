"""Prices decks of unknown investigators, through a substitute."""

from __future__ import annotations

from functools import lru_cache

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.legality.judge import Judge
from arkham.rules.pool import CardPool
from arkham.rules.upgrade.discounts import DEVOURERS, KEPT_LOWER

USUAL_SIZE = 30
# What these find depends on who plays the deck, which nobody knows.
OF_SOMEBODY = frozenset(
    {"upgrade.investigator", "upgrade.required", "upgrade.dropped", "upgrade.devoured"}
)


def led(
    judge: Judge, before: DeckList, after: DeckList, circumstances: Circumstances
) -> tuple[DeckList, DeckList]:
    """Both decks under one investigator: that of the old deck, or one like any other.

    As they are, if there is none.
    """
    if next(judge.builds(before, circumstances), None) is not None:
        return before, after._replace(
            investigator=before.investigator,
            front=before.front,
            back=before.back,
            choices=before.choices,
        )
    somebody = _somebody(judge.pool)
    if not somebody:
        return before, after
    return _played_by(somebody, before), _played_by(somebody, after)


def _played_by(investigator: str, deck: DeckList) -> DeckList:
    return deck._replace(investigator=investigator, front="", back="", choices={})


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def _somebody(pool: CardPool) -> str:
    """An investigator who changes no price: the first with nothing out of the usual."""
    for code in sorted(pool):
        card = pool[code]
        facts = card.investigator
        if facts is None or facts.back is None or not facts.playable:
            continue
        back = facts.back
        usual = back.size == USUAL_SIZE and not (
            back.choices or back.side_deck or back.bonus_experience
        )
        if usual and code not in KEPT_LOWER and code not in DEVOURERS:
            return code
    return ""
