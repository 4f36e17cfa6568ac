"""In which form the API answers, and what it says of the methods of an address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework.metadata import BaseMetadata
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class MethodsAlone(BaseMetadata):
    """Answers OPTIONS by the header ``Allow``: the API's description has the rest."""

    def determine_metadata(self, request: Request, view: Any) -> None:
        """Nothing."""


class Negotiation(DefaultContentNegotiation):
    """What ``Accept`` asks for; one that names nothing takes anything."""

    def get_accept_list(self, request: Request) -> list[str]:
        """The types it names."""
        named = [each for each in super().get_accept_list(request) if each]
        return named or ["*/*"]


class AskedFormat(Negotiation):
    """``?format=json`` asks for a format as the header does, where one can't be set."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """The renderer that is asked for; 404 for a format there is not."""
        asked = request.query_params.get("format") or format_suffix
        found: tuple[BaseRenderer, str]
        found = super().select_renderer(request, renderers, asked)
        return found
