"""The search language: compiles a search to queries, or describes it in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_

from django.db.models import F, Q
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext as _

from arkham.rules.card import TabooList
from arkham.rules.pool import CardPool
from cardpool.catalog import Loaded
from cardpool.models import Scope
from cardpool.search import finders as by
from cardpool.search.conditions import (
    CODE,
    DENIALS,
    YES,
    Context,
    Found,
    any_of,
    question,
    refused,
)
from cardpool.search.keys import ABSENT, BY_SPELLING, CLASSES, DIRECTIVES, KEYS, Key
from cardpool.search.lexicon import Codes, Index, Lexicon, lexicon_of, nearest
from cardpool.search.query import (
    And,
    Condition,
    Name,
    Not,
    Or,
    SearchValue,
    Term,
    all_of,
    conditions,
    terms_of,
)
from cardpool.words import MARKS, fold

NAME_ORDER = (F("folded_name").asc(), F("level").asc(nulls_first=True), F("pk").asc())
SET_ORDER = (
    F("first_pack__cycle__position").asc(),
    F("first_pack__position").asc(),
    F("first_position").asc(),
    F("pk").asc(),
)
# The columns before the name in orders that end with it.
BEFORE_NAMES: dict[str, tuple[str, ...]] = {
    "name": (),
    "class": ("class_order", "type_order"),
    "type": ("type_order", "class_order"),
    "level": ("level",),
    "cost": ("cost",),
}
ORDERS: dict[str, tuple[OrderBy, ...]] = {
    order: (*(F(each).asc(nulls_first=True) for each in columns), *NAME_ORDER)
    for order, columns in BEFORE_NAMES.items()
} | {"set": SET_ORDER}
DEFAULT_ORDER = "name"
OWNED = "owned"
SHOWN = 3  # alternatives in a sentence


@dataclass(frozen=True, slots=True)
class Search:
    """A search that can be run.

    ``term`` is the tree without its directives. It finds the cards that match the query
    ``asked`` and that are in ``among``, unless that is None. ``scopes`` are the
    audiences whose cards are shown; ``order`` is a key of ``ORDERS``; ``called``
    cards come first, then ``named``. ``pool`` is the card pool it was compiled for,
    ``loaded`` the data in the database, if known. ``guess`` are the words used instead
    of those ``typed``. ``is_read`` means that ordinary words became conditions, which
    other cards have in their texts; ``also`` are cards with such a word in their name.
    ``owned`` are the cards the reader owns, if the search asks for them.
    """

    pool: CardPool
    term: Term
    asked: Q
    among: Codes | None
    scopes: frozenset[Scope]
    taboo: TabooList | None
    order: str
    called: Codes
    named: Codes
    loaded: Loaded | None = None
    guess: tuple[str, ...] = ()
    typed: str = ""
    is_read: bool = False
    also: Codes = frozenset()
    owned: frozenset[str] | None = None


def compile_term(
    term: Term,
    lexicon: Lexicon,
    index: Index,
    *,
    taboo: TabooList | None = None,
    owned: frozenset[str] | None = None,
) -> Search:
    """Compile a tree; ``taboo`` is the list in use unless ``under:`` names one.

    ``owned`` are the codes of the cards the reader owns, None if unknown. Raises
    QueryError for unknown keys and values.
    """
    directives, rest = parted(term)
    scopes = {Scope.PLAYER}
    order = DEFAULT_ORDER
    context = Context(lexicon, index, taboo, owned)
    for directive in directives:
        if directive.operator not in (":", "="):
            raise refused(
                SearchValue(directive.operator, directive.key.end), _("a colon")
            )
        match directive.key.text.casefold():
            case "show":
                scopes |= _scopes(directive)
            case "sort":
                order = _order(directive)
            case _under:
                context = replace(context, taboo=_taboo(directive, context))
    asked, among = _parts(terms_of(rest), context)
    called, named = _named(rest, index)
    return Search(
        pool=lexicon.pool,
        term=rest,
        asked=asked,
        among=among,
        scopes=frozenset(scopes),
        taboo=context.taboo,
        order=order,
        called=called,
        named=named,
        owned=owned if _asks_what_is_owned(rest) else None,
    )


def _asks_what_is_owned(term: Term) -> bool:
    return any(
        isinstance(each, Condition) and key_of(each).name == OWNED
        for each in conditions(term)
    )


def key_of(condition: Condition) -> Key:
    """Return the key of a condition; refuse an unknown one with the nearest key."""
    spelling = condition.key.text.casefold()
    if spelling == "c" and all(fold(each.text) in CLASSES for each in condition.values):
        spelling = "class"  # combat icons are numbers
    key = BY_SPELLING.get(spelling)
    if key is not None:
        return key
    if spelling in ABSENT:
        raise refused(
            condition.key,
            _("another key"),
            message=_("The card pool has no %(matter)s.")
            % {"matter": ABSENT[spelling]},
        )
    if spelling in DIRECTIVES:
        raise refused(
            condition.key,
            _("a place outside parentheses, without a minus"),
            message=_("“%(key)s:” is about the whole search, not a part of it.")
            % {"key": spelling},
        )
    named = [spelling for spelling in BY_SPELLING if len(spelling) > 2]
    raise refused(
        condition.key,
        ", ".join(key.name for key in KEYS),
        nearest(spelling, named),
        _("“%(key)s” is not a key of the search language.")
        % {"key": condition.key.text},
    )


def parted(term: Term) -> tuple[list[Condition], Term]:
    """Return the directives of a tree, and the tree without them."""
    directives, rest = list[Condition](), list[Term]()
    for each in terms_of(term):
        if isinstance(each, Condition) and each.key.text.casefold() in DIRECTIVES:
            directives.append(each)
        else:
            rest.append(each)
    return directives, all_of(*rest)


def _parts(terms: Iterable[Term], context: Context) -> tuple[Q, Codes | None]:
    """Combine terms into a database query, and codes known without it."""
    asked, among = Q(), None
    for term in terms:
        found = _compile(term, context)
        if isinstance(found, Q):
            asked &= found
        else:
            among = found if among is None else among & found
    return asked, among


def _compile(term: Term, context: Context) -> Found:
    match term:
        case Name():
            return by.bare_words(term, context.index)
        case Condition():
            return key_of(term).finder(term, context)
        case Not(inner):
            found = _compile(inner, context)
            if isinstance(found, Q):
                return ~found
            return context.index.codes - found
        case And(terms):
            asked, among = _parts(terms, context)
            if among is None:
                return asked
            return asked & question(among) if asked else among
        case Or(terms):
            return any_of(_compile(each, context) for each in terms)


def _named(term: Term, index: Index) -> tuple[Codes, Codes]:
    """Return the cards with the bare words as their name, and in it; none without."""
    names = [each for each in terms_of(term) if isinstance(each, Name)]
    words = " ".join(value.text for each in names for value in each.values)
    having = [by.bare_name(each, index) for each in names]
    return index.called(fold(words)), reduce(and_, having) if having else Codes()


# -- directives --


def _scopes(directive: Condition) -> set[Scope]:
    scopes: set[Scope] = set()
    for value in directive.values:
        word = value.text.casefold()
        if word == "all":
            scopes.update(Scope)
        elif word in Scope.values:
            scopes.add(Scope(word))
        else:
            raise refused(value, _("story, encounter or all"))
    return scopes


def _order(directive: Condition) -> str:
    value = directive.values[0]
    word = value.text.casefold()
    if word not in ORDERS:
        raise refused(value, ", ".join(ORDERS), nearest(word, ORDERS))
    return word


def _taboo(directive: Condition, context: Context) -> TabooList | None:
    value = directive.values[0]
    is_none = value.text.casefold() == "none"
    return None if is_none else by.taboo_list(value, context)


def describe(search: Search) -> str:
    """Describe the search in words: “class seeker, level at most 2”."""
    lexicon = lexicon_of(search.pool)
    parts = [phrase(search.term, lexicon)] if search.term != And(()) else []
    if search.taboo is not None:
        parts.append(
            _("under the taboo list of %(date)s") % {"date": search.taboo.date}
        )
    shown = [str(each.label) for each in Scope if each in search.scopes]
    if len(shown) > 1:
        parts.append(_("among: %(scopes)s") % {"scopes": ", ".join(shown).lower()})
    if search.order != DEFAULT_ORDER:
        parts.append(_("in order of %(order)s") % {"order": search.order})
    return ", ".join(parts)


def searched_instead(search: Search) -> str:
    """Return a sentence about what was searched for instead of the words typed."""
    if search.guess:
        names = either(f"“{words}”" for words in search.guess)
        values = {"words": search.typed, "names": names}
        return _("No card matches “%(words)s”. Showing cards like %(names)s.") % values
    if search.is_read:  # the order was chosen apart from the words
        read = describe(replace(search, order=DEFAULT_ORDER))
        if fold(read) != fold(search.typed):
            return _("Read as: %(conditions)s.") % {"conditions": read}
    return ""


def phrase(term: Term, lexicon: Lexicon) -> str:
    """Describe a term without directives in words."""
    match term:
        case Name(values):
            return either(f"“{value.text}”" for value in values)
        case Condition():
            return _condition(term, lexicon)
        case Not(inner):
            return _("not %(part)s") % {"part": _group(inner, lexicon)}
        case And(terms):
            return ", ".join(_group(each, lexicon) for each in terms)
        case Or(terms):
            return either(_group(each, lexicon) for each in terms)


def _group(term: Term, lexicon: Lexicon) -> str:
    said = phrase(term, lexicon)
    return f"({said})" if isinstance(term, And | Or) else said


def _condition(condition: Condition, lexicon: Lexicon) -> str:
    key = key_of(condition)
    if key.name in MARKS or key.name == OWNED:
        return _marked(key, condition)
    said = [_spoken(key.name, value, lexicon) for value in condition.values]
    said[SHOWN:] = ["…"] if len(said) > SHOWN else []
    words = {"key": "" if key.name == "is" else key.says, "values": either(said)}
    phrases = {
        "<": _("%(key)s below %(values)s"),
        "<=": _("%(key)s at most %(values)s"),
        ">": _("%(key)s above %(values)s"),
        ">=": _("%(key)s at least %(values)s"),
        **dict.fromkeys(DENIALS, _("%(key)s other than %(values)s")),
    }
    return (phrases.get(condition.operator, "%(key)s %(values)s") % words).strip()


def _marked(key: Key, condition: Condition) -> str:
    """Return “permanent” or “not permanent”; the finder has checked the value."""
    said = {value.text.casefold() in YES for value in condition.values}
    name = str(key.says).lower()
    wanted = True in said
    if (condition.operator in DENIALS) is wanted:
        return _("not %(part)s") % {"part": name}
    return name


def either(parts: Iterable[str]) -> str:
    """Join the parts as alternatives: “a, b or c”."""
    *first, last = parts
    if not first:
        return last
    return _("%(first)s or %(last)s") % {"first": ", ".join(first), "last": last}


def _investigator(text: str, lexicon: Lexicon) -> str:
    card = lexicon.pool.get_card(text.casefold()) if CODE.fullmatch(text) else None
    if card is None:
        named = lexicon.investigators.get(fold(text), ())
        card = named[0] if named else None
    return f"{card.name} ({card.code})" if card else text


def _pack(text: str, lexicon: Lexicon) -> str:
    code = lexicon.packs.get(fold(text))
    return lexicon.pool.packs[code].name if code else text


def _cycle(text: str, lexicon: Lexicon) -> str:
    code = lexicon.cycles.get(fold(text))
    return lexicon.pool.cycles[code].name if code else text


def _encounter_set(text: str, lexicon: Lexicon) -> str:
    code = lexicon.encounter_sets.get(fold(text))
    return lexicon.pool.encounter_sets[code] if code else text


def _mark(text: str, _lexicon: Lexicon) -> str:
    word = text.casefold()
    return str(MARKS[word].name).lower() if word in MARKS else word


_SPOKEN: dict[str, Callable[[str, Lexicon], str]] = {
    "access": _investigator,
    "owner": _investigator,
    "is": _mark,
    "pack": _pack,
    "cycle": _cycle,
    "set": _encounter_set,
}


def _spoken(key: str, value: SearchValue, lexicon: Lexicon) -> str:
    """Return a value as pages show it: names for codes, quotation marks for words."""
    if key in _SPOKEN:
        return _SPOKEN[key](value.text, lexicon)
    quoted = key in ("name", "text")
    return f"“{value.text}”" if quoted else value.text.casefold()
