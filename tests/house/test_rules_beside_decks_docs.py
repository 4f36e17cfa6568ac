"""The rules that judge no deck list are documented where their matter is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arkham.rules.draws.record import draw_replays
from arkham.rules.draws.weaknesses import are_weaknesses
from arkham.rules.finding import Rule
from arkham.rules.play.area import PLAY_RULES
from arkham.rules.play.elimination import ELIMINATION_RULES
from arkham.rules.play.pile import PILE_RULES
from arkham.rules.table import TABLE_RULES

DOCS = Path(__file__).parents[2] / "docs"
AT_THE_TABLE: tuple[Rule[Any], ...] = (
    *ELIMINATION_RULES,
    *PLAY_RULES,
    *PILE_RULES,
)
PLACES: list[tuple[Rule[Any], str]] = [
    (draw_replays, "draws.md"),
    (are_weaknesses, "draws.md"),
    *((each, "collections.md") for each in TABLE_RULES),
    *((each, "table.md") for each in AT_THE_TABLE),
]


@pytest.mark.parametrize(("rule", "page"), PLACES, ids=lambda each: str(each))
def test_rule_is_documented(rule: Rule[Any], page: str) -> None:
    """Its sentence, its rows and where it is printed, under its id."""
    text = (DOCS / page).read_text(encoding="utf-8")
    _before, heading, section = text.partition(f"## `{rule.id}`\n")
    assert heading
    section = section.split("\n## ")[0]
    assert rule.sentence in section
    assert ", ".join(rule.rows) in section
    assert all(str(each) in section for each in rule.cites)
