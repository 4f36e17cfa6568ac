"""Our side scenarios match the field's, as standalones and in campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from arkham.rules.campaign.interpreter.replay import fold
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import CampaignGuide, Scenario
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.reading.guides import SIDE
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.campaign.reading.references import parts
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.replaying import reported
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_branches import (
    choice_ids,
    conditions_of,
    places_of,
)
from tests.rules.campaign.helpers.own_defects import bound_with_bad_luck
from tests.rules.campaign.helpers.own_guides import SIDE_NAMES, field_stems, whole
from tests.rules.campaign.helpers.own_options import NEVER
from tests.rules.campaign.helpers.own_runs import (
    WithSides,
    options_of,
    runs_of,
)
from tests.rules.campaign.helpers.small import unreached
from tests.rules.campaign.helpers.table import PEOPLE

# A condition that only we have: a token is added only if one of them is left.
OF_OUR_OWN = {("war_of_the_outer_gods", "$play_scenario_standalone add_chaos_token")}
SIDES = pytest.mark.parametrize("name", SIDE_NAMES)


def ours(name: str) -> Scenario:
    return whole(SIDE).own.guide.scenarios[name]


def field() -> CampaignGuide:
    """Return the field's package of side scenarios."""
    found = shared_library().side
    assert found is not None
    return found


@SIDES
def test_a_side_scenario_matches_the_field(name: str) -> None:
    """Its name, kind, cost and resolutions."""
    mine, theirs = ours(name), field().scenarios[name]
    same = ("name", "kind", "side", "cost", "named_costs", "discount", "follows")

    assert [getattr(mine, each) for each in same] == [
        getattr(theirs, each) for each in same
    ]
    assert (mine.standalone_setup is None) == (theirs.standalone_setup is None)
    assert [(e.id, e.statuses, e.hidden) for e in mine.resolutions.values()] == [
        (e.id, e.statuses, e.hidden) for e in theirs.resolutions.values()
    ]


def written(scenario: Scenario) -> set[tuple[Any, ...]]:
    """Return the lines and numbers that it records, and the cards that it gives."""
    found: set[tuple[Any, ...]] = set()
    for part in parts(tuple(scenario.steps.values())):
        match part:
            case do.LogLine() | do.LogCards() | do.LogCount():
                found.add((part.section, part.id))
            case do.AddCard():
                found.add((part.card, part.who))
    return found


@SIDES
def test_lines_cards_and_sets_match_the_field(name: str) -> None:
    """What it records and gives, and the sets it gathers."""
    steps = field_stems(SIDE)[name]["steps"]
    told = [whole(SIDE).own.words.step(name, each) for each in ours(name).steps]

    assert written(ours(name)) == written(field().scenarios[name])
    assert {code for each in told for code in each.get("encounter_sets", ())} == {
        code for step in steps for code in step.get("encounter_sets", ())
    }


@SIDES
def test_branches_and_questions_match_the_field(name: str) -> None:
    """With the ids of the field, so that a log can be moved."""
    mine, theirs = conditions_of(ours(name)), conditions_of(field().scenarios[name])
    asked = {
        step["id"]: sorted(choice_ids(step["input"]))
        for step in field_stems(SIDE)[name]["steps"]
        if step.get("type") == "input"
    }

    differing = {(name, key) for key in mine if mine[key] != theirs.get(key)}
    assert differing <= OF_OUR_OWN
    assert asked == {
        step: sorted(
            part.id
            for part in parts(ours(name).steps[step])
            if isinstance(part, PromptChoice)
        )
        for step in asked
    }


@SIDES
def test_each_step_cites_its_places(name: str) -> None:
    """The setup, in a campaign or standalone, and the resolutions that lead to it."""
    own, scenario = whole(SIDE).own, ours(name)
    for label, steps in places_of(scenario).items():
        place = f"{scenario.name}, {label}"
        citing = {
            step
            for step in scenario.steps
            if place in own.words.step(name, step)["cites"]
        }
        assert citing == steps, label


ALONE = [each for each in SIDE_NAMES if ours(each).standalone_setup is not None]
LATER = {"fortune_and_folly_checkpoint", "fortune_and_folly_part_2"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALONE)
def test_a_standalone_has_the_same_result_with_the_fields_guide(name: str) -> None:
    """Key by key."""
    guide = open_own_guide(SIDE).guide
    runs, taken = runs_of(SIDE, name)

    assert taken == options_of(guide, name) - NEVER.get((SIDE, name), set())
    for run in runs:
        assert (run.replay.pending, run.replay.problems) == (None, ())
        assert reported(run.replay) == replayed(field(), run.answers, name)


def replayed(
    guide: CampaignGuide, answers: tuple[Answer, ...], standalone: str = ""
) -> dict[str, Any]:
    """Return the state after these answers in this guide, all of them used."""
    replay = fold(guide, answers, PEOPLE, standalone=standalone, scopes=Scopes(guide))
    assert unreached(replay, answers) == []
    assert replay.pending is None
    return reported(replay)


def mended() -> Mapping[str, Scenario]:
    """Return the field's side scenarios, with a line that one of them never records."""
    heist = "fortune_and_folly_part_2"
    sides = field().scenarios
    return {**sides, heist: bound_with_bad_luck(sides[heist])}


def inside(name: str, sides: Mapping[str, Scenario]) -> CampaignGuide:
    """Return The Dunwich Legacy with all parts of this side scenario and no other."""
    parts_of_it = {each: sides[each] for each in sides if each == name}
    parts_of_it |= {each: sides[each] for each in LATER if sides[each].follows == name}
    return replace(open_own_guide("dwl").guide, side=parts_of_it)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "name", [each for each in SIDE_NAMES if ours(each).side != "standalone"]
)
def test_a_side_scenario_has_the_same_result_in_a_campaign(
    name: str, seed: int
) -> None:
    """Inserted into The Dunwich Legacy, which continues afterwards."""
    table = WithSides(inside(name, open_own_guide("dwl").guide.side), seed, set())
    replay = table.play(600)

    assert (replay.pending, replay.problems) == (None, ())
    assert name in {each.id for each in replay.scenarios}
    assert any(each.scenario == name and each.step for each in table.answers)
    assert reported(replay) == replayed(inside(name, mended()), tuple(table.answers))


def test_every_part_of_fortune_and_folly_is_played_inside_a_campaign() -> None:
    """One after the other, unless the table skips the first."""
    name, played = "fortune_and_folly_part_1", set[str]()
    for seed in range(3):
        table = WithSides(inside(name, open_own_guide("dwl").guide.side), seed, set())
        table.play(600)
        played |= {each.scenario for each in table.answers if each.step}

    assert played >= LATER | {name}


def test_a_challenge_scenario_costs_its_investigator_more() -> None:
    """2 in addition to the 1 that everyone pays."""
    challenge = ours("by_the_book")

    assert (challenge.cost, challenge.named_costs) == (1, (("01001", 2),))


def test_side_scenarios_are_part_of_every_campaign() -> None:
    """With their texts, unless the campaign has the scenario itself."""
    own = open_own_guide("core")

    assert {*own.guide.side} == set(SIDE_NAMES) | LATER
    assert own.words.scenario("curse_of_the_rougarou") == "Curse of the Rougarou"
    assert own.words.line("campaign_notes", "coh_cnidathqua_retreated")
    assert "coh_cnidathqua_retreated" not in own.words.lines("campaign_notes")
    for each in ("gob", "fof"):
        guide = open_own_guide(each).guide
        assert not {*guide.side} & {*guide.scenarios}
