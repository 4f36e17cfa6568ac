"""How long lists of the API are cut into pages."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

NEXT = "https://orne.example/api/v1/cards/?cursor=cD0wMTAyMA%3D%3D"
FIRST_PAGE = Cursor(offset=0, reverse=False, position=None)


class Pages(CursorPagination):
    """Pages by cursor: stable while the list grows. Views set ``ordering``."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"
    ordering = "pk"

    def paginate_queryset(
        self, queryset: Any, request: Request, view: Any = None
    ) -> list[Any] | None:
        """One page; 404 for a cursor that was not given out for such a list."""
        self._options = queryset.model._meta
        return super().paginate_queryset(queryset, request, view)

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> Any:
        """As the view says; the framework asks filters alone."""
        return (getattr(view, "ordering", self.ordering),)

    def decode_cursor(self, request: Request) -> Any:
        """Where the page begins; the position must be a value of what it is about.

        A cursor is a client's to forge, and a database refuses to compare a number
        with anything else, or a text with one that has a NUL in it. One that names
        no place would be the first page again: a program would go round in circles.
        """
        cursor = super().decode_cursor(request)
        if cursor == FIRST_PAGE and request.query_params[self.cursor_query_param]:
            raise NotFound(self.invalid_cursor_message)
        if cursor is None or cursor.position is None:
            return cursor
        name = self.ordering[0].lstrip("-")
        field = self._options.pk if name == "pk" else self._options.get_field(name)
        field = getattr(field, "target_field", field)  # a key's values are its own
        try:
            field.run_validators(field.to_python(cursor.position))
            ProhibitNullCharactersValidator()(cursor.position)
        except DjangoValidationError:
            raise NotFound(self.invalid_cursor_message) from None
        return cursor

    def get_page_size(self, request: Request) -> int:
        """The size asked for; anything but a number in bounds is refused with 400."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        if is_number and 1 <= int(text) <= self.max_page_size:
            return int(text)
        raise ValidationError(
            {
                self.page_size_query_param: _("Expected: a number from 1 to %(limit)d.")
                % {"limit": self.max_page_size}
            }
        )

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A page in the API's description; the example is a first page."""
        page: dict[str, Any] = super().get_paginated_response_schema(schema)
        page["properties"]["next"]["example"] = NEXT
        page["properties"]["previous"]["example"] = None
        return page | {"required": ["next", "previous", "results"]}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The parameters with their bounds, for the API's description."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size}
        return parameters
