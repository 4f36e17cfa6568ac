"""Answers 404 where what a page is about was deleted while the page was made."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError
from django.db.models import Model, Q
from django.http import Http404, HttpRequest, HttpResponseBase

View = Callable[..., HttpResponseBase]


def was_deleted(error: Exception, model: type[Model], named: Q | None) -> bool:
    """Whether an error comes from the deletion of the row that ``named`` finds.

    Such an error is a row that was not found, or one that could not be written.
    """
    if named is None or not isinstance(error, (ObjectDoesNotExist, DatabaseError)):
        return False
    return not model._base_manager.filter(named).exists()


def while_it_exists(
    view: View,
    model: type[Model],
    named: Callable[..., Q] = lambda pk, **_more: Q(pk=pk),
) -> View:
    """The view, which answers 404 where its row is deleted while it works.

    ``named`` finds the row by the parts of the address.
    """

    @wraps(view)
    def page(request: HttpRequest, **parts: Any) -> HttpResponseBase:
        try:
            return view(request, **parts)
        except (ObjectDoesNotExist, DatabaseError) as error:
            if was_deleted(error, model, named(**parts)):
                raise Http404 from error
            raise

    return page
