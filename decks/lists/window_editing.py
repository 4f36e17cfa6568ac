"""Changes an upgrade window where the player insists on something.

As in ``decks.lists.editing`` every change is an ``Edit`` from a word and a text:
``pin`` with ``01028:purchase`` or ``01028:upgrade:01018``, ``refuse`` with ``04109``. A
change takes the window as JSON and gives another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arkham.rules.notation.circumstances_json import KINDS, MOST_POINTS
from arkham.rules.upgrade.window import window_copies
from decks.lists.editing import Edit, Misread

WindowData = dict[str, Any]
MOST_PINS = 100
LONGEST = 120
# What the player wants; all else is what happened.
INSISTED = ("pins", "refused", "trauma")
_BLANK: WindowData = {
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


def apply_to_window(window: WindowData, edits: Iterable[Edit]) -> WindowData:
    """The window after all changes of it, in order; others are of the list.

    Raises Misread.
    """
    for edit in edits:
        if edit.verb not in WINDOW_CHANGES:
            continue
        if not edit.code or len(edit.code + edit.value) > LONGEST:
            raise Misread(edit.code)
        window = WINDOW_CHANGES[edit.verb](window, edit)
    return window


def blank(window: WindowData) -> WindowData:
    """The same keys of a window in which nothing happened: they override the game's."""
    return {key: _BLANK[key] for key in window if key in _BLANK}


def _pin(window: WindowData, edit: Edit) -> WindowData:
    """``way`` or ``way:from``: how the copies of a card are to be had."""
    way, _colon, source = edit.value.partition(":")
    pin = {"card": edit.code, "way": way} | ({"from": source} if source else {})
    kept = _unpin(window, edit).get("pins", [])
    return window | {"pins": [*kept, pin][-MOST_PINS:]}


def _unpin(window: WindowData, edit: Edit) -> WindowData:
    pins = [each for each in window.get("pins", ()) if each["card"] != edit.code]
    return _kept(window, "pins", pins)


def _refuse(window: WindowData, edit: Edit) -> WindowData:
    """A card whose reductions the player will not have."""
    refused = {*window.get("refused", ()), edit.code}
    return window | {"refused": sorted(refused)[:MOST_PINS]}


def _accept(window: WindowData, edit: Edit) -> WindowData:
    refused = [code for code in window.get("refused", ()) if code != edit.code]
    return _kept(window, "refused", refused)


def _suffer(window: WindowData, edit: Edit) -> WindowData:
    """``physical:mental``: which trauma a card that is bought gives or heals."""
    points = edit.value.split(":", 1)
    if len(points) != len(KINDS) or not all(map(_is_number, points)):
        raise Misread(edit.value)
    share = dict(zip(KINDS, map(int, points), strict=True))
    return window | {"trauma": window.get("trauma", {}) | {edit.code: share}}


def _is_number(text: str) -> bool:
    is_number = text.isascii() and text.isdigit() and len(text) <= 6
    return is_number and int(text) <= MOST_POINTS


def _exile(window: WindowData, edit: Edit) -> WindowData:
    """What was written down after the game was not all."""
    return _lost(window, "exiled", edit.code, +1)


def _unexile(window: WindowData, edit: Edit) -> WindowData:
    """A copy that was written down as lost was not: exiled, or else taken."""
    is_exiled = window_copies(window, "exiled").get(edit.code, 0) > 0
    return _lost(window, "exiled" if is_exiled else "taken", edit.code, -1)


def _lost(window: WindowData, key: str, text: str, by: int) -> WindowData:
    lost = window_copies(window, key)
    lost[text] = min(max(lost.get(text, 0) + by, 0), 99)
    # An empty object, and not nothing: it stands against what was written down.
    return window | {key: {code: n for code, n in lost.items() if n}}


def _kept(window: WindowData, key: str, values: list[Any]) -> WindowData:
    rest = {each: value for each, value in window.items() if each != key}
    return rest | {key: values} if values else rest


WINDOW_CHANGES: dict[str, Callable[[WindowData, Edit], WindowData]] = {
    "pin": _pin,
    "unpin": _unpin,
    "refuse": _refuse,
    "accept": _accept,
    "exile": _exile,
    "unexile": _unexile,
    "suffer": _suffer,
}
