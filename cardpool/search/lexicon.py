"""The words of the card pool, the words of each card, and search errors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from django.utils.translation import gettext as _
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from arkham.rules.card import Card
from arkham.rules.gists import gist_of
from arkham.rules.notation.names import closest
from arkham.rules.pool import CardPool
from cardpool.languages import IN_ENGLISH, CardLanguage, CardTitle
from cardpool.words import fold, listed


class QueryError(ValueError):
    """A search that can't be run.

    ``column`` counts characters from 1; ``found`` is the text at fault, "" at the end;
    ``expected`` says what belongs there; ``suggestion`` is the nearest known word, ""
    for none; ``end`` is the column after the text it would replace.
    """

    def __init__(
        self,
        column: int,
        message: str,
        *,
        found: str,
        expected: str,
        suggestion: str,
        end: int | None = None,
    ) -> None:
        super().__init__(message)
        self.column = column
        self.end = column + len(found) if end is None else end
        self.found = found
        self.expected = expected
        self.suggestion = suggestion


def refusal_of(text: str, error: UnexpectedInput) -> QueryError:
    """Return the parser's error in the words of the language."""
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        place = len(text.rstrip()) if at_end else (error.token.start_pos or 0)
        found = "" if at_end else str(error.token)
        wanted = set(error.accepts or error.expected)
    else:
        assert isinstance(error, UnexpectedCharacters)
        place = cast("int", error.pos_in_stream)
        found = text[place]
        wanted = set(error.allowed)
    expected = _expected(wanted)
    if found in ('"', "“"):
        message = _("The closing quotation mark is missing.")
        expected = _("a closing quotation mark")
    elif found == ")":
        message = _("There is no open parenthesis here, or it is empty.")
    elif found:
        message = _("“%(found)s” doesn’t belong here. Expected: %(expected)s.") % {
            "found": found,
            "expected": expected,
        }
    else:
        message = _("The search ends too early. Expected: %(expected)s.") % {
            "expected": expected
        }
    return QueryError(place + 1, message, found=found, expected=expected, suggestion="")


def _expected(terminals: set[str]) -> str:
    """Describe the expected terminals in words."""
    if "VALUE" in terminals:
        return _("a value")
    if "OPERATOR" in terminals:
        return _("an operator such as : or <=")
    if "KEY" not in terminals and "WORD" in terminals:
        return _("a word")
    if "RPAR" in terminals:
        return _("a closing parenthesis")
    if "KEY" in terminals and "OR" not in terminals:
        return _("a word or a condition such as class:seeker")
    return _("a condition, or quotation marks around a name")


Words = Mapping[str, str]  # folded spelling → the stored value


class Lexicon:
    """The words of one card pool, each under its folded spelling."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool

    @cached_property
    def traits(self) -> Words:
        """Every trait."""
        return _words(self.pool.traits)

    @cached_property
    def slots(self) -> Words:
        """Every slot, and two of the same (``hand x2``)."""
        single = {slot for card in self._cards for slot in card.slots}
        double = {
            f"{slot} x2": f"{slot}|{slot}"
            for slot in single
            if any(card.slots.count(slot) > 1 for card in self._cards)
        }
        return dict(_words(single)) | double

    @cached_property
    def uses(self) -> Words:
        """Every kind of token that cards use."""
        return _words(card.uses for card in self._cards if card.uses)

    @cached_property
    def packs(self) -> Words:
        """Every product, by code and by name."""
        packs = self.pool.packs.values()
        return {fold(pack.name): pack.code for pack in packs} | {
            fold(pack.code): pack.code for pack in packs
        }

    @cached_property
    def cycles(self) -> Words:
        """Every cycle, by position, code and name."""
        cycles = self.pool.cycles.values()
        return (
            {fold(cycle.name): cycle.code for cycle in cycles}
            | {str(cycle.position): cycle.code for cycle in cycles}
            | {fold(cycle.code): cycle.code for cycle in cycles}
        )

    @cached_property
    def encounter_sets(self) -> Words:
        """Every encounter set, by code and by name."""
        sets = self.pool.encounter_sets
        return {fold(name): code for code, name in sets.items()} | {
            fold(code): code for code in sets
        }

    @cached_property
    def bonded_to(self) -> Words:
        """The titles of the cards that bring bonded cards."""
        return _words(title for card in self._cards for title in card.bonded_to)

    @cached_property
    def investigators(self) -> Mapping[str, tuple[Card, ...]]:
        """The playable investigators of each name, one for each original card."""
        named: dict[str, dict[str, Card]] = {}
        for card in self.pool.investigators:
            assert card.investigator is not None
            base = self.pool.get_card(card.investigator.base) or card
            if card.investigator.playable:
                named.setdefault(fold(card.name), {})[base.code] = base
        return {name: tuple(cards.values()) for name, cards in named.items()}

    @cached_property
    def called_for_short(self) -> Words:
        """Each investigator's code by the name and, if it is unique, the first name."""
        codes = {name: cards[0].code for name, cards in self.investigators.items()}
        first = [name.split()[0] for name in codes]
        short = {name.split()[0]: code for name, code in codes.items()}
        return {name: short[name] for name in short if first.count(name) == 1} | codes

    @cached_property
    def plurals_of_traits(self) -> Words:
        """Every trait by its plural."""
        known = {plural(trait): trait for trait in self.traits if " " not in trait}
        return {words: known[words] for words in known if words not in self.uses}

    @property
    def _cards(self) -> Iterable[Card]:
        return self.pool.values()


def _words(values: Iterable[str]) -> Words:
    return {fold(value): value for value in sorted(values)}


def plural(words: str) -> str:
    """Return the plural of an English noun."""
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return f"{words}es" if words.endswith("s") else f"{words}s"


def nearest(text: str, known: Iterable[str]) -> str:
    """Return the known word most like the text, or with a word like it; "" for none."""
    whole = {each: each for each in known}
    parts = {part: each for each in whole for part in each.split() if len(part) > 3}
    found = closest(fold(text), [*whole, *parts], most=1)
    return (whole | parts)[found[0]] if found else ""


_LEXICONS: WeakKeyDictionary[CardPool, Lexicon] = WeakKeyDictionary()


def lexicon_of(pool: CardPool) -> Lexicon:
    """Return the lexicon of a pool, cached as long as the pool."""
    lexicon = _LEXICONS.get(pool)
    if lexicon is None:
        lexicon = _LEXICONS[pool] = Lexicon(pool)
    return lexicon


KEPT = 512  # words whose cards are cached

Codes = frozenset[str]


class Spellings(NamedTuple):
    """The words of names and traits, those only in gists, and names without blanks."""

    named: list[str]
    said: list[str]
    whole: dict[str, str]


class Texts:
    """Texts by code, searched as one text, which takes a tenth of the time."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.of = texts
        self._codes = list(texts)
        self._all = "\n".join(texts.values())
        ends = accumulate(len(text) + 1 for text in texts.values())
        self._starts = [0, *ends]

    def holding(self, words: str) -> Codes:
        """Return the codes of texts with these folded words (without line breaks)."""
        found = []
        place = self._all.find(words)
        while place >= 0:
            number = bisect_right(self._starts, place) - 1
            found.append(self._codes[number])
            place = self._all.find(words, self._starts[number + 1])
        return frozenset(found)


class Index:
    """The folded words of one card pool, by code of the card.

    Cards are also found by their names in other languages.
    """

    def __init__(self, pool: CardPool, languages: Iterable[CardLanguage] = ()) -> None:
        self.codes: Codes = frozenset(pool)
        called = {
            code: [IN_ENGLISH.title(card), *_translated(code, languages)]
            for code, card in pool.items()
        }
        self._names = Texts({code: _names(titles) for code, titles in called.items()})
        self._whole: dict[str, set[str]] = {}
        for code, titles in called.items():
            for name, _subname in titles:
                self._whole.setdefault(fold(name), set()).add(code)
        traits = {code: listed(card.traits) for code, card in pool.items()}
        self._traits = Texts(traits)
        self._gists = Texts({code: _gist(code) for code in pool})
        self._printed = {
            printing.code: code
            for code, card in pool.items()
            for printing in card.printings
        }
        self.named: Callable[[str], Codes] = lru_cache(KEPT)(self._named)
        self.having: Callable[[str], Codes] = lru_cache(KEPT)(self._having)
        self.spellings: Callable[[Codes], Spellings] = lru_cache(8)(self._spellings)

    def _named(self, words: str) -> Codes:
        """Return the cards whose name or subtitle contains the folded words."""
        return self._names.holding(words)

    def called(self, name: str) -> Codes:
        """Return the cards with exactly this folded name."""
        return frozenset(self._whole.get(name, ()))

    def _having(self, words: str) -> Codes:
        """Return the cards with the words in name or gist, or beginning a trait."""
        traits = self._traits.holding(f"|{words}")
        return self.named(words) | traits | self.saying(words)

    def saying(self, words: str) -> Codes:
        """Return the cards whose gist has the words, from the beginning of one."""
        return self._gists.holding(f" {words}")

    def _spellings(self, shown: Codes) -> Spellings:
        """Return the spellings of the words of these cards."""
        cards = sorted(shown)
        texts = [self._names.of[code] + self._traits.of[code] for code in cards]
        named = dict.fromkeys(_words_of(" ".join(texts)))
        said = dict.fromkeys(
            _words_of(" ".join(self._gists.of[code] for code in cards))
        )
        names = (name for code in cards for name in self._names.of[code].split("|"))
        whole = {name.replace(" ", ""): name.strip() for name in names}
        return Spellings([*named], [each for each in said if each not in named], whole)

    def printed_as(self, code: str) -> Codes:
        """Return the card with a printing of this code."""
        card = self._printed.get(code)
        return frozenset() if card is None else frozenset((card,))


def _words_of(text: str) -> list[str]:
    return text.replace("|", " ").split()


def _translated(code: str, languages: Iterable[CardLanguage]) -> list[CardTitle]:
    titles = (each.titles.get(code) for each in languages)
    return [each for each in titles if each]


def _names(titles: Iterable[CardTitle]) -> str:
    names = dict.fromkeys(fold(name) for title in titles for name in title)
    return f" {' | '.join(name for name in names if name)}"


def _gist(code: str) -> str:
    words = gist_of(code).words
    return f" {fold(words.replace('_', ' '))}" if words else ""


Indexed = tuple[tuple[CardLanguage, ...], Index]

_INDEXES: WeakKeyDictionary[CardPool, Indexed] = WeakKeyDictionary()


def index_of(pool: CardPool, languages: Iterable[CardLanguage] = ()) -> Index:
    """Return the index of a pool, cached with the pool and its translated names."""
    named = tuple(each for each in languages if each.titles)
    kept = _INDEXES.get(pool)
    if kept is None or kept[0] != named:
        kept = _INDEXES[pool] = named, Index(pool, named)
    return kept[1]
