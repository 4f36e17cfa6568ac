"""Every rule is documented and shown; every row has a rule or a reason."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.chaos.bag import BAG_RULES
from arkham.rules.chaos.changes import CHANGE_RULES
from arkham.rules.chaos.testing import TEST_RULES
from arkham.rules.checking import read_request
from arkham.rules.finding import Rule
from arkham.rules.legality import Judge, check_deck, judge_of
from arkham.rules.library.links import KeepingRule, all_checks
from arkham.rules.rulings import RULINGS, Ruling
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import UPGRADE_RULES
from arkham.rules.upgrade.price_rules import PRICE_RULES, PriceRule, Way
from tests.house.rule_docs import (
    DECKS,
    PAGE,
    PROJECT,
    RULES,
    UPGRADES,
    examples,
    page,
)
from tests.rules.upgrades import FILES, upgrade_of

ROWS = PROJECT / "tests" / "rules" / "rows.txt"
COVERAGE = PROJECT / "docs" / "rules-coverage.md"
CHAPTERS = (
    "CARD|DECK|OPT|KW|CUST|WEAK|STAND|TABOO|ENV|ULT|XP|BAG|TEST|SETUP|TRA|ELIM|CAMP"
    "|LOG|VIC"
)
BOUGHT = "XP|KW|CUST"  # the chapters about purchases
ALL_RULES = (*RULES, *UPGRADE_RULES)
OF_THE_BAG: tuple[Rule[Any], ...] = (*BAG_RULES, *CHANGE_RULES, *TEST_RULES)
CITED = {
    row
    for check in all_checks().values()
    if not isinstance(check, KeepingRule)
    for row in check.rows
}


def marks() -> dict[str, str]:
    """The rows of these chapters, with their marks."""
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


def reasons() -> dict[str, str]:
    """The rows that no rule names, with the reason why."""
    text = COVERAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([A-Z]+-\w+) \| (.+) \|$", text, re.MULTILINE))


# -- the rules --


def test_the_page_is_up_to_date() -> None:
    """``python -m tests.house.rule_docs`` writes it anew."""
    write = "Run python -m tests.house.rule_docs, which writes docs/rules.md."
    assert PAGE.read_text(encoding="utf-8") == page(), write


def test_ids_are_unique_and_well_formed() -> None:
    ids = [*PRICE_RULES, *(rule.id for rule in ALL_RULES)]
    assert len(ids) == len(set(ids))
    for rule_id in ids:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*", rule_id)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.id)
def test_rule_is_cited_and_shown(rule: Rule[Any]) -> None:
    assert rule.sentence.endswith(".")
    assert rule.cites
    assert rule.rows
    shown = examples(rule.id)
    missing = f"The folder {rule.id} of the corpus needs "
    quiet = [name for name in shown if name.startswith("legal-")]
    assert quiet, missing + "a legal-….toml."
    speaking = "an illegal-…, incomplete-… or advice-….toml."
    assert len(shown) > len(quiet), missing + speaking


def test_every_folder_of_the_corpus_is_a_rule() -> None:
    folders = {path.name for path in DECKS.iterdir() if path.is_dir()}
    assert folders == {"legal", *(rule.id for rule in RULES)}
    folders = {path.name for path in UPGRADES.iterdir()}
    assert folders == {"bases", *PRICE_RULES, *(rule.id for rule in UPGRADE_RULES)}


@pytest.mark.parametrize("rule", PRICE_RULES.values(), ids=lambda rule: rule.id)
def test_price_is_cited_and_shown(rule: PriceRule) -> None:
    assert rule.sentence.endswith(".")
    assert rule.cites
    assert rule.rows
    shown = examples(rule.id)
    missing = f"The folder {rule.id} of the corpus needs "
    quiet = [name for name in shown if name.startswith("silent-")]
    assert quiet, missing + "a silent-….toml."
    assert len(shown) > len(quiet), missing + "a file that is not silent-…."


def test_every_line_of_an_invoice_has_a_documented_price() -> None:
    assert set(PRICE_RULES) == {way.value for way in Way if way is not Way.KEEP}


def test_the_rules_of_the_bag_are_documented() -> None:
    """Each under its id in docs/odds.md, in its own sentence, with its rows."""
    page = (PROJECT / "docs" / "odds.md").read_text(encoding="utf-8")
    told = re.findall(
        r"^\| `([a-z-]+\.[a-z-]+)` \| (.+) \| (.+) \|$", page, re.MULTILINE
    )
    assert told == [
        (rule.id, rule.sentence, ", ".join(rule.rows)) for rule in OF_THE_BAG
    ]


# -- the rows --


def test_every_row_that_can_be_checked_has_a_rule_or_a_reason() -> None:
    for row, mark in marks().items():
        if set(mark) & set("CA"):
            assert row in CITED or row in reasons(), row


def test_no_row_has_both_a_rule_and_an_excuse() -> None:
    assert not CITED & reasons().keys()
    assert reasons().keys() <= marks().keys()


def unpriced() -> set[str]:
    """The rows of purchases that no change of deck can show, by their list."""
    text = COVERAGE.read_text(encoding="utf-8")
    found = re.findall(r"^- ((?:[A-Z]+-\d+(?:, )?)+): .+$", text, re.MULTILINE)
    return {row for rows in found for row in rows.split(", ")}


def test_every_row_of_purchases_speaks_and_is_silent_in_the_corpus() -> None:
    shown = {row for path in FILES for row in upgrade_of(path).data.get("shows", ())}
    silent = {row for path in FILES for row in upgrade_of(path).data.get("silent", ())}
    for row, mark in marks().items():
        if re.match(rf"({BOUGHT})-", row) and set(mark) & set("CA"):
            assert (row in shown and row in silent) or row in unpriced(), row
    assert not unpriced() & shown
    assert unpriced() <= marks().keys()


def test_rows_cited_in_these_chapters_exist() -> None:
    here = {row for row in CITED if re.match(rf"({CHAPTERS})-", row)}
    assert here <= marks().keys()


def _mark(row: str, cells: list[str]) -> str:
    """The mark of a row as the catalogue prints it (see the head of rows.txt)."""
    text = " ".join(cells)
    printed = "".join(mark for mark in "CAP" if f"[{mark}]" in text)
    if printed:
        return printed
    if row.startswith("XP-"):
        return "A" if 39 <= int(row[3:]) <= 45 else "P"
    if row.startswith("TABOO-"):
        return "A" if row.startswith("TABOO-C") else "C"
    enforced = set("".join(re.findall(r"\*\*([A-Z /]+)\*\*", cells[-1]))) - set(" /")
    found = ("C" if "D" in enforced else "") + ("A" if enforced - {"D"} else "")
    return found or "P"


def test_rows_are_those_of_the_catalogue(shared_data: Path) -> None:
    text = (shared_data / "docs" / "rules.md").read_text(encoding="utf-8")
    table = re.findall(rf"^\| ((?:{CHAPTERS})-\w+) \|(.*)\|$", text, re.MULTILINE)
    found = {row: _mark(row, rest.split("|")) for row, rest in table}
    assert found == marks()
    every = set(re.findall(r"^\| ([A-Z]+-\w+) \|", text, re.MULTILINE))
    assert every >= CITED
    assert every >= {row for ruling in RULINGS.values() for row in ruling.rows}


# -- the rulings --


@pytest.fixture(scope="module")
def judge() -> Judge:
    return judge_of(embedded_pool())


def _invoice(path: Path, rulings: dict[str, str]) -> object:
    upgraded = upgrade_of(path)
    table = replace(upgraded.circumstances, rulings=tuple(sorted(rulings.items())))
    invoice = replace(upgraded, circumstances=table).invoice()
    return invoice.lines, invoice.findings


@cache
def ruled_decks() -> tuple[dict[str, Any], ...]:
    """The decks of the corpus for which some reading is chosen."""
    decks = (
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted(DECKS.glob("*/*.toml"))
    )
    return tuple(data for data in decks if "rulings" in data.get("circumstances", {}))


def _outcome(judge: Judge, data: dict[str, Any], rulings: dict[str, str]) -> object:
    told = {**data["circumstances"], "rulings": rulings}
    asked = read_request({"deck": data["deck"], "circumstances": told})
    verdict = check_deck(asked.deck, judge.pool, asked.circumstances)
    return verdict.findings, verdict.experience_required


# Those of chance have tests of their own, in tests/rules/draws.
OF_DECKS = [ruling for ruling in RULINGS.values() if not ruling.of_chance]


@pytest.mark.parametrize("ruling", OF_DECKS, ids=lambda ruling: ruling.id)
def test_every_reading_decides_something(ruling: Ruling, judge: Judge) -> None:
    """For each reading but the default something in the corpus is judged otherwise."""
    readings = {value for value, _ in ruling.readings[1:]}
    for data in ruled_decks():
        chosen = data["circumstances"]["rulings"]
        usual = {**chosen, ruling.id: ruling.default}
        if chosen.get(ruling.id) in readings and (
            _outcome(judge, data, chosen) != _outcome(judge, data, usual)
        ):
            readings.discard(chosen[ruling.id])
    for path in FILES:
        chosen = dict(upgrade_of(path).circumstances.rulings)
        usual = {**chosen, ruling.id: ruling.default}
        if chosen.get(ruling.id) in readings and (
            _invoice(path, chosen) != _invoice(path, usual)
        ):
            readings.discard(chosen[ruling.id])
    assert not readings
