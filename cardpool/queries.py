"""Find the cards that match a search, or searches that may have been meant."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from arkham.rules.card import TabooList
from arkham.rules.notation.names import Names, names_of
from arkham.rules.pool import CardPool
from cardpool.catalog import Loaded, pool_of, seen_data
from cardpool.languages import CardLanguage, languages_of, readers_language
from cardpool.models import Card, Scope
from cardpool.search import BEFORE_NAMES, ORDERS, Search, compile_term, parted, phrase
from cardpool.search.conditions import DENIALS
from cardpool.search.finders import by_name
from cardpool.search.keys import KEYS
from cardpool.search.lexicon import QueryError, index_of, lexicon_of
from cardpool.search.natural import (
    bare_words,
    guesses,
    is_bare_word,
    like_names,
    read_words,
    with_last_level,
    with_level,
)
from cardpool.search.query import (
    And,
    Condition,
    Name,
    Not,
    Or,
    SearchValue,
    Term,
    all_of,
    parse,
    terms_of,
    written,
)
from cardpool.words import LONGEST_GUESSED, MOST_MEANT, fold

KEPT = 64  # cached searches; the longest results take 16 KB


def read_search(
    search: str | Term,
    pool: CardPool | None = None,
    *,
    taboo: TabooList | None = None,
    owned: frozenset[str] | None = None,
) -> Search:
    """Return a search in a card pool, the current one by default.

    Ordinary words are read as conditions if that finds cards, and corrected if nothing
    is found as they are spelled. ``owned`` are the codes of the cards the reader owns,
    None if unknown. Raises QueryError, which has the place, what was found and what was
    expected.
    """
    data = seen_data()
    lexicon = lexicon_of(pool or pool_of(data.version if data else ""))
    term = parse(search) if isinstance(search, str) else search
    term = with_level(term, lexicon.pool)
    index = index_of(lexicon.pool, languages_of(data))

    def compiled(term: Term) -> Search:
        made = compile_term(term, lexicon, index, taboo=taboo, owned=owned)
        return replace(made, loaded=data)

    reading = read_words(term, lexicon)
    said, spelled = reading.term, compiled(term)
    if data is None or not bare_words(term):
        return compiled(said) if said else spelled
    shown = _shown(data, spelled.scopes)
    words = [each.values[0].text for each in bare_words(term)]
    folded = fold(" ".join(words))
    is_name = len(words) > 1 and not reading.is_phrase
    if said is not None and not (is_name and spelled.named & shown):
        others, read = frozenset(found_codes(spelled)), compiled(said)
        also = others & index.named(f" {folded}")
        if len(words) > 1:
            phrased, named = reading.in_names(index)
            named -= frozenset(found_codes(read))
            also = (phrased | named) & shown
            also &= frozenset(found_codes(compiled(reading.or_named))) if also else also
        read = replace(read, also=also)
        if codes := found_codes(read):
            is_read = bool(reading.phrases) or not others.issubset(codes)
            return replace(read, is_read=is_read, typed=" ".join(words))
    if found_codes(spelled) or spelled.named - shown:
        return spelled
    likely = [(term, like_names(term, index, shown))] if said else []
    doubts = (with_last_level(said or term), said or term)
    likely += [(each, guesses(each, index, shown)) for each in doubts if each]
    for doubted, guessed in likely:
        words = [each.values[0].text for each in bare_words(doubted)]
        for guess in guessed:
            for meant in (read_words(guess.term, lexicon).term, guess.term):
                if meant is not None and found_codes(made := compiled(meant)):
                    return replace(made, guess=guess.words, typed=" ".join(words))
    return compiled(said) if said else spelled


def found(search: Search) -> QuerySet[Card]:
    """Return the cards a search finds, in the order of their codes, without facts.

    Back sides and stand-ins are not separate cards and never included.
    """
    cards = Card.objects.filter(search.asked, scope__in=search.scopes, hidden=False)
    if search.among is not None:
        cards = cards.filter(pk__in=search.among)
    if search.also:
        cards |= Card.objects.filter(pk__in=search.also)
    return cards.defer("facts").order_by("pk")


def found_codes(search: Search) -> tuple[str, ...]:
    """Return the codes of the cards a search finds, in its order; cached.

    Cards with just these words as their name come first, then those with them in it.
    """
    if search.loaded is None:
        return ()
    return _codes(_Asked(_key_of(search), search))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search in the cards that were loaded at one time."""

    key: Hashable
    search: Search = field(compare=False)


def _key_of(search: Search) -> Hashable:
    """Return a cache key of everything that determines the result."""
    taboo = search.taboo.id if search.taboo else 0
    about = search.scopes, taboo, search.order, search.also, search.owned
    return search.loaded, search.term, *about, readers_language()


@lru_cache(maxsize=KEPT)
def _codes(asked: _Asked) -> tuple[str, ...]:
    search = asked.search
    assert search.loaded is not None
    found = _shown(search.loaded, search.scopes)
    if search.among is not None:
        found &= search.among
    if search.asked and found:
        found &= _answered(search.loaded, search.scopes, search.asked)
    found |= search.also
    place = _places(search.loaded, search.order, readers_language()).__getitem__
    first = found & (search.named | search.also)
    parts = first & search.called, first - search.called, found - first
    return tuple(code for part in parts for code in sorted(part, key=place))


@lru_cache(maxsize=KEPT)
def _answered(_loaded: Loaded, scopes: frozenset[Scope], asked: Q) -> frozenset[str]:
    """Return codes from the database; many searches share their conditions."""
    cards = Card.objects.filter(asked, scope__in=scopes)
    return frozenset(cards.values_list("pk", flat=True))


@lru_cache(maxsize=16)
def _shown(_loaded: Loaded, scopes: frozenset[Scope]) -> frozenset[str]:
    """Return the codes of the visible cards of these scopes."""
    cards = Card.objects.filter(hidden=False, scope__in=scopes)
    return frozenset(cards.values_list("pk", flat=True))


@lru_cache(maxsize=4 * len(ORDERS))  # for two languages, and data they replace
def _places(_loaded: Loaded, order: str, language: CardLanguage) -> dict[str, int]:
    """Return the place of every visible card in a given order.

    Orders by name use the name in the reader's language.
    """
    cards = Card.objects.filter(hidden=False).order_by(*ORDERS[order])
    codes: Iterable[str] = cards.values_list("pk", flat=True)
    if language.titles and order in BEFORE_NAMES:
        columns = ("pk", "folded_name", *BEFORE_NAMES[order])
        codes = _by_titles(cards.values_list(*columns), language)
    return {code: place for place, code in enumerate(codes)}


def _by_titles(
    rows: Iterable[tuple[Any, ...]], language: CardLanguage
) -> Iterator[str]:
    """Sort rows of code, name and preceding columns by translated name; yield codes."""

    def name(row: tuple[Any, ...]) -> str:
        title = language.titles.get(row[0])
        return fold(title.name) if title else str(row[1])

    for _before, alike in groupby(rows, lambda row: row[2:]):
        yield from (row[0] for row in sorted(alike, key=name))


QUOTES = '"“”'
NAME_KEYS = frozenset(
    spelling for key in KEYS if key.finder is by_name for spelling in key.spellings
)
Place = tuple[int, int]  # of a text: its first character, and the one after its last


@dataclass(frozen=True, slots=True)
class SearchFault:
    """A refused search: the text around the fault, and one that may work."""

    error: QueryError
    before: str
    at: str
    after: str
    instead: str

    @classmethod
    def of(cls, text: str, error: QueryError) -> SearchFault:
        """Return the fault at its place in the text of the search box."""
        start = max(error.column - 1, 0)
        end = max(error.end - 1, start + 1)
        instead = ""
        if error.suggestion and error.found:
            instead = _replaced(text, (start, end), error.suggestion)
        return cls(error, text[:start], text[start:end], text[end:], instead)


@dataclass(frozen=True, slots=True)
class Respelt:
    """A name that may have been meant, and the search with it."""

    name: str
    search: str


def respelt(
    text: str, pool: CardPool, owned: frozenset[str] | None = None
) -> list[Respelt]:
    """Return searches with corrected names of cards or investigators, likeliest first.

    If the search has more than a name, only those that find something are offered;
    ``owned`` are the codes of the cards the reader owns, None if unknown.
    """
    text, names = text.strip(), names_of(pool)
    offered: dict[str, Respelt] = {}
    for place in _names_in(parse(text)):
        whole = place == (0, len(text))
        for name in _alike(text[slice(*place)].strip(QUOTES), names):
            search = name if whole else _replaced(text, place, name)
            if whole or _finds(search, pool, owned):
                offered.setdefault(name, Respelt(name, search))
    return [*offered.values()][:MOST_MEANT]


MOST_PARTS = 10  # of a search that finds nothing


@dataclass(frozen=True, slots=True)
class NothingFound:
    """How a search that finds nothing was read, and searches that find something."""

    read: str = ""
    alike: Sequence[Respelt] = ()
    fewer: Sequence[Respelt] = ()

    @classmethod
    def of(
        cls, text: str, pool: CardPool, owned: frozenset[str] | None = None
    ) -> NothingFound:
        """Offer names as respelt, and the search without one part or for each alone."""
        alike = respelt(text, pool, owned)
        lexicon, term = lexicon_of(pool), with_level(parse(text), pool)
        directives, rest = parted(read_words(term, lexicon).term or term)
        parts = [each for each in terms_of(rest) if not _joins(each)]
        if not 1 < len(parts) <= MOST_PARTS:
            return cls(alike=alike)
        without, alone = [], []
        for part in parts:
            said, left = phrase(part, lexicon), (each for each in parts if each != part)
            fewer = written(all_of(*directives, *left))
            if _finds(fewer, pool, owned):
                without.append(Respelt(_("without %(part)s") % {"part": said}, fewer))
            elif _finds(only := written(all_of(*directives, part)), pool, owned):
                alone.append(Respelt(said, only))
        return cls(phrase(rest, lexicon), alike, without or alone)


def _joins(term: Term) -> bool:
    """Return True for a bare “and” or “or”, which would join what is beside it."""
    return is_bare_word(term) and written(term).casefold() in ("and", "or")


def _finds(search: str, pool: CardPool, owned: frozenset[str] | None) -> bool:
    """Return True if a search finds cards; False if its new name makes it too long."""
    try:
        return bool(found_codes(read_search(search, pool, owned=owned)))
    except QueryError:
        return False


def _replaced(text: str, place: Place, by: str) -> str:
    """Return the text with a part replaced, quoted if necessary."""
    start, end = place
    fitting = f'"{by}"' if " " in by and '"' not in by else by
    return text[:start] + fitting + text[end:]


def _alike(said: str, names: Names) -> list[str]:
    if len(said) > LONGEST_GUESSED:
        return []
    alike = dict.fromkeys([*names.like(said), *names.investigators_like(said)])
    return [each for each in alike if fold(each) != fold(said)]


def _names_in(term: Term) -> Iterator[Place]:
    """Yield the places of names in a search; adjacent bare words are one name."""
    match term:
        case Name(values):
            yield from map(_place, values)
        case Condition(key, operator, values):
            if key.text.casefold() in NAME_KEYS and operator not in DENIALS:
                yield from map(_place, values)
        case And(terms):
            for is_bare, run in groupby(terms, is_bare_word):
                places = [place for each in run for place in _names_in(each)]
                yield from [(places[0][0], places[-1][1])] if is_bare else places
        case Or(terms):
            for each in terms:
                yield from _names_in(each)
        case Not():
            return


def _place(value: SearchValue) -> Place:
    return value.column - 1, value.end - 1
