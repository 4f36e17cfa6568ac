"""The decks of the corpus get exactly the verdicts their files ask for."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.checking import read_request
from arkham.rules.finding import Finding
from arkham.rules.legality import DECK_RULES, Judge, check
from arkham.rules.legality.identity import investigator_known

DECKS = Path(__file__).parent / "corpus" / "decks"
FILES = sorted(DECKS.glob("*/*.toml"))
KEYS = {
    "title", "source", "status", "deck_size", "experience_required",
    "deck", "circumstances", "assignment", "findings",
}  # fmt: skip
ORDER = [investigator_known.id, *(rule.id for rule in DECK_RULES)]


@dataclass(frozen=True)
class Expected:
    """One finding a file asks for; None is a word the file leaves open."""

    rule: str
    severity: str
    cards: tuple[str, ...]
    actual: int | str | None = None
    expected: int | str | None = None

    def is_met_by(self, found: Finding) -> bool:
        """Whether a finding is this one, numbers and all."""
        return (
            self.rule == found.rule
            and self.severity == found.severity.word
            and sorted(self.cards) == sorted(found.cards)
            and _agrees(self.actual, found.actual)
            and _agrees(self.expected, found.expected)
        )


def _agrees(wanted: int | str | None, found: int | str | None) -> bool:
    if wanted is None:
        return not isinstance(found, int)
    return wanted == found


def _name(path: Path) -> str:
    return str(path.relative_to(DECKS).with_suffix(""))


def _shown(finding: Finding) -> str:
    return (
        f"{finding.rule} {finding.severity.word} {sorted(finding.cards)} "
        f"{finding.actual!r}/{finding.expected!r}: {finding.text}"
    )


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_deck(path: Path, judge: Judge) -> None:
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(data) <= KEYS
    assert data["title"]
    assert data["source"]
    asked = read_request(
        {"deck": data["deck"], "circumstances": data.get("circumstances", {})}
    )

    verdict = check(judge, asked.deck, asked.circumstances)

    left = list(verdict.findings)
    missing = []
    for entry in data.get("findings", []):
        wanted = Expected(**{**entry, "cards": tuple(entry["cards"])})
        met = next((each for each in left if wanted.is_met_by(each)), None)
        if met is None:
            missing.append(wanted)
        else:
            left.remove(met)
    assert not missing, [_shown(each) for each in verdict.findings]
    assert not left, [_shown(each) for each in left]
    assert verdict.status == data["status"]
    places = [ORDER.index(each.rule) for each in verdict.findings]
    assert places == sorted(places)
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
def test_file_shows_what_its_name_says(path: Path) -> None:
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
