"""Reads and writes whole ArkhamDB objects: decks and decklists with all their data.

Keys and their order are those of the site. What is read is written back: unknown keys,
and values of the wrong type, are kept unchanged. Only equivalent spellings are unified
(null, "" and absent; ``[]`` and ``{}``; commas or blanks between tags; zero copies).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.deck import DeckList, SheetMark
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import read_deck
from arkham.rules.notation.exchanged import (
    Counts,
    Exchanged,
    Experience,
    Key,
    ObjectKind,
    Origin,
)
from arkham.rules.notation.meta import (
    CHOICE_KEYS,
    LONGEST_CODE,
    NO_META,
    is_read,
    meta_object,
    read_meta,
)
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened

MOST = 9_999
MOST_EXILES = 500


def read_available(deck: object, pointer: str) -> int | None:
    """The experience available to spend, or None if the deck doesn't say.

    It is the balance plus the owner's adjustment; ``xp_spent`` is another program's
    calculation, and isn't read. Raises :class:`Unreadable`.
    """
    if not isinstance(deck, dict):
        return None
    gained, adjusted = deck.get("xp"), deck.get("xp_adjustment")
    if gained is not None:
        gained = _number(gained, "xp", pointer)
    if adjusted is not None:
        adjusted = _number(adjusted, "xp_adjustment", pointer)
    return None if gained is None else gained + (adjusted or 0)


def _number(value: object, key: str, pointer: str) -> int:
    if type(value) is int and abs(value) <= MOST:
        return value
    expected, message = _("a whole number from -9,999 to 9,999"), _("This is {found}.")
    raise Unreadable(Fault(pointer + token(key), message, expected, kind_of(value)))


def read_exiles(deck: object, pointer: str) -> list[str]:
    """The codes exiled before the upgrade, one for each copy.

    Raises :class:`Unreadable`.
    """
    text = deck.get("exile_string") if isinstance(deck, dict) else None
    if text is None:
        return []
    here = pointer + token("exile_string")
    expected = _("card codes with commas between them, at most 500")
    if not isinstance(text, str):
        raise Unreadable(Fault(here, _("This is {found}."), expected, kind_of(text)))
    codes = [code for part in text.split(",") if (code := part.strip())]
    too_long = any(len(part) > LONGEST_CODE for part in text.split(","))
    if too_long or text.count(",") >= MOST_EXILES:
        raise Unreadable(
            Fault(here, _("We don’t understand {found}."), expected, shortened(text))
        )
    return codes


_KEYS = {choice: key for key, choice in CHOICE_KEYS.items()}
NEVER = object()  # different from every text
MOST_REPEATED = 9  # up to this number a code is repeated, which every program can read


def write_meta(deck: DeckList) -> dict[str, str]:
    """The choices of a deck, under ArkhamDB's keys."""
    meta = {
        "alternate_front": deck.front,
        "alternate_back": deck.back,
        "extra_deck": write_counted(deck.side_deck),
        "transform_into": deck.transformed_into,
        "card_pool": ",".join(deck.card_pool),
    }
    meta |= {_KEYS[choice]: value for choice, value in deck.choices.items()}
    meta |= {f"cus_{code}": write_marks(marks) for code, marks in deck.sheets.items()}
    meta |= {
        f"attachments_{code}": write_counted(cards)
        for code, cards in deck.attachments.items()
    }
    return {key: value for key, value in sorted(meta.items()) if value}


def write_marks(marks: Iterable[SheetMark]) -> str:
    """The marks of a sheet as a customization string."""
    return ",".join(
        "|".join(
            [str(mark.position), str(mark.boxes)]
            + (["^".join(mark.written)] if mark.written else [])
        )
        for mark in marks
    )


def write_counted(cards: Mapping[str, int]) -> str:
    """Codes separated by commas, one per copy; many copies as ``code:copies``."""
    return ",".join(
        ",".join([code] * copies) if copies <= MOST_REPEATED else f"{code}:{copies}"
        for code, copies in cards.items()
        if copies
    )


def kept_of(meta: Mapping[str, Any], deck: DeckList) -> dict[str, Any]:
    """The members of ``meta`` that writing the deck would change or leave out.

    These are keys of other programs, and other spellings of the deck's choices.
    """
    usual = write_meta(deck)
    return {key: each for key, each in meta.items() if usual.get(key, NEVER) != each}


def meta_with(kept: Mapping[str, Any], deck: DeckList) -> dict[str, Any]:
    """The deck's choices, in the kept spellings if those still mean the same.

    Cards attached have two spellings in different programs; the last one counts.
    """
    usual = write_meta(deck)
    twins = {key.replace("attachment_", "attachments_", 1) for key in kept}
    both = {**kept, **{key: usual[key] for key in usual if key not in kept}}
    once = {key: both[key] for key in both if key in kept or key not in twins}
    for spelled in (once, both):
        if _means(spelled) == _means(usual):
            return spelled
    strange = {key: value for key, value in kept.items() if not is_read(key)}
    return usual | strange


def _means(meta: Mapping[str, Any]) -> dict[str, Any] | None:
    """Read the deck arguments in ``meta``; return None if they can't be read."""
    try:
        return read_meta(meta)
    except Unreadable:
        return None


ANNOTATION = "annotation_"
# Our own key, for experience that isn't a balance: ``xp`` can only be a balance.
EXPERIENCE = "orne_experience"
_EXPERIENCE = re.compile(r"(-?\d{1,9}) (?:(total)|(gained)(?: since (\S+))?)", re.ASCII)
_BETWEEN = re.compile(r"[\s,]+")
_READ_FROM_DECK = frozenset(
    ("investigator_code", "slots", "sideSlots", "ignoreDeckLimitSlots")
) | {"taboo_id", "name", "meta"}


class ObjectRead(NamedTuple):
    """An object as it was understood, and faults in the rest (which is kept)."""

    value: Exchanged
    faults: tuple[Fault, ...]


def read_object(data: object) -> ObjectRead:
    """Read the deck in an ArkhamDB deck or decklist object.

    Raises Unreadable with every fault if it has no readable deck at all.
    """
    deck = read_deck(data)
    assert isinstance(data, Mapping)
    fields = _ObjectFields(data)
    meta = dict(meta_object(data["meta"])) if _says(data.get("meta")) else {}
    annotations = {
        key.removeprefix(ANNOTATION): meta.pop(key)
        for key, value in list(meta.items())
        if key.startswith(ANNOTATION) and isinstance(value, str)
    }
    value = Exchanged(
        deck,
        notes=fields.text("description_md"),
        tags=tuple(filter(None, _BETWEEN.split(fields.text("tags")))),
        annotations=annotations,
        experience=_experience(fields, meta),
        exiled=tuple(filter(None, _BETWEEN.split(fields.text("exile_string")))),
        origin=_origin(fields),
        choices_kept=kept_of(meta, deck),
    )
    others = {key: data[key] for key in data if key not in fields.understood}
    return ObjectRead(replace(value, others=others), tuple(fields.faults))


def _says(meta: object) -> bool:
    return meta is not None and meta not in NO_META


def _experience(fields: _ObjectFields, meta: dict[str, Any]) -> Experience:
    """The experience an object states; removes our own key from ``meta``."""
    balance = Experience(
        fields.number("xp"),
        spent=fields.number("spentXp" if "spentXp" in fields.data else "xp_spent"),
        adjustment=fields.number("xp_adjustment") or 0,
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


def _origin(fields: _ObjectFields) -> Origin:
    return Origin(
        kind=ObjectKind.DECK if "problem" in fields.data else ObjectKind.DECKLIST,
        id=fields.key("id"),
        author=fields.key("user_id"),
        made_at=fields.text("date_creation"),
        changed_at=fields.text("date_update"),
        version=fields.text("version"),
        previous=fields.key("previous_deck"),
        next=fields.key("next_deck"),
        problem=fields.text("problem"),
        investigator=fields.text("investigator_name"),
    )


class _ObjectFields:
    """Reads the keys of an object; records which were understood, and the faults."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.understood = set(_READ_FROM_DECK)
        self.faults: list[Fault] = []

    def text(self, key: str) -> str:
        """The text under a key; "" for null."""
        found = self._of_type(key, (str,), _("text or null"))
        return found if isinstance(found, str) else ""

    def number(self, key: str) -> int | None:
        """The integer under a key, or None."""
        found = self._of_type(key, (int,), _("a whole number or null"))
        return found if isinstance(found, int) else None

    def key(self, key: str) -> Key:
        """The number or text under a key, or None."""
        found = self._of_type(key, (int, str), _("a whole number, text or null"))
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
    """The deck as an ArkhamDB object, with keys in the order of the site."""
    deck, origin = value.deck, value.origin
    experience = value.experience
    balance = experience.counts is Counts.BALANCE
    between = " " if origin.kind is ObjectKind.DECK else ", "
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
    if origin.kind is ObjectKind.DECK:
        written["problem"] = origin.problem or None
    return written | dict(value.others)


def _entries(entries: Mapping[str, int]) -> dict[str, int] | list[Any]:
    """Copies by code, sorted; ``[]`` if there are none, as the site writes it."""
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
