"""Bodies that are too large are refused before any part of them is read."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.test import Client

from decks.interchange.account_file import MOST_BYTES

MEGABYTE = 1024 * 1024
PAGES = ("/", "/decks/bring/", "/account/login/", "/campaigns/1/", "/admin/login/")
API = ("/api/v1/decks/", "/api/v1/odds", "/api/v1/lists/read", "/api/v1/campaigns/join")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x")


class Untouched(io.BytesIO):
    """A body that must not be read."""

    def read(self, size: int | None = -1) -> bytes:
        """Fail the test."""
        raise AssertionError("the body was read")


def _send(client: Client, path: str, kind: str, length: int, **more: Any) -> Any:
    return client.request(
        REQUEST_METHOD="POST",
        PATH_INFO=path,
        CONTENT_TYPE=kind,
        CONTENT_LENGTH=str(length),
        **{"wsgi.input": Untouched(), **more},
    )


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("kind", FORMS)
def test_a_page_refuses_a_large_body_with_a_page(path: str, kind: str) -> None:
    """Forms and files alike, even before a CSRF token is looked for in them."""
    strict = Client(enforce_csrf_checks=True)
    for length in (9 * MEGABYTE, 400 * MEGABYTE, int("9" * 40)):
        answer = _send(strict, path, kind, length)

        assert answer.status_code == 413
        assert "You can send at most 8 MB here." in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", API)
def test_the_api_refuses_a_large_body_with_a_problem(path: str) -> None:
    """The same one everywhere."""
    answer = _send(Client(), path, "application/json", 400 * MEGABYTE)

    assert answer.status_code == 413
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["type"] == "urn:orne:problem:too-large"


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, *API])
def test_a_body_of_unknown_length_is_refused(path: str) -> None:
    """411, as it may never end."""
    answer = _send(Client(), path, FORMS[1], 0, HTTP_TRANSFER_ENCODING="Chunked")

    assert answer.status_code == 411
    if path in API:
        kind = json.loads(answer.content)["type"]
        assert kind == "urn:orne:problem:length-required"


@pytest.mark.django_db
@pytest.mark.parametrize("path", [*PAGES, *API])
@pytest.mark.parametrize("length", ["x", "-5", "4, 4", "1_0"])
def test_an_invalid_content_length_is_refused(path: str, length: str) -> None:
    """400; the server of ``./run`` passes it on unchanged."""
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies["csrftoken"] = "a" * 32
    kind = "application/json" if path in API else FORMS[0]
    answer = strict.request(
        REQUEST_METHOD="POST",
        PATH_INFO=path,
        CONTENT_TYPE=kind,
        CONTENT_LENGTH=length,
        **{"wsgi.input": Untouched()},
    )

    assert answer.status_code == 400


def test_an_account_may_send_its_exported_file(as_alice: Client) -> None:
    """Which is larger than what strangers may send; but there is a limit."""
    path = "/decks/everything/"
    file = io.BytesIO(b"{" + b" " * 9 * MEGABYTE)
    file.name = "account.json"

    assert as_alice.post(path, {"file": file}).status_code == 422  # no account's
    # For signed-in users the body is read first, so that a browser shows the refusal.
    empty = {"wsgi.input": io.BytesIO()}
    larger = MOST_BYTES + MEGABYTE
    assert _send(as_alice, path, FORMS[1], larger, **empty).status_code == 413
    assert _send(Client(), path, FORMS[1], 9 * MEGABYTE).status_code == 413


@pytest.mark.django_db
def test_a_body_within_the_limit_is_read() -> None:
    """To the last byte."""
    text = "Roland Banks\n" + "\n" * 500_000

    assert Client().post("/", {"text": text}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "kind", "status"),
    [
        ("POST", "/api/v1/decks/", "application/json", 401),
        ("POST", "/api/v1/legality", "text/plain", 415),
        ("POST", "/api/v1/nothing", "application/json", 404),
        ("PUT", "/api/v1/cards/", "application/json", 405),
        ("GET", "/api/v1/cards/", "application/json", 200),
        ("POST", "/cards/", "application/json", 405),
    ],
)
def test_a_body_that_a_view_leaves_unread_is_consumed(
    method: str, path: str, kind: str, status: int
) -> None:
    """Else gunicorn closes the connection, and a program's next request fails."""
    sent = io.BytesIO(b" " * MEGABYTE)

    answer = Client().request(
        REQUEST_METHOD=method,
        PATH_INFO=path,
        CONTENT_TYPE=kind,
        CONTENT_LENGTH=str(MEGABYTE),
        **{"wsgi.input": sent},
    )

    assert answer.status_code == status
    assert sent.tell() == MEGABYTE
