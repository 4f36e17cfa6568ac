"""Compiles the tree of a search to one ``Q`` and its terms."""

from __future__ import annotations

from dataclasses import dataclass
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
from cardpool.search.conditions import Context, any_of, refused
from cardpool.search.keys import ABSENT, BY_SPELLING, DIRECTIVES, KEYS, Key
from cardpool.search.lexicon import Lexicon, nearest
from cardpool.search.query import (
    And,
    Condition,
    Name,
    Not,
    Or,
    SearchValue,
    Term,
    both,
)

NAME_ORDER = (F("folded_name").asc(), F("level").asc(nulls_first=True), F("pk").asc())
SET_ORDER = (
    F("first_pack__cycle__position").asc(),
    F("first_pack__position").asc(),
    F("first_position").asc(),
    F("pk").asc(),
)
ORDERS: dict[str, tuple[OrderBy, ...]] = {
    "name": NAME_ORDER,
    "class": (F("class_order").asc(), F("type_order").asc(), *NAME_ORDER),
    "type": (F("type_order").asc(), F("class_order").asc(), *NAME_ORDER),
    "level": (F("level").asc(nulls_first=True), *NAME_ORDER),
    "cost": (F("cost").asc(nulls_first=True), *NAME_ORDER),
    "set": SET_ORDER,
}
DEFAULT_ORDER = "name"


@dataclass(frozen=True, slots=True)
class Search:
    """A search ready to be carried out.

    ``term`` is the tree without its directives; ``found`` what it means; ``scopes``
    whose cards are shown; ``order`` a name in ``ORDERS``; ``pool`` is the card pool
    it was understood against, ``loaded`` the data it finds, where that is known.
    """

    pool: CardPool
    term: Term
    found: Q
    scopes: frozenset[Scope]
    taboo: TabooList | None
    order: str
    loaded: Loaded | None = None


def compile_term(
    term: Term, lexicon: Lexicon, *, taboo: TabooList | None = None
) -> Search:
    """A tree as a search; ``taboo`` is the list in use unless ``under:`` names one.

    Raises QueryError for keys and values that are not known.
    """
    directives, rest = _parted(term)
    scopes = {Scope.PLAYER}
    order = DEFAULT_ORDER
    context = Context(lexicon, taboo)
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
                context = Context(lexicon, _taboo(directive, context))
    return Search(
        pool=lexicon.pool,
        term=rest,
        found=_compile(rest, context),
        scopes=frozenset(scopes),
        taboo=context.taboo,
        order=order,
    )


def key_of(condition: Condition) -> Key:
    """The key of a condition; a refusal with the nearest key for an unknown one."""
    spelling = condition.key.text.casefold()
    key = BY_SPELLING.get(spelling)
    if key is not None:
        return key
    if spelling in ABSENT:
        raise refused(
            condition.key,
            _("another key"),
            message=_("The card pool holds no %(matter)s.")
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


def _parted(term: Term) -> tuple[list[Condition], Term]:
    """The directives of a tree, and the tree without them."""
    terms = term.terms if isinstance(term, And) else (term,)
    directives = []
    rest: list[Term] = []
    for each in terms:
        is_directive = (
            isinstance(each, Condition) and each.key.text.casefold() in DIRECTIVES
        )
        if is_directive:
            assert isinstance(each, Condition)
            directives.append(each)
        else:
            rest.append(each)
    return directives, both(*rest)


def _compile(term: Term, context: Context) -> Q:
    match term:
        case Name():
            return by.bare_name(term)
        case Condition():
            return key_of(term).finder(term, context)
        case Not(inner):
            return ~_compile(inner, context)
        case And(terms):
            return reduce(and_, (_compile(each, context) for each in terms), Q())
        case Or(terms):
            return any_of([_compile(each, context) for each in terms])


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
    if value.text.casefold() == "none":
        return None
    return by.taboo_list(value, context)
