"""Log lines carry what they were given, and obey the level that was set."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.log import KeyedFormatter, configuration, report_errors
from tests.helpers import NOW
from tests.house.interpreter import in_fresh_interpreter

UPLOADS = {str(number): ContentFile(b"a", "a") for number in range(101)}


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


@pytest.fixture
def written(settings: Settings) -> Iterator[StringIO]:
    """What a server for others writes into its log."""
    settings.ORNE_LOCAL = False
    root, handler = logging.getLogger(), logging.StreamHandler(StringIO())
    handler.setFormatter(KeyedFormatter())
    before = root.level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield handler.stream
    root.removeHandler(handler)
    root.setLevel(before)


def test_each_request_has_a_line(
    written: StringIO, as_alice: Client, alice: User
) -> None:
    """With an id, its view, the class of its address and its account; no address."""
    answer = as_alice.get("/decks/", REMOTE_ADDR="8.8.4.4")

    number = answer["X-Request-ID"]
    line = written.getvalue().splitlines()[-1]
    assert re.fullmatch(r"[0-9a-f]{16}", number)
    assert 'message="GET decks:index" status=200 ms=' in line
    assert line.endswith(f" request={number} address=ipv4 account={alice.pk}")
    assert "8.8.4.4" not in written.getvalue()


@pytest.mark.django_db
def test_no_line_has_the_path_of_a_request(written: StringIO, client: Client) -> None:
    """It may hold the key of a link."""
    client.get("/campaigns/join/SECRET-KEY/")
    client.delete("/campaigns/join/SECRET-KEY/")

    lines = written.getvalue().splitlines()
    assert 'message="Not Found"' in lines[1]
    assert "SECRET" not in written.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "kind"),
    [("10.1.2.3", "private"), ("2a00::1", "ipv6"), ("::1", "private"), ("", "none")],
)
def test_all_lines_of_a_request_have_its_id(
    written: StringIO, client: Client, address: str, kind: str
) -> None:
    """A warning as well; the next request has another id."""
    answers = [client.get("/nowhere", REMOTE_ADDR=address) for _each in range(2)]

    lines = written.getvalue().splitlines()
    numbers = [each["X-Request-ID"] for each in answers for _line in range(2)]
    assert len(set(numbers)) == 2
    assert [line.split(" request=")[1] for line in lines] == [
        f"{number} address={kind}" for number in numbers
    ]
    assert 'message="GET none" status=404' in lines[0]
    assert "level=warning" in lines[1]
    logging.getLogger().warning("later")
    assert "request" not in written.getvalue().splitlines()[-1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "sent", "expected"),
    [
        ("/cards/?" + "a&" * 1_001, {}, "1000 parameters or fields"),
        ("/api/v1/cards/?" + "a&" * 1_001, {}, "1000 parameters or fields"),
        ("/oauth/v2/token", dict.fromkeys(map(str, range(1_001)), "a"), "1000"),
        ("/oauth/v2/token", UPLOADS, "100"),
        ("/cards/", {"HTTP_HOST": "other.example"}, "We couldn’t read"),
    ],
)
def test_an_unreadable_request_is_one_line_and_no_error(
    written: StringIO, client: Client, path: str, sent: dict[str, Any], expected: str
) -> None:
    """Anyone can send one: a warning without a traceback; the answer says the limit."""
    if path.startswith("/oauth/"):
        answer = client.post(path, sent)
    else:
        answer = client.get(path, **sent)

    assert answer.status_code == 400
    is_problem = answer["Content-Type"] == "application/problem+json"
    assert is_problem == (path.startswith(("/api/", "/oauth/")))
    assert expected in (answer.json()["detail"] if is_problem else answer.text)
    lines = written.getvalue().splitlines()
    assert sorted("level=warning" in each for each in lines) == [False, True]
    assert "level=error" not in written.getvalue()


def test_the_account_of_a_program_is_logged(written: StringIO, alice: User) -> None:
    """By whose key it came, and never the key."""
    _key, text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.READ, now=NOW
    )

    APIClient().get("/api/v1/decks/", headers={"Authorization": f"Bearer {text}"})

    assert written.getvalue().endswith(f" account={alice.pk}\n")
    assert text not in written.getvalue()


def test_requests_on_ones_own_machine_are_not_logged(
    written: StringIO, settings: Settings, client: Client
) -> None:
    settings.ORNE_LOCAL = True

    assert "X-Request-ID" not in client.get("/manifest.webmanifest")
    assert written.getvalue() == ""


def test_gunicorn_doesnt_warn_of_each_head() -> None:
    """It drops the body of each, as Django expects of a server."""
    assert configuration("DEBUG")["loggers"]["gunicorn.http.wsgi"]["level"] == "ERROR"
    assert configuration("CRITICAL")["loggers"]["gunicorn.http.wsgi"]["level"] == (
        "CRITICAL"
    )


def test_errors_are_reported_only_where_an_address_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without it the library isn't even loaded; with it no personal data go along."""
    begun: list[dict[str, object]] = []
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)  # to load it would fail
    report_errors("")

    library = SimpleNamespace(init=lambda **options: begun.append(options))
    monkeypatch.setitem(sys.modules, "sentry_sdk", library)
    report_errors("https://key@errors.example/1")

    assert begun == [{"dsn": "https://key@errors.example/1", "send_default_pii": False}]
