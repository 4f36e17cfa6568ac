"""Each upgrade of the corpus costs exactly what its file says, line by line."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.legality import Judge, check
from arkham.rules.modifiers import DECK_MODIFIERS, TRANSFORMATIONS
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.upgrade import UPGRADE_RULES, InvoiceLine
from arkham.rules.upgrade.price_rules import (
    DEVOURERS,
    KEPT_LOWER,
    PRICE_MODIFIERS,
    RAVEN_QUILL,
    TABLE_REDUCTIONS,
)
from tests.rules.expected import assert_exactly
from tests.rules.upgrades import BASES, FILES, name_of, read_base, upgrade_of

KEYS = {
    "title", "source", "shows", "silent", "base", "before", "after", "window",
    "circumstances", "price", "lines", "findings", "after_status",
}  # fmt: skip
ANY = "any"  # several ways cost the same; the file lists none
ORDER = [rule.id for rule in UPGRADE_RULES]


def _told(line: InvoiceLine, entry: dict[str, Any]) -> tuple[object, ...]:
    """Return the values of a line that the file states."""
    return (
        line.rule,
        line.code,
        line.paid,
        line.upgraded_from,
        line.boxes,
        line.side,
        tuple(sorted(line.reductions)),
        line.replaces if "replaces" in entry else "",
        line.gross if "gross" in entry else 0,
    )


def _asked(entry: dict[str, Any]) -> tuple[object, ...]:
    return (
        entry["rule"],
        entry["card"],
        entry["paid"],
        entry.get("upgraded_from", ""),
        entry.get("boxes", 0),
        entry.get("side_deck", False),
        tuple(sorted(entry.get("reductions", {}).items())),
        entry.get("replaces", ""),
        entry.get("gross", 0),
    )


def _assert_lines(wanted: list[dict[str, Any]], found: tuple[InvoiceLine, ...]) -> None:
    left = list(found)
    for entry in wanted:
        for _ in range(entry.get("copies", 1)):
            met = next((x for x in left if _told(x, entry) == _asked(entry)), None)
            assert met is not None, (entry, left)
            left.remove(met)
    assert not left


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_an_upgrade_has_the_price_and_findings_in_its_file(path: Path) -> None:
    upgraded = upgrade_of(path)
    data = upgraded.data
    assert data.keys() <= KEYS
    assert data["title"]
    assert data["source"]

    invoice = upgraded.invoice()

    assert invoice.total == data["price"], invoice.lines
    wanted = data.get("lines", [])
    if wanted != ANY:
        _assert_lines(wanted, invoice.lines)
    assert_exactly(data.get("findings", []), invoice.findings)
    places = [ORDER.index(each.rule) for each in invoice.findings]
    assert places == sorted(places)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_the_new_deck_is_legal_unless_the_file_says_otherwise(
    path: Path, judge: Judge
) -> None:
    upgraded = upgrade_of(path)
    verdict = check(judge, upgraded.after, upgraded.circumstances)
    wanted = upgraded.data.get("after_status", "legal")
    assert verdict.status == wanted, [each.text for each in verdict.findings]


@pytest.mark.parametrize("path", sorted(BASES.glob("*.toml")), ids=lambda p: p.stem)
def test_a_base_is_legal(path: Path, judge: Judge) -> None:
    verdict = check(judge, read_deck(read_base(f"upgrades/bases/{path.stem}")))
    assert verdict.status == "legal"
    assert not verdict.findings


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_shows_what_its_name_says(path: Path) -> None:
    """Folders are rules; in ``silent-…`` and ``legal-…`` the rule finds nothing."""
    data = upgrade_of(path).data
    rule, kind = path.parent.name, path.name.partition("-")[0]
    severities = {
        each["severity"] for each in data.get("findings", []) if each["rule"] == rule
    }
    if rule.startswith("upgrade."):
        assert kind in {"illegal", "incomplete", "advice", "legal"}
        assert severities == (set() if kind == "legal" else {kind})
        return
    lines = data.get("lines", [])
    found = {each["severity"] for each in data.get("findings", [])}
    assert found <= {"advice"} or rule == "price.boxes"
    if lines != ANY:
        assert (rule in {line["rule"] for line in lines}) is (kind != "silent")


def test_no_two_files_are_equal() -> None:
    told = Counter(
        repr({k: v for k, v in tomllib.loads(path.read_text()).items() if k != "title"})
        for path in FILES
    )
    assert max(told.values()) == 1


def _cards_of_tables() -> set[str]:
    """The cards with a row in a table of prices, deck size or purchases."""
    return {
        *PRICE_MODIFIERS,
        *(row.code for row in TABLE_REDUCTIONS),
        *KEPT_LOWER,
        RAVEN_QUILL.code,
        *DEVOURERS,
        *(code for code, row in TRANSFORMATIONS.items() if row.fixed),
        *(
            code
            for code, row in DECK_MODIFIERS.items()
            if row.size or row.forbids or row.branded or row.experience
        ),
    }


@pytest.mark.parametrize("code", sorted(_cards_of_tables()))
def test_every_row_of_a_table_has_examples_with_and_without_effect(code: str) -> None:
    shown = [path for path in FILES if code in upgrade_of(path).data.get("shows", ())]
    quiet = [path for path in FILES if code in upgrade_of(path).data.get("silent", ())]
    assert shown, f"No upgrade of the corpus names {code} under shows."
    assert quiet, f"No upgrade of the corpus names {code} under silent."
