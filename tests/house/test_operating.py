"""Every setting that varies is documented, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SETTINGS = "".join(
    (PROJECT / "arkham" / name).read_text()
    for name in ("settings.py", "api_settings.py", "data_folder.py")
)
DOCUMENT = (PROJECT / "docs/operating.md").read_text()


def test_every_variable_is_in_the_table() -> None:
    """And every row of the table is a variable."""
    calls = r'(?:env\.\w+|rate)\(\s*"([A-Z_]+)"|os\.environ\.get\("(ORNE_[A-Z]+)"\)'
    read = {one or other for one, other in re.findall(calls, SETTINGS)}

    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", DOCUMENT, re.MULTILINE))

    assert "DATABASE_URL" in read
    assert documented == read


def test_every_check_of_settings_is_named_where_it_bites() -> None:
    """The two that a keeper of a server meets."""
    assert "arkham.E003" in DOCUMENT
    assert "arkham.W001" in DOCUMENT
