"""Finds the position of a value in a JSON text.

JSON decoders don't tell positions, so the text is scanned again, but only after a fault
was found. The text must be JSON that a decoder has read up to that fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator

# An unterminated string extends to the end: its quotes are not tried one by one.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
_WORD = r'[^\s,:"{}\[\]]++'  # a number, true, false or null
_NUMBER = re.compile(r"-?(?:NaN|Infinity|[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)")
_SPACE = r"(?<![\s,])[\s,]*+"  # all of it: no match starts in its middle
_PART = re.compile(
    # A key with its value, unless that is an object or array, in one step.
    rf"{_SPACE}(?:(?P<key>{_STRING})\s*+:(?:\s*+(?:{_STRING}|(?P<value>{_WORD})))?"
    rf"|(?P<open>[{{\[])|(?P<close>[}}\]])|(?:{_STRING}|(?P<word>{_WORD})))",
    re.DOTALL,
)
_KEY, _VALUE, _OPEN, _CLOSE = 1, 2, 3, 4  # group numbers, which are looked up often
# Members with plain keys and no texts, one after the other: most of a large deck.
_PLAIN_KEY = r'"[^"\\]*+"'
_RUN = re.compile(rf"(?:{_SPACE}{_PLAIN_KEY}\s*+:\s*+{_WORD})++")
_RUN_KEY = re.compile(r'"([^"]*+)"')


def token(key: str) -> str:
    """A key as a token of a JSON pointer."""
    return "/" + key.replace("~", "~0").replace("/", "~1")


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """The line and column, both from 1, of a position in a text."""
    start = text.rfind("\n", 0, position) + 1
    return text.count("\n", 0, start) + 1, position - start + 1


def position_of(text: str, pointer: str) -> int:
    """The position of the value (or its key) that a pointer leads to.

    If it doesn't exist, the position of the longest existing part of the pointer.
    """
    wanted = [
        part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]
    ]
    found, matched = 0, 0
    for depth, step, match in _steps(text):
        if depth < matched:
            break  # the value entered has ended
        if depth == matched and depth < len(wanted) and step == wanted[depth]:
            found, matched = _start(match), depth + 1
            if matched == len(wanted):
                break
    return found


def place_of_number(text: str, wanted: Callable[[str], bool]) -> tuple[str, int]:
    """The pointer to the first number that is ``wanted``, and its position."""
    path: list[str] = []
    for depth, step, match in _steps(text):
        path[depth:] = [step]
        group = "value" if match["key"] is not None else "word"
        if (read := _NUMBER.match(match[group] or "")) and wanted(read.group()):
            return "".join(map(token, path)), match.start(group)
    bare = _NUMBER.search(text)
    return "", bare.start() if bare else 0


def repeated_key(text: str) -> tuple[str, str, int]:
    """The first key that is repeated in its object, its pointer and position."""
    path: list[str] = []
    seen: list[set[str]] = []
    last = -1
    steps = _steps(text)
    try:
        depth, step, match = next(steps)
        while True:
            if depth != last:
                del path[depth + 1 :], seen[depth + 1 :]
                if depth > last:
                    path.append(step)
                    seen.append(set())
                last, here = depth, seen[depth]
            keys, end = _run(text, match) or ([step], 0)
            if not here.isdisjoint(keys) or len(set(keys)) != len(keys):
                path[depth], position = _again(text, keys, here, match)
                return path[depth], "".join(map(token, path)), position
            here.update(keys)
            path[depth] = keys[-1]
            depth, step, match = steps.send(end)
    except StopIteration:
        raise ValueError("no key is repeated") from None


def _run(text: str, match: re.Match[str]) -> tuple[list[str], int] | None:
    """The keys of plain members that follow here in a run, and the end of the run."""
    run = _RUN.match(text, match.start()) if match[_VALUE] is not None else None
    return (_RUN_KEY.findall(run.group()), run.end()) if run is not None else None


def _again(
    text: str, keys: list[str], seen: set[str], match: re.Match[str]
) -> tuple[str, int]:
    """The first of these keys that was seen before, and where it is repeated."""
    if len(keys) == 1:
        return keys[0], _start(match)
    known = set(seen)
    for key in keys:
        if key in known:
            break
        known.add(key)
    position = text.index(f'"{key}"', match.start())
    if key not in seen:
        position = text.index(f'"{key}"', position + 1)
    return key, position


def _start(match: re.Match[str]) -> int:
    """The position where a member starts: its key or, in an array, its value."""
    return match.start("key") if match["key"] is not None else _value_start(match)


def _value_start(match: re.Match[str]) -> int:
    return match.end() - len(match.group().lstrip(" \t\n\r,"))


def _steps(text: str) -> Generator[tuple[int, str, re.Match[str]], int | None, None]:
    """Yield every member of every object and array: depth, key or index, match.

    If sent a position at which a member of an object has ended, it continues there.
    """
    counts: list[int | None] = []  # the next index in an array; None in an object
    depth = -1
    parts = _PART.finditer(text)
    while (match := next(parts, None)) is not None:
        part = match.lastindex
        if part is not None and part <= _VALUE:
            key = match[_KEY]
            step = json.loads(key) if "\\" in key else key[1:-1]
            if skipped := (yield depth, step, match):
                parts = _PART.finditer(text, skipped)
            continue
        if part == _CLOSE:
            if not counts:
                return  # beyond what the decoder has read: the value has ended
            counts.pop()
            depth -= 1
            continue
        if counts and counts[-1] is not None:
            yield depth, str(counts[-1]), match
            counts[-1] += 1
        if part == _OPEN:
            counts.append(None if match[_OPEN] == "{" else 0)
            depth += 1
        elif not counts:
            return  # the whole value was a single word
