"""Finds the card that one line of a list names, and spellings like a misspelt one.

A line names a card in one of these ways, with or without what stands in brackets; the
order of the brackets does not matter::

    [2x ]Name[ :Subtitle][ [level]][ (Product)][ #code]
    Name x2   - 2 Name (3 XP)   2xName •••   2x [Name](/card/01020)

How many letters are wrong is measured by rapidfuzz: a letter too many, too few,
another, or two that changed places. The rules alone need nothing installed; without
rapidfuzz the standard library compares, more slowly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache, partial

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
ALIKE = 0.7  # of 1: three wrong letters in ten
_ROUNDING = 1e-6  # one wrong letter in five is not quite 0.8
_WEIGHED = 4  # spellings compared more closely, for each that is wanted


def closest(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[str]:
    """The folded spellings most like a folded text, the likeliest first."""
    return [spelling for spelling, _likeness in weighed(text, known, most, alike)]


def weighed(
    text: str, known: Iterable[str], most: int = MOST_LIKE, alike: float = ALIKE
) -> list[tuple[str, float]]:
    """The same, each with how like it is: 1 for equal.

    Of those that are equally like it, one with the same letters comes first, then what
    begins as it does.
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
        spelling, likeness = match
        is_other = sorted(spelling) != letters
        return -likeness, is_other, -Prefix.similarity(text, spelling)

    return sorted(((each[0], each[1]) for each in found), key=weight)[:most]


# Letters that Unicode does not take apart.
_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
)
# Marks inside a word; every other mark parts words.
_INSIDE = re.compile(r"['’‘`´\".“”«»„!?…]")
_BETWEEN = re.compile(r"[\W_]+")
_PIECES = re.compile(r".{1,16}", re.DOTALL)  # long runs of marks take too long


def fold(text: str) -> str:
    """Letters and digits in lower case, one space between words.

    ``fold("Kōhaku’s “Skids”")`` is ``kohakus skids``.
    """
    bare = text.casefold()
    if not bare.isascii():
        parts = _PIECES.findall(bare.translate(_LETTERS))
        parted = "".join(unicodedata.normalize("NFKD", part) for part in parts)
        bare = "".join(each for each in parted if not unicodedata.combining(each))
    return _BETWEEN.sub(" ", _INSIDE.sub("", bare)).strip()


LONGEST_NAME = 100  # with its subtitle
LONGEST_GUESSED = 40
# A first or last name alone is compared too, so it has to look more alike.
ALIKE_AS_INVESTIGATOR = 0.75
SHORTEST_PART = 4  # letters of such a name


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
        """List an investigator under the whole name and under its longer parts."""
        parts = [part for part in card.name.split() if len(part) >= SHORTEST_PART]
        for spelling in {fold(each) for each in (card.name, *parts)}:
            names = self._investigators.setdefault(spelling, [])
            if card.name not in names:
                names.append(card.name)

    def called(self, text: str) -> list[Card]:
        """Every card of this name (with its subtitle or without) or code."""
        card = self.pool.get_card(text)
        if card is not None:
            return [card]
        return self.cards.get(fold(text), []) if len(text) <= LONGEST_NAME else []

    def like(self, text: str) -> list[str]:
        """Names that look alike, as they are printed."""
        found = closest(fold(text[:LONGEST_GUESSED]), self.cards)
        return list(dict.fromkeys(self.cards[each][0].name for each in found))

    def investigators_like(self, text: str) -> list[str]:
        """Investigators with a deck whose names look alike, the likeliest first."""
        folded = fold(text[:LONGEST_GUESSED])
        found = closest(folded, self._investigators, alike=ALIKE_AS_INVESTIGATOR)
        names = (name for each in found for name in self._investigators[each])
        return list(dict.fromkeys(names))[:MOST_LIKE]


@lru_cache(maxsize=2)  # the pool in use and the one it replaces
def names_of(pool: CardPool) -> Names:
    """The names of a pool, gathered once."""
    return Names(pool)


MOST_COPIES = 10_000
MOST_ENDINGS = 6  # parts after a name
LONGEST_ENDING = 120  # letters

# Every pattern here takes time that grows with the line, not with its square: what may
# repeat gives nothing back (``++``), and a run of blanks is tried from its start alone.
MARKS = re.compile(r"^\s*+(?:[-*+•–—·]\s++)?|[*_]{2,}+|(?<!\s)\s++$")
_LINK = re.compile(r"\[([^\[\]]++)\]\((?>[^()]*?/card/)(\w++)[^()]*+\)")
BEFORE = re.compile(
    r"(?i)^\(?(?:(\d{1,5})\s*[x×]\)?|[x×]\s*(\d{1,5})\)?|(\d{1,5}))\s+(?=\S)"
    r"|^(\d{1,5})[x×](?!p\b)(?=[^\s\d.,/]|\.\d)"
)
_PIPS = re.compile(r"(?<=[^\s•●])\s*+([•●]++)$")
_LEVEL = (
    "level",
    re.compile(r"(?i)(?<!\s)\s*+[\[(](?:lvl ?|level )?(\d\d?)(?: ?xp)?[\])]$"),
)
# The kinds of endings and their patterns, by the letter such an ending closes with.
_AFTER = {
    ")": (
        (
            "copies",
            re.compile(
                r"(?i)(?<!\s)\s*+\((?:[x×]?\s*+(\d{1,5})\s*+[x×]|[x×]\s*+(\d{1,5}))\)$"
            ),
        ),
        _LEVEL,
        ("other", re.compile(r"(?<!\s)\s*+\(((?:[^()]++|\([^()]*+\))*)\)$")),
    ),
    "]": (_LEVEL, ("other", re.compile(r"(?<!\s)\s*+\[([^\[\]]*+)\]$"))),
}
_AFTER_A_WORD = (
    ("copies", re.compile(r"(?i)(?<!\s)\s++(?:[x×]\s*+(\d{1,5})|(\d{1,5})[x×])$")),
    ("code", re.compile(r"(?<!\s)\s*+#(\w++)$")),
)


@dataclass(frozen=True, slots=True)
class Said:
    """The parts of a line that may name a card."""

    name: str
    copies: int | None = None
    level: int | None = None
    code: str = ""
    others: tuple[str, ...] = ()


def sayings(text: str) -> list[list[Said]]:
    """Every way to take a line apart, the likeliest first.

    With its quantity, and without if its first number may be part of the name.
    """
    bare = MARKS.sub("", text)
    link = _LINK.search(bare)
    if link is not None:
        bare = f"{bare[: link.start()]}{link[1]}{bare[link.end() :]} #{link[2]}"
    ways = [list(_endings(Said(bare)))]
    quantity = BEFORE.match(bare)
    # A number inside a link is the beginning of its name.
    if quantity is not None and (link is None or quantity.end() <= link.start()):
        copies = int(next(filter(None, quantity.groups())))
        said = Said(bare[quantity.end() :], min(copies, MOST_COPIES))
        ways.insert(0, list(_endings(said)))
    return ways


def _endings(said: Said) -> Iterator[Said]:
    """The line with nothing taken off its end, then with one part more, and so on."""
    yield (said := _counted(said))
    for _ending in range(MOST_ENDINGS):
        start = max(0, len(said.name) - LONGEST_ENDING)
        for kind, ending in _AFTER.get(said.name[-1:], _AFTER_A_WORD):
            match = ending.search(said.name, start)
            if match is None or (kind == "copies" and said.copies is not None):
                continue
            found = next(group for group in match.groups() if group is not None)
            said = _with(replace(said, name=said.name[: match.start()]), kind, found)
            yield (said := _counted(said))
            break
        else:
            return


def _counted(said: Said) -> Said:
    """With the level that pips at the end say; a spelling does without them."""
    pips = _PIPS.search(said.name) if said.level is None else None
    if pips is None:
        return said
    return replace(said, name=said.name[: pips.start()], level=len(pips[1]))


def _with(said: Said, kind: str, found: str) -> Said:
    match kind:
        case "copies":
            return replace(said, copies=min(int(found), MOST_COPIES))
        case "code":
            return replace(said, code=found)
        case "level":
            return replace(said, level=int(found))
        case _:
            return replace(said, others=(*said.others, found))


@dataclass(frozen=True, slots=True)
class Meant:
    """The card a saying means, or why it means none."""

    code: str = ""
    message: str = ""
    values: tuple[tuple[str, str], ...] = ()
    expected: str = ""
    candidates: tuple[str, ...] = ()


def meaning(said: Said, cards: list[Card], names: Names, holder: str = "") -> Meant:
    """Which of the cards of this name is meant; ``holder`` is whose deck it is."""
    if said.code:
        card = names.pool.get_card(said.code)
        if card is not None:
            return Meant(said.code)
    pack, passed = None, []
    for other in said.others:
        narrower = [card for card in cards if fold(card.subname) == fold(other)]
        found = names.packs.get(fold(other))
        if narrower:
            cards = narrower
        elif found is not None:
            pack = found
        else:
            passed.append(other)
    if pack is not None:
        cards = [card for card in cards if _printed_in(card, pack)] or cards
    wanted = said.level or 0
    leveled = [card for card in cards if card.sheet or (card.level or 0) == wanted]
    if not leveled:
        levels = sorted({card.level or 0 for card in cards})
        if said.level is not None:
            return Meant(
                message=_("{name} has no level {level}."),
                values=(("name", cards[0].name), ("level", str(said.level))),
                expected=", ".join(map(str, levels)),
            )
        leveled = [card for card in cards if (card.level or 0) == levels[0]]
    facts = names.pool[holder].investigator if holder else None
    by_likelihood = partial(_likelihood, holder=facts.base if facts else "")
    taken = min(leveled, key=by_likelihood)
    named = said.level is not None or pack is not None  # exports write no level 0
    rest = sorted(leveled if named else cards, key=by_likelihood)
    others = tuple(card.code for card in rest if card is not taken)
    return replace(
        _remark(taken, leveled, others, passed, names.pool),
        code=_printed_in(taken, pack) or taken.code,
        candidates=others,
    )


def _remark(
    taken: Card,
    alike: list[Card],
    others: tuple[str, ...],
    passed: list[str],
    pool: CardPool,
) -> Meant:
    """What has to be said about a choice."""
    if len(alike) > 1:
        return Meant(
            message=_("Several cards are called {name}; we took this one: {which}."),
            values=(("name", taken.name), ("which", _which(taken, alike, pool))),
        )
    if others:
        return Meant(
            message=_("No level given; we took {name} at level {level}."),
            values=(("name", taken.name), ("level", str(taken.level or 0))),
        )
    if passed:
        return Meant(
            message=_("We skipped “{words}”."),
            values=(("words", ", ".join(passed)),),
        )
    return Meant()


def _which(card: Card, alike: list[Card], pool: CardPool) -> str:
    """What tells a card from others of its name: its subtitle, product, or code."""

    def product(card: Card) -> str:
        first = card.printings[0].pack if card.printings else ""
        return pool.packs[first].name if first in pool.packs else ""

    if card.subname and [each.subname for each in alike].count(card.subname) == 1:
        return card.subname
    if (name := product(card)) and [*map(product, alike)].count(name) == 1:
        return name
    return f"{name} ({card.code})" if name else card.code


def _printed_in(card: Card, pack: Pack | None) -> str:
    """The code of the card's printing in a product, "" if it is not in it."""
    codes = (each.code for each in card.printings if pack and each.pack == pack.code)
    return next(codes, "")


def plays(card: Card) -> bool:
    """Whether this is an investigator that a deck can be built for."""
    return card.investigator is not None and card.investigator.playable


def _likelihood(card: Card, holder: str) -> tuple[bool, int, bool, bool, str]:
    """What is meant where nothing distinguishes cards sorts first.

    ``holder`` is the base code of the investigator: their own signature comes before
    a card for everyone, that of another investigator last.
    """
    facts = card.investigator
    theirs = card.restriction.investigators if card.restriction else ()
    return (
        not card.in_decks and facts is None,
        0 if not (holder and theirs) else -1 if holder in theirs else 1,
        card.signature not in (None, SignatureKind.ORIGINAL),
        facts is not None and (facts.parallel or not facts.playable),
        card.code,
    )
