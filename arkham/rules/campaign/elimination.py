"""The steps of an elimination, in order: what a defeat or resignation brings.

Steps 0 to 6, and what single campaigns and cards add; the page that walks them shows
these rows. What the log must know of it is asked for at the end of the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arkham.rules.campaign.state.outcomes import GameOutcome
from arkham.rules.finding import Citation, faq, rules_reference
from arkham.rules.finding import gettext_noop as _
from arkham.rules.ultimatums import RETURNS

_ELIMINATION = (rules_reference("Elimination"),)


@dataclass(frozen=True, slots=True)
class EliminationStep:
    """One thing that is done; ``number`` is its place, ``rows`` the rule's.

    ``campaign`` is the guide it belongs to, “” for all; ``lead`` and ``last`` say that
    it is done only for the lead investigator, or the last one in the game; ``defeat``
    and ``resigned`` that it is done only then.
    """

    number: int
    sentence: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...] = _ELIMINATION
    campaign: str = ""
    lead: bool = False
    last: bool = False
    defeat: bool = False
    resigned: bool = False


STEPS: tuple[EliminationStep, ...] = (
    EliminationStep(
        0,
        _(
            "For their weaknesses the game has ended: resolve what those in play do at "
            "the end of the game, then remove them."
        ),
        ("ELIM-02", "TRA-13", "WEAK-16"),
        (faq("Rules Reference: Elimination"),),
    ),
    EliminationStep(
        1,
        _(
            "Remove their cards in play and out of play. Cards of theirs that others "
            "control stay, and are removed when they leave play."
        ),
        ("ELIM-03",),
    ),
    EliminationStep(
        1,
        _("Owned cards in the pile of the sacrificed stay there."),
        ("ELIM-13",),
        (faq("Frequently Asked Questions: The Dunwich Legacy"),),
        "dwl",
    ),
    EliminationStep(
        2,
        _("Their clues go to their location, their resources to the pool."),
        ("ELIM-04",),
    ),
    EliminationStep(
        2,
        _("Key tokens they control go to their location."),
        ("ELIM-10",),
        (rules_reference("Keys"),),
        "tic",
    ),
    EliminationStep(
        3,
        _("Enemies engaged with them stay at that location, unengaged."),
        ("ELIM-05",),
    ),
    EliminationStep(
        4,
        _(
            "Other cards in their threat area, and hidden cards in their hand, go to "
            "their discard piles."
        ),
        ("ELIM-06",),
        (*_ELIMINATION, faq("1.22 Elimination")),
    ),
    EliminationStep(
        4,
        _("Their partner is defeated with them."),
        ("ELIM-11",),
        (rules_reference("Partner"),),
        "eoe",
        defeat=True,
    ),
    EliminationStep(
        4,
        _("Their partner leaves undefeated; note its damage and horror."),
        ("ELIM-11",),
        (rules_reference("Partner"),),
        "eoe",
        resigned=True,
    ),
    EliminationStep(
        4,
        _("A key they bear is set aside and stays bound to them."),
        ("ELIM-12",),
        (rules_reference("Keys"),),
        "tskc",
    ),
    EliminationStep(
        5, _("The others choose a new lead investigator."), ("ELIM-07",), lead=True
    ),
    EliminationStep(
        6,
        _("Nobody is left: the scenario ends with no resolution reached."),
        ("ELIM-08",),
        last=True,
    ),
)


class Leaving(NamedTuple):
    """Somebody is eliminated: how, as whom, in which campaign, with whom left."""

    outcome: GameOutcome
    others: int
    is_lead: bool = False
    campaign: str = ""


def steps_of(leaving: Leaving) -> tuple[EliminationStep, ...]:
    """What is done now, in order; nothing for somebody who survived (ELIM-01)."""
    if leaving.outcome is GameOutcome.SURVIVED:
        return ()
    campaign = leaving.campaign.removeprefix(RETURNS)
    return tuple(
        step
        for step in STEPS
        if step.campaign in ("", campaign)
        and ((leaving.is_lead and leaving.others) or not step.lead)
        and (not leaving.others or not step.last)
        and (leaving.outcome.is_defeat or not step.defeat)
        and (not leaving.outcome.is_defeat or not step.resigned)
    )
