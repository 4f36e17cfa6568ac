"""Gists of symbols are complete, short, in our own words, and match the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import (
    Difficulty,
    SymbolFact,
    reference_symbols,
    scenarios,
    symbols_of,
)
from arkham.rules.gists import LONGEST, symbol_gists
from tests.rules.printed import printed_runs, runs

SIDES = (Difficulty.STANDARD, Difficulty.HARD)
NUMBER = re.compile(r"([−+]?)(\d+)(?! for every| per)[.;, ]")


def _written() -> Iterator[tuple[str, Difficulty, Token, SymbolFact]]:
    for card in symbol_gists():
        for side in SIDES:
            for token, fact in reference_symbols(card, side).items():
                yield card, side, token, fact


def test_every_symbol_of_every_scenario_has_a_gist() -> None:
    used = {each.card for each in scenarios().values() if each.card}
    assert used <= set(symbol_gists())
    for scenario in scenarios().values():
        for difficulty in Difficulty:
            assert all(fact.gist for fact in symbols_of(scenario, difficulty).values())


def test_gists_are_sorted_by_card_code() -> None:
    assert list(symbol_gists()) == sorted(symbol_gists())


def test_gists_are_short_and_plain() -> None:
    wrong = [
        fact.gist
        for _card, _side, _token, fact in _written()
        if len(fact.gist) > LONGEST
        or re.search(r"[<>{}|\n]|  |[ ^]-\d", fact.gist)
        or fact.gist[-1] not in ".)"
    ]
    assert wrong == []


def test_a_leading_number_is_the_modifier() -> None:
    """So that gist and odds can't disagree."""
    compared = 0
    for card, side, token, fact in _written():
        number = NUMBER.match(fact.gist)
        if number and (card, token) != ("02236", Token.TABLET):  # 0 or −4
            sign = -1 if number[1] == "−" else 1
            assert fact.meaning.modifier == sign * int(number[2]), (card, side, token)
            compared += 1
    assert compared > 500


def test_a_symbol_that_reveals_another_token_says_so() -> None:
    for card, side, token, fact in _written():
        if fact.meaning.reveal_another:
            assert "eveal another" in fact.gist, (card, side, token)


@pytest.mark.parametrize("side", SIDES)
def test_the_sides_of_a_card_have_different_gists(side: Difficulty) -> None:
    gathering = symbols_of(scenarios()["core.torch"], side)
    expected = {
        Difficulty.STANDARD: "−1. Fail: 1 horror.",
        Difficulty.HARD: "Reveal another. Fail: 2 horror.",
    }
    assert gathering[Token.CULTIST].gist == expected[side]


def test_no_gist_shares_six_words_in_a_row_with_a_card(shared_data: Path) -> None:
    printed = printed_runs(shared_data)
    found = [fact.gist for *_where, fact in _written() if runs(fact.gist) & printed]
    assert found == []
