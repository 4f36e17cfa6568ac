"""Everything between two games that the two deck lists don't show, also as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from arkham.rules.deck import Circumstances, TraumaChoice
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.circumstances_json import (
    misread,
    read_circumstances,
    read_trauma,
)
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened
from arkham.rules.upgrade.price_rules import Way
from arkham.rules.vocabulary import CardClass


@dataclass(frozen=True, slots=True)
class Pin:
    """A player's wish to pay for copies of one card in a certain way.

    ``way`` is how they should be obtained (``purchase``, ``upgrade``, ``refill``,
    ``swap`` …; "" for any), ``source`` the card to upgrade from.
    """

    code: str
    way: str = ""
    source: str = ""

    def as_data(self) -> dict[str, str | None]:
        """The pin as JSON types, as :func:`read_window` reads it."""
        return {
            "card": self.code, "way": self.way or None, "from": self.source or None
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class UsedOffers:
    """The offers that earlier purchases in the same window have used up already."""

    first_upgrades: int = 0
    swaps: int = 0
    spell_upgraded: bool = False


UNUSED = UsedOffers()
NONE: Mapping[str, int] = MappingProxyType({})


class Window(NamedTuple):
    """The time between two games in which experience may be spent.

    ``exiled``, ``taken`` and ``granted`` map codes to copies: exiled in the last
    scenario, taken from the deck or given to it by an instruction. ``available`` is the
    experience that may be spent, or None if unknown. ``free_boxes`` counts the boxes
    that cards marked without experience, by code of the sheet. ``quills`` counts the
    Raven Quills that name an asset, by its code; ``pelts`` the Pelt Shipments brought
    home, ``offerings`` those under the Green Man Medallion. ``devoured`` is the class
    5U-21 may buy from. ``refused`` are the codes of cards whose reductions the player
    declines. ``trauma`` has the player's choices for cards bought that offer one.
    ``owed`` are places that an earlier window left in the deck, and in a second deck,
    to be filled for free. ``earlier`` are the circumstances of the old deck, if its
    taboo list, environment or ultimatums were others.
    """

    exiled: Mapping[str, int] = NONE
    taken: Mapping[str, int] = NONE
    granted: Mapping[str, int] = NONE
    available: int | None = None
    spending: bool = True
    altering: bool = True
    free_boxes: Mapping[str, int] = NONE
    quills: Mapping[str, int] = NONE
    pelts: int = 0
    offerings: int = 0
    devoured: str = ""
    used: UsedOffers = UNUSED
    pins: tuple[Pin, ...] = ()
    refused: frozenset[str] = frozenset()
    trauma: tuple[TraumaChoice, ...] = ()
    owed: tuple[int, int] = (0, 0)
    earlier: Circumstances | None = None

    @property
    def moved(self) -> Mapping[str, int]:
        """Copies that came by instruction, or left (negative)."""
        changes = Counter(self.granted)
        changes.subtract(self.taken)
        return changes

    @property
    def changes_prices(self) -> bool:
        """True if anything happened, or is pinned, that may change a price."""
        if any(self.owed) or self.earlier is not None:
            return True
        if self[:3] == _LOST and self[6:14] == _UNTOUCHED:
            return False
        return bool(
            self.exiled
            or self.taken
            or self.granted
            or self.free_boxes
            or self.quills
            or self.pelts
            or self.offerings
            or self.pins
        )


PLAIN_WINDOW = Window()
# In a window in which nothing was lost or counted.
_LOST, _UNTOUCHED = PLAIN_WINDOW[:3], PLAIN_WINDOW[6:14]


MOST = 9_999
MOST_LISTED = 500
LONGEST = 40
WAYS = tuple(way.value.removeprefix("price.") for way in Way if way is not Way.KEEP)


def read_window(
    data: object,
    pointer: str = "/window",
    base: Window = PLAIN_WINDOW,
    terms: Circumstances | None = None,
) -> Window:
    """Read a window from a JSON object; what is absent or null is as in ``base``.

    Only with ``terms``, the circumstances of the new deck, it may have ``owed`` and
    ``earlier``, in which what is absent is as in ``terms``: ledgers know both.
    Raises :class:`Unreadable` with every fault; ``pointer`` is the object's place.
    """
    if not isinstance(data, dict):
        raise Unreadable(
            Fault(pointer, _("This is {found}."), _("a {…} block"), kind_of(data))
        )
    readers = READERS
    if terms is not None:
        was = partial(read_circumstances, base=terms)
        readers = {**READERS, "owed": _owed, "earlier": was}
    faults: list[Fault] = []
    arguments: dict[str, Any] = {}
    for key, value in data.items():
        here = pointer + token(key)
        reader = readers.get(key)
        if reader is None:
            message = _("We don’t know the setting {found} between two games.")
            faults.append(Fault(here, message, ", ".join(readers), shortened(key)))
            continue
        if value is None:
            continue
        try:
            arguments[key] = reader(value, here)
        except Unreadable as error:
            faults.extend(error.faults)
    if faults:
        raise Unreadable(*faults)
    return base._replace(**arguments)


def read_copies(value: object, here: str) -> Mapping[str, int]:
    """Read copies by code: an object, or a list with a code for every copy.

    An empty code in an object is skipped: it names no card.
    """
    if isinstance(value, list):
        return dict(Counter(_listed(value, here)))
    if not isinstance(value, dict):
        raise misread(here, value, _("a list of card codes, one for each copy"))
    if len(value) > MOST_LISTED:
        raise misread(here, len(value), _("at most 500 codes"))
    for code, copies in value.items():
        if type(copies) is not int or not 0 <= copies <= MOST:
            raise misread(
                here + token(code), copies, _("a whole number from 0 to 9,999")
            )
    return {code: copies for code, copies in value.items() if code and copies}


def window_copies(window: Mapping[str, Any], key: str) -> dict[str, int]:
    """Read the copies by code under a key of a window in JSON, in either format."""
    value = window.get(key)
    return {} if value is None else dict(read_copies(value, token(key)))


def _listed(value: object, here: str) -> list[str]:
    if not isinstance(value, list) or len(value) > MOST_LISTED:
        raise misread(here, value, _("a list of at most 500 card codes"))
    for place, code in enumerate(value):
        _require_code(code, here + token(str(place)))
    return value


def _require_code(value: object, here: str) -> None:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        raise misread(here, value, _("a card code"))


def _number(value: object, here: str) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise misread(here, value, _("a whole number from 0 to 9,999"))
    return value


def _available(value: object, here: str) -> int:
    if type(value) is not int or abs(value) > MOST:
        raise misread(here, value, _("a whole number from -9,999 to 9,999"))
    return value


def _flag(value: object, here: str) -> bool:
    if type(value) is not bool:
        raise misread(here, value, _("true or false"))
    return value


def _class(value: object, here: str) -> str:
    known = [each.value for each in CardClass]
    if value not in known:
        raise misread(here, value, ", ".join(known))
    return str(value)


def _codes(value: object, here: str) -> frozenset[str]:
    return frozenset(_listed(value, here))


_Readers = dict[str, Callable[[object, str], Any]]


def _parts(value: object, here: str, known: _Readers) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise misread(here, value, _("a {…} block"))
    unknown = sorted(value.keys() - known.keys())
    if unknown:
        raise misread(here + token(unknown[0]), unknown[0], ", ".join(known))
    return {key: known[key](each, here + token(key)) for key, each in value.items()}


def _used(value: object, here: str) -> UsedOffers:
    known: _Readers = {
        "first_upgrades": _number,
        "swaps": _number,
        "spell_upgraded": _flag,
    }
    return UsedOffers(**_parts(value, here, known))


def _owed(value: object, here: str) -> tuple[int, int]:
    read = _parts(value, here, {"deck": _number, "side_deck": _number})
    return read.get("deck", 0), read.get("side_deck", 0)


def _pins(value: object, here: str) -> tuple[Pin, ...]:
    if not isinstance(value, list) or len(value) > MOST_LISTED:
        raise misread(here, value, _("a list of at most 500 pins"))
    return tuple(_pin(each, here + token(str(at))) for at, each in enumerate(value))


def _pin(value: object, here: str) -> Pin:
    if not isinstance(value, dict) or "card" not in value:
        raise misread(here, value, _("a {…} block with a card"))
    unknown = sorted(value.keys() - {"card", "way", "from"})
    if unknown:
        raise misread(here + token(unknown[0]), unknown[0], "card, way, from")
    way = value.get("way")
    if way is not None and way not in WAYS:
        raise misread(here + "/way", way, ", ".join(WAYS))
    card, source = value["card"], value.get("from")
    _require_code(card, f"{here}/card")
    if source is not None:
        _require_code(source, f"{here}/from")
    return Pin(card, way or "", source or "")


READERS: dict[str, Callable[[object, str], Any]] = {
    "exiled": read_copies,
    "taken": read_copies,
    "granted": read_copies,
    "available": _available,
    "spending": _flag,
    "altering": _flag,
    "free_boxes": read_copies,
    "quills": read_copies,
    "pelts": _number,
    "offerings": _number,
    "devoured": _class,
    "used": _used,
    "pins": _pins,
    "refused": _codes,
    "trauma": read_trauma,
}
