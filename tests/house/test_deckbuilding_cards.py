"""Each card whose text touches decks or experience is in docs/deckbuilding-cards.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arkham.rules.modifiers import (
    DECK_MODIFIERS,
    EXCHANGES,
    EXPERIENCE_CARDS,
    SIDE_ROWS,
    TRAIT_LIMITS,
    TRANSFORMATIONS,
)
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import (
    DEVOURERS,
    KEPT_LOWER,
    PRICE_MODIFIERS,
    RAVEN_QUILL,
    TABLE_REDUCTIONS,
)
from tests.house.rule_docs import PROJECT, RULES, UPGRADES
from tests.rules.strategies import cards

PAGE = PROJECT / "docs" / "deckbuilding-cards.md"
RULE_IDS = {rule.id for rule in (*RULES, *UPGRADE_RULES)}
TABLES: dict[str, set[str]] = {
    "PRICE_MODIFIERS": set(PRICE_MODIFIERS),
    "TABLE_REDUCTIONS": {row.code for row in TABLE_REDUCTIONS},
    "RAVEN_QUILL": {RAVEN_QUILL.code},
    "KEPT_LOWER": set(KEPT_LOWER),
    "DEVOURERS": set(DEVOURERS),
    "DECK_MODIFIERS": set(DECK_MODIFIERS),
    "SIDE_ROWS": {row.code for row in SIDE_ROWS},
    "TRAIT_LIMITS": {
        code
        for code, card in cards().items()
        if any(row.trait in card.traits for row in TRAIT_LIMITS)
    },
    "TRANSFORMATIONS": {code for code, row in TRANSFORMATIONS.items() if row.fixed},
    "EXPERIENCE_CARDS": set(EXPERIENCE_CARDS),
    "EXCHANGES": {code for row in EXCHANGES for code in (row.code, *row.successors)},
}

FIELDS = ("text", "back_text", "customization_text", "customization_change")
OWN_DECK = (
    r"(your|his or her|their|its owner.s|an investigator.s|any investigator.s"
    r"|that investigator.s|each investigator.s|every player.s|all) decks?\b"
)
TELLING = {
    "experience": r"\bexperience\b|\bXP\b",
    "purchase": r"\bpurchas\w*|\bbuy(s|ing)?\b|\bbought\b",
    "upgrade": r"\bupgrad\w*",
    "exchange": r"\b(swap|exchang|replac)\w*.{0,80}\bdecks?\b"
    r"|\bdecks?\b.{0,80}\b(swap|exchang)\w*",
    "what a deck may hold": r"\byour deck (may|can|must|cannot)\b|\bper deck\b"
    r"|copies? .{0,40}in your deck",
    "added": rf"\badd(s|ed)?\b.{{0,80}}\bto {OWN_DECK}",
    "taken": rf"\bremov\w*\b.{{0,80}}\bfrom {OWN_DECK}",
    "exile": r"\bexil\w+",
    "between games": r"between (each |two )?(games?|scenarios?)"
    r"|before the next scenario|next scenario|after each scenario"
    r"|each game of a campaign",
    "boxes": r"check ?box|\bmark a\b|upgrade sheet|\bCustomizable\b",
    "earning": r"\bearn(s|ed|ing)?\b",
}
# On an investigator's back these words stand in every one.
TELLING_OF_CARDS = {
    "deck size": r"deck size|deck ?build\w*|deck creation",
    "collection": r"\bcollection\b",
    "weakness": r"\bbasic \w* ?weakness|random basic",
    "mode": r"\bCampaign Mode only\b|rest of the campaign|remainder of the campaign",
    "victory": r"\bvictory display\b",
}


class Row(NamedTuple):
    """A row of the page."""

    code: str
    name: str
    sentence: str
    where: tuple[str, ...]  # tables, rules and files named


def rows() -> list[Row]:
    """The rows of the page."""
    found = re.findall(
        r"^\| (\w+) \| (.+?) \| (.+) \| (.+) \|$",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return [
        Row(code, name, sentence, tuple(re.findall(r"`([^`]+)`", where)))
        for code, name, sentence, where in found
        if code != "Code"
    ]


def records(folder: Path) -> Iterator[dict[str, Any]]:
    """Player cards and investigators, each by its first printing."""
    for path in sorted(folder.glob("pack/*/*.json")):
        for record in json.loads(path.read_text(encoding="utf-8")):
            of_players = (
                not record.get("encounter_code") or record.get("xp") is not None
            )
            if of_players and not record.get("duplicate_of"):
                yield record


def told(record: dict[str, Any]) -> list[str]:
    """What the words of a card speak of."""
    text = "\n".join(record.get(field) or "" for field in FIELDS)
    plain = re.sub(r"<[^>]+>|\[\[|\]\]", "", text)
    is_investigator = record.get("type_code") == "investigator"
    patterns = TELLING if is_investigator else {**TELLING, **TELLING_OF_CARDS}
    return [
        name
        for name, pattern in patterns.items()
        if re.search(pattern, plain, re.IGNORECASE)
    ]


def test_every_card_that_speaks_of_decks_or_experience_is_here(
    shared_data: Path,
) -> None:
    listed = {row.code for row in rows()}
    folder = shared_data / "data" / "arkhamdb"
    missing = [
        (record["code"], record["name"], found)
        for record in records(folder)
        if (found := told(record)) and record["code"] not in listed
    ]
    assert not missing


def test_every_row_of_a_table_is_here() -> None:
    named = {row.code: row.where for row in rows()}
    for table, codes in TABLES.items():
        for code in codes:
            row = f"docs/deckbuilding-cards.md needs a row of {code} that names {table}"
            assert table in named.get(code, ()), row


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.code}-{row.name}")
def test_row_is_true(row: Row) -> None:
    assert cards()[row.code].name == row.name
    assert row.sentence.endswith(".")
    for place in row.where:
        if place in TABLES:
            assert row.code in TABLES[place]
        elif "/" in place:
            text = (UPGRADES / f"{place}.toml").read_text(encoding="utf-8")
            assert row.code in text
        else:
            assert place in RULE_IDS


def test_no_card_is_here_twice() -> None:
    codes = [row.code for row in rows()]
    assert len(codes) == len(set(codes))
