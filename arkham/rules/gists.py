"""Reads gists: short descriptions, in our own words, of cards and chaos symbols.

``data/gists.json`` has one line per card, by code; ``data/symbol_gists.json`` has the
symbols of each scenario's reference card, by side. Symbols are written in brackets, as
on ArkhamDB (``[action]``, ``[willpower]``). A gist is not the card's text and decides
nothing: rules use the facts of a card.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

GISTS = Path(__file__).resolve().parent / "data" / "gists.json"
SYMBOL_GISTS = GISTS.with_name("symbol_gists.json")
LONGEST = 140  # characters per line


class Gist(NamedTuple):
    """A card's effect in a line.

    ``elder_sign`` describes an investigator's elder sign ability; ``lines`` the lines
    of an upgrade sheet, in order.
    """

    text: str
    elder_sign: str = ""
    lines: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The whole gist as one text, for searching."""
        return " ".join((self.text, self.elder_sign, *self.lines)).strip()


NO_GIST = Gist("")


def gist_of(code: str) -> Gist:
    """The gist of the card with this code, or an empty one."""
    return all_gists().get(code, NO_GIST)


@cache
def all_gists() -> dict[str, Gist]:
    """Every gist, by card code."""
    written = json.loads(GISTS.read_text(encoding="utf-8"))
    return {
        code: Gist(
            each["gist"], each.get("elder_sign", ""), tuple(each.get("lines", ()))
        )
        for code, each in written.items()
    }


@cache
def symbol_gists() -> dict[str, dict[str, dict[str, str]]]:
    """Symbol effects by reference card, side (``standard``, ``hard``) and symbol."""
    written: dict[str, dict[str, dict[str, str]]] = json.loads(
        SYMBOL_GISTS.read_text(encoding="utf-8")
    )
    return written
