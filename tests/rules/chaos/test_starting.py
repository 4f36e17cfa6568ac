"""The starting bags of campaigns and the meanings of symbols match their source."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
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
    reference_symbols,
    scenarios,
    starting_bags,
    symbols_of,
)
from arkham.rules.ultimatums import ULTIMATUMS

ZEALOT = campaigns()["core"].bags
GATHERING = scenarios()["core.torch"]


def test_the_standard_bag_of_night_of_the_zealot() -> None:
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


def test_hemlock_vale_on_expert_has_the_corrected_bag() -> None:
    """It has one -7 in place of a -6 (FAQ errata, BAG-16)."""
    bag = campaigns()["fhv"].bags[Difficulty.EXPERT]
    assert (bag[Token.MINUS_SIX], bag[Token.MINUS_SEVEN]) == (1, 1)


def test_every_scenario_has_a_bag_within_its_limits() -> None:
    for scenario in scenarios().values():
        assert starting_bags(scenario)
        for bag in starting_bags(scenario).values():
            assert check_bag(bag) == ()


def test_symbols_depend_on_the_side_of_the_reference_card() -> None:
    easy = symbols_of(GATHERING, Difficulty.EASY)
    assert easy[Token.CULTIST] == SymbolFact(Meaning(-1))
    assert easy[Token.SKULL].varies
    hard = symbols_of(GATHERING, Difficulty.EXPERT)
    assert hard[Token.CULTIST] == SymbolFact(Meaning(0, reveal_another=True))
    malevolence = frozenset({"malevolence"})
    assert symbols_of(GATHERING, Difficulty.EASY, malevolence) == hard
    ashes = symbols_of(scenarios()["boa.spreading_flames"], Difficulty.EASY)
    assert ashes[Token.TABLET] == SymbolFact(Meaning(-1, reveal_another=True))
    rock = symbols_of(scenarios()["fhv.written_in_rock"], Difficulty.STANDARD)
    assert rock[Token.ELDER_THING] == SymbolFact(Meaning(-3), varies=True)


@pytest.mark.parametrize("level", [Difficulty.STANDARD, Difficulty.HARD])
def test_a_symbol_that_differs_in_another_act_varies(level: Difficulty) -> None:
    """Written in Rock has a card for each of its acts; it begins with the first."""
    first = symbols_of(scenarios()["fhv.written_in_rock"], level)
    second = reference_symbols("10502", level)

    assert set(first) == set(second)
    for token, fact in first.items():
        assert fact.varies or fact == second[token]


def test_rows_of_ultimatum_tokens_are_ultimatums() -> None:
    assert {row.id for row in ULTIMATUM_TOKENS} <= ULTIMATUMS.keys()


# -- the source --

# Scenarios for which the source names no card, or not the set's reference card.
OTHER_CARDS = {
    "boa.spreading_flames": "12105",
    "boa.smoke_and_mirrors": "12133",
    "boa.queen_of_ash": "12168",
    "fhv.the_lost_sister": "10569",
}
# Symbols for which the source differs from the printed card.
MISPRINTED = {("10501", "standard", Token.ELDER_THING)}
LINE = re.compile(r"((?:\[\w+\](?:,? or |,? and |, | )?)+)[: ]*(.*)")
NUMBER = re.compile(r"([-+]?)(\d+|X)( for (?:each|every)| \(-?\d)?")


@pytest.fixture(scope="module")
def facts(shared_data: Path) -> list[dict[str, Any]]:
    text = (shared_data / "data" / "guides" / "facts.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)["campaigns"]
    return found


def test_bags_match_the_source(facts: list[dict[str, Any]]) -> None:
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


def test_scenarios_match_the_source(facts: list[dict[str, Any]]) -> None:
    listed = {
        f"{source['id']}.{each['id']}": each
        for source in facts
        for each in source["scenarios"]
    }
    for key, ours in scenarios().items():
        source = listed[key]
        assert ours.name == source["name"]
        if key not in OTHER_CARDS:
            assert ours.card == (source.get("chaos_bag_card") or "")
        if not ours.campaign:
            assert {
                each.value: {token.value: n for token, n in bag.counts}
                for each, bag in ours.bags.items()
            } == source["standalone_chaos_bags"]


def test_symbols_match_the_source(shared_data: Path) -> None:
    """Fixed values exactly; values that vary, by how they begin."""
    path = shared_data / "data" / "guides" / "chaos_tokens.json"
    cards = {each["code"]: each for each in json.loads(path.read_text())}
    cards["02311"] = cards["02331"]  # the source names another card of its set
    cards["10569"] = cards["10528"]
    compared = 0
    for scenario in scenarios().values():
        for difficulty, side in (("easy", "standard"), ("hard", "hard")):
            if scenario.card not in cards:
                assert scenario.key in OTHER_CARDS
                continue
            source = cards[scenario.card][side]
            ours = symbols_of(scenario, Difficulty(difficulty))
            assert set(ours) == {Token(each["token"]) for each in source}
            for each in source:
                if "value" in each and "type" not in each:
                    fact = ours[Token(each["token"])]
                    if (scenario.card, side, Token(each["token"])) in MISPRINTED:
                        continue
                    assert fact.meaning == _meaning(each["value"])
                    compared += 1
                else:
                    assert ours[Token(each["token"])].varies
    assert compared > 300


def test_symbols_match_the_reference_cards(shared_data: Path) -> None:
    """Numbers, tokens revealed with them, and whether they depend on the game."""
    compared = 0
    for card, faces in _reference_cards(shared_data).items():
        scenario = next(each for each in scenarios().values() if each.card == card)
        for difficulty, text in faces.items():
            ours = symbols_of(scenario, difficulty)
            printed = dict(_printed(text))
            assert set(ours) == set(printed), card
            for token, said in printed.items():
                _agrees(ours[token], said, f"{card} {difficulty} {token}: {said}")
                compared += 1
    assert compared > 700


def _reference_cards(shared_data: Path) -> dict[str, dict[Difficulty, str]]:
    """Return the printed texts of both sides of every scenario's reference card."""
    used = {each.card for each in scenarios().values()}
    found: dict[str, dict[Difficulty, str]] = {}
    for path in (shared_data / "data" / "arkhamdb" / "pack").glob("*/*.json"):
        for each in json.loads(path.read_text(encoding="utf-8")):
            if each["code"] in used and each.get("type_code") == "scenario":
                # Each card has one act, with the other act on its back.
                if "Act 1" not in each["text"]:
                    found[each["code"]] = {
                        Difficulty.EASY: each["text"],
                        Difficulty.HARD: each["back_text"],
                    }
                else:
                    found[each["code"]] = {Difficulty.EASY: each["text"]}
    return found


def _printed(text: str) -> Iterator[tuple[Token, str]]:
    for line in text.split("\n"):
        match = LINE.match(line)
        for token in re.findall(r"\w+", match[1]) if match else ():
            if token in {*Token} and match is not None:
                yield Token(token), match[2]


def _agrees(fact: SymbolFact, said: str, where: str) -> None:
    """Compare a fact with the text of a symbol on the card."""
    match = NUMBER.match(said)
    if match is not None and match[2] != "X" and not match[3]:
        number = int(match[2]) * (-1 if match[1] == "-" else 1)
        if "modifier is -4 instead" not in said:  # unless something is removed
            assert fact.meaning.modifier == number, where
    else:
        assert fact.varies or said.startswith("Reveal"), where
    rest = said[match.end() :] if match is not None else said
    always = re.match(r"\.? ?Reveal (another|an additional)", rest)
    if always:
        assert fact.meaning.reveal_another, where
    elif re.search(
        r"eveal another|treat this token as|\+\d skill value|your skill value by", rest
    ):
        assert fact.varies, where
    else:
        assert not fact.meaning.reveal_another, where


def _meaning(value: dict[str, Any]) -> Meaning:
    modifier = value["modifier"]
    automatic = {"auto_fail": Automatic.FAILURE, "auto_succeed": Automatic.SUCCESS}
    return Meaning(
        modifier if isinstance(modifier, int) else 0,
        bool(value.get("reveal_another")),
        automatic.get(modifier) if isinstance(modifier, str) else None,
    )
