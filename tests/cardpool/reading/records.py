"""Records of small sources, and pools read from them."""

from __future__ import annotations

from typing import Any

from cardpool.reading import (
    DataCorrections,
    ParsedSource,
    SourceReading,
    read_source,
)

NONE = DataCorrections()
PRODUCTS = tuple(
    {"code": code, "name": code, "cycle_code": code} for code in ("core", "rcore")
)


def record(code: str = "01500", **changes: Any) -> dict[str, Any]:
    """Return a plain asset with changes; None leaves a field out."""
    plain: dict[str, Any] = {
        "code": code,
        "name": "Lantern",
        "type_code": "asset",
        "faction_code": "seeker",
        "pack_code": "core",
        "position": 1,
        "quantity": 2,
        "deck_limit": 2,
        "xp": 0,
        "cost": 2,
        "traits": "Item. Tool.",
        **changes,
    }
    return {name: value for name, value in plain.items() if value is not None}


def read(*records: Any, **parts: Any) -> SourceReading:
    """Read a source of one file, without corrections."""
    files = tuple(("a.json", each) for each in records)
    source = ParsedSource(files, **{"packs": PRODUCTS, **parts})
    return read_source(source, NONE)


def investigator(**changes: Any) -> dict[str, Any]:
    """Return an investigator card with a plain back and one signature."""
    return record(
        "01400",
        **{
            "type_code": "investigator",
            "xp": None,
            "deck_limit": 1,
            "deck_requirements": "size:30, card:01401, random:subtype:basicweakness",
            "deck_options": [{"faction": ["seeker"], "level": {"min": 0, "max": 5}}],
            "back_text": "<b>Deckbuilding Options</b>: Seeker cards.",
            **changes,
        },
    )


SIGNATURE = record("01401", xp=None, restrictions="investigator:01400", deck_limit=1)
