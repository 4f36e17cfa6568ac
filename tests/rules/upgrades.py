"""Reading the files of the corpus of upgrades.

A file names a base deck and states how the deck before differs from it, and how the
deck after differs from the one before (see ``corpus/README.md``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.upgrade import Invoice, Window, price
from arkham.rules.upgrade.window import read_window
from tests.rules.strategies import cards

CORPUS = Path(__file__).parent / "corpus"
UPGRADES = CORPUS / "upgrades"
BASES = UPGRADES / "bases"
FILES = sorted(path for path in UPGRADES.glob("*/*.toml") if path.parent != BASES)
_COUNTED = ("slots", "ignoreDeckLimitSlots")


@dataclass(frozen=True)
class Upgraded:
    """Two decks, the window between them, and the content of the file."""

    before: DeckList
    after: DeckList
    window: Window
    circumstances: Circumstances
    data: Mapping[str, Any]

    def invoice(self) -> Invoice:
        """Price the change."""
        return price(self.before, self.after, cards(), self.window, self.circumstances)


def name_of(path: Path) -> str:
    """Return a file's folder and name, without its ending."""
    return str(path.relative_to(UPGRADES).with_suffix(""))


@cache
def read_base(name: str) -> Mapping[str, Any]:
    """Return a deck of the corpus by its path without the ending."""
    text = (CORPUS / f"{name}.toml").read_text(encoding="utf-8")
    deck: Mapping[str, Any] = tomllib.loads(text)["deck"]
    return deck


@cache
def upgrade_of(path: Path) -> Upgraded:
    """Read the upgrade from a file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    before, after = _decks_of(data)
    terms = read_circumstances(data.get("circumstances", {}))
    return Upgraded(
        read_deck(before),
        read_deck(after),
        read_window(data.get("window", {}), terms=terms),
        terms,
        data,
    )


def request_of(path: Path) -> dict[str, Any]:
    """Return the upgrade of a file as a request for its price."""
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    before, after = _decks_of(data)
    asked: dict[str, Any] = {"id": name_of(path), "prev": before, "next": after}
    return asked | {k: data[k] for k in ("window", "circumstances") if k in data}


def _decks_of(data: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the deck before and the deck after."""
    before = _differing(read_base(data["base"]), data.get("before", {}))
    return before, _differing(before, data.get("after", {}))


def _differing(deck: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    """Return a deck with its copies, values and choices changed."""
    made = {**deck, **{key: by[key] for key in by if key not in (*_COUNTED, "meta")}}
    for part in _COUNTED:
        copies = dict(deck.get(part) or {})
        for code, more in by.get(part, {}).items():
            copies[code] = copies.get(code, 0) + more
            assert copies[code] >= 0, code
        made[part] = {code: n for code, n in copies.items() if n}
    meta = {**deck.get("meta", {}), **by.get("meta", {})}
    made["meta"] = {key: value for key, value in meta.items() if value}
    return made
