"""Text is readable on everything it stands on, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STYLES = Path(__file__).resolve().parents[2] / "arkham/static/arkham"
TOKENS = (STYLES / "tokens.css").read_text()
COLOUR = re.compile(
    r"--([\w-]+):\s*light-dark\(\s*(#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\s*\);"
)

INKS = [
    "ink", "muted", "accent", "accent-strong", "guardian", "seeker", "rogue", "mystic",
    "survivor", "neutral", "legal", "incomplete", "illegal", "advice", "lamp",
]  # fmt: skip


def colours(scheme: str) -> dict[str, str]:
    """Name → #rrggbb."""
    return {
        name: dark if scheme == "dark" else light
        for name, light, dark in COLOUR.findall(TOKENS)
    }


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_has_a_colour_by_name() -> None:
    """Only ``tokens.css`` says what a colour is, in light and in dark."""
    found = [
        f"{path.name}: {value}"
        for path in sorted(STYLES.glob("*.css"))
        for value in re.findall(r"(?<![\w-])color:\s*([^;}]+)", path.read_text())
        if value.strip() != "inherit" and not value.startswith("var(--")
    ]
    assert found == [], "use a name of tokens.css: color: var(--muted)"


def test_the_ratio_is_measured_right() -> None:
    """Black on white is 21; this grey on white is the well-known 4.54."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["paper", "sheet", "well", "accent-soft"])
@pytest.mark.parametrize("ink", INKS)
def test_text_is_readable(scheme: str, ground: str, ink: str) -> None:
    """AA: 4.5 to 1."""
    named = colours(scheme)

    assert contrast(named[ink], named[ground]) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_not_text_can_be_seen(scheme: str) -> None:
    """The edges of controls reach 3 to 1, the words on buttons 4.5."""
    named = colours(scheme)

    assert contrast(named["edge"], named["sheet"]) >= 3
    assert contrast(named["edge"], named["paper"]) >= 3
    assert contrast(named["on-accent"], named["accent"]) >= 4.5
    assert contrast(named["on-accent"], named["accent-strong"]) >= 4.5
    assert contrast(named["on-act"], named["act"]) >= 4.5
    assert contrast(named["on-act"], named["act-strong"]) >= 4.5
