"""What is the answer where a deck, or a table, is deleted while it is being given?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.db.models import Model, Q
from django.http import Http404, HttpRequest, HttpResponseBase

from decks.models import Deck

View = Callable[..., HttpResponseBase]


def is_of_a_vanished(
    error: Exception, named: Q | None, kind: type[Model] = Deck
) -> bool:
    """Whether something was not found, or not written, since what it is of is gone.

    ``kind`` is what that was: a deck, or a campaign.
    """
    if named is None or not isinstance(error, (ObjectDoesNotExist, DatabaseError)):
        return False
    return not kind._base_manager.filter(named).exists()


def while_it_is_there(
    view: View,
    named: Callable[..., Q] = lambda pk, **_more: Q(pk=pk),
    kind: type[Model] = Deck,
) -> View:
    """A page of a deck; 404, not a fault of ours, where it vanished meanwhile.

    ``named`` tells from the parts of the address which deck it is; ``kind`` is another
    model where the page is of something else.
    """

    @wraps(view)
    def page(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        try:
            return view(request, **parts)
        except (ObjectDoesNotExist, DatabaseError) as error:
            if is_of_a_vanished(error, named(**parts), kind):
                raise Http404 from error
            raise

    return page
