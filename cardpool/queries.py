"""Which rows answer a search?"""

from __future__ import annotations

from django.db.models import QuerySet

from arkham.rules.card import TabooList
from cardpool.catalog import current_pool
from cardpool.models import Card
from cardpool.search.compile import ORDERS, Search, compile_term
from cardpool.search.lexicon import lexicon_of
from cardpool.search.query import Term, parse


def read_search(search: str | Term, *, taboo: TabooList | None = None) -> Search:
    """A search against the card pool in use.

    Raises QueryError, which names the place, what was found and what was expected.
    """
    term = parse(search) if isinstance(search, str) else search
    return compile_term(term, lexicon_of(current_pool()), taboo=taboo)


def found(search: Search) -> QuerySet[Card]:
    """The cards a search finds, in its order, without their facts.

    Back sides and stand-ins are no cards of their own and never among them.
    """
    return (
        Card.objects.filter(search.found, scope__in=search.scopes, hidden=False)
        .order_by(*ORDERS[search.order])
        .defer("facts")
    )


def found_codes(search: Search) -> list[str]:
    """The codes of the cards a search finds, in its order."""
    return list(found(search).values_list("pk", flat=True))
