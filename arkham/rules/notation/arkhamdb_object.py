"""Reads whole ArkhamDB objects, decks and decklists, as decks that travel.

Keys and their order are those the site serves. What is read comes back when it is
written: keys nobody here knows, and values that are not what their key should hold,
are kept word for word. Only spellings that say nothing are made alike (null, "" and
absent; ``[]`` for ``{}``; commas or blanks between tags; no copies).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import (
    NO_META,
    meta_object,
    read_deck,
)
from arkham.rules.notation.arkhamdb_meta import kept_of, meta_with
from arkham.rules.notation.exchanged import (
    Counts,
    Exchanged,
    Experience,
    Held,
    Key,
    Origin,
)
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, kind_of

ANNOTATION = "annotation_"
# Our own key: experience that is no balance, which is all that ``xp`` can say.
EXPERIENCE = "orne_experience"
_EXPERIENCE = re.compile(r"(-?\d{1,9}) (?:(total)|(gained)(?: since (\S+))?)", re.ASCII)
_BETWEEN = re.compile(r"[\s,]+")
_READ_FROM_DECK = frozenset(
    ("investigator_code", "slots", "sideSlots", "ignoreDeckLimitSlots")
) | {"taboo_id", "name", "meta"}


class ObjectRead(NamedTuple):
    """An object as it was understood, and what of it was not (but is kept)."""

    value: Exchanged
    faults: tuple[Fault, ...]


def read_object(data: object) -> ObjectRead:
    """The deck in an ArkhamDB deck or decklist object.

    Raises Unreadable with every fault where there is no deck in it at all.
    """
    deck = read_deck(data)
    assert isinstance(data, Mapping)
    told = _Told(data)
    meta = dict(meta_object(data["meta"])) if _says(data.get("meta")) else {}
    annotations = {
        key.removeprefix(ANNOTATION): meta.pop(key)
        for key, value in list(meta.items())
        if key.startswith(ANNOTATION) and isinstance(value, str)
    }
    value = Exchanged(
        deck,
        notes=told.text("description_md"),
        tags=tuple(filter(None, _BETWEEN.split(told.text("tags")))),
        annotations=annotations,
        experience=_experience(told, meta),
        exiled=tuple(filter(None, _BETWEEN.split(told.text("exile_string")))),
        origin=_origin(told),
        choices_kept=kept_of(meta, deck),
    )
    others = {key: data[key] for key in data if key not in told.understood}
    return ObjectRead(replace(value, others=others), tuple(told.faults))


def _says(meta: object) -> bool:
    return meta is not None and meta not in NO_META


def _experience(told: _Told, meta: dict[str, Any]) -> Experience:
    """The experience an object tells of; takes our own key out of ``meta``."""
    balance = Experience(
        told.number("xp"),
        spent=told.number("xp_spent"),
        adjustment=told.number("xp_adjustment") or 0,
    )
    other = meta.get(EXPERIENCE)
    match = _EXPERIENCE.fullmatch(other) if isinstance(other, str) else None
    if match is None or balance.points is not None:
        return balance
    points, total, gained, since = match.groups()
    del meta[EXPERIENCE]
    return replace(
        balance,
        points=int(points),
        counts=Counts(total or gained),
        since=since or "",
    )


def _origin(told: _Told) -> Origin:
    return Origin(
        held=Held.DECK if "problem" in told.data else Held.DECKLIST,
        id=told.key("id"),
        author=told.key("user_id"),
        made_at=told.text("date_creation"),
        changed_at=told.text("date_update"),
        version=told.text("version"),
        previous=told.key("previous_deck"),
        next=told.key("next_deck"),
        problem=told.text("problem"),
        investigator=told.text("investigator_name"),
    )


class _Told:
    """An object while its keys are read: which were understood, and the faults."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.understood = set(_READ_FROM_DECK)
        self.faults: list[Fault] = []

    def text(self, key: str) -> str:
        """The text under a key; "" for null."""
        found = self._of_type(key, (str,), _("a string or null"))
        return found if isinstance(found, str) else ""

    def number(self, key: str) -> int | None:
        """The integer under a key."""
        found = self._of_type(key, (int,), _("an integer or null"))
        return found if isinstance(found, int) else None

    def key(self, key: str) -> Key:
        """The number or text under a key."""
        found = self._of_type(key, (int, str), _("an integer, a string or null"))
        return found if isinstance(found, (int, str)) else None

    def _of_type(self, key: str, types: tuple[type, ...], expected: str) -> object:
        value = self.data.get(key)
        if value is None or type(value) in types:
            self.understood.add(key)
            return value
        fault = Fault(token(key), _("This is {found}."), expected, kind_of(value))
        self.faults.append(fault)
        return None


def write_object(value: Exchanged) -> dict[str, Any]:
    """The deck as an ArkhamDB object, its keys in the order the site has them."""
    deck, origin = value.deck, value.origin
    experience = value.experience
    balance = experience.counts is Counts.BALANCE
    between = " " if origin.held is Held.DECK else ", "
    written: dict[str, Any] = {
        "id": origin.id,
        "name": deck.name,
        "date_creation": origin.made_at or None,
        "date_update": origin.changed_at or None,
        "description_md": value.notes,
        "user_id": origin.author,
        "investigator_code": deck.investigator,
        "investigator_name": origin.investigator or None,
        "slots": _entries(deck.entries),
        "sideSlots": _entries(deck.considered),
        "ignoreDeckLimitSlots": _entries(deck.set_aside) or None,
        "version": origin.version or None,
        "xp": experience.points if balance else None,
        "xp_spent": experience.spent,
        "xp_adjustment": experience.adjustment,
        "exile_string": ",".join(value.exiled) or None,
        "taboo_id": deck.taboo,
        "meta": _meta(value),
        "tags": between.join(value.tags),
        "previous_deck": origin.previous,
        "next_deck": origin.next,
    }
    if origin.held is Held.DECK:
        written["problem"] = origin.problem or None
    return written | dict(value.others)


def _entries(entries: Mapping[str, int]) -> dict[str, int] | list[Any]:
    """Copies by code, sorted; nothing is ``[]``, as the site writes it."""
    return dict(sorted(entries.items())) or []


def _meta(value: Exchanged) -> str:
    meta = meta_with(value.choices_kept, value.deck)
    meta |= {f"{ANNOTATION}{code}": text for code, text in value.annotations.items()}
    experience = value.experience
    if experience.counts is not Counts.BALANCE and experience.points is not None:
        gained = experience.counts is Counts.GAINED
        since = f" since {experience.since}" if gained and experience.since else ""
        meta[EXPERIENCE] = f"{experience.points} {experience.counts}{since}"
    return json.dumps(meta, ensure_ascii=False, separators=(",", ":"))
