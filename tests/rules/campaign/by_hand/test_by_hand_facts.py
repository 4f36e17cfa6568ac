"""The facts of campaigns match their source and contain no text of a guide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.campaign.by_hand.facts import (
    DATA,
    SIDE,
    WorthFacts,
    campaign_facts,
    known_campaigns,
    written,
)
from arkham.rules.campaign.by_hand.guide import guide_by_hand
from arkham.rules.campaign.model.guide import Achievement, Partner
from tests.rules.campaign.facts.cards import Cards
from tests.rules.campaign.facts.exporting import facts_of
from tests.rules.campaign.facts.home_made import HOME_MADE
from tests.rules.campaign.helpers.guides import guides_folder, shared_stems

LONGEST = 100
WORDS = 6  # words in a row that count as prose of a guide
FILES = sorted(DATA.glob("*.json"))
PUBLISHED = [each for each in known_campaigns() if each != HOME_MADE]
TEXT_KEYS = {"text", "description", "flavor", "back_text", "prompt", "narration"}


def strings(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value, including keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def raw(path: Path) -> Any:
    """Return a file of facts as JSON."""
    return json.loads(path.read_bytes())


# --- contents


def test_an_unknown_campaign_has_no_facts() -> None:
    for name in ("nobody_knows", "../../data/chaos", ""):
        with pytest.raises(KeyError):
            campaign_facts(name)


def test_the_facts_of_curtain_call() -> None:
    facts = campaign_facts("ptc")
    found = facts.scenarios["curtain_call"]
    assert (found.name, found.title) == ("Curtain Call", "Scenario I: Curtain Call")
    assert found.sets == (
        "curtain_call", "evil_portents", "delusions", "hauntings",
        "cult_of_the_yellow_sign", "striking_fear", "rats",
    )  # fmt: skip
    assert [each.id for each in found.resolutions] == ["no_resolution", "R1", "R2"]
    assert found.resolutions[0].statuses == ("eliminated", "physical", "mental")
    assert facts.victory["03060"] == WorthFacts("03060", "Royal Emissary", 1, 2)
    assert facts.sets["evil_portents"] == "Evil Portents"
    assert facts.cards["03142"].weakness == "weakness"
    assert [section.title for section in facts.sections] == [
        "Campaign Notes", "Chasing the Stranger", "VIPs Interviewed", "VIPs Slain",
        "Doubt", "Conviction",
    ]  # fmt: skip
    assert len(facts.orders) == 2


def test_resolutions_that_may_order_a_replay_are_marked() -> None:
    found = {
        (campaign, scenario.id): [
            each.id for each in scenario.resolutions if each.replay
        ]
        for campaign in ("tfa", "fhv", "ptc")
        for scenario in campaign_facts(campaign).scenarios.values()
        if any(each.replay for each in scenario.resolutions)
    }
    assert found == {
        ("tfa", "eztli"): ["investigator_defeat", "no_resolution_resigned", "R3", "R4"],
        ("tfa", "heart_of_the_elders_part_1"): ["no_resolution"],
        ("fhv", "the_final_evening"): ["no_resolution", "R2", "R3"],
    }


def test_cards_with_vengeance_only_have_no_victory_points() -> None:
    harbinger = [
        each
        for each in campaign_facts("tfa").victory.values()
        if each.vengeance is not None and each.victory is None
    ]
    assert harbinger
    guide = {
        code
        for scenario in campaign_facts("tfa").scenarios.values()
        for code in scenario.victory
    }
    assert {each.code for each in harbinger} <= guide


def test_achievements_have_names_and_kinds() -> None:
    found = campaign_facts("fhv").achievements
    assert found[0] == Achievement("apertif", "Aperitif", "binary")
    assert {each.kind for each in found} <= {"binary", "count", "list"}
    assert guide_by_hand("fhv").achievements == found


def test_partners_have_health_and_sanity() -> None:
    team = next(each for each in campaign_facts("eoe").sections if each.partners)
    assert team.partners[0] == Partner("08720", 2, 4, 3, 4)
    assert len(team.partners) == 9


# --- nothing but facts


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_facts_contain_no_text_and_no_long_string(path: Path) -> None:
    facts = raw(path)
    found = set(strings(facts))
    assert max(map(len, found)) <= LONGEST
    assert not found & TEXT_KEYS
    plain = {each.replace("#name#", "") for each in found}
    assert not any(mark in each for mark in "<>#\n" for each in plain)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case without markup; an id is one word."""
    return re.findall(r"[a-z0-9_']+", re.sub(r"<[^>]*>", " ", text.lower()))


def rows(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of ``WORDS`` words."""
    words = words_of(text)
    for start in range(len(words) - WORDS + 1):
        yield tuple(words[start : start + WORDS])


@cache
def prose() -> frozenset[tuple[str, ...]]:
    """Return every run of words in the texts of the guides."""
    found: set[tuple[str, ...]] = set()
    for stems in shared_stems().values():
        waiting: list[Any] = list(stems.values())
        while waiting:
            part = waiting.pop()
            if isinstance(part, list):
                waiting += part
            elif isinstance(part, dict):
                waiting += [each for key, each in part.items()]
                for key in TEXT_KEYS & part.keys():
                    if isinstance(part[key], str):
                        found.update(rows(part[key]))
    return frozenset(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_facts_contain_no_prose_of_a_guide(path: Path) -> None:
    """Only names and phrases of the log have as many words in a row."""
    facts = raw(path)
    named = {facts["name"], *strings([each["title"] for each in facts["scenarios"]])}
    named |= {each["name"] for each in facts["scenarios"]}
    named |= {each["name"] for key in ("cards", "victory") for each in
              facts.get(key, {}).values()}  # fmt: skip
    named |= set(facts.get("sets", {}).values())
    named |= {each["title"] for each in facts.get("achievements", ())}
    phrases = {text for lines in facts.get("lines", {}).values() for text in
               lines.values()}  # fmt: skip
    others = set(strings(facts)) - named - phrases
    assert not [each for each in others if set(rows(each)) & prose()]


# --- source


@cache
def source() -> dict[str, Any]:
    """Return the facts that the shared data have about each campaign."""
    known = json.loads((guides_folder() / "facts.json").read_text(encoding="utf-8"))
    return {each["id"]: each for each in known["campaigns"]}


def test_the_files_equal_a_new_export() -> None:
    """The same bytes, from the guides and the card records."""
    folder = guides_folder()
    records = [
        record
        for path in sorted((folder.parent / "arkhamdb" / "pack").glob("*/*.json"))
        for record in json.loads(path.read_text(encoding="utf-8"))
    ]
    sets = json.loads((folder / "encounter_sets.json").read_text(encoding="utf-8"))
    cards = Cards(records, {each["code"]: each["name"] for each in sets})
    found = facts_of(source().values(), shared_stems(), cards)
    assert sorted(found) == sorted(path.stem for path in FILES)
    for path in FILES:
        assert written(found[path.stem]) == path.read_bytes(), path.stem


@pytest.mark.parametrize("campaign", PUBLISHED)
def test_bags_match_the_source(campaign: str) -> None:
    assert {
        each.value: {token.value: count for token, count in bag.counts}
        for each, bag in campaign_facts(campaign).bags.items()
    } == {each: bag["tokens"] for each, bag in source()[campaign]["chaos_bags"].items()}


def _cost(known: dict[str, Any]) -> int | None:
    """The price of a scenario for investigators without a card that reduces it."""
    challenge = known.get("challenge") or {}
    more = challenge["xp_cost"] if challenge.get("card_discount") else 0
    return known["xp_cost"] + more if known.get("xp_cost") is not None else None


@pytest.mark.parametrize("campaign", [*PUBLISHED, SIDE])
def test_scenarios_and_sections_match_the_source(campaign: str) -> None:
    facts, known = campaign_facts(campaign), source()[campaign]
    assert list(facts.scenarios) == [each["id"] for each in known["scenarios"]]
    for each in known["scenarios"]:
        ours = facts.scenarios[each["id"]]
        assert [one.id for one in ours.resolutions] == [
            one["id"] for one in each["resolutions"]
        ]
        assert ours.cost == _cost(each)
        if "standalone_chaos_bags" in each:
            assert {
                one.value: {token.value: count for token, count in bag.counts}
                for one, bag in ours.bags.items()
            } == each["standalone_chaos_bags"]
    assert [section.id for section in facts.sections] == [
        each["id"] for each in known["log_sections"] if not each.get("hidden")
    ]
