"""Every rule is documented and shown; every row has a rule or a reason."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.checking import read_request
from arkham.rules.finding import Rule
from arkham.rules.legality import Judge, check_deck, judge_of
from arkham.rules.rulings import RULINGS, Ruling
from arkham.rules.snapshot import embedded_pool
from tests.house.rule_docs import DECKS, PAGE, PROJECT, RULES, examples, page

ROWS = PROJECT / "tests" / "rules" / "rows.txt"
COVERAGE = PROJECT / "docs" / "rules-coverage.md"
CHAPTERS = "CARD|DECK|OPT|KW|CUST|WEAK|STAND|TABOO|ENV|ULT"
CITED = {row for rule in RULES for row in rule.rows}


def marks() -> dict[str, str]:
    """The rows of the chapters about decks, with their marks."""
    lines = ROWS.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


def reasons() -> dict[str, str]:
    """The rows that no rule names, with the reason why."""
    text = COVERAGE.read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([A-Z]+-\w+) \| (.+) \|$", text, re.MULTILINE))


# -- the rules --


def test_the_page_is_up_to_date() -> None:
    """``python -m tests.house.rule_docs`` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_ids_are_unique_and_well_formed() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    for rule_id in ids:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*", rule_id)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_is_cited_and_shown(rule: Rule[Any]) -> None:
    assert rule.sentence.endswith(".")
    assert rule.cites
    assert rule.rows
    shown = examples(rule.id)
    assert [name for name in shown if name.startswith("legal-")]
    assert [name for name in shown if not name.startswith("legal-")]


def test_every_folder_of_the_corpus_is_a_rule() -> None:
    folders = {path.name for path in DECKS.iterdir() if path.is_dir()}
    assert folders == {"legal", *(rule.id for rule in RULES)}


# -- the rows --


def test_every_row_that_can_be_checked_has_a_rule_or_a_reason() -> None:
    for row, mark in marks().items():
        if set(mark) & set("CA"):
            assert row in CITED or row in reasons(), row


def test_no_row_has_both_a_rule_and_an_excuse() -> None:
    assert not CITED & reasons().keys()
    assert reasons().keys() <= marks().keys()


def test_rows_cited_in_these_chapters_exist() -> None:
    here = {row for row in CITED if re.match(rf"({CHAPTERS})-", row)}
    assert here <= marks().keys()


def _mark(row: str, cells: list[str]) -> str:
    """The mark of a row as the catalogue prints it (see the head of rows.txt)."""
    text = " ".join(cells)
    printed = "".join(mark for mark in "CAP" if f"[{mark}]" in text)
    if printed:
        return printed
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
    """For each reading but the default a deck of the corpus is judged otherwise."""
    readings = {value for value, _ in ruling.readings[1:]}
    for data in ruled_decks():
        chosen = data["circumstances"]["rulings"]
        usual = {**chosen, ruling.id: ruling.default}
        if chosen.get(ruling.id) in readings and (
            _outcome(judge, data, chosen) != _outcome(judge, data, usual)
        ):
            readings.discard(chosen[ruling.id])
    assert not readings
