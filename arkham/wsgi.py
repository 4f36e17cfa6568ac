"""The WSGI entry point for a web server."""

from __future__ import annotations

import os

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arkham.settings")


class Utf8Request(WSGIRequest):
    """A request whose address and forms are UTF-8, whatever charset it declares.

    Python has charsets that don't decode text; Django would apply them to the address
    when the request is created, where no error page can be shown.
    """

    @property
    def encoding(self) -> None:
        """None, for the default encoding."""

    @encoding.setter
    def encoding(self, value: str | None) -> None:
        """Ignore the change."""


application = get_wsgi_application()
application.request_class = Utf8Request
