"""Every ruling a table may choose is documented with its readings and rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from arkham.rules.rulings import RULINGS, Ruling

DOCS = Path(__file__).parents[2] / "docs" / "rulings.md"


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=lambda ruling: ruling.id)
def test_ruling_is_documented(ruling: Ruling) -> None:
    text = DOCS.read_text(encoding="utf-8")
    heading = f"### `{ruling.id}`\n"
    assert heading in text
    section = text.split(heading)[1].split("\n### ")[0].split("\n## ")[0]
    assert ruling.question in section
    assert f"- `{ruling.default}` (default): " in section
    for value, meaning in ruling.readings:
        assert f"`{value}`" in section
        assert meaning in section
    for row in ruling.rows:
        assert row in section


@pytest.mark.parametrize("ruling", RULINGS.values(), ids=lambda ruling: ruling.id)
def test_ruling_offers_at_least_two_readings(ruling: Ruling) -> None:
    values = [value for value, _ in ruling.readings]
    assert len(values) == len(set(values)) >= 2
    assert ruling.rows
