"""Log lines as ``key=value``, one event per line.

Each line written for a request has the request's id, which its answer has as
``X-Request-ID``, the class of its address and the number of its account. It has no
address and no path: a path may hold the key of a link.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest
from django.utils.functional import LazyObject

Served = tuple[HttpRequest, dict[str, str]]  # and what each line has of the request
served: ContextVar[Served | None] = ContextVar("served", default=None)


def _value(value: object) -> str:
    """Return the value bare if that is unambiguous, quoted as in JSON otherwise."""
    text = str(value)
    plain = text.isprintable() and not set(text) & set(' ="')
    return text if text and plain else json.dumps(text, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """Return the message, without the path that Django's end in about a request."""
    request = getattr(record, "request", None)
    path = str(getattr(request, "path", "")).encode("unicode_escape").decode("ascii")
    return record.getMessage().removesuffix(f": {path}")


# The attributes of every record; all others were given as ``extra``.
_USUAL = {*logging.makeLogRecord({}).__dict__, "message", "asctime"}


def _extra(record: logging.LogRecord) -> dict[str, object]:
    """Return the values given as ``extra``, without objects such as requests."""
    return {
        name: value
        for name, value in record.__dict__.items()
        if name not in _USUAL and isinstance(value, str | int | float | None)
    }


def _of_request() -> Mapping[str, object]:
    """Return what is logged of the request, with its account as soon as it is known."""
    if (current := served.get()) is None:
        return {}
    request, fields = current
    user = vars(request).get("user")
    if isinstance(user, LazyObject):
        user = vars(request).get("_cached_user")
    account = getattr(user, "pk", None)
    return {**fields, "account": account} if account else fields


class KeyedFormatter(logging.Formatter):
    """Formats time, level, logger, message and extras; a traceback follows."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line for the record, and its traceback if it has one."""
        fields: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            **_extra(record),
            **_of_request(),
        }
        line = " ".join(f"{key}={_value(value)}" for key, value in fields.items())
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def _severity(level: str) -> int:
    return logging.getLevelNamesMapping().get(level, logging.NOTSET)


def configuration(level: str) -> dict[str, Any]:
    """Return the ``LOGGING`` setting: records from ``level`` up go to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"keyed": {"()": "arkham.log.KeyedFormatter"}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "keyed"},
        },
        "loggers": {
            # Django's own handlers would write every line twice; its own levels would
            # override LOG_LEVEL.
            "django": {"handlers": [], "level": "NOTSET"},
            "django.server": {"handlers": [], "level": "NOTSET", "propagate": True},
            # It warns of each HEAD: Django leaves it to the server to drop the body.
            "gunicorn.http.wsgi": {"level": max(level, "ERROR", key=_severity)},
            # It reports its deletions whenever we tidy, even of nothing.
            "oauth2_provider": {"level": max(level, "WARNING", key=_severity)},
        },
        "root": {"handlers": ["stderr"], "level": level},
    }


def report_errors(address: str) -> None:
    """Report errors to Sentry at an address (a DSN); without one, don't."""
    if address:
        import sentry_sdk  # only where it is used

        sentry_sdk.init(dsn=address, send_default_pii=False)
