"""Log lines as ``key=value``, one event a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any


def _value(value: object) -> str:
    """The value bare where that is unambiguous, quoted as in JSON otherwise."""
    text = str(value)
    plain = text.isprintable() and not set(text) & set(' ="')
    return text if text and plain else json.dumps(text, ensure_ascii=False)


# What every record has; anything else was given as ``extra``.
_USUAL = {*logging.makeLogRecord({}).__dict__, "message", "asctime"}


def _extra(record: logging.LogRecord) -> dict[str, object]:
    """The values given as ``extra``, but for objects such as requests."""
    return {
        name: value
        for name, value in record.__dict__.items()
        if name not in _USUAL and isinstance(value, str | int | float | None)
    }


class KeyedFormatter(logging.Formatter):
    """Writes time, level, logger, message and extras; a traceback follows below."""

    def format(self, record: logging.LogRecord) -> str:
        """One line for the record, and the traceback if it carries one."""
        fields: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_extra(record),
        }
        line = " ".join(f"{key}={_value(value)}" for key, value in fields.items())
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def _severity(level: str) -> int:
    return logging.getLevelNamesMapping().get(level, logging.NOTSET)


def configuration(level: str) -> dict[str, Any]:
    """What Django's ``LOGGING`` is: every record of ``level`` or above, to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"keyed": {"()": "arkham.log.KeyedFormatter"}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "keyed"},
        },
        "loggers": {
            # Django's own handlers would write every line a second time; its own
            # levels would overrule LOG_LEVEL.
            "django": {"handlers": [], "level": "NOTSET"},
            "django.server": {"handlers": [], "level": "NOTSET", "propagate": True},
            # It counts what it deletes whenever we tidy, none included.
            "oauth2_provider": {"level": max(level, "WARNING", key=_severity)},
        },
        "root": {"handlers": ["stderr"], "level": level},
    }


def report_errors(address: str) -> None:
    """Report errors to Sentry at an address (a DSN); none is reported without one."""
    if address:
        import sentry_sdk  # only where it is used

        sentry_sdk.init(dsn=address, send_default_pii=False)
