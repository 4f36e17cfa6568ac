"""What is the answer where a deck is deleted while it is being given?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse

from decks.models import Deck

View = Callable[..., HttpResponse]


def is_of_a_vanished(error: Exception, deck: Q | None) -> bool:
    """Whether something was not found, or not written, since the deck is gone."""
    if deck is None or not isinstance(error, (ObjectDoesNotExist, DatabaseError)):
        return False
    return not Deck.objects.filter(deck).exists()


def while_it_is_there(
    view: View, named: Callable[..., Q] = lambda pk, **_more: Q(pk=pk)
) -> View:
    """A page of a deck; 404, not a fault of ours, where it vanished meanwhile.

    ``named`` tells from the parts of the address which deck it is.
    """

    @wraps(view)
    def page(request: HttpRequest, **parts: Any) -> HttpResponse:
        try:
            return view(request, **parts)
        except (ObjectDoesNotExist, DatabaseError) as error:
            if is_of_a_vanished(error, named(**parts)):
                raise Http404 from error
            raise

    return page
