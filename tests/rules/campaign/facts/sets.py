"""Read which cards of its encounter sets a scenario uses.

Most sets are used completely. For some, a guide names the cards or kinds of cards to
gather: “only gather the treachery cards”.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.rules.campaign.facts.log import objects

Raw = Mapping[str, Any]
_CLAUSE = re.compile(r"(?=When gathering)")
_ONLY = re.compile(
    r"\b(?:only (?:gather|include|use)|(?:gather|include|use) only)\b(.*?)"
    r"(?:\.(?:\s|$)|, [Rr]emove|\([Dd]o not|$)",
    re.DOTALL,
)
_NOT = re.compile(r"\b[Dd]o not (?:gather|include)\b(.*)", re.DOTALL)
_TRAIT = re.compile(r"\[\[([^\[\]]++)\]\]")
_KINDS = {"location": "location", "enemy": "enem", "treachery": "treacher"}


class Limit(NamedTuple):
    """Words in a guide that include or exclude some cards of a set."""

    words: str
    is_left_out: bool = False


def gathered(raw: Raw, names: Mapping[str, str]) -> dict[str, Limit | None]:
    """Return the sets that a scenario uses, in order, with limits; None is no limit."""
    found: dict[str, Limit | None] = {}
    for part in objects(raw):
        if part.get("type") != "encounter_sets" or part.get("remove"):
            continue
        text = f"{part.get('text') or ''}\n{part.get('subtext') or ''}"
        for name in part.get("encounter_sets", ()):
            limit = _limit(text, names.get(name, name))
            # One setup may use all of a set that another setup uses in part.
            found[name] = limit if name not in found or found[name] else None
    return found


def _limit(text: str, name: str) -> Limit | None:
    """Return the limit that a text states for a set."""
    for clause in _CLAUSE.split(text):
        if not clause.startswith("When gathering") or not _is_about(clause, name):
            continue
        only = _ONLY.search(clause)
        if only is not None:
            return Limit(only[1])
        left_out = _NOT.search(clause)
        if left_out is not None:
            return Limit(left_out[1], is_left_out=True)
    return None


def _is_about(clause: str, name: str) -> bool:
    return name.removeprefix("The ").casefold() in clause.casefold()


def used(limit: Limit | None, record: Raw, same_set: Iterable[Raw]) -> bool:
    """Return whether a card of a set is used under a limit."""
    if limit is None:
        return True
    return _is_meant(limit.words, record, same_set) != limit.is_left_out


def _is_meant(words: str, record: Raw, same_set: Iterable[Raw]) -> bool:
    """Return whether words mean a card: by name, otherwise by kind and traits."""
    kind = str(record.get("type_code", ""))
    alike = (each for each in same_set if each.get("type_code") == kind)
    if any(_is_named(words, each) for each in alike):
        return _is_named(words, record)
    if _KINDS.get(kind, kind) not in words:
        return False
    return set(_TRAIT.findall(words)) <= {*_traits(record)}


def _is_named(words: str, record: Raw) -> bool:
    name = re.escape(record.get("name", ""))
    subname = re.search(rf"\b{name}\b\s*(?:<i>)?\(([^)]+)\)", words)
    if subname is not None and record.get("subname"):
        return bool(subname[1] == record["subname"])
    return bool(name) and re.search(rf"\b{name}\b", words) is not None


def _traits(record: Raw) -> Iterator[str]:
    for trait in record.get("traits", "").split("."):
        yield trait.strip()
