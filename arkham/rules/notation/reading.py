"""Faults of a text or value with their position; strict JSON, whole or item by item.

The memory and time for an array are bounded by the largest item allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Any

from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import line_and_column, place_of_number, repeated_key
from arkham.rules.vocabulary import is_digits

MOST_DIGITS = 4_300  # in an integer
MOST_BYTES = 1_048_576  # for one deck, in any interface
MOST_FAULTS = 100  # reported at once: each takes more space than the fault itself


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that can't be read.

    ``pointer`` is an RFC 6901 JSON pointer into the value ("" is the whole).
    ``message`` is a whole sentence in which ``{found}`` is replaced by ``found``.
    ``line`` and ``column`` (from 1) are set if the text itself is broken. If that text
    is a string inside the value (as ``meta`` is), ``inside`` is its pointer, else "".
    """

    pointer: str
    message: str
    expected: str
    found: str = ""
    line: int = 1
    column: int = 1
    inside: str = ""

    @property
    def text(self) -> str:
        """The message in English, with ``found`` filled in."""
        return self.message.format(found=self.found)

    def within(self, prefix: str) -> Fault:
        """Return the same fault for a value that is at ``prefix`` in another value."""
        inside = self.inside and prefix + self.inside
        return replace(self, pointer=prefix + self.pointer, inside=inside)


class Unreadable(ValueError):
    """The input doesn't have the expected format.

    It carries its faults, up to ``MOST_FAULTS`` of them.
    """

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults[:MOST_FAULTS]
        super().__init__("; ".join(fault.text for fault in self.faults))


class TooLarge(Unreadable):
    """The input is larger than any deck may be, and was not read."""


class _Repeated(ValueError):
    """Some object has a repeated key."""


class _Number(ValueError):
    """NaN, or a number that is too large for a float."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Repeated
    return found


def _no_constant(name: str) -> Any:
    raise _Number(name)


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _Number(text)
    return number


def _read(text: str) -> Any:
    """Decode a JSON text, and refuse repeated keys.

    If a fast decoder's result accounts for each colon of the text, by a key or inside a
    string, no key was dropped, and objects needn't be checked as they are read.
    """
    if "\\u" not in text:  # an escape may be a colon
        try:
            value, end = _PLAIN.raw_decode(text)
        except (ValueError, RecursionError):
            return DECODER.decode(text)  # raises the error
        whole = type(value) is dict and end == len(text)
        if whole and _colons(value) == text.count(":"):
            return value
    return DECODER.decode(text)


def _colons(found: dict[str, Any]) -> int:
    """Count the colons in an object of strings and flat objects; elsewhere, too few."""
    count = len(found)
    for value in found.values():
        if type(value) is dict:
            count += len(value)
        elif type(value) is str:
            count += value.count(":")
    return count


DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
)
_PLAIN = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
# Messages of the standard library's decoder, with what it expected.
_SYNTAX = {
    "Expecting value": (_("A value is missing or broken here."), _("a JSON value")),
    "Extra data": (_("The value ends here, and more follows."), _("the end")),
    "Unterminated string starting at": (
        _("The text that starts here has no end."),
        _("a closing quotation mark"),
    ),
    "Invalid control character at": (
        _("A text has a control character in it."),
        _("an escape such as \\n or \\u0000"),
    ),
    "Expecting property name enclosed in double quotes": (
        _("A key is missing or broken here."),
        _("a key in double quotes"),
    ),
    "Expecting ':' delimiter": (_("The key has no value."), _("a colon")),
    "Expecting ',' delimiter": (
        _("A comma or a closing bracket is missing here."),
        _("a comma or a closing bracket"),
    ),
}
_NO_JSON = (_("This is not JSON."), _("a JSON value"))
_SURROGATE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<lone>u[dD][89a-fA-F])|.)", re.DOTALL
)


def read_json(text: str, pointer: str = "") -> Any:
    """Decode a JSON text strictly.

    Raises :class:`Unreadable` with one fault, with line and column if known, for a text
    that is not JSON, a repeated key, half a surrogate pair, NaN, a number that is too
    large, and endless nesting. ``pointer`` is the place of the text itself if it is
    part of another value.
    """
    try:
        value = _read(text)
    except json.JSONDecodeError as error:
        fault = broken(error.msg, pointer, line=error.lineno, column=error.colno)
        raise Unreadable(fault) from None
    except RecursionError:
        raise Unreadable(_too_deep(pointer)) from None
    except _Repeated:
        raise Unreadable(_repeated(text, pointer)) from None
    except ValueError as error:
        raise Unreadable(_no_number(text, pointer, error)) from None
    if "\\ud" in text or "\\uD" in text:
        check_unicode(text, pointer)
    return value


def broken(problem: str, pointer: str = "", *, line: int, column: int) -> Fault:
    """The fault of a text that is not JSON; ``problem`` is the decoder's message."""
    message, expected = _SYNTAX.get(problem, _NO_JSON)
    return Fault(pointer, message, expected, line=line, column=column, inside=pointer)


def _too_deep(at: str) -> Fault:
    return Fault(at, _("This is nested too deeply."), _("a flat {…} block"))


def _repeated(text: str, pointer: str) -> Fault:
    key, place, position = repeated_key(text)
    line, column = line_and_column(text, position)
    return Fault(
        pointer + place,
        _("The key “{found}” is there twice."),
        _("each key once"),
        shortened(key),
        line,
        column,
        pointer,
    )


def _no_number(text: str, pointer: str, error: ValueError) -> Fault:
    is_read = isinstance(error, _Number)
    found = str(error) if is_read else "…"  # more digits than the interpreter converts
    place, position = place_of_number(text, found.__eq__ if is_read else _is_endless)
    line, column = line_and_column(text, position)
    return Fault(
        pointer + place,
        _("{found} isn’t a number we can read."),
        _("a finite number of at most 4,300 digits"),
        shortened(found),
        line,
        column,
        pointer,
    )


def _is_endless(number: str) -> bool:
    return is_digits(digits := number.lstrip("-")) and len(digits) > MOST_DIGITS


def check_unicode(text: str, pointer: str = "") -> None:
    """Raise :class:`Unreadable` if a JSON text escapes half a surrogate pair."""
    for match in _SURROGATE.finditer(text):
        if match["lone"]:
            line, column = line_and_column(text, match.start())
            raise Unreadable(
                Fault(
                    pointer,
                    _("{found} is half a character."),
                    _("Unicode text"),
                    text[match.start() : match.start() + 6],
                    line,
                    column,
                    pointer,
                )
            )


def instant_of(text: str) -> datetime | None:
    """The UTC instant of an ISO timestamp with an offset; None if it isn't one.

    The first and the last year are refused: they don't exist in every time zone.
    """
    try:
        read = datetime.fromisoformat(text.upper())  # RFC 3339 allows a lower-case z
        instant = read.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if read.tzinfo is None or not MINYEAR < instant.year < MAXYEAR:
        return None
    return instant


def shortened(text: str, most: int = 40) -> str:
    """A text cut so that a message stays readable; if cut, it ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def kind_of(value: object) -> str:
    """The name of a value's JSON type, in words."""
    if value is None:
        return _("null")
    if isinstance(value, bool):
        return _("true or false")
    if isinstance(value, int):
        return _("a whole number")
    if isinstance(value, float):
        return _("a number")
    if isinstance(value, str):
        return _("text")
    if isinstance(value, Mapping):
        return _("a {…} block")
    return _("a list in […]")


_SPACE = re.compile(r"[ \t\n\r]*")
# Finds the end of an item, whatever its numbers and keys are.
_LENIENT = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_KINDS = {
    "{": _("a {…} block"),
    '"': _("text"),
    **dict.fromkeys("tf", _("true or false")),
    "n": _("null"),
    **dict.fromkeys("-0123456789", _("a number")),
}


# The text decoded at once: an item of maximum size, and some space to continue in.
_PASSED = MOST_BYTES // 4
_WINDOW = MOST_BYTES + _PASSED + 16


class NotAnArray(Unreadable):
    """The text is a JSON value other than an array."""


def read_items(text: str) -> Iterator[Any]:
    """Yield the items of a JSON array: the value of each, or an Unreadable instead.

    An item that is JSON but invalid (a repeated key, an impossible number, half a
    character) is yielded as :class:`Unreadable`, with pointers into the item. Raises
    :class:`Unreadable` for a text that is not JSON, :class:`NotAnArray` if it is
    another value, :class:`TooLarge` for an item of more than ``MOST_BYTES``
    characters.
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
    raise NotAnArray(Fault("", _("This is {found}."), _("a list of decks"), kind))


def _item(
    window: str, start: int, index: int, base: int, text: str, reader: Any = DECODER
) -> tuple[Any, int]:
    """The item that starts here (or its fault), and the position where it ends."""
    try:
        return reader.raw_decode(window, start)  # type: ignore[no-any-return]
    except json.JSONDecodeError as error:
        cut = base + len(window) < len(text)
        at_the_cut = error.pos >= len(window) - 8  # in the window's last characters
        if cut and (at_the_cut or error.msg.startswith("Unterminated")):
            raise _too_large(index) from None
        raise Unreadable(_fault(error.msg, text, base + error.pos)) from None
    except RecursionError:
        raise Unreadable(_too_deep(f"/{index}")) from None
    except ValueError:
        end = _item(window, start, index, base, text, _LENIENT)[1]
        try:
            read_json(window[start:end])
        except Unreadable as error:
            return error, end
        raise AssertionError("what one decoder refuses the other does too") from None


def _next(text: str, at: int) -> int:
    """The start of the next item; -1 if the array and the text end here."""
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
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # or none


def _fault(problem: str, text: str, at: int) -> Fault:
    line, column = line_and_column(text, at)
    return broken(problem, line=line, column=column)


def _too_large(index: int) -> TooLarge:
    return TooLarge(
        Fault(
            f"/{index}", _("The deck is too large."), _("at most 1,048,576 characters")
        )
    )
