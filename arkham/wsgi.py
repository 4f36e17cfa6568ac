"""The WSGI entry point for a web server."""

from __future__ import annotations

import os
from typing import Any

from django.core.handlers.wsgi import LimitedStream, WSGIRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arkham.settings")


class WholeBody(LimitedStream):
    """A body that fails if its sender leaves before its announced end.

    Half a form would be taken for a whole one.
    """

    is_broken = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Read like a file; raise OSError where less arrived than was announced."""
        left = self.limit - self._pos  # type: ignore[attr-defined]
        data: bytes = super().read(size)
        if len(data) < min(left, left if size is None or size < 0 else size):
            self.is_broken = True
            raise ConnectionResetError
        return data


class Utf8Request(WSGIRequest):
    """A request whose address and forms are UTF-8, whatever charset it declares.

    Python has charsets that don't decode text; Django would apply them to the address
    when the request is created, where no error page can be shown. The body is whole.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        super().__init__(environ)
        bounded: Any = self._stream
        self._stream: Any = WholeBody(environ["wsgi.input"], bounded.limit)

    @property
    def encoding(self) -> None:
        """None, for the default encoding."""

    @encoding.setter
    def encoding(self, value: str | None) -> None:
        """Ignore the change."""


application = get_wsgi_application()
application.request_class = Utf8Request
