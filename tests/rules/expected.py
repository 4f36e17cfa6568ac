"""The findings that a file of the corpus expects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arkham.rules.finding import Finding, english


@dataclass(frozen=True)
class Expected:
    """An expected finding; a value of None is not compared."""

    rule: str
    severity: str
    cards: tuple[str, ...]
    actual: int | str | None = None
    expected: int | str | None = None

    @classmethod
    def of(cls, entry: dict[str, Any]) -> Expected:
        """Read an expected finding from an entry of a file."""
        return cls(**{**entry, "cards": tuple(entry["cards"])})

    def is_met_by(self, found: Finding) -> bool:
        """Return whether a finding is the expected one, numbers included."""
        return (
            self.rule == found.rule
            and self.severity == found.severity.word
            and sorted(self.cards) == sorted(found.cards)
            and _agrees(self.actual, english(found.actual))
            and _agrees(self.expected, english(found.expected))
        )


def _agrees(wanted: int | str | None, found: int | str | None) -> bool:
    if wanted is None:
        return not isinstance(found, int)
    return wanted == found


def shown(finding: Finding) -> str:
    """Return a finding on one line, for the message of a failed test."""
    return (
        f"{finding.rule} {finding.severity.word} {sorted(finding.cards)} "
        f"{english(finding.actual)!r}/{english(finding.expected)!r}: {finding.text}"
    )


def assert_exactly(wanted: list[dict[str, Any]], found: tuple[Finding, ...]) -> None:
    """Assert that the findings are the expected ones, each once, and no others."""
    left = list(found)
    missing = []
    for entry in wanted:
        each = Expected.of(entry)
        met = next((finding for finding in left if each.is_met_by(finding)), None)
        if met is None:
            missing.append(each)
        else:
            left.remove(met)
    assert not missing, [shown(each) for each in found]
    assert not left, [shown(each) for each in left]
