"""How a game ends for an investigator, and the trauma of a defeat.

What the log makes of it is done while a campaign is folded; here is what the table
sees while it happens (:mod:`arkham.rules.play.elimination`).
"""

from __future__ import annotations

from enum import StrEnum


class GameOutcome(StrEnum):
    """How the game ended for an investigator (ELIM-14)."""

    SURVIVED = "survived"
    RESIGNED = "resigned"
    DAMAGE = "defeated_by_damage"
    HORROR = "defeated_by_horror"
    BOTH = "defeated_by_both"
    CARD = "defeated_by_card"

    @property
    def is_defeat(self) -> bool:
        """Whether it is a defeat: resigning is none (TRA-04)."""
        return self not in (GameOutcome.SURVIVED, GameOutcome.RESIGNED)


class TraumaKind(StrEnum):
    """The two kinds of trauma."""

    PHYSICAL = "physical"
    MENTAL = "mental"


def trauma_of(
    outcome: GameOutcome, chosen: TraumaKind | None = None
) -> TraumaKind | None:
    """The one trauma of a defeat by damage or by horror (TRA-01 … TRA-04).

    Of both at once it is the ``chosen`` one; a card gives what it says, and who
    survives or resigns suffers none.
    """
    match outcome:
        case GameOutcome.DAMAGE:
            return TraumaKind.PHYSICAL
        case GameOutcome.HORROR:
            return TraumaKind.MENTAL
        case GameOutcome.BOTH:
            return chosen
    return None
