"""Responses while the database can't be read or written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError, connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from tests.campaigns.helpers.shown_forms import forms_in
from tests.house.interpreter import in_fresh_interpreter

pytestmark = pytest.mark.usefixtures("rows")

DECK = {"name": "A deck", "investigator_code": "01001", "slots": {"01020": 2}}
SEARCH = "/cards/?q=machete"


@pytest.fixture
def client(alice: User) -> Client:
    """Alice's client, which gets the response instead of the exception."""
    client = Client(raise_request_exception=False)
    client.force_login(alice)
    return client


@pytest.fixture
def only_reads() -> Iterator[None]:
    """Make the database refuse every write, as in a read-only folder."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA query_only = ON")
        yield
        connection.cursor().execute("PRAGMA query_only = OFF")
    else:
        with transaction.atomic():  # the setting is reset with its savepoint
            connection.cursor().execute("SET TRANSACTION READ ONLY")
            yield
            transaction.set_rollback(True)


def test_a_page_that_cannot_write_responds_with_503(
    client: Client, only_reads: None
) -> None:
    """With a time to retry, and not as a bug."""
    sent = "name=Roland+and+the+rats&empty=1"
    form = "application/x-www-form-urlencoded"
    answer = client.post("/decks/new/01001/", sent, form)

    assert answer.status_code == 503, answer.content
    assert answer["Retry-After"] == "60"
    assert "read or write its data" in answer.text
    (again,) = forms_in(answer.text, "")
    assert again.action == "/decks/new/01001/"
    assert again.data == {"name": ["Roland and the rats"], "empty": ["1"]}


def test_an_endpoint_that_cannot_write_responds_with_503(
    alice: User, only_reads: None
) -> None:
    """With a problem, for programs."""
    api = APIClient(raise_request_exception=False)
    api.force_authenticate(alice)

    answer = api.post("/api/v1/decks/", DECK, format="json")

    assert answer.status_code == 503, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] == "60"


def test_an_unreachable_database_is_a_503(client: Client) -> None:
    """Reading fails as well."""

    def refused(*asked: object) -> None:
        raise OperationalError("connection refused")

    with connection.execute_wrapper(refused):
        pages = [client.get(address) for address in (SEARCH, "/healthz")]

    assert [page.status_code for page in pages] == [503, 503]


def test_a_wrong_statement_is_a_500(client: Client) -> None:
    """Waiting doesn't bring back a missing table."""

    def refused(execute: object, *asked: object) -> None:
        with connection.cursor() as cursor:
            cursor.cursor.execute("SELECT * FROM no_such_table")

    with connection.execute_wrapper(refused):
        answer = client.get("/healthz")

    assert answer.status_code == 500
    assert "Retry-After" not in answer


ASK = """
import json
from django.test import Client
key = {"host": "localhost", "authorization": "Bearer orne_x"}
client = Client(raise_request_exception=False, headers=key)
found = [client.get(each, secure=True) for each in ("/cards/", "/api/v1/decks/")]
found.append(client.post("/account/login/", {"login": "a", "password": "b"}))
print(json.dumps([(it.status_code, it["Retry-After"], it.text) for it in found]))
"""


def test_a_database_without_migrations_is_a_503(tmp_path: Path) -> None:
    """For pages, programs and forms, in one sentence; the log says what to do."""
    local = {"ORNE_LOCAL": "true"}
    done = in_fresh_interpreter(tmp_path, "shell", "--no-imports", "-c", ASK, **local)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [each[:2] for each in found] == [[503, "60"]] * 3
    for _status, _wait, text in found:
        assert "Orne is being updated. Please try again in a few minutes." in text
    assert "run manage.py up --prepare" in done.stderr
