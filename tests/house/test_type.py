"""The letters of the pages are small files that come with their licences."""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).resolve().parents[2] / "arkham/static/arkham"
TOKENS = (STATIC / "tokens.css").read_text()
MOST = 48 * 1024


def test_fonts_are_small() -> None:
    """All of them together, though no page in English needs all."""
    sizes = [each.stat().st_size for each in (STATIC / "fonts").glob("*.woff2")]

    assert len(sizes) == 4
    assert sum(sizes) <= MOST


def test_every_font_is_declared_and_shown_late_rather_than_never() -> None:
    """Each file is named once, and words are shown before it is there."""
    faces = re.findall(r"@font-face \{(.*?)\}", TOKENS, re.DOTALL)
    loaded = [each for each in faces if "url(" in each]
    named = {name for each in loaded for name in re.findall(r'url\("([^"]+)"\)', each)}

    assert named == {
        f"fonts/{each.name}" for each in (STATIC / "fonts").glob("*.woff2")
    }
    assert all("font-display: swap" in each for each in loaded)


def test_licences_lie_beside_the_fonts() -> None:
    """One for each family."""
    licences = sorted((STATIC / "fonts").glob("OFL-*.txt"))

    assert len(licences) == 2
    assert all("SIL OPEN FONT LICENSE" in each.read_text() for each in licences)
