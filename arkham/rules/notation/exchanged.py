"""A deck with everything that is exchanged with other programs.

:class:`Exchanged` is between all formats: each is read into it and written from it. A
format that can't carry a part reports it (see ``formats``), so nothing is lost
silently.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from arkham.rules.deck import DeckList

Key = int | str | None  # the id of a deck or a person on a site


class Counts(StrEnum):
    """The meaning of a number of experience points."""

    BALANCE = "balance"  # what may be spent now: carried over, plus gained since
    GAINED = "gained"  # since the deck named, without what was carried over
    TOTAL = "total"  # since the campaign began, spent or not


@dataclass(frozen=True, slots=True)
class Experience:
    """Experience as it is exchanged: ``points``, and what they count.

    ``since`` names the deck from which gained points are counted. ``spent`` is what was
    spent of them, ``adjustment`` a manual correction; None means "not stated".
    """

    points: int | None = None
    counts: Counts = Counts.BALANCE
    since: str = ""
    spent: int | None = None
    adjustment: int = 0

    @property
    def left(self) -> int:
        """The points of a balance left to spend; 0 for points that are no balance."""
        if self.counts is not Counts.BALANCE or self.points is None:
            return 0
        return self.points + self.adjustment - (self.spent or 0)


class ObjectKind(StrEnum):
    """The kind of object that a site stores for a deck."""

    DECK = "deck"  # of an account
    DECKLIST = "decklist"  # published


@dataclass(frozen=True, slots=True)
class Origin:
    """Data of the site of origin about a deck; timestamps as they are written.

    ``previous`` and ``next`` are its neighbours in a chain of upgrades; ``problem`` is
    that site's own verdict, not Orne's.
    """

    kind: ObjectKind = ObjectKind.DECK
    id: Key = None
    author: Key = None
    made_at: str = ""
    changed_at: str = ""
    version: str = ""
    previous: Key = None
    next: Key = None
    problem: str = ""
    investigator: str = ""  # by name


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A deck with everything that is exchanged along with it.

    ``tags`` are words without blanks or commas; ``annotations`` are notes on single
    cards, by code; ``exiled`` has one code per copy. ``choices_kept`` and ``others``
    are unknown to the rules and kept unchanged, inside and outside of ``meta``.
    """

    deck: DeckList
    notes: str = ""
    tags: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    experience: Experience = Experience()
    exiled: tuple[str, ...] = ()
    origin: Origin = Origin()
    choices_kept: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)


class Part(StrEnum):
    """A part of a deck that a format may or may not carry."""

    NAME = "name"
    INVESTIGATOR = "investigator"
    ENTRIES = "entries"
    CONSIDERED = "considered"
    SET_ASIDE = "set aside"
    TABOO = "taboo"
    SIDES = "sides"
    CHOICES = "choices"
    SHEETS = "sheets"
    SIDE_DECK = "side deck"
    ATTACHMENTS = "attachments"
    TRANSFORMED = "transformed"
    PRODUCTS = "products"
    NOTES = "notes"
    TAGS = "tags"
    ANNOTATIONS = "annotations"
    EXPERIENCE = "experience"
    EXILED = "exiled"
    ORIGIN = "origin"
    KEPT = "kept"


_OF_DECKS: dict[Part, tuple[str, ...]] = {
    Part.NAME: ("name",),
    Part.INVESTIGATOR: ("investigator",),
    Part.ENTRIES: ("entries",),
    Part.CONSIDERED: ("considered",),
    Part.SET_ASIDE: ("set_aside",),
    Part.TABOO: ("taboo",),
    Part.SIDES: ("front", "back"),
    Part.CHOICES: ("choices",),
    Part.SHEETS: ("sheets",),
    Part.SIDE_DECK: ("side_deck",),
    Part.ATTACHMENTS: ("attachments",),
    Part.TRANSFORMED: ("transformed_into",),
    Part.PRODUCTS: ("card_pool",),
}
_BESIDE: dict[Part, tuple[str, ...]] = {
    Part.NOTES: ("notes",),
    Part.TAGS: ("tags",),
    Part.ANNOTATIONS: ("annotations",),
    Part.EXPERIENCE: ("experience",),
    Part.EXILED: ("exiled",),
    Part.ORIGIN: ("origin",),
    Part.KEPT: ("choices_kept", "others"),
}
NOTHING = Exchanged(DeckList("", {}))


def parts_of(value: Exchanged) -> tuple[Part, ...]:
    """The parts that aren't empty, in the order of the enum."""
    return tuple(
        part
        for part in Part
        if any(
            getattr(holder, name) != getattr(nothing, name)
            for holder, nothing, names in (
                (value.deck, NOTHING.deck, _OF_DECKS.get(part, ())),
                (value, NOTHING, _BESIDE.get(part, ())),
            )
            for name in names
        )
    )


def only(value: Exchanged, parts: Collection[Part]) -> Exchanged:
    """The value with only these parts; all others are empty."""
    deck = {
        name: getattr(NOTHING.deck, name)
        for part, names in _OF_DECKS.items()
        if part not in parts
        for name in names
    }
    beside = {
        name: getattr(NOTHING, name)
        for part, names in _BESIDE.items()
        if part not in parts
        for name in names
    }
    return replace(value, deck=value.deck._replace(**deck), **beside)
