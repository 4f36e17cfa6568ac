"""The steps of an elimination: instructions and open questions."""

from __future__ import annotations

from itertools import product

import pytest

from arkham.rules.campaign.state.lookup import GameOutcome, TraumaKind
from arkham.rules.finding import Severity
from arkham.rules.play.elimination import (
    ELIMINATED,
    Elimination,
    Setting,
    steps_of,
    trauma,
)

DAMAGE = Elimination(GameOutcome.DAMAGE)


def told(elimination: Elimination, number: int) -> list[str]:
    return [each.text for each in steps_of(elimination)[number].findings]


def test_the_steps_are_in_the_order_of_the_rulebook() -> None:
    assert [(step.number, step.rule.id) for step in steps_of(DAMAGE)] == [
        (0, "elimination.weaknesses"),
        (1, "elimination.cards"),
        (2, "elimination.tokens"),
        (3, "elimination.enemies"),
        (4, "elimination.threats"),
        (5, "elimination.lead"),
        (6, "elimination.end"),
    ]


def test_each_unknown_fact_opens_one_step() -> None:
    assert [step.number for step in steps_of(DAMAGE) if step.is_open] == [5, 6]
    known = Elimination(GameOutcome.DAMAGE, lead=True, left=1)
    assert not [step for step in steps_of(known) if step.is_open]


def test_known_numbers_of_clues_and_resources_are_named() -> None:
    some = Elimination(GameOutcome.HORROR, clues=2, resources=0)
    assert told(some, 2)[1:] == ["Clues: 2."]
    assert len(told(DAMAGE, 2)) == 1


@pytest.mark.parametrize(
    ("lead", "left", "expected"),
    [
        (True, 2, ["The others choose a new lead investigator."]),
        (False, 2, []),
        (True, 0, []),
        (None, 0, []),
        (None, None, ["Were they the lead investigator?"]),
    ],
)
def test_the_remaining_investigators_choose_a_new_lead(
    lead: bool | None, left: int | None, expected: list[str]
) -> None:
    assert told(Elimination(GameOutcome.DAMAGE, lead=lead, left=left), 5) == expected


def test_the_scenario_ends_without_investigators() -> None:
    assert told(Elimination(GameOutcome.DAMAGE, left=0), 6) == [
        "No investigators are left: the scenario ends with no resolution reached."
    ]
    assert "goes on" in told(Elimination(GameOutcome.DAMAGE, left=1), 6)[0]


@pytest.mark.parametrize(
    ("setting", "number", "word"),
    [
        (Setting.INNSMOUTH, 2, "Place key tokens"),
        (Setting.SCARLET_KEYS, 4, "Set aside any key"),
        (Setting.DUNWICH, 1, "sacrifice pile"),
        (Setting.EDGE_OF_THE_EARTH, 4, "partner"),
    ],
)
def test_a_campaign_adds_only_its_own_instructions(
    setting: Setting, number: int, word: str
) -> None:
    for each in Setting:
        said = " ".join(told(Elimination(GameOutcome.DAMAGE, each), number))
        assert (word in said) == (each is setting)


def test_a_partner_is_defeated_with_the_investigator_unless_they_resigned() -> None:
    team = Setting.EDGE_OF_THE_EARTH
    assert "is defeated" in told(Elimination(GameOutcome.CARD, team), 4)[-1]
    assert "undefeated" in told(Elimination(GameOutcome.RESIGNED, team), 4)[-1]


@pytest.mark.parametrize(
    ("outcome", "chosen", "expected"),
    [
        (GameOutcome.DAMAGE, None, "In a campaign: 1 physical trauma."),
        (GameOutcome.HORROR, None, "In a campaign: 1 mental trauma."),
        (GameOutcome.BOTH, TraumaKind.MENTAL, "In a campaign: 1 mental trauma."),
        (GameOutcome.BOTH, None, "Choose physical or mental trauma."),
        (GameOutcome.CARD, None, "No trauma except what the card gives."),
        (
            GameOutcome.RESIGNED,
            None,
            "An investigator who resigns isn’t defeated: no trauma.",
        ),
    ],
)
def test_trauma_follows_the_defeat(
    outcome: GameOutcome, chosen: TraumaKind | None, expected: str
) -> None:
    found = trauma(Elimination(outcome, chosen=chosen))
    assert [each.text for each in found] == [expected]


def test_no_step_is_a_violation_and_every_step_has_citations() -> None:
    """For every combination of outcome, campaign, lead and remaining investigators."""
    for outcome, setting, lead, left in product(
        ELIMINATED, Setting, (None, True, False), (None, 0, 3)
    ):
        elimination = Elimination(outcome, setting, lead=lead, left=left)
        for step in steps_of(elimination):
            for finding in step.findings:
                assert finding.severity < Severity.ILLEGAL
                assert finding.cites
                assert finding.rule == step.rule.id
