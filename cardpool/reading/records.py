"""The records of a source, card by card, before they are read as rules.

ArkhamDB publishes cards as files (json-data: stubs for reprints, requirements as text)
and by its API (reprints copied out, requirements parsed, translated fields next to
``real_`` ones). Both are converted to the layout of the files. ArkhamDB’s clients know
the fields of its data, so those are stored in addition to the facts for the rules:
uncorrected, in the layout of json-data. The embedded records have facts only; texts are
included if the operator of a server imported them.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from arkham.rules.vocabulary import is_digits

_API_NAMES = {
    "duplicate_of_code": "duplicate_of",
    "alternate_of_code": "alternate_of",
    "linked_to_code": "back_link",
}
_REAL = "real_"
_EMPTY_FOR_NONE = ("real_text", "real_slot")
BASIC_WEAKNESS = "basicweakness"
MOST_DIGITS = 9  # of a number written as text


def as_in_files(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of either layout in that of the files; English fields win.

    The API has "" if a card has no English text or slot; the files omit the field.
    """
    plain = {
        _API_NAMES.get(name, name): value
        for name, value in values.items()
        if value is not None and not name.startswith(_REAL)
    }
    for name, value in values.items():
        if value == "" and name in _EMPTY_FOR_NONE:
            continue
        if name.startswith(_REAL) and value is not None:
            plain[name.removeprefix(_REAL)] = value
    return plain


@dataclass(frozen=True, slots=True)
class Demands:
    """``deck_requirements``: size, cards (with alternatives), weaknesses.

    ``copies`` is ours: how many of a card, from a correction.
    """

    size: int = 0
    cards: tuple[tuple[str, ...], ...] = ()
    basic_weaknesses: int = 0
    copies: Mapping[str, int] = field(default_factory=dict)


def is_number(text: object) -> TypeGuard[str]:
    """Return True for a text of a few digits and nothing else."""
    return isinstance(text, str) and is_digits(text, MOST_DIGITS)


def read_demands(value: object) -> Demands | None:
    """Read ``deck_requirements`` in either layout; None if they make no sense."""
    if isinstance(value, str):
        return _demands_from_text(value)
    if not isinstance(value, dict):
        return None
    size, cards = value.get("size", 0), value.get("card") or {}
    random, copies = value.get("random") or [], value.get("copies") or {}
    size = int(size) if is_number(size) else size
    if not isinstance(size, int) or not isinstance(cards, dict):
        return None
    if not isinstance(random, list) or not isinstance(copies, dict):
        return None
    if not all(isinstance(group, dict | list) for group in cards.values()):
        return None
    if not all(isinstance(number, int) for number in copies.values()):
        return None
    groups = [
        (code, *(str(each) for each in group if each != code))
        for code, group in cards.items()
    ]
    return Demands(size, tuple(groups), len(random), copies)


def _demands_from_text(text: str) -> Demands | None:
    size, cards, basic = 0, [], 0
    for item in filter(None, (part.strip() for part in text.split(","))):
        kind, *rest = item.split(":")
        if kind == "size" and len(rest) == 1 and is_number(rest[0]):
            size = int(rest[0])
        elif kind == "card" and rest:
            cards.append(tuple(rest))
        elif kind == "random" and rest == ["subtype", BASIC_WEAKNESS]:
            basic += 1
        else:
            return None
    return Demands(size, tuple(cards), basic)


@dataclass(frozen=True, slots=True)
class Bounds:
    """``restrictions``: investigators (codes), traits, classes."""

    investigators: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()


_BOUNDS = ("investigator", "trait", "faction")


def read_bounds(value: object) -> Bounds | None:
    """Read ``restrictions`` in either layout; None if they make no sense.

    Both separators of the files are understood: ``a:X:Y`` and ``a:X, a:Y``.
    """
    found: dict[str, list[str]] = {kind: [] for kind in _BOUNDS}
    if isinstance(value, str):
        for item in filter(None, re.split(r",\s*", value)):
            kind, *rest = item.split(":")
            if kind not in found or not rest:
                return None
            found[kind].extend(rest)
    elif isinstance(value, dict):
        for kind, listed in value.items():
            if kind not in found or not isinstance(listed, list | dict):
                return None
            found[kind].extend(str(each) for each in listed)
    else:
        return None
    return Bounds(
        tuple(found["investigator"]),
        tuple(each.lower() for each in found["trait"]),
        tuple(found["faction"]),
    )


def read_taboo_entries(value: object) -> list[dict[str, Any]] | None:
    """Return the ``cards`` of a taboo list: a list, or its JSON text (API)."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return None
    if not isinstance(value, list) or not all(isinstance(i, dict) for i in value):
        return None
    return value


def split_list(text: str) -> tuple[str, ...]:
    """Split words ended by full stops ("Item. Weapon."), in lower case, without ""."""
    parts = (part.strip().lower() for part in re.split(r"\.(?:\s|$)", text))
    return tuple(part.rstrip(".") for part in parts if part)


def split_slots(text: str) -> tuple[str, ...]:
    """Split slots: "Hand x2. Arcane" becomes hand, hand, arcane."""
    slots: list[str] = []
    for part in split_list(text):
        name, times, count = part.partition(" x")
        slots.extend([name] * (int(count) if times and is_number(count) else 1))
    return tuple(slots)


def split_tags(text: str) -> tuple[str, ...]:
    """Split tags, ended by dots or not ("hd.hh." and "hd.hh" are the same)."""
    return tuple(part for part in text.split(".") if part)


Values = dict[str, Any]

FORMAT = "orne-records 1"
EMBEDDED = Path(__file__).resolve().parent.parent / "records"

# Fields of a card other than texts: names, numbers, codes, traits, structure.
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
# Fields that an entry of a taboo list may change, except texts.
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
# Sentences within structured fields.
SENTENCES = frozenset({"error", "real_text"})


class UnreadableRecords(ValueError):
    """A file of records that is invalid or damaged."""


@dataclass(frozen=True, slots=True)
class Records:
    """Cards by code; products and taboo lists in the order of the source."""

    cards: Mapping[str, Values] = field(default_factory=dict)
    packs: tuple[Values, ...] = ()
    taboos: tuple[Values, ...] = ()


def collect(
    cards: Mapping[str, Values], packs: Iterable[Any], taboos: Iterable[Any]
) -> Records:
    """Return the records of a source that the API can send, unchanged."""
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
    """Return the records without any text, which may be given to everyone."""
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


# -- the embedded file --


def write_records(records: Records, version: str) -> bytes:
    """Return the facts of the records as a file for the snapshot of this version."""
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
    """Read the records in a file, and the version of the pool they belong to."""
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
    """Return the embedded records, of the same pool as the embedded snapshot."""
    return read_records(EMBEDDED.read_bytes())[0]
