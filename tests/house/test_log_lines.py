"""Log lines carry what they were given, and obey the level that was set."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from arkham.log import KeyedFormatter
from tests.house.interpreter import in_fresh_interpreter


def line_of(message: str, **extra: object) -> str:
    """The line that one warning makes."""
    record = logging.getLogger("decks").makeRecord(
        "decks", logging.WARNING, __file__, 1, message, (), None, extra=extra
    )
    return KeyedFormatter().format(record)


def test_extras_are_written_after_the_message() -> None:
    """Words and numbers, quoted where they need it."""
    line = line_of("deck unreadable", deck=12, why="no such card", ratio=0.5)

    assert line.endswith(
        'message="deck unreadable" deck=12 why="no such card" ratio=0.5'
    )


def test_objects_are_no_extras_of_a_line() -> None:
    """Django hands its requests along."""
    assert "request" not in line_of("Not Found", request=object())


def test_a_line_without_extras_ends_with_its_message() -> None:
    """Nothing of what every record has is repeated."""
    assert line_of("done").endswith(" level=warning logger=decks message=done")


@pytest.mark.parametrize(("level", "lines"), [("ERROR", 0), ("WARNING", 1)])
def test_log_level_holds_for_django_too(tmp_path: Path, level: str, lines: int) -> None:
    """A page that isn't there is a warning, and no error."""
    code = (
        "from django.test import Client; "
        "Client().get('/api/v1/nothing', secure=True, headers={'host': 'localhost'})"
    )
    result = in_fresh_interpreter(
        tmp_path, "shell", "--no-imports", "-c", code, LOG_LEVEL=level
    )

    assert result.returncode == 0, result.stderr
    assert result.stderr.count("level=warning") == lines
