"""Reads the circumstances of a deck from JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from arkham.rules.deck import (
    ANY_TABLE,
    INVESTIGATOR_CYCLES,
    LEGACY,
    Circumstances,
    Environment,
    TraumaChoice,
)
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.arkhamdb_json import shown
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of, shortened
from arkham.rules.rulings import RULINGS
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import Arrival, Mode

KINDS = ("physical", "mental")
MOST_POINTS = 99
MOST_CARDS = 20
LONGEST_TRAUMA_CODE = 40


def read_trauma(value: object, here: str) -> tuple[TraumaChoice, ...]:
    """Read an object: card code → physical and mental points.

    Raises :class:`Unreadable`.
    """
    if not isinstance(value, dict) or len(value) > MOST_CARDS:
        raise misread(here, value, _("a {…} block: card code → physical, mental"))
    return tuple(
        _choice(code, kinds, here + token(code))
        for code, kinds in sorted(value.items())
    )


def _choice(code: str, kinds: object, here: str) -> TraumaChoice:
    if (
        len(code) > LONGEST_TRAUMA_CODE
        or not isinstance(kinds, dict)
        or kinds.keys() - set(KINDS)
    ):
        raise misread(here, kinds, _("physical and mental in {…}"))
    for kind, points in kinds.items():
        if type(points) is not int or not 0 <= points <= MOST_POINTS:
            raise misread(here + token(kind), points, _("a whole number from 0 to 99"))
    return TraumaChoice(code, *(kinds.get(kind, 0) for kind in KINDS))


MOST_PLAYERS = 4
MOST = 9_999
MOST_LISTED = 500  # codes in one list
LONGEST = 60  # characters of a code or title in a list
ENVIRONMENTS = ("legacy", "current", "limited", "products")
CYCLES_OF_LIMITED = 3


def read_circumstances(
    data: object, pointer: str = "/circumstances", base: Circumstances = ANY_TABLE
) -> Circumstances:
    """Read circumstances from a JSON object; what is absent or null is as in ``base``.

    Raises :class:`Unreadable` with every fault; ``pointer`` is the object's place.
    """
    if not isinstance(data, dict):
        raise Unreadable(
            Fault(pointer, _("This is {found}."), _("a {…} block"), kind_of(data))
        )
    faults: list[Fault] = []
    arguments: dict[str, Any] = {}
    for key, value in data.items():
        reader = READERS.get(key)
        here = pointer + token(key)
        if reader is None:
            faults.append(
                Fault(
                    here,
                    _("We don’t know the setting {found}."),
                    ", ".join(READERS),
                    shortened(key),
                )
            )
            continue
        if value is None:
            continue
        try:
            arguments.update(reader(value, here))
        except Unreadable as error:
            faults.extend(error.faults)
    if faults:
        raise Unreadable(*faults)
    return replace(base, **arguments)


def misread(here: str, value: object, expected: str) -> Unreadable:
    """The fault of a value that isn't what we expect at its place."""
    return Unreadable(
        Fault(here, _("We don’t understand {found}."), expected, shown(value))
    )


def _mode(value: object, here: str) -> dict[str, Any]:
    modes = [mode.value for mode in Mode]
    if value not in modes:
        raise misread(here, value, ", ".join(modes))
    return {"mode": Mode(value)}


def _number(name: str) -> Callable[[object, str], dict[str, Any]]:
    def read(value: object, here: str) -> dict[str, Any]:
        if type(value) is not int or not 0 <= value <= MOST:
            raise misread(here, value, _("a whole number from 0 to 9,999"))
        return {name: value}

    return read


def _players(value: object, here: str) -> dict[str, Any]:
    if type(value) is not int or not 1 <= value <= MOST_PLAYERS:
        raise misread(here, value, _("a whole number from 1 to 4"))
    return {"players": value}


def _strings(value: object, here: str) -> frozenset[str]:
    return frozenset(_listed_strings(value, here))


def _listed_strings(value: object, here: str) -> list[str]:
    if not isinstance(value, list):
        raise misread(here, value, _("a list of texts"))
    if len(value) > MOST_LISTED:
        raise Unreadable(
            Fault(
                here,
                _("There are {found} entries."),
                _("at most 500 entries"),
                str(len(value)),
            )
        )
    for place, each in enumerate(value):
        if not isinstance(each, str) or len(each) > LONGEST:
            there = here + token(str(place))
            raise misread(there, each, _("text of at most 60 characters"))
    return value


def _copies(name: str) -> Callable[[object, str], dict[str, Any]]:
    """A reader of lists with a code for each copy."""
    return lambda value, here: {name: tuple(sorted(_listed_strings(value, here)))}


def _set(name: str) -> Callable[[object, str], dict[str, Any]]:
    return lambda value, here: {name: _strings(value, here)}


def _taboo(value: object, here: str) -> dict[str, Any]:
    if value in ("none", 0, "0") and not isinstance(value, bool):
        return {"taboo": None, "no_taboo": True}
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise misread(here, value, _("a list’s id or date, “latest” or “none”"))
    if isinstance(value, str) and len(value) > LONGEST:
        raise misread(here, value, _("text of at most 60 characters"))
    return {"taboo": value, "no_taboo": False}


def _ultimatums(value: object, here: str) -> dict[str, Any]:
    chosen = _strings(value, here)
    unknown = sorted(chosen - set(ULTIMATUMS))
    if unknown:
        raise misread(here, unknown[0], ", ".join(ULTIMATUMS))
    return {"ultimatums": chosen}


def _arrival(value: object, here: str) -> dict[str, Any]:
    chosen, known = _strings(value, here), [each.value for each in Arrival]
    unknown = sorted(chosen.difference(known))
    if unknown:
        raise misread(here, unknown[0], ", ".join(known))
    return {"arrival": frozenset(Arrival(each) for each in chosen)}


def _rulings(value: object, here: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise misread(here, value, _("a {…} block: ruling → reading"))
    for ruling, reading in value.items():
        known = RULINGS.get(ruling)
        if known is None:
            raise misread(here + token(ruling), ruling, ", ".join(RULINGS))
        values = [each for each, _meaning in known.readings]
        if reading not in values:
            raise misread(here + token(ruling), reading, ", ".join(values))
    return {"rulings": tuple(sorted(value.items()))}


def _owned(value: object, here: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise misread(here, value, _("a {…} block: code → copies"))
    for code, copies in value.items():
        if type(copies) is not int or not 0 <= copies <= MOST:
            raise misread(
                here + token(code), copies, _("a whole number from 0 to 9,999")
            )
    return {"owned": dict(value)}


def _environment(value: object, here: str) -> dict[str, Any]:
    return {"environment": read_environment(value, here)}


def read_environment(value: object, here: str) -> Environment:
    """Read an environment: its name, or an object with its terms."""
    if isinstance(value, str):
        value = {"kind": value}
    if not isinstance(value, dict):
        raise misread(here, value, ", ".join(ENVIRONMENTS))
    unknown = sorted(value.keys() - {"kind", "date", "cycles", "packs"})
    if unknown:
        raise misread(here + token(unknown[0]), unknown[0], "kind, date, cycles, packs")
    kind = value.get("kind", "legacy")
    if kind not in ENVIRONMENTS:
        raise misread(here + "/kind", kind, ", ".join(ENVIRONMENTS))
    day = _date(value["date"], here + "/date") if "date" in value else ""
    listed = value.get("cycles", [])
    cycles = _listed(listed, here + "/cycles")
    packs = _listed(value.get("packs", []), here + "/packs")
    if kind == "limited":
        if not len(cycles) == len(listed) == CYCLES_OF_LIMITED:
            raise misread(here + "/cycles", len(cycles), _("three different cycles"))
        for cycle in cycles:
            if cycle not in INVESTIGATOR_CYCLES:
                raise misread(here + "/cycles", cycle, ", ".join(INVESTIGATOR_CYCLES))
    if kind == "legacy":
        return LEGACY
    return Environment(kind, day, cycles, packs)


def _date(value: object, here: str) -> str:
    """Return an ISO date as it was written."""
    try:
        if isinstance(value, str) and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise misread(here, value, _("a date: 2026-02-27"))


def _listed(value: object, here: str) -> tuple[str, ...]:
    return tuple(sorted(_strings(value, here)))


READERS: dict[str, Callable[[object, str], dict[str, Any]]] = {
    "mode": _mode,
    "taboo": _taboo,
    "environment": _environment,
    "experience": _number("experience"),
    "experience_earned": _number("experience_earned"),
    "experience_carried": _number("experience_carried"),
    "arrival": _arrival,
    "trauma": lambda value, here: {"trauma": read_trauma(value, here)},
    "players": _players,
    "ultimatums": _ultimatums,
    "tasks": _set("tasks"),
    "story_cards": _set("story_cards"),
    "campaign_cards": _set("campaign_cards"),
    "lost_cards": _copies("lost_cards"),
    "given_signatures": _set("given_signatures"),
    "banned_titles": _set("banned_titles"),
    "owned": _owned,
    "rulings": _rulings,
}
