"""Gists are short, in our own words, and match the facts of their cards."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from arkham.rules.gists import GISTS, LONGEST, Gist, all_gists, gist_of
from arkham.rules.snapshot import embedded_pool
from arkham.rules.vocabulary import CardType
from tests.rules.printed import printed_runs, runs

SIGNS = frozenset(
    {"action", "reaction", "fast", "per_investigator"}
    | {"willpower", "intellect", "combat", "agility", "wild"}
    | {"skull", "cultist", "tablet", "elder_thing", "elder_sign", "auto_fail"}
    | {"bless", "curse", "frost"}
    | {"guardian", "seeker", "rogue", "mystic", "survivor"}
)


def _lines() -> list[tuple[str, str]]:
    return [
        (code, line)
        for code, gist in all_gists().items()
        for line in (gist.text, gist.elder_sign, *gist.lines)
        if line
    ]


def test_gists_are_sorted_by_card_code() -> None:
    """So that two changes of the file seldom conflict."""
    codes = list(json.loads(GISTS.read_text()))
    assert codes == sorted(codes)
    assert set(codes) <= {card.code for card in embedded_pool().values()}


def test_every_player_card_and_investigator_has_a_gist() -> None:
    missing = [
        card.code
        for card in embedded_pool().values()
        if (card.in_decks or card.type is CardType.INVESTIGATOR)
        and not gist_of(card.code).text
    ]
    assert missing == []


def test_every_line_of_an_upgrade_sheet_has_a_gist() -> None:
    wrong = [
        card.code
        for card in embedded_pool().values()
        if len(gist_of(card.code).lines) != len(card.sheet)
    ]
    assert wrong == []


def test_lines_are_short_and_plain() -> None:
    wrong = [
        (code, line)
        for code, line in _lines()
        if len(line) > LONGEST or re.search(r"[<>\n]|  ", line) or line[-1] not in ".!)"
    ]
    assert wrong == []


def test_gists_use_known_symbols_only() -> None:
    signs = {
        sign for _code, line in _lines() for sign in re.findall(r"\[(.*?)\]", line)
    }
    assert signs <= SIGNS


def test_a_gist_names_the_uses_of_its_card() -> None:
    wrong = [
        card.code
        for card in embedded_pool().values()
        if card.uses and card.in_decks and card.uses.rstrip("s") not in _said(card.code)
    ]
    assert wrong == []


@cache
def _said(code: str) -> str:
    return gist_of(code).words.casefold()


def test_an_unknown_card_has_an_empty_gist() -> None:
    assert gist_of("99999") == Gist("")


def test_no_gist_shares_six_words_in_a_row_with_a_card(shared_data: Path) -> None:
    printed = printed_runs(shared_data)
    assert [(code, line) for code, line in _lines() if runs(line) & printed] == []
