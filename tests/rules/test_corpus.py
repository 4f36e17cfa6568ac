"""Each deck of the corpus gets exactly the verdict that its file expects."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.checking import read_request
from arkham.rules.finding import worst_first
from arkham.rules.legality import DECK_RULES, Judge, check
from arkham.rules.legality.identity import investigator_known
from tests.rules.expected import assert_exactly

DECKS = Path(__file__).parent / "corpus" / "decks"
FILES = sorted(DECKS.glob("*/*.toml"))
KEYS = {
    "title", "source", "status", "deck_size", "experience_required",
    "deck", "circumstances", "assignment", "findings",
}  # fmt: skip
ORDER = [investigator_known.id, *(rule.id for rule in DECK_RULES)]


def _name(path: Path) -> str:
    return str(path.relative_to(DECKS).with_suffix(""))


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_deck_gets_the_verdict_in_its_file(path: Path, judge: Judge) -> None:
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) <= KEYS
    assert data["title"]
    assert data["source"]
    asked = read_request(
        {"deck": data["deck"], "circumstances": data.get("circumstances", {})}
    )

    verdict = check(judge, asked.deck, asked.circumstances)

    assert_exactly(data.get("findings", []), verdict.findings)
    assert verdict.status == data["status"]
    by_rule = sorted(verdict.findings, key=lambda each: ORDER.index(each.rule))
    assert [*verdict.findings] == [*worst_first(by_rule)]
    if "deck_size" in data:
        assert verdict.deck_size == data["deck_size"]
    if "experience_required" in data:
        assert verdict.experience_required == data["experience_required"]
    for code, shares in data.get("assignment", {}).items():
        found = [
            {"option": share.option, "copies": share.copies}
            for share in verdict.assignment[code]
        ]
        assert found == shares


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_shows_what_its_name_says(path: Path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    severities = {
        entry["severity"]
        for entry in data.get("findings", [])
        if path.parent.name == entry["rule"]
    }
    if path.parent.name == "legal":
        assert data["status"] == "legal"
        assert "findings" not in data
    elif path.name.startswith("legal-"):
        assert not severities
        assert data["status"] == "legal"
    else:
        kind = path.name.partition("-")[0]
        assert kind in {"illegal", "incomplete", "advice"}
        assert severities or data["status"] == kind
        assert data["status"] == ("legal" if kind == "advice" else kind)
