"""Addresses and forms are read as UTF-8, whatever a request claims."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.wsgi import application
from decks.services.beginning import SAMPLE_TEXT

# Python has codecs of these names, but they don't decode text.
NO_ENCODINGS = ("undefined", "zlib", "rot13", "idna")
MULTIPART = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff%s\r\n--x--\r\n'
FORM = PART.replace(b"\xff%s", SAMPLE_TEXT.encode())


@pytest.fixture(autouse=True)
def _as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the test client create requests as the server does."""
    served = application.request_class
    monkeypatch.setattr("django.test.client.WSGIRequest", served)


@pytest.mark.django_db
@pytest.mark.parametrize("charset", [*NO_ENCODINGS, "utf-16", "latin-1"])
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/cards/?q=%C3%A9%FF", 200),
        ("/api/v1/cards/?q=%C3%A9%FF", 200),
        ("/healthz?x=%FF", 200),
        ("/nowhere?x=%FF", 404),
    ],
)
def test_an_address_is_read_as_utf8(
    client: Client, path: str, status: int, charset: str
) -> None:
    """Not in the encoding of an absent body."""
    answer = client.get(path, CONTENT_TYPE=f"text/plain; charset={charset}")

    assert answer.status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize("charset", [*NO_ENCODINGS, "utf-16", "latin-1"])
def test_a_form_in_another_encoding_is_refused(client: Client, charset: str) -> None:
    """With a plain page, as its fields would be misread."""
    for content_type in (MULTIPART, "application/x-www-form-urlencoded"):
        given = f"{content_type}; charset={charset}"
        answer = client.generic("POST", "/?x=%FF", PART, content_type=given)
        assert answer.status_code == 400
        assert "Unreadable request" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("more", ["", "; charset=UTF-8", "; charset=utf8"])
def test_a_form_in_utf8_is_read(client: Client, more: str) -> None:
    """With or without a declared encoding."""
    answer = client.generic("POST", "/", FORM, content_type=MULTIPART + more)

    assert answer.status_code == 200
    assert "Roland Banks" in answer.content.decode()
