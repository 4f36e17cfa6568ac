"""Our own guides have the branches and choices of the field's guides."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model.guide import SETUP, Branch, CampaignGuide
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.references import parts
from tests.rules.campaign.helpers.guides import shared_library
from tests.rules.campaign.helpers.own_branches import (
    choice_ids,
    conditions_of,
    places_of,
)
from tests.rules.campaign.helpers.own_guides import (
    EARLIER,
    GUIDES,
    WITHIN_ANOTHER,
    everything,
    field_stems,
    whole,
)

# At Death's Doorstep: a line about none would only confuse.
_EVIDENCE: Any = ("campaign_notes", "pieces_of_evidence", frozenset({0}))
COMPARED_BY_US = {"tcu": {_EVIDENCE}, "rttcu": {_EVIDENCE}}


@GUIDES
def test_comparisons_of_numbers_match_the_field(guide_id: str) -> None:
    """The numbers compared, and the values that have consequences."""
    ours, field = whole(guide_id).own.guide, shared_library().guides[guide_id]

    assert deciding(ours) == deciding(field) | COMPARED_BY_US.get(guide_id, set())


def deciding(guide: CampaignGuide) -> set[tuple[Any, ...]]:
    """Return every comparison and every number asked for, with the relevant values."""
    found: set[tuple[Any, ...]] = set()
    for part in parts(everything(guide)):
        match part:
            case ask.Math(operation, ask.Constant() as first, second, options):
                keys = frozenset(-int(key) for key in options.by_key)  # turned round
                found.add((operation, repr(second), repr(first), keys))
            case ask.Math(operation, first, second, options):
                keys = frozenset(map(int, options.by_key))
                found.add((operation, repr(first), repr(second), keys))
            case ask.LogCountCheck(section, line, options) if options.by_key:
                found.add((section, line, frozenset(options.by_key)))
            case ask.PlayerCount(options):
                found.add(("players", frozenset(options.by_key)))
            case ask.BagCheck(token, options):
                found.add((token, frozenset(options.by_key)))
    return found


@GUIDES
def test_branches_match_the_field(guide_id: str) -> None:
    """Their conditions, and the answers that have consequences."""
    field = shared_library().guides[guide_id]
    for scenario in whole(guide_id).own.guide.scenarios.values():
        theirs = conditions_of(field.scenarios[scenario.id])
        ours = conditions_of(scenario)
        apart = OF_OUR_OWN.get((guide_id, scenario.id), set())

        assert {key for key in ours if ours[key] != theirs.get(key)} == apart


FATES = {f"maybe_ask_{code}_fate" for code in ("05046", "05047", "05048", "05049")}
# Branches and choices that differ from the field's, or that it doesn't have.
OF_OUR_OWN = {
    # Fates that weren't reported in play are asked at the end.
    ("tcu", "disappearance_at_the_twilight_estate"): FATES,
    ("rttcu", "disappearance_at_the_twilight_estate"): FATES,
    # Partners crossed off are at least 3, instead of 3 being at most as many.
    ("eoe", "restful_night"): {"check_eliminated_partners"},
    ("eoe", "endless_night"): {"check_eliminated_partners"},
    # A single camp is asked about directly, not in a list of one.
    ("eoe", "ice_and_death_part_3"): {"check_spawn_5", "check_spawn_6"},
    # Decks are always upgraded.
    ("core", "torch"): {"check_lead_investigator_killed"},
    ("rtnotz", "return_to_the_gathering"): {"check_lead_investigator_killed"},
    # An entry is offered as long as there is one to read.
    ("boa", "smoke_and_mirrors"): {"$play_scenario codex"},
    # Six questions side by side instead of one inside the other.
    ("boa", "queen_of_ash"): {
        "$play_scenario codex", "david", "cornelia", "naomi", "earl", "abigail",
        "margaret",
    },
    # An entry is offered as long as there is one to read.
    **{
        ("fhv", scenario): {"$play_scenario codex"}
        for scenario in (
            "written_in_rock", "hemlock_house", "the_silent_heath", "the_lost_sister",
            "the_thing_in_the_depths", "the_twisted_hollow", "the_final_evening",
            "fate_of_the_vale",
        )
    },
    # A sacrifice is offered only if someone can be chosen; Helen can't be.
    ("fhv", "the_longest_night"): {"$play_scenario codex", "ask_agenda_flip kill"},
    # In the field's guide the table must look up who was kidnapped.
    ("dwl", "blood_on_the_altar"): {
        "check_armitage_kidnapped", "check_rice_kidnapped", "check_morgan_kidnapped",
    },
    ("rtdwl", "return_to_blood_on_the_altar"): {
        "check_armitage_kidnapped", "check_rice_kidnapped", "check_morgan_kidnapped",
    },
    # You can't accuse once every Suspect or every Hideout is crossed out.
    ("tic", "the_vanishing_of_elina_harper"): {"$play_scenario the_accusation"},
    # The field also checks which version of its guide the campaign began with.
    ("ptc", "the_pallid_mask"): {"maybe_ask_conviction_or_doubt"},
    ("rtptc", "return_to_the_pallid_mask"): {"maybe_ask_conviction_or_doubt"},
    # The field finally checks whether Randolph is dead, without consequences.
    ("tdeb", "weaver_of_the_cosmos"): {"check_randolph_survived_the_descent"},
    # Resolution 4 orders this each time it was reached.
    ("tfa", "eztli"): {"check_extra_doom"},
    ("rttfa", "return_to_the_doom_of_eztli"): {"check_extra_doom"},
    # The field checks whether the original scenario was replayed, which never happens.
    ("rttfa", "return_to_heart_of_the_elders_part_1"): {"maybe_do_intro"},
    # No campaign of ours began with an earlier version of the field's guide.
    ("tdc", "the_apiary"): {"maybe_ask_ancient_relic"},
    # One check instead of two; the field's second check is ineffective.
    ("tic", "hidden_truths"): {"check_guardian_and_story_assets"},
}  # fmt: skip


@pytest.mark.parametrize(
    "name", ["david", "cornelia", "naomi", "earl", "abigail", "margaret"]
)
def test_the_servant_of_flame_gives_what_the_harbinger_gives(name: str) -> None:
    """Queen of Ash, codex Φ: an effect for each of six lines of the log."""
    step = whole("boa").own.guide.scenarios["queen_of_ash"].steps[name]

    assert step == Branch(
        name,
        ask.LogCheck(
            "campaign_notes",
            f"{name}_harbinger",
            ask.ConditionOptions(
                {True: ask.ConditionOption(True, (), (f"{name}_effect",))}
            ),
        ),
    )


@GUIDES
def test_choices_have_the_same_ids_as_in_the_field(guide_id: str) -> None:
    """So that a log can move from one guide to the other."""
    own = whole(guide_id).own.guide
    places = {SETUP: own.setup, **own.scenarios}
    for raw in field_stems(guide_id).values():
        scenario = raw["id"] if "scenario_name" in raw else SETUP
        asked = {
            step["id"]: choice_ids(step["input"])
            for step in raw.get("steps", ())
            if step.get("type") == "input"
        }
        left_out = WITHIN_ANOTHER.get(guide_id, set())
        left_out = left_out | EARLIER.get((guide_id, scenario), set())
        for step_id in asked.keys() - left_out:
            choices = asked[step_id]
            steps = own.core if scenario == "core" else places[scenario].steps
            step = steps[step_id]
            ours = [part.id for part in parts(step) if isinstance(part, PromptChoice)]
            assert sorted(ours) == sorted(choices), step_id


@GUIDES
def test_each_step_cites_its_places(guide_id: str) -> None:
    """Exactly the setup and the resolutions that lead to it."""
    own = whole(guide_id).own
    for scenario in (own.guide.setup, *own.guide.scenarios.values()):
        cited = {
            step_id: own.words.step(scenario.id, step_id)["cites"]
            for step_id in scenario.steps
        }
        for label, steps in places_of(scenario).items():
            citing = {
                step_id
                for step_id, listed in cited.items()
                if f"{scenario.name}, {label}" in listed
            }
            assert citing == steps, (scenario.id, label)
