"""Our own guides match the facts of the campaigns and have no flaws."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from functools import cache

import pytest

from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.guide import SETUP, Scenario
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.reading.lint import lint_own
from arkham.rules.campaign.reading.own import (
    open_own_guide,
    own_guides,
)
from arkham.rules.campaign.reading.prepared import import_own_guides, open_guide
from arkham.rules.campaign.reading.references import parts
from tests.rules.campaign.helpers.guides import guides_folder
from tests.rules.campaign.helpers.own_guides import (
    EVERY,
    GUIDES,
    MOVED,
    UNRECORDED,
    WITHIN_ANOTHER,
    everything,
    field_stems,
    found_or_failed,
    whole,
)
from tests.rules.campaign.helpers.small import Raw

KINDS = {"": "entries"}
# A name from the FAQ (its erratum to Interlude I of The Path to Carcosa), and
# a spelling mistake in the field's guide.
RENAMED = {
    "ptc_interlude1_reprint": "Skeptic's Reward",
    "rio_de_janiero": "Theory of Annihilation",
}


@cache
def facts_of(guide_id: str) -> Raw:
    """Return the facts of a campaign; without the shared data the test is skipped."""
    campaigns = json.loads((guides_folder() / "facts.json").read_text())["campaigns"]
    by_id: dict[str, Raw] = {each["id"]: each for each in campaigns}
    return found_or_failed(by_id, guide_id, "the campaigns of facts.json")


def test_our_guides_are_listed_by_id() -> None:
    assert own_guides() == (
        "boa", "core", "dwl", "eoe", "fhv", "fof", "gob", "ptc", "rtdwl", "rtnotz",
        "rtptc", "rttcu", "rttfa", "tcu", "tdc", "tdea", "tdeb", "tfa", "tic", "tskc",
    )  # fmt: skip


@EVERY
def test_a_guide_has_no_flaws(guide_id: str) -> None:
    """Not even harmless ones."""
    assert lint_own(whole(guide_id)) == []


def test_a_scenario_is_read_when_it_is_used() -> None:
    """A guide opens without its scenarios, and has the digest of the complete one."""
    own = open_own_guide("core")

    assert own.guide.scenarios["torch"].name == "The Gathering"
    assert own.guide.digest == whole("core").own.guide.digest
    assert "elsewhere" not in own.guide.scenarios
    with pytest.raises(KeyError):
        own.guide.scenarios["elsewhere"]
    with pytest.raises(KeyError):
        open_own_guide("elsewhere")


@pytest.mark.slow
@EVERY
def test_a_guide_can_be_stored(guide_id: str) -> None:
    """Opened again, it is the same guide with the same texts."""
    (kept,) = [each for each in import_own_guides().guides if each.guide_id == guide_id]
    own = open_own_guide(guide_id)
    opened = open_guide(kept.prepared)
    words = Words(json.loads(kept.words))

    assert (kept.digest, kept.name) == (own.guide.digest, own.guide.name)
    assert kept.scenarios == len(own.guide.scenarios)
    assert opened.digest == own.guide.digest
    assert dict(opened.scenarios) == dict(own.guide.scenarios)
    assert opened.setup == own.guide.setup
    assert dict(opened.side) == dict(own.guide.side)
    assert words.step(SETUP, "draw_weakness") == own.words.step(SETUP, "draw_weakness")
    for scenario in (*own.guide.scenarios.values(), *own.guide.side.values()):
        for step in scenario.steps:
            told = own.words.step(scenario.id, step)
            assert words.step(scenario.id, step) == told


@GUIDES
def test_scenarios_match_the_facts(guide_id: str) -> None:
    """Their order and names, and which can be played standalone."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide

    assert guide.name == facts["name"]
    assert guide.version == facts["guide_version"]
    assert list(guide.order) == facts["scenario_order"]
    assert {
        each["id"]: (
            RENAMED.get(each["id"], each["name"]),
            each["type"],
            each.get("standalone", False),
        )
        for each in facts["scenarios"]
    } == {
        each.id: (each.name, each.kind or "scenario", each.standalone_setup is not None)
        for each in guide.scenarios.values()
    }


@GUIDES
def test_resolutions_match_the_facts(guide_id: str) -> None:
    """Their order, possible outcomes, and which are hidden."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide
    usual = ["alive", "resigned", "physical", "mental", "eliminated"]

    for each in facts["scenarios"]:
        found = guide.scenarios[each["id"]].resolutions.values()
        assert [(one.id, list(one.statuses), one.hidden) for one in found] == [
            (
                one["id"],
                # In Resolution 3 of The Gathering investigators who resigned survive,
                # without a question.
                ["alive", "resigned", "physical", "mental"]
                if one["id"] == "R3"
                and each["id"] in ("torch", "return_to_the_gathering")
                else one.get("investigator_status", usual),
                one.get("hidden", False),
            )
            for one in each.get("resolutions", ())
        ], each["id"]


@GUIDES
def test_bags_match_the_facts(guide_id: str) -> None:
    """Those of the campaign, and of each standalone scenario."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide

    assert bags_of(guide.setup) == {
        difficulty: bag["tokens"] for difficulty, bag in facts["chaos_bags"].items()
    }
    for each in facts["scenarios"]:
        alone = each.get("standalone_chaos_bags")
        if alone is not None:
            assert bags_of(guide.scenarios[each["id"]]) == alone


def bags_of(scenario: Scenario) -> Raw:
    """Return the tokens of each difficulty."""
    found = {}
    for part in parts(tuple(scenario.steps.values())):
        if isinstance(part, do.Batch) and len(part.plain) == 2:
            match part.plain:
                case (course.SetDifficulty(difficulty), course.Tokens(tokens, 1)):
                    found[difficulty] = dict(Counter(tokens))
    return found


@GUIDES
def test_sections_of_the_log_match_the_facts(guide_id: str) -> None:
    """Their titles and kinds, which are hidden, and partners."""
    assert [
        {"id": each.id, "title": each.title, "kind": KINDS.get(each.kind, each.kind)}
        | ({"hidden": True} if each.hidden else {})
        | ({"partners": list(map(asdict, each.partners))} if each.partners else {})
        for each in whole(guide_id).own.guide.sections
    ] == [
        {
            key: value
            for key, value in each.items()
            if key not in ("scarlet_keys", "calendar", "checklist_ids")
        }
        | (
            {"partners": list(map(in_full, each["partners"]))}
            if "partners" in each
            else {}
        )
        for each in facts_of(guide_id)["log_sections"]
    ]


def in_full(partner: Raw) -> Raw:
    """Return a partner without a name, and with every value, also constant ones."""
    values = {key: value for key, value in partner.items() if key != "name"}
    return {f"resolute_{key}": partner[key] for key in ("health", "sanity")} | values


@GUIDES
def test_lines_of_the_log_match_the_facts(guide_id: str) -> None:
    """Every line that can be recorded, and every number."""
    facts = facts_of(guide_id)
    lines: dict[str, set[str]] = {}
    counts: dict[str, set[str]] = {}
    others: dict[str, set[str]] = {}
    for part in parts(everything(whole(guide_id).own.guide)):
        match part:
            case do.LogLine(section, str(line)) | do.LogCards(section, str(line)):
                lines.setdefault(section, set()).add(line)
            case do.LogCount(section, str(line)) | do.SeatCount(section, str(line)):
                counts.setdefault(section, set()).add(line or "$count")
            case do.LogText(section, str(line)) | do.AssignTask(section, str(line)):
                others.setdefault(section, set()).add(line)

    if guide_id in MOVED:
        line, theirs, ours = MOVED[guide_id]
        lines[ours].remove(line)
        lines[theirs].add(line)
    unrecorded = UNRECORDED.get(guide_id, set())
    assert sorted_lists(  # a crossed out number isn't also a line
        {
            section: ids - unrecorded - counts.get(section, set())
            for section, ids in lines.items()
        }
    ) == {
        section: [each for each in ids if each not in WITHIN_ANOTHER.get(guide_id, ())]
        for section, ids in facts["log_entry_ids"].items()
    }
    assert sorted_lists(counts | others) == facts["counter_entry_ids"]


def sorted_lists(found: dict[str, set[str]]) -> dict[str, list[str]]:
    """Return sorted ids by section, without the empty id that means a whole section."""
    return {section: sorted(ids - {""}) for section, ids in found.items()}


@GUIDES
def test_cards_that_can_be_earned_match_the_facts(guide_id: str) -> None:
    """Story assets and weaknesses, with the scenarios that give them."""
    facts, guide = facts_of(guide_id), whole(guide_id).own.guide
    granted: dict[str, set[str]] = {}
    places = {each.id: each.steps for each in guide.scenarios.values()}
    for place, steps in {**places, "core": guide.core}.items():
        for part in parts(tuple(steps.values())):
            match part:
                case do.AddCard(card=card) | do.ReplaceCard(new=card):
                    granted.setdefault(card, set()).add(place)
                case to.UpgradeDecks(story_cards=cards):
                    for card in cards:
                        granted.setdefault(card, set()).add(place)

    assert granted == {
        each["code"]: set(each["granted_in"])
        for each in (*facts["story_cards"], *facts["story_weaknesses"])
    }


# Sets that the printed cards gather, but the field's guide only mentions.
UNGATHERED = {("rttfa", "return_to_turn_back_time"): {"serpents"}}


@GUIDES
def test_encounter_sets_match_the_facts(guide_id: str) -> None:
    """The sets that each scenario gathers, and their names."""
    own = whole(guide_id).own
    listed = json.loads((guides_folder() / "encounter_sets.json").read_text())
    names = {each["code"]: each["name"] for each in listed}

    assert {code: names[code] for code in own.encounter_sets} == own.encounter_sets
    for raw in field_stems(guide_id).values():
        if raw.get("type", "scenario") in ("scenario", "interlude", "epilogue"):
            scenario = raw["id"] if "scenario_name" in raw else SETUP
            expected = {
                code
                for step in raw.get("steps", ())
                for code in step.get("encounter_sets", ())
                if not step.get("remove")
            }
            expected |= UNGATHERED.get((guide_id, scenario), set())
            assert gathered(guide_id, scenario) == expected, scenario


def gathered(guide_id: str, scenario_id: str) -> set[str]:
    """Return the encounter sets that the steps of our scenario name."""
    own = whole(guide_id).own
    scenario = own.guide.scenarios.get(scenario_id, own.guide.setup)
    return {
        code
        for step in scenario.steps
        for code in own.words.step(scenario_id, step).get("encounter_sets", ())
    }


@GUIDES
def test_the_number_of_achievements_matches_the_facts(guide_id: str) -> None:
    assert len(whole(guide_id).own.guide.achievements) == len(
        facts_of(guide_id)["achievements"]
    )
