"""The WSGI entry point for a web server."""

from __future__ import annotations

import os

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arkham.settings")


class Utf8Request(WSGIRequest):
    """A request whose address and forms are UTF-8, whatever charset it names.

    Python knows charsets that decode no text; Django would try them on the address as
    soon as the request is made, where no error page can be shown.
    """

    @property
    def encoding(self) -> None:
        """None: the encoding of all our pages."""

    @encoding.setter
    def encoding(self, value: str | None) -> None:
        """Change nothing."""


application = get_wsgi_application()
application.request_class = Utf8Request
