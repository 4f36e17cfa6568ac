"""The steps of an elimination."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.state.lookup import GameOutcome
from arkham.rules.play.elimination import STEPS, Leaving
from arkham.rules.play.elimination import table_of_steps as steps_of


def numbers(leaving: Leaving) -> list[int]:
    """Return the numbers of the steps."""
    return [step.number for step in steps_of(leaving)]


@pytest.mark.parametrize(
    ("leaving", "expected"),
    [
        (Leaving(GameOutcome.SURVIVED, 1), []),
        (Leaving(GameOutcome.DAMAGE, 1), [0, 1, 2, 3, 4]),
        (Leaving(GameOutcome.RESIGNED, 1), [0, 1, 2, 3, 4]),
        (Leaving(GameOutcome.CARD, 2, is_lead=True), [0, 1, 2, 3, 4, 5]),
        (Leaving(GameOutcome.HORROR, 0, is_lead=True), [0, 1, 2, 3, 4, 6]),
        (Leaving(GameOutcome.BOTH, 1, campaign="tic"), [0, 1, 2, 2, 3, 4]),
        (Leaving(GameOutcome.BOTH, 1, campaign="rttic"), [0, 1, 2, 2, 3, 4]),
        (Leaving(GameOutcome.DAMAGE, 1, campaign="dwl"), [0, 1, 1, 2, 3, 4]),
        (Leaving(GameOutcome.DAMAGE, 1, campaign="tskc"), [0, 1, 2, 3, 4, 4]),
    ],
)
def test_steps_of_an_elimination_are_in_order(
    leaving: Leaving, expected: list[int]
) -> None:
    """Weaknesses first; a new lead only if an investigator is left."""
    assert numbers(leaving) == expected


def test_a_partner_is_eliminated_like_their_investigator() -> None:
    """Defeated with them; undefeated if they resign."""
    defeated = steps_of(Leaving(GameOutcome.HORROR, 1, campaign="eoe"))[5]
    resigned = steps_of(Leaving(GameOutcome.RESIGNED, 1, campaign="eoe"))[5]

    assert defeated.defeat
    assert resigned.resigned
    assert defeated.rows == resigned.rows == ("ELIM-11",)


def test_each_step_has_a_sentence_and_rows() -> None:
    assert [step.number for step in STEPS] == sorted(step.number for step in STEPS)
    assert all(step.sentence.endswith(".") for step in STEPS)
    assert all(step.rows and step.cites for step in STEPS)
