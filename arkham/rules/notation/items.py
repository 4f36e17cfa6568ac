"""The items of a JSON array one by one, so that a bad one spoils only itself.

Memory and time stay bounded by the largest item allowed, whatever the array holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import line_and_column
from arkham.rules.notation.reading import (
    DECODER,
    MOST_BYTES,
    Fault,
    TooLarge,
    Unreadable,
    broken,
    check_unicode,
    read_json,
)

_SPACE = re.compile(r"[ \t\n\r]*")
# Finds the end of an item whatever its numbers and keys are.
_LENIENT = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_KINDS = {
    "{": _("an object"),
    '"': _("a string"),
    "t": _("a boolean"),
    "f": _("a boolean"),
    "n": _("null"),
    **dict.fromkeys("-0123456789", _("a number")),
}


# What is decoded at once: an item of the largest size and some room to go on in.
_PASSED = MOST_BYTES // 4
_WINDOW = MOST_BYTES + _PASSED + 16


class NoArray(Unreadable):
    """The text stands for something else than an array."""


def read_items(text: str) -> Iterator[Any]:
    """The items of a JSON array: the value of each, or an Unreadable in its place.

    An item that is JSON and still cannot be meant (a key twice, an impossible number,
    half a character) comes as an :class:`Unreadable`, its pointer leading into the
    item. Raises :class:`Unreadable` for a text that is not JSON, :class:`NoArray` for
    one that is something else, :class:`TooLarge` for an item of more than
    ``MOST_BYTES`` characters.
    """
    at = _opened(text)
    if text.startswith("]", at):
        yield from ()
        _ended(text, at + 1)
        return
    base, window = at, text[at : at + _WINDOW]
    index, escapes = 0, "\\u" in text
    while True:
        if at - base > _PASSED:
            base, window = at, text[at : at + _WINDOW]
        start = at - base
        item, end = _item(window, start, index, base, text)
        if end - start > MOST_BYTES:
            raise _too_large(index)
        if escapes and not isinstance(item, Unreadable):
            try:
                check_unicode(window[start:end])
            except Unreadable as error:
                item = error
        yield item
        index += 1
        at = _next(text, base + end)
        if at < 0:
            return


def _opened(text: str) -> int:
    """The position after the opening bracket and the space around it."""
    at = _after_space(text, 0)
    if text.startswith("[", at):
        return _after_space(text, at + 1)
    kind = _KINDS.get(text[at : at + 1])
    if kind is None:
        raise Unreadable(_fault("Expecting value", text, at))
    raise NoArray(Fault("", _("This is {found}."), _("an array of decks"), kind))


def _item(window: str, start: int, index: int, base: int, text: str) -> tuple[Any, int]:
    """The item that starts here (or what is wrong with it), and where it ends."""
    try:
        return DECODER.raw_decode(window, start)
    except json.JSONDecodeError as error:
        cut = base + len(window) < len(text)
        at_the_cut = error.pos >= len(window) - 8  # in the last word of the window
        if cut and (at_the_cut or error.msg.startswith("Unterminated")):
            raise _too_large(index) from None
        raise Unreadable(_fault(error.msg, text, base + error.pos)) from None
    except RecursionError:
        deep = Fault(f"/{index}", _("This is nested too deeply."), _("a flat object"))
        raise Unreadable(deep) from None
    except ValueError:
        end = _LENIENT.raw_decode(window, start)[1]
        try:
            read_json(window[start:end])
        except Unreadable as error:
            return error, end
        raise AssertionError("what one decoder refuses the other does too") from None


def _next(text: str, at: int) -> int:
    """Where the next item starts; -1 if the array and the text end here."""
    at = _after_space(text, at)
    if text.startswith(",", at):
        return _after_space(text, at + 1)
    if not text.startswith("]", at):
        raise Unreadable(_fault("Expecting ',' delimiter", text, at))
    _ended(text, at + 1)
    return -1


def _ended(text: str, at: int) -> None:
    at = _after_space(text, at)
    if at < len(text):
        raise Unreadable(_fault("Extra data", text, at))


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _fault(problem: str, text: str, at: int) -> Fault:
    line, column = line_and_column(text, at)
    return broken(problem, line=line, column=column)


def _too_large(index: int) -> TooLarge:
    return TooLarge(
        Fault(
            f"/{index}", _("The deck is too large."), _("at most 1,048,576 characters")
        )
    )
