"""No regular expression of the product takes time that grows with a text's square."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from arkham.rules.vocabulary import is_digits
from tests.house.timing import processor_time

PACKAGES = ("arkham", "cardpool", "decks", "campaigns")
LETTERS = 100_000  # of a text
LONGEST = 0.05  # seconds
BLANKS = (" ", "\t", "\n", "\u3000")
FILLS = ("[", "(", "{", "<", "[a](", '"', "'", "a", "1", "- ")
# Shorter texts for the many that are made from a pattern: what is quadratic in these
# takes a hundred times as long as what is not.
SHORTER, SOONER = 8_000, 0.01
# What grows with the square takes 16 times as long for four times the text, what grows
# evenly four times; a machine that is busy slows both down.
GROWS_BY = 8
COMPILING = {"compile", "sub", "subn", "match", "search", "fullmatch", "split"} | {
    "findall",
    "finditer",
}


def test_one_function_says_what_digits_are() -> None:
    """“²” is a digit to Python and no number; “٣” is none that anybody means."""
    root = Path(__file__).resolve().parents[2]
    asking = [
        path.name
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
        if re.search(r"\.is(digit|decimal|numeric)\(", path.read_text("utf-8"))
    ]
    assert asking == ["vocabulary.py"]
    assert [is_digits(each) for each in ("12", "", "²", "٣", "1_0", "-1")] == [
        True, False, False, False, False, False,
    ]  # fmt: skip
    assert is_digits("12", 2)
    assert not is_digits("123", 2)


def _modules() -> Iterator[ModuleType]:
    for package in map(importlib.import_module, PACKAGES):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations." not in found.name and not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def _held(value: object, module: str, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """The patterns in a value: it may be one, hold some, or be a class that has them.

    The converters of addresses have theirs as text. Patterns of bytes are for our own
    styles and scripts.
    """
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth > 4:
        return
    elif isinstance(value, dict):
        yield from _held(tuple(value.values()), module, depth + 1)
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from _held(each, module, depth + 1)
    elif isinstance(value, type) and value.__module__ == module:
        members = vars(value)
        yield from _held(dict(members), module, depth + 1)
        if isinstance(members.get("regex"), str):
            yield re.compile(members["regex"])


def _written(module: ModuleType) -> Iterator[re.Pattern[str]]:
    """The patterns that a module's functions hand to ``re`` as they run."""
    assert module.__file__ is not None
    for node in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in COMPILING
        ):
            match node.args[0]:
                case ast.Constant(value=str(text)):
                    yield re.compile(text)
                case ast.JoinedStr(values=parts):
                    # What is filled in is a name, or a pattern found in its module.
                    texts = (
                        str(part.value) if isinstance(part, ast.Constant) else "name"
                        for part in parts
                    )
                    if node.func.attr != "compile":
                        yield re.compile("".join(texts))


@cache
def _patterns() -> dict[tuple[str, int], str]:
    """Every pattern with its flags, and the module where it was found first."""
    found: dict[tuple[str, int], str] = {}
    for module in _modules():
        held = _held(dict(vars(module)), module.__name__)
        for each in (*held, *_written(module)):
            found.setdefault((each.pattern, each.flags), module.__name__)
    return found


def _takes(pattern: re.Pattern[str], text: str, enough: float) -> float:
    """The longer of looking for it everywhere, and of the whole text being it."""
    return max(
        processor_time(lambda: sum(1 for _ in pattern.finditer(text)), enough),
        processor_time(lambda: pattern.fullmatch(text), enough),
    )


def _is_slow(pattern: re.Pattern[str], text: str, most: float) -> bool:
    """Whether a pattern takes longer than it may, and not for want of a quiet machine.

    A part of the text goes first: the whole would take minutes where it is quadratic.
    """
    quarter = _takes(pattern, text[: len(text) // 4], most)
    if quarter > most:
        return True
    whole = _takes(pattern, text, most)
    return whole > most and whole > GROWS_BY * quarter


def _slow(pattern: re.Pattern[str], texts: Iterator[str], most: float) -> list[str]:
    """The beginnings of the texts on which a pattern takes longer than it may."""
    return [text[:20] for text in texts if _is_slow(pattern, text, most)]


def _long_texts() -> Iterator[str]:
    for fill in (*BLANKS, *FILLS):
        yield (fill * LETTERS)[:LETTERS]
    for blank in BLANKS[:2]:
        yield f"2x Machete{blank * LETTERS}x"


def _own_texts(pattern: re.Pattern[str]) -> Iterator[str]:
    """Texts made of what the pattern itself is about, two pieces at a time."""
    about = [
        "x" if part in ("s", "w", "d") else part
        for part in dict.fromkeys(re.findall(r"\\?([^\\\s])", pattern.pattern))
        if not part.isalnum() or part in "swd"
    ]
    words = re.findall(r"[a-z/]{2,}", pattern.pattern)
    pieces = list(dict.fromkeys([*about, *words, " ", "1"]))[:10]
    for pair in product(pieces, repeat=2):
        body = "".join(pair)
        yield (body * SHORTER)[:SHORTER]


def test_patterns_are_found() -> None:
    """Those of modules, in tables, of converters of addresses, and inside functions."""
    found = {text for text, _flags in _patterns()}

    assert len(found) > 80
    assert "[0-9]{5}[a-z]{0,2}" in found  # a converter's
    assert r"\.(?:\s|$)" in found  # inside a function
    assert any(text.startswith(r"(?<!\s)\s*+#") for text in found)  # in a table


@pytest.mark.parametrize("text", ["\\s+$", "\\s*y"])
def test_a_quadratic_pattern_is_noticed(text: str) -> None:
    """So that what is found below means something."""
    assert _slow(re.compile(text), iter([(" " * 12_000 + "x") * 4]), LONGEST)


@pytest.mark.slow
def test_no_pattern_is_quadratic() -> None:
    """Blanks, tabs, brackets, quotes: 100 KB of each are done with in 50 ms."""
    slow = {
        (where, text): found
        for (text, flags), where in _patterns().items()
        if (found := _slow(re.compile(text, flags), _long_texts(), LONGEST))
    }

    assert slow == {}


def test_no_pattern_is_quadratic_in_what_it_is_about() -> None:
    """Texts of the very signs and words that a pattern looks for."""
    slow = {}
    for (text, flags), where in _patterns().items():
        pattern = re.compile(text, flags)
        if found := _slow(pattern, _own_texts(pattern), SOONER):
            slow[where, text] = found

    assert slow == {}
