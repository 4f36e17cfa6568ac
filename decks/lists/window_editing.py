"""Changes of an upgrade window that a player asks for.

As in ``decks.lists.editing`` every change is an ``Edit`` from a word and a text:
``pin`` with ``01028:purchase`` or ``01028:upgrade:01018``, ``refuse`` with ``04109``. A
change takes the window as JSON and returns another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from arkham.rules.notation.circumstances_json import KINDS, MOST_POINTS
from arkham.rules.upgrade.window import window_copies
from arkham.rules.vocabulary import is_digits
from decks.lists.editing import Edit, Misread

WindowData = dict[str, Any]
MOST_PINS = 100
LONGEST = 120
# Wishes of the player; all other keys are facts.
WISHES = ("pins", "refused", "trauma")
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
    """Return the window after all changes of it, in order; skip changes of the list.

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
    """Return a window with the same keys that overrides the game's with no events."""
    return {key: _BLANK[key] for key in window if key in _BLANK}


def _pin(window: WindowData, edit: Edit) -> WindowData:
    """Pin how a card is to be had: ``way`` or ``way:from``."""
    way, _colon, source = edit.value.partition(":")
    pin = {"card": edit.code, "way": way} | ({"from": source} if source else {})
    kept = _unpin(window, edit).get("pins", [])
    return window | {"pins": [*kept, pin][-MOST_PINS:]}


def _unpin(window: WindowData, edit: Edit) -> WindowData:
    pins = [each for each in window.get("pins", ()) if each["card"] != edit.code]
    return _kept(window, "pins", pins)


def _refuse(window: WindowData, edit: Edit) -> WindowData:
    """Refuse the reductions of a card."""
    refused = {*window.get("refused", ()), edit.code}
    return window | {"refused": sorted(refused)[:MOST_PINS]}


def _accept(window: WindowData, edit: Edit) -> WindowData:
    refused = [code for code in window.get("refused", ()) if code != edit.code]
    return _kept(window, "refused", refused)


def _suffer(window: WindowData, edit: Edit) -> WindowData:
    """Set the trauma that a bought card gives or heals: ``physical:mental``."""
    points = edit.value.split(":", 1)
    if len(points) != len(KINDS) or not all(map(_is_number, points)):
        raise Misread(edit.value)
    share = dict(zip(KINDS, map(int, points), strict=True))
    return window | {"trauma": window.get("trauma", {}) | {edit.code: share}}


def _is_number(text: str) -> bool:
    return is_digits(text, 6) and int(text) <= MOST_POINTS


def _exile(window: WindowData, edit: Edit) -> WindowData:
    """Record another exiled copy."""
    return _lost(window, "exiled", edit.code, +1)


def _unexile(window: WindowData, edit: Edit) -> WindowData:
    """Remove a copy from those recorded as exiled, or else as taken."""
    is_exiled = window_copies(window, "exiled").get(edit.code, 0) > 0
    return _lost(window, "exiled" if is_exiled else "taken", edit.code, -1)


def _lost(window: WindowData, key: str, text: str, by: int) -> WindowData:
    lost = window_copies(window, key)
    lost[text] = min(max(lost.get(text, 0) + by, 0), 99)
    # An empty object is kept, because it overrides what was recorded.
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
