"""How long lists of the API are cut into pages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    """Pages by cursor: stable while the list grows. Views set ``ordering``."""

    page_size = 100
    max_page_size = 1000
    page_size_query_param = "page_size"
    ordering = "pk"

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
                self.page_size_query_param: _(
                    "A number from 1 to %(limit)d is expected."
                )
                % {"limit": self.max_page_size}
            }
        )

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The parameters with their bounds, for the API's description."""
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size}
        return parameters
