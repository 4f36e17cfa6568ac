"""How long lists of the API are cut into pages."""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

NEXT = "https://orne.example/api/v1/cards/?cursor=cD0wMTAyMA%3D%3D"


class Pages(CursorPagination):
    """Pages by cursor: stable while the list grows. Views set ``ordering``."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"
    ordering = "pk"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> Any:
        """As the view says; the framework asks filters alone."""
        return (getattr(view, "ordering", self.ordering),)

    def encode_cursor(self, cursor: Cursor) -> str:
        """The address of a page; its cursor is signed, and for this list alone."""
        signed, here = self._signer.sign_object(cursor), self.base_url or ""
        return replace_query_param(here, self.cursor_query_param, signed)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Where the page begins; 400 for a cursor that this list did not give out.

        Another would lead to some page, and a program would go round in circles.
        """
        self._signer = Signer(salt=f"cursor of {request.path}")
        signed = request.query_params.get(self.cursor_query_param)
        try:
            return Cursor(*self._signer.unsign_object(signed)) if signed else None
        except BadSignature:
            expected = _("Expected: a cursor from this list.")
            raise ValidationError({self.cursor_query_param: expected}) from None

    def get_page_size(self, request: Request) -> int:
        """The size asked for; anything but a number in bounds is refused with 400."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        if is_number and 1 <= int(text) <= self.max_page_size:
            return int(text)
        expected = _("Expected: a number from 1 to %(limit)d.")
        said = expected % {"limit": self.max_page_size}
        raise ValidationError({self.page_size_query_param: said})

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
