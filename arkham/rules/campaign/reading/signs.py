"""Names with a sign in them, in letters alone."""

from __future__ import annotations

import re

_SIGN = re.compile(r"\[(?:[a-z]+_)?(?P<rune>rune_)?(?P<word>[a-z]+)\]")


def spoken(name: str) -> str:
    """A name as it is said: “Sky Relic [tdc_rune_f]” → “Sky Relic (rune F)”."""
    return _SIGN.sub(_said, name) if "[" in name else name


def _said(sign: re.Match[str]) -> str:
    if sign["rune"]:
        return f"(rune {sign['word'].upper()})"
    return f"({sign['word']})"
