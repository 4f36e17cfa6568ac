"""Changes an upgrade window where the player insists on something.

As in ``decks.lists.editing`` every change is a word and a text: ``pin`` with
``01028:purchase`` or ``01028:upgrade:01018``, ``refuse`` with ``04109``. A change takes
the window as JSON and gives another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arkham.rules.notation.circumstances_json import KINDS, MOST_POINTS
from arkham.rules.upgrade.window import copies_told
from decks.lists.editing import Misread

Told = dict[str, Any]
MOST_PINS = 100
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


def apply_to_window(told: Told, changes: Iterable[tuple[str, str]]) -> Told:
    """The window after all the changes, in order. Raises Misread."""
    for word, text in changes:
        if not text or len(text) > 120:
            raise Misread(text)
        told = WINDOW_CHANGES[word](told, text)
    return told


def blank(told: Told) -> Told:
    """A window as told, in which nothing happened: it stands against the game's own."""
    return {key: _BLANK[key] for key in told if key in _BLANK}


def _pin(told: Told, text: str) -> Told:
    """``card:way`` or ``card:way:from``: how the copies of a card are to be had."""
    card, way, source = (*text.split(":", 2), "", "")[:3]
    pin = {"card": card, "way": way} | ({"from": source} if source else {})
    kept = _unpin(told, card).get("pins", [])
    return told | {"pins": [*kept, pin][-MOST_PINS:]}


def _unpin(told: Told, text: str) -> Told:
    pins = [each for each in told.get("pins", ()) if each["card"] != text]
    return _kept(told, "pins", pins)


def _refuse(told: Told, text: str) -> Told:
    """A card whose reductions the player will not have."""
    return told | {"refused": sorted({*told.get("refused", ()), text})[:MOST_PINS]}


def _accept(told: Told, text: str) -> Told:
    return _kept(told, "refused", [c for c in told.get("refused", ()) if c != text])


def _suffer(told: Told, text: str) -> Told:
    """``code:physical:mental``: which trauma a card that is bought gives or heals."""
    code, *points = text.split(":", 2)
    if len(points) != len(KINDS) or not all(map(_is_number, points)):
        raise Misread(text)
    share = dict(zip(KINDS, map(int, points), strict=True))
    return told | {"trauma": told.get("trauma", {}) | {code: share}}


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) <= MOST_POINTS


def _exile(told: Told, text: str) -> Told:
    """What was written down after the game was not all."""
    return _lost(told, "exiled", text, +1)


def _unexile(told: Told, text: str) -> Told:
    """A copy that was written down as lost was not: exiled, or else taken."""
    is_exiled = copies_told(told, "exiled").get(text, 0) > 0
    return _lost(told, "exiled" if is_exiled else "taken", text, -1)


def _lost(told: Told, key: str, text: str, by: int) -> Told:
    lost = copies_told(told, key)
    lost[text] = min(max(lost.get(text, 0) + by, 0), 99)
    # An empty object, and not nothing: it stands against what was written down.
    return told | {key: {code: n for code, n in lost.items() if n}}


def _kept(told: Told, key: str, values: list[Any]) -> Told:
    rest = {each: value for each, value in told.items() if each != key}
    return rest | {key: values} if values else rest


WINDOW_CHANGES: dict[str, Callable[[Told, str], Told]] = {
    "pin": _pin,
    "unpin": _unpin,
    "refuse": _refuse,
    "accept": _accept,
    "exile": _exile,
    "unexile": _unexile,
    "suffer": _suffer,
}
