"""Finds the rows that answer a search."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.db.models import QuerySet

from arkham.rules.card import TabooList
from arkham.rules.pool import CardPool
from cardpool.catalog import loaded, pool_of
from cardpool.models import Card
from cardpool.search.compile import ORDERS, Search, compile_term
from cardpool.search.lexicon import lexicon_of
from cardpool.search.query import Term, parse

KEPT = 64  # searches whose codes are remembered; the longest answers take 16 KB


def read_search(
    search: str | Term, pool: CardPool | None = None, *, taboo: TabooList | None = None
) -> Search:
    """A search against a card pool, the one in use unless another is given.

    Raises QueryError, which names the place, what was found and what was expected.
    """
    term = parse(search) if isinstance(search, str) else search
    data = loaded()
    lexicon = lexicon_of(pool or pool_of(data.version if data else ""))
    return replace(compile_term(term, lexicon, taboo=taboo), loaded=data)


def found(search: Search) -> QuerySet[Card]:
    """The cards a search finds, in its order, without their facts.

    Back sides and stand-ins are no cards of their own and never among them.
    """
    return (
        Card.objects.filter(search.found, scope__in=search.scopes, hidden=False)
        .order_by(*ORDERS[search.order])
        .defer("facts")
    )


def found_codes(search: Search) -> tuple[str, ...]:
    """The codes of the cards a search finds, in its order; remembered for a while."""
    if search.loaded is None:
        return tuple(found(search).values_list("pk", flat=True))
    return _codes(_Asked(_key_of(search), search))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search of the cards as they were loaded at one time."""

    key: Hashable
    search: Search = field(compare=False)


def _key_of(search: Search) -> Hashable:
    """All that decides what a search finds."""
    taboo = search.taboo.id if search.taboo else 0
    return search.loaded, search.term, search.scopes, taboo, search.order


@lru_cache(maxsize=KEPT)
def _codes(asked: _Asked) -> tuple[str, ...]:
    return tuple(found(asked.search).values_list("pk", flat=True))
