"""The records of a source, card by card, before they are read as rules.

ArkhamDB's clients know the fields of its data, so those are kept beside the facts the
rules use, as they came: uncorrected, in the layout of json-data. The ones that come
with us hold facts only; texts are there where the keeper of a server imported them.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cardpool.reading.layouts import is_number, read_taboo_entries

Values = dict[str, Any]

FORMAT = "orne-records 1"
EMBEDDED = Path(__file__).resolve().parent.parent / "records"

# What a card has beside its texts: names, numbers, codes, traits, structure.
FACTS = frozenset(
    [
        "pack_code",
        "type_code",
        "subtype_code",
        "faction_code",
        "faction2_code",
        "faction3_code",
        "encounter_code",
        "back_link",
        "duplicate_of",
        "alternate_of",
        "position",
        "exceptional",
        "myriad",
        "encounter_position",
        "code",
        "name",
        "subname",
        "bonded_to",
        "bonded_count",
        "cost",
        "customization_options",
        "quantity",
        "skill_willpower",
        "skill_intellect",
        "skill_combat",
        "skill_agility",
        "skill_wild",
        "xp",
        "shroud",
        "clues",
        "clues_fixed",
        "doom",
        "health",
        "health_per_investigator",
        "sanity",
        "enemy_damage",
        "enemy_horror",
        "enemy_fight",
        "enemy_evade",
        "victory",
        "vengeance",
        "deck_limit",
        "slot",
        "stage",
        "traits",
        "tags",
        "deck_requirements",
        "deck_options",
        "restrictions",
        "side_deck_requirements",
        "side_deck_options",
        "illustrator",
        "is_unique",
        "exile",
        "hidden",
        "permanent",
        "double_sided",
        "back_name",
        "octgn_id",
        "errata_date",
    ]
)
PACK_FACTS = frozenset(
    ["code", "name", "cycle_code", "position", "date_release", "size", "id"]
)
TABOO_FACTS = frozenset(
    ["code", "name", "active", "date_start", "date_update", "cards"]
)
# What an entry of a taboo list may change, beside texts.
CHANGES = frozenset(
    [
        "code",
        "xp",
        "exceptional",
        "deck_limit",
        "deck_options",
        "deck_requirements",
        "customization_options",
    ]
)
# Sentences inside of what is structure otherwise.
SENTENCES = frozenset({"error", "real_text"})


class UnreadableRecords(ValueError):
    """A file of records that is none, or is damaged."""


@dataclass(frozen=True, slots=True)
class Records:
    """Cards by code; products and taboo lists in the order they came."""

    cards: Mapping[str, Values] = field(default_factory=dict)
    packs: tuple[Values, ...] = ()
    taboos: tuple[Values, ...] = ()


def collect(
    cards: Mapping[str, Values], packs: Iterable[Any], taboos: Iterable[Any]
) -> Records:
    """The records of a source, those that the API can send, unchanged."""
    return Records(
        {code: dict(values) for code, values in sorted(cards.items())},
        tuple(each for each in packs if _has_code(each)),
        tuple(each for each in taboos if _is_numbered(each)),
    )


def _has_code(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("code"), str)


def _is_numbered(value: Any) -> bool:
    return _has_code(value) and is_number(value["code"])


def facts_only(records: Records) -> Records:
    """The same without any text: what may be given to everybody."""
    return Records(
        {code: _kept(each, FACTS) for code, each in records.cards.items()},
        tuple(_kept(each, PACK_FACTS) for each in records.packs),
        tuple(_taboo_facts(each) for each in records.taboos),
    )


def _kept(values: Values, names: frozenset[str]) -> Values:
    return {
        name: _without_sentences(value)
        for name, value in values.items()
        if name in names and value is not None
    }


def _taboo_facts(values: Values) -> Values:
    entries = read_taboo_entries(values.get("cards")) or []
    changes = [_kept(entry, CHANGES) for entry in entries]
    return _kept(values, TABOO_FACTS) | {"cards": changes}


def _without_sentences(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _without_sentences(each)
            for name, each in value.items()
            if name not in SENTENCES
        }
    if isinstance(value, list):
        return [_without_sentences(each) for each in value]
    return value


# -- the file that comes with us --


def write_records(records: Records, version: str) -> bytes:
    """The facts of the records as a file, beside the snapshot of this version."""
    facts = facts_only(records)
    content = {
        "cards": [facts.cards[code] for code in sorted(facts.cards)],
        "packs": facts.packs,
        "taboos": facts.taboos,
    }
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    return f"{FORMAT} {version}\n".encode() + packed


def read_records(data: bytes) -> tuple[Records, str]:
    """The records in a file, and the version of the pool they belong to."""
    header, _, body = data.partition(b"\n")
    kind, _, version = header.decode(errors="replace").rpartition(" ")
    if kind != FORMAT:
        raise UnreadableRecords(f"found {kind[:40]!r}, expected {FORMAT!r}")
    try:
        content = json.loads(lzma.decompress(body))
        cards = {each["code"]: each for each in content["cards"]}
        packs, taboos = tuple(content["packs"]), tuple(content["taboos"])
    except (lzma.LZMAError, TypeError, ValueError, KeyError) as error:
        raise UnreadableRecords(f"the records are damaged: {error}") from error
    return Records(cards, packs, taboos), version


@cache
def embedded_records() -> Records:
    """The records that come with us, of the same pool as the embedded snapshot."""
    return read_records(EMBEDDED.read_bytes())[0]
