"""Finds the card that a line of a list names, and similar spellings of a wrong name.

A line names a card in one of these ways; each bracketed part is optional, and the order
of the parts after the name does not matter::

    [2x ]Name[ :Subtitle][ [level]][ (Product)][ #code]
    Name x2   - 2 Name (3 XP)   2xName •••   2x [Name](/card/01020)   Name: 2

Similarity counts letters inserted, deleted, replaced or swapped (rapidfuzz); without
that package the standard library compares, more slowly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache, partial
from typing import Any

from arkham.rules.card import Card, Pack
from arkham.rules.finding import gettext_noop as _
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import SignatureKind

try:
    from rapidfuzz.distance import OSA, Prefix
    from rapidfuzz.process import extract
except ImportError:
    OSA = Prefix = extract = None  # type: ignore[assignment]

MOST_LIKE = 3
ALIKE, NEAR = 0.7, 0.8  # out of 1: three, or two, wrong letters in ten
_ROUNDING = 1e-6  # one wrong letter in five is not quite 0.8
_WEIGHED = 4  # spellings compared more closely, for each one wanted


def closest(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[str]:
    """The folded spellings most similar to a folded text, best first."""
    return [spelling for spelling, _likeness in weighed(text, known, most, alike)]


def weighed(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[tuple[str, float]]:
    """Like :func:`closest`, with the similarity of each: 1 for equal.

    Of equally similar spellings, those with the same letters come first, then those
    with the same beginning.
    """
    spellings = list(known)
    if extract is None:
        matches = get_close_matches(text, spellings, most, alike)
        return [(each, SequenceMatcher(None, each, text).ratio()) for each in matches]
    found = extract(
        text,
        spellings,
        scorer=OSA.normalized_similarity,
        score_cutoff=alike - _ROUNDING,
        limit=_WEIGHED * most,
    )
    letters = sorted(text)

    def weight(match: tuple[str, float]) -> tuple[float, bool, int]:
        is_other = sorted(match[0]) != letters
        return -match[1], is_other, -Prefix.similarity(text, match[0])

    return sorted(((each[0], each[1]) for each in found), key=weight)[:most]


# Letters that Unicode does not decompose.
_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)
# Marks inside a word; every other mark separates words.
_INSIDE = re.compile(r"['’‘`´\".“”«»„!?…]")
_BETWEEN = re.compile(r"[\W_]+")
_PIECES = re.compile(r".{1,16}", re.DOTALL)  # long runs of marks take too long


def fold(text: str) -> str:
    """Reduce a text to lower-case letters and digits, with one space between words.

    ``fold("Kōhaku’s “Skids”")`` is ``kohakus skids``.
    """
    bare = text.casefold()
    if not bare.isascii():
        parts = _PIECES.findall(bare.translate(_LETTERS))
        parted = "".join(unicodedata.normalize("NFKD", part) for part in parts)
        bare = "".join(each for each in parted if not unicodedata.combining(each))
    return _BETWEEN.sub(" ", _INSIDE.sub("", bare)).strip()


LONGEST_NAME, LONGEST_GUESSED = 100, 40  # characters; names with their subtitles
# A first or last name alone is compared too, so it has to be more similar.
ALIKE_AS_INVESTIGATOR = 0.75
SHORTEST_PART = 4  # letters in such a name


class Names:
    """The cards of a pool by every spelling of their names."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self.cards: dict[str, list[Card]] = {}
        self.packs: dict[str, Pack] = {}
        self._investigators: dict[str, list[str]] = {}
        for card in pool.values():
            if card.scenario and not card.in_decks:
                continue
            for spelling in {fold(card.name), fold(f"{card.name} {card.subname}")}:
                self.cards.setdefault(spelling, []).append(card)
        for card in pool.investigators:
            if card.investigator is not None and card.investigator.playable:
                self._add_investigator(card)
                if card.investigator.parallel:
                    self.cards[fold(f"{card.name} parallel")] = [card]
        for pack in pool.packs.values():
            self.packs.setdefault(fold(pack.name), pack)
            self.packs.setdefault(fold(pack.code), pack)

    def _add_investigator(self, card: Card) -> None:
        """Add an investigator under the whole name and under its longer parts."""
        parts = [part for part in card.name.split() if len(part) >= SHORTEST_PART]
        for spelling in {fold(each) for each in (card.name, *parts)}:
            names = self._investigators.setdefault(spelling, [])
            if card.name not in names:
                names.append(card.name)

    def called(self, text: str) -> list[Card]:
        """Every card with this name (with or without its subtitle) or code."""
        if (card := self.pool.get_card(text)) is not None:
            return [card]
        return self.cards.get(fold(text), []) if len(text) <= LONGEST_NAME else []

    def are_near(self, text: str) -> bool:
        """True if a text is a name with few wrong letters."""
        return bool(closest(fold(text[:LONGEST_GUESSED]), self.cards, 1, NEAR))

    def like(self, text: str) -> list[str]:
        """Similar names, as they are printed."""
        found = closest(fold(text[:LONGEST_GUESSED]), self.cards)
        return list(dict.fromkeys(self.cards[each][0].name for each in found))

    def investigators_like(self, text: str) -> list[str]:
        """Investigators with a deck who have similar names, the most similar first."""
        folded = fold(text[:LONGEST_GUESSED])
        found = closest(folded, self._investigators, alike=ALIKE_AS_INVESTIGATOR)
        names = (name for each in found for name in self._investigators[each])
        return list(dict.fromkeys(names))[:MOST_LIKE]


@lru_cache(maxsize=2)  # the pool in use, and the one being replaced
def names_of(pool: CardPool) -> Names:
    """The names of a pool, collected once."""
    return Names(pool)


MOST_ENDINGS, LONGEST_ENDING = 6, 120  # parts after a name; characters of one

# All take linear time: nothing backtracks (``++``), blanks are tried from their start.
MARKS = re.compile(
    r"(?i)^\s*+(?:(?:[-*+•–—·>◦▪‣●○→⁃~☐☑✓✔]|\[[ x]\])\s++)*+"
    r"(?:\d{1,3}[.)]\s++(?=\d{1,2}\s?[x×]|[x×]\s?\d|.*[\s(][x×]\s?\d{1,2}\)?$))?"
    r"|[*_~|]{2,}+|`++|\[/?(?:b|i|u|card)\]|(?<!\s)\s++$"
    r"|</?(?:[abiu]|br|div|em|h\d|li|[ou]l|p|span|strong|table|t[dhr])(?: [^<>]*+)?/?>"
)
_LINK = re.compile(r"\[([^\[\]]++)\]\((?>[^()]*?/card/)(\w++)[^()]*+\)")
BEFORE = re.compile(
    r"(?i)^(?:[\[(](?:(\d{1,5})\s*[x×]|[x×]\s*(\d{1,5}))[\])]\s*"
    r"|(?:(\d{1,5})\s*[x×]|[x×]\s*(\d{1,5})|(\d{1,5}))\s+)(?=\S)"
    r"|^(\d{1,5})[x×](?!p\b)(?=[^\s\d.,/]|\.\d)"
)
# Before a name that begins with digits, or a code.
TIGHT = re.compile(r"(?i)^(\d{1,5})[x×](?=\d)")
# Rows of a spreadsheet: quantity, name, perhaps level and more.
_CELLS = re.compile(r"^(\d{1,2})[x×]?([\t,;])(.+?)(?:\2([0-5])(?:\2(.*))?)?$")
_PIPS = re.compile(r"(?<=[^\s•●★⬤])\s*+([\[(]?)([•●★⬤]++)(?(1)[\])]?)$")
_LEVEL = re.compile(
    r"(?i)(?<!\s)\s*+[\[(](?:l(?:vl?|evel)\.? ?)?(\d\d?)(?: ?xp)?[\])]$"
)
_COPIES = re.compile(
    r"(?i)(?<!\s)\s*+[\[(](?:[x×]?\s*+(\d{1,5})\s*+[x×]|[x×]\s*+(\d{1,5}))[\])]$"
)
_OTHER = re.compile(
    r"(?<!\s)\s*+(?:\(#?((?:[^()]++|\([^()]*+\))*)\)|\[#?([^\[\]]*+)\])$"
)
# Kinds of endings with their patterns, by the last character.
_IN_BRACKETS = (("copies", _COPIES), ("level", _LEVEL), ("others", _OTHER))
_AFTER = {")": _IN_BRACKETS, "]": _IN_BRACKETS}
# No code has two digits; spreadsheets have a tab between cells.
AFTER_A_COLON = re.compile(r"(?<!\s)(?:\s*+[:=,;]|\t|\s++[-–—](?=\s))\s*+(\d{1,2})$")
_AFTER_A_WORD = (
    ("copies", re.compile(r"(?i)(?<!\s)\s++(?:[x×]\s*+(\d{1,5})|(\d{1,5})[x×])$")),
    ("copies", AFTER_A_COLON),
    ("level", re.compile(r"(?i)(?<!\s),?\s++(?:l(?:vl?|evel)\.? ?(\d)|(\d) ?xp)$")),
    ("code", re.compile(r"(?<!\s)\s*+#(\w++)$")),
)


@dataclass(frozen=True, slots=True)
class LineParts:
    """The parts of a line that may name a card."""

    name: str
    copies: int | None = None
    level: int | None = None
    code: str = ""
    others: tuple[str, ...] = ()


def ways_to_split(text: str) -> list[list[LineParts]]:
    """Every way to split a line into parts, the most likely first.

    With its quantity, and without it if the first number may be part of the name.
    """
    bare = MARKS.sub("", text)
    if cells := _CELLS.match(bare):
        rest = "".join(f" ({each})" for each in cells.groups()[3:] if each)
        bare = f"{cells[1]}x {cells[3]}{rest}"
    link = _LINK.search(bare)
    if link is not None:
        bare = f"{bare[: link.start()]}{link[1]}{bare[link.end() :]} #{link[2]}"
    ways = [list(_endings(LineParts(bare)))]
    # A number inside a link is the beginning of the card's name.
    before = BEFORE.match(bare, 0, link.start() + 1 if link else len(bare))
    if quantity := before or TIGHT.match(bare):
        copies = int(next(filter(None, quantity.groups())))
        counted = list(_endings(LineParts(bare[quantity.end() :], copies)))
        ways.insert(0 if before else 1, counted)
    return ways


def _endings(parts: LineParts) -> Iterator[LineParts]:
    """Yield the line whole, then repeatedly with one more part removed from its end."""
    yield (parts := _counted(parts))
    for _ending in range(MOST_ENDINGS):
        start = max(0, len(parts.name) - LONGEST_ENDING)
        for kind, ending in _AFTER.get(parts.name[-1:], _AFTER_A_WORD):
            match = ending.search(parts.name, start)
            if match is None or getattr(parts, kind) not in (None, "", parts.others):
                continue
            found = next(group for group in match.groups() if group is not None)
            value: Any = (*parts.others, found) if kind == "others" else found
            if kind in ("copies", "level"):
                value = int(found)
            name = parts.name[: match.start()]
            yield (parts := _counted(replace(parts, name=name, **{kind: value})))
            break
        else:
            return


def _counted(parts: LineParts) -> LineParts:
    """Take the level from pips at the end, which are not part of the name."""
    pips = _PIPS.search(parts.name) if parts.level is None else None
    name = parts.name[: pips.start()] if pips else ""
    return replace(parts, name=name, level=len(pips[2])) if pips else parts


@dataclass(frozen=True, slots=True)
class CardMatch:
    """The card that a line means, or why it means none."""

    code: str = ""
    message: str = ""
    values: tuple[tuple[str, str], ...] = ()
    expected: str = ""
    candidates: tuple[str, ...] = ()


def match_card(
    parts: LineParts, cards: list[Card], names: Names, holder: str = ""
) -> CardMatch:
    """Find which card of this name is meant; ``holder`` is the deck's investigator."""
    cards = [card for card in cards if card.in_decks or card.investigator] or cards
    for code in (parts.code, *parts.others):
        taken = names.pool.get_card(code)
        if taken is None:
            continue
        is_other = fold(taken.name) not in {fold(card.name) for card in cards}
        is_apt = not is_other and _has_level(taken, parts.level)
        if not (is_apt or code == parts.code):
            continue
        passed = [cards[0].name] if is_other else []
        passed += _skipped_level(taken, parts.level)
        passed += [each for each in parts.others if not _fits(each, taken, names)]
        return replace(_remark(taken, "", (), passed), code=code)
    pack, passed = None, []
    for other in parts.others:
        key = fold(other)
        leveled = [card for card in cards if _has_level(card, parts.level)]
        printed = [card for card in leveled if card.printed_in(names.packs.get(key))]
        if fewer := [card for card in cards if _describes(key, card, names)]:
            cards = fewer
        elif printed:
            cards, pack = printed, names.packs[key]
        else:
            passed.append(other)
    counted = parts.copies is not None
    leveled = [card for card in cards if parts.level and card.level == parts.level]
    leveled = leveled if holder or counted else []  # else experience of investigators
    fit = [card for card in cards if (card.in_decks if counted else card.plays)]
    cards = leveled or fit or cards
    leveled = [card for card in cards if _has_level(card, parts.level or 0)]
    if not leveled:
        levels = sorted({card.level or 0 for card in cards})
        if parts.level is not None:
            message, known = _("{name} has no level {level}."), map(str, levels)
            values = ("name", cards[0].name), ("level", str(parts.level))
            return CardMatch("", message, values, ", ".join(known))
        leveled = [card for card in cards if (card.level or 0) == levels[0]]
    facts = names.pool[holder].investigator if holder else None
    by_likelihood = partial(_likelihood, holder=facts.base if facts else "")
    taken = min(leveled, key=by_likelihood)
    passed += _skipped_level(taken, parts.level)
    named = parts.level is not None or pack is not None  # exports write no level 0
    rest = sorted(leveled if named else cards, key=by_likelihood)
    others = tuple(card.code for card in rest if card is not taken)
    which = _which(taken, leveled, names.pool) if len(leveled) > 1 else ""
    found = _remark(taken, which, others, passed)
    return replace(found, code=taken.printed_in(pack) or taken.code, candidates=others)


def _describes(key: str, card: Card, names: Names) -> bool:
    """True if folded words are a card's subtitle, class or type, or “parallel”."""
    kinds = fold(card.subname), *(card.classes or ("neutral",)), card.type
    return key in kinds or card in names.cards.get(fold(f"{card.name} {key}"), ())


def _fits(words: str, card: Card, names: Names) -> bool:
    """True if words in brackets describe a card, or are its code or product."""
    pack, is_code = names.packs.get(fold(words)), names.pool.get_card(words) is card
    return (
        is_code or bool(card.printed_in(pack)) or _describes(fold(words), card, names)
    )


def _remark(
    taken: Card, which: str, others: tuple[str, ...], passed: list[str]
) -> CardMatch:
    """The remark on a choice between cards, if any."""
    message, skipping = "", _("We skipped “{words}”.")
    if which:
        message = _("Several cards are called {name}; we took this one: {which}.")
        skipping = _(
            "Several cards are called {name}; we took this one: {which}. "
            "We skipped “{words}”."
        )
    elif others:
        message = _("No level given; we took {name} at level {level}.")
        skipping = _(
            "No level given; we took {name} at level {level}. We skipped “{words}”."
        )
    message, words = skipping if passed else message, ("words", ", ".join(passed))
    values = ("name", taken.name), ("level", str(taken.level or 0)), ("which", which)
    return CardMatch("", message, (*values, words) if message else ())


def _which(card: Card, alike: list[Card], pool: CardPool) -> str:
    """Distinguish a card from others of its name: by subtitle, product or code."""

    def product(card: Card) -> str:
        first = card.printings[0].pack if card.printings else ""
        return pool.packs[first].name if first in pool.packs else ""

    if card.subname and [each.subname for each in alike].count(card.subname) == 1:
        return card.subname
    if (name := product(card)) and [*map(product, alike)].count(name) == 1:
        return name
    return f"{name} ({card.code})" if name else card.code


def _has_level(card: Card, level: int | None) -> bool:
    return bool(card.sheet or card.investigator) or level in (None, card.level or 0)


def _skipped_level(card: Card, level: int | None) -> list[str]:
    """The level given if the card's is another; a sheet isn't marked by a level."""
    return [str(level)] if level not in (None, card.level or 0) else []


def _likelihood(card: Card, holder: str) -> tuple[int, bool, bool, str]:
    """A sort key: the most likely of cards that nothing else distinguishes is first.

    ``holder`` is the base code of the investigator: their own signature comes before a
    card for everyone, and other investigators' signatures come last.
    """
    facts = card.investigator
    theirs = card.restriction.investigators if card.restriction else ()
    return (
        0 if not (holder and theirs) else -1 if holder in theirs else 1,
        card.signature not in (None, SignatureKind.ORIGINAL),
        facts is not None and (facts.parallel or not facts.playable),
        card.code,
    )
