"""Pagination of the API's lists."""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from arkham.rules.vocabulary import is_digits

NEXT = "https://orne.example/api/v1/cards/?cursor=cD0wMTAyMA%3D%3D"


class Pages(CursorPagination):
    """Pages by cursor: stable while the list grows. Views set ``ordering``."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"
    ordering = "pk"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> Any:
        """Return the view's ordering; the framework would only ask filters."""
        return (getattr(view, "ordering", self.ordering),)

    def encode_cursor(self, cursor: Cursor) -> str:
        """Return the address of a page; its cursor is signed for this list only."""
        signed, here = self._signer.sign_object(cursor), self.base_url or ""
        return replace_query_param(here, self.cursor_query_param, signed)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the start of the page; 400 for a cursor of another list.

        A foreign cursor would lead to an arbitrary page, and programs into a loop.
        """
        self._signer = Signer(salt=f"cursor of {request.path}")
        signed = request.query_params.get(self.cursor_query_param)
        try:
            return Cursor(*self._signer.unsign_object(signed)) if signed else None
        except BadSignature:
            expected = _("Expected: a cursor from this list.")
            raise ValidationError({self.cursor_query_param: expected}) from None

    def get_page_size(self, request: Request) -> int:
        """Return the requested size; 400 unless it is a number within the limits."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if is_digits(text, 5) and 1 <= int(text) <= self.max_page_size:
            return int(text)
        expected = _("Expected: a number from 1 to %(limit)d.")
        said = expected % {"limit": self.max_page_size}
        raise ValidationError({self.page_size_query_param: said})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page; the example is a first page."""
        page: dict[str, Any] = super().get_paginated_response_schema(schema)
        page["properties"]["next"]["example"] = NEXT
        page["properties"]["previous"]["example"] = None
        return page | {"required": ["next", "previous", "results"]}

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe the parameters with their limits."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size}
        return parameters
