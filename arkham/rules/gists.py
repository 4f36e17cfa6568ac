"""Opens the gists: what a card or a chaos symbol does, in a line of our own words.

``data/gists.json`` has one line a card, by its code; ``data/symbol_gists.json`` has the
symbols of each scenario's reference card, by its side. Signs stand in brackets as
ArkhamDB writes them (``[action]``, ``[willpower]``). A gist is no card text and decides
nothing: rules read the facts of a card.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

GISTS = Path(__file__).resolve().parent / "data" / "gists.json"
SYMBOL_GISTS = GISTS.with_name("symbol_gists.json")
LONGEST = 140  # letters of a line


class Gist(NamedTuple):
    """What a card does.

    ``elder_sign`` is what an investigator's elder sign does; ``lines`` what each line
    of an upgrade sheet does, in order.
    """

    text: str
    elder_sign: str = ""
    lines: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it, for searching."""
        return " ".join((self.text, self.elder_sign, *self.lines)).strip()


NO_GIST = Gist("")


def gist_of(code: str) -> Gist:
    """The gist of the card with this code; an empty one where there is none."""
    return all_gists().get(code, NO_GIST)


@cache
def all_gists() -> dict[str, Gist]:
    """Every gist there is, by code of the card."""
    written = json.loads(GISTS.read_text(encoding="utf-8"))
    return {
        code: Gist(
            each["gist"], each.get("elder_sign", ""), tuple(each.get("lines", ()))
        )
        for code, each in written.items()
    }


@cache
def symbol_gists() -> dict[str, dict[str, dict[str, str]]]:
    """What symbols do: by reference card, side (``standard``, ``hard``) and symbol."""
    written: dict[str, dict[str, dict[str, str]]] = json.loads(
        SYMBOL_GISTS.read_text(encoding="utf-8")
    )
    return written
