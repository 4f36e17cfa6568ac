"""Changes an upgrade window where the player insists on something.

As in ``decks.lists.editing`` every change is an ``Edit`` from a word and a text:
``pin`` with ``01028:purchase`` or ``01028:upgrade:01018``, ``refuse`` with ``04109``. A
change takes the window as JSON and gives another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arkham.rules.notation.circumstances_json import KINDS, MOST_POINTS
from arkham.rules.upgrade.window import copies_told
from decks.lists.editing import Edit, Misread

Told = dict[str, Any]
MOST_PINS = 100
LONGEST = 120
# What the player wants; all else is what happened.
INSISTED = ("pins", "refused", "trauma")
_BLANK: Told = {
    "exiled": {},
    "taken": {},
    "granted": {},
    "free_boxes": {},
    "quills": {},
    "pelts": 0,
    "offerings": 0,
    "spending": True,
    "altering": True,
}


def apply_to_window(told: Told, edits: Iterable[Edit]) -> Told:
    """The window after all changes of it, in order; others are of the list.

    Raises Misread.
    """
    for edit in edits:
        if edit.verb not in WINDOW_CHANGES:
            continue
        if not edit.code or len(edit.code + edit.value) > LONGEST:
            raise Misread(edit.code)
        told = WINDOW_CHANGES[edit.verb](told, edit)
    return told


def blank(told: Told) -> Told:
    """A window as told, in which nothing happened: it stands against the game's own."""
    return {key: _BLANK[key] for key in told if key in _BLANK}


def _pin(told: Told, edit: Edit) -> Told:
    """``way`` or ``way:from``: how the copies of a card are to be had."""
    way, _colon, source = edit.value.partition(":")
    pin = {"card": edit.code, "way": way} | ({"from": source} if source else {})
    kept = _unpin(told, edit).get("pins", [])
    return told | {"pins": [*kept, pin][-MOST_PINS:]}


def _unpin(told: Told, edit: Edit) -> Told:
    pins = [each for each in told.get("pins", ()) if each["card"] != edit.code]
    return _kept(told, "pins", pins)


def _refuse(told: Told, edit: Edit) -> Told:
    """A card whose reductions the player will not have."""
    refused = {*told.get("refused", ()), edit.code}
    return told | {"refused": sorted(refused)[:MOST_PINS]}


def _accept(told: Told, edit: Edit) -> Told:
    refused = [code for code in told.get("refused", ()) if code != edit.code]
    return _kept(told, "refused", refused)


def _suffer(told: Told, edit: Edit) -> Told:
    """``physical:mental``: which trauma a card that is bought gives or heals."""
    points = edit.value.split(":", 1)
    if len(points) != len(KINDS) or not all(map(_is_number, points)):
        raise Misread(edit.value)
    share = dict(zip(KINDS, map(int, points), strict=True))
    return told | {"trauma": told.get("trauma", {}) | {edit.code: share}}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= MOST_POINTS


def _exile(told: Told, edit: Edit) -> Told:
    """What was written down after the game was not all."""
    return _lost(told, "exiled", edit.code, +1)


def _unexile(told: Told, edit: Edit) -> Told:
    """A copy that was written down as lost was not: exiled, or else taken."""
    is_exiled = copies_told(told, "exiled").get(edit.code, 0) > 0
    return _lost(told, "exiled" if is_exiled else "taken", edit.code, -1)


def _lost(told: Told, key: str, text: str, by: int) -> Told:
    lost = copies_told(told, key)
    lost[text] = min(max(lost.get(text, 0) + by, 0), 99)
    # An empty object, and not nothing: it stands against what was written down.
    return told | {key: {code: n for code, n in lost.items() if n}}


def _kept(told: Told, key: str, values: list[Any]) -> Told:
    rest = {each: value for each, value in told.items() if each != key}
    return rest | {key: values} if values else rest


WINDOW_CHANGES: dict[str, Callable[[Told, Edit], Told]] = {
    "pin": _pin,
    "unpin": _unpin,
    "refuse": _refuse,
    "accept": _accept,
    "exile": _exile,
    "unexile": _unexile,
    "suffer": _suffer,
}
