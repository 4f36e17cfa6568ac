"""The bags campaigns start with, and what symbols mean: facts, held to their source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.chaos import Automatic, Meaning, Token
from arkham.rules.chaos.bag import check_bag
from arkham.rules.chaos.starting import (
    ULTIMATUM_TOKENS,
    Difficulty,
    SymbolFact,
    campaigns,
    scenarios,
    starting_bags,
    symbols_of,
)
from arkham.rules.ultimatums import ULTIMATUMS

ZEALOT = campaigns()["core"].bags
GATHERING = scenarios()["core.torch"]


def test_a_bag_literally() -> None:
    assert dict(ZEALOT[Difficulty.STANDARD].counts) == {
        Token.PLUS_ONE: 1,
        Token.ZERO: 2,
        Token.MINUS_ONE: 3,
        Token.MINUS_TWO: 2,
        Token.MINUS_THREE: 1,
        Token.MINUS_FOUR: 1,
        Token.SKULL: 2,
        Token.CULTIST: 1,
        Token.TABLET: 1,
        Token.AUTO_FAIL: 1,
        Token.ELDER_SIGN: 1,
    }


def test_the_corrected_bag() -> None:
    """Hemlock Vale on Expert has one -7 in place of a -6 (FAQ errata, BAG-16)."""
    bag = campaigns()["fhv"].bags[Difficulty.EXPERT]
    assert (bag[Token.MINUS_SIX], bag[Token.MINUS_SEVEN]) == (1, 1)


def test_every_scenario_has_a_bag_within_its_limits() -> None:
    for scenario in scenarios().values():
        assert starting_bags(scenario)
        for bag in starting_bags(scenario).values():
            assert check_bag(bag) == ()


def test_symbols_by_side() -> None:
    easy = symbols_of(GATHERING, Difficulty.EASY)
    assert easy[Token.CULTIST] == SymbolFact(Meaning(-1))
    assert easy[Token.SKULL].varies
    hard = symbols_of(GATHERING, Difficulty.EXPERT)
    assert hard[Token.CULTIST] == SymbolFact(Meaning(0, reveal_another=True))
    malevolence = frozenset({"malevolence"})
    assert symbols_of(GATHERING, Difficulty.EASY, malevolence) == hard
    assert symbols_of(scenarios()["boa.queen_of_ash"], Difficulty.EASY) == {}


def test_what_changes_a_bag_is_an_ultimatum() -> None:
    assert {row.id for row in ULTIMATUM_TOKENS} <= ULTIMATUMS.keys()


# -- the source --


@pytest.fixture(scope="module")
def facts(shared_data: Path) -> list[dict[str, Any]]:
    text = (shared_data / "data" / "guides" / "facts.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["campaigns"]
    return found


def test_bags_are_those_of_the_source(facts: list[dict[str, Any]]) -> None:
    for source in facts:
        ours = campaigns().get(source["id"])
        if ours is None:
            assert source["kind"] not in ("official_campaign", "return_to")
            continue
        assert ours.name == source["name"]
        assert {
            each.value: {token.value: n for token, n in bag.counts}
            for each, bag in ours.bags.items()
        } == {each: bag["tokens"] for each, bag in source["chaos_bags"].items()}


def test_scenarios_are_those_of_the_source(facts: list[dict[str, Any]]) -> None:
    listed = {
        f"{source['id']}.{each['id']}": each
        for source in facts
        for each in source["scenarios"]
    }
    for key, ours in scenarios().items():
        source = listed[key]
        assert ours.name == source["name"]
        assert ours.card == (source.get("chaos_bag_card") or "")
        if not ours.campaign:
            assert {
                each.value: {token.value: n for token, n in bag.counts}
                for each, bag in ours.bags.items()
            } == source["standalone_chaos_bags"]


def test_symbols_are_those_of_the_source(shared_data: Path) -> None:
    """Fixed values as they stand; for one that varies, what it is to begin with."""
    path = shared_data / "data" / "guides" / "chaos_tokens.json"
    cards = {each["code"]: each for each in json.loads(path.read_text())}
    cards["02311"] = cards["02331"]  # the source names another card of its set
    compared = 0
    for scenario in scenarios().values():
        for difficulty, side in (("easy", "standard"), ("hard", "hard")):
            source = cards.get(scenario.card, {}).get(side, [])
            ours = symbols_of(scenario, Difficulty(difficulty))
            assert set(ours) == {Token(each["token"]) for each in source}
            for each in source:
                if "value" in each and "type" not in each:
                    fact = ours[Token(each["token"])]
                    assert fact.meaning == _meaning(each["value"])
                    compared += 1
                else:
                    assert ours[Token(each["token"])].varies
    assert compared > 300


def _meaning(value: dict[str, Any]) -> Meaning:
    modifier = value["modifier"]
    automatic = {"auto_fail": Automatic.FAILURE, "auto_succeed": Automatic.SUCCESS}
    return Meaning(
        modifier if isinstance(modifier, int) else 0,
        bool(value.get("reveal_another")),
        automatic.get(modifier) if isinstance(modifier, str) else None,
    )
