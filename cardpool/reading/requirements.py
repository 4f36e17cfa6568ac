"""Read which cards a deck must include, how many, and what may replace them.

The data list the cards; the printed back gives the number of copies, and the cards
themselves say which of them are advanced versions or replacements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arkham.rules.investigator import Requirement
from arkham.rules.vocabulary import SignatureKind
from cardpool.reading.corrections import Record
from cardpool.reading.records import Demands

_NUMBERS = {"two": 2, "three": 3}
_MOST_INVESTIGATORS = 4
_COPIES = re.compile(
    r"(?P<number>(?<!\d)\d++|[Tt]wo|[Tt]hree)(?P<each> \[per_investigator\])?"
    r" cop(?:y|ies) of (?P<name>[^,(;]+)"
)
_BY_SIZE = re.compile(r"(?<!\d)(\d++) cop(?:y|ies) instead [^;)]*?(\d+)")
_FOR_EACH = re.compile(r"1 ([^,;]{1,40}?) for each \w+ asset")


@dataclass(frozen=True, slots=True)
class _Copies:
    least: int = 1
    most: int | None = None
    by_size: tuple[tuple[int, int], ...] = ()


def signature_kind(record: Record) -> SignatureKind:
    """Return the kind of a signature by its text: advanced, replacement or original."""
    text = record.text("text")
    if re.search(r"\bAdvanced\.", text):
        return SignatureKind.ADVANCED
    if re.search(r"\bReplacement\.", text):
        return SignatureKind.REPLACEMENT
    return SignatureKind.ORIGINAL


def read_requirements(
    record: Record,
    demands: Demands,
    back_text: str,
    signatures: Sequence[Record],
    root: Callable[[str], str],
) -> tuple[Requirement, ...]:
    """Return a back's requirements; all backs of a base have the same alternatives.

    ``signatures`` are the cards restricted to the investigator, ``root`` returns the
    card's code for any printing's. Alternatives follow from the print: an advanced
    version has the title of the original; a replacement stands for the weakness if it
    is one, else for any of the other cards.
    """
    by_code = {each.code: each for each in signatures}
    printed = printed_copies(back_text)
    requirements: list[Requirement] = []
    for group in demands.cards:
        code = root(group[0])
        if any(each.original == code for each in requirements):
            continue  # the data repeat a code that several cards replace
        original = by_code.get(code)
        if original is None:
            record.note("deck_requirements", code, "a card only this one may hold")
            continue
        copies = printed.pop(_plain(original.text("name")), _Copies())
        if code in demands.copies:
            copies = _Copies(demands.copies[code])
        most = copies.most
        if most == 0:
            most = original.number("deck_limit")
        requirements.append(
            Requirement(
                original=code,
                copies=copies.least,
                copies_at_most=most,
                copies_by_size=copies.by_size,
                advanced=_advanced(original, signatures),
                replacements=_replacements(original, signatures),
            )
        )
    for name in printed:
        record.note("back_text", name, "a card that deck_requirements list")
    _compare(record, demands, requirements, root)
    return tuple(requirements)


def _compare(
    record: Record,
    demands: Demands,
    requirements: Sequence[Requirement],
    root: Callable[[str], str],
) -> None:
    """Note alternatives in the data that no printed word explains."""
    codes = {each.original: each.codes() for each in requirements}
    for first, *others in demands.cards:
        for code in others:
            if root(code) not in codes.get(root(first), (root(code),)):
                expected = "Advanced or Replacement on the card"
                record.note("deck_requirements", code, expected, serious=False)


def _advanced(original: Record, signatures: Sequence[Record]) -> str | None:
    for each in signatures:
        same = each.text("name") == original.text("name")
        if same and signature_kind(each) is SignatureKind.ADVANCED:
            return each.code
    return None


def _replacements(
    original: Record, signatures: Sequence[Record]
) -> tuple[tuple[str, int], ...]:
    is_weakness = original.has("subtype_code")
    return tuple(
        (each.code, each.count("quantity"))
        for each in signatures
        if signature_kind(each) is SignatureKind.REPLACEMENT
        and each.has("subtype_code") == is_weakness
        and each.code != original.code
    )


def printed_copies(back_text: str) -> dict[str, _Copies]:
    """Return how many copies the back requires, by name, if it gives a number.

    ``most`` is 0 if as many may be required as the card's product contains.
    """
    found = re.search(r"<b>Deckbuilding Requirements:?</b>([^\n]*)", back_text)
    line = found[1] if found else ""
    copies: dict[str, _Copies] = {}
    by_size = tuple((int(size), int(n)) for n, size in _BY_SIZE.findall(line))
    for match in _COPIES.finditer(line):
        number = match["number"].lower()
        least = _NUMBERS.get(number) or int(number)
        most = _MOST_INVESTIGATORS if match["each"] else None
        sized = by_size if line[match.end() :].startswith("(") else ()
        copies[_plain(match["name"])] = _Copies(least, most, sized)
    for name in _FOR_EACH.findall(line):
        copies[_plain(name.split(", ")[-1].removeprefix("1 "))] = _Copies(1, 0)
    return copies


def _plain(name: str) -> str:
    return name.replace("’", "'").strip().strip(".").lower()


def bonus_experience(back_text: str) -> int:
    """Return the experience that the back grants at the start of a campaign."""
    found = re.search(r"begin the campaign with (\d+) additional experience", back_text)
    return int(found[1]) if found else 0


def side_deck_size(back_text: str) -> int | None:
    """Return the printed size of a second deck; None if the back has none."""
    found = re.search(r"<b>Spirit Deck Size:?</b>:? (\d+)", back_text)
    return int(found[1]) if found else None
