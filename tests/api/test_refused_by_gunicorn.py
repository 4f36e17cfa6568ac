"""What gunicorn refuses before Orne sees it is refused in our words."""

from __future__ import annotations

import json
import logging
import runpy
import socket
from pathlib import Path
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import (
    InvalidHeader,
    InvalidRequestLine,
    LimitRequestHeaders,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.http.message import Request
from gunicorn.http.parser import RequestParser
from gunicorn.http.unreader import IterUnreader

PROJECT = Path(__file__).resolve().parents[2]


CONF: dict[str, Any] = runpy.run_path(str(PROJECT / "gunicorn.conf.py"))


class Log(logging.Logger):
    """gunicorn's, as far as a refusal needs it."""

    def access(self, *_args: Any) -> None:
        """Write nothing."""


def asked(text: str, accept: str = "*/*") -> InvalidHeader:
    """gunicorn's error for a request whose head is read, but contradicts itself."""
    head = (
        f"{text} HTTP/1.1\r\nAccept: {accept}\r\n"
        "Content-Length: 1\r\nContent-Length: 2\r\n\r\n"
    )
    with pytest.raises(InvalidHeader) as caught:
        Request(Config(), IterUnreader([head.encode()]), ("192.0.2.7", 5))
    return caught.value


def refused(error: Exception) -> tuple[str, str]:
    """The head and the body of the answer to a request that raised this."""
    kind: Any = CONF["worker_class"]
    worker = kind.__new__(kind)
    worker.log, worker.cfg = Log("tests.gunicorn"), Config()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker.handle_error(None, ours, ("192.0.2.7", 5), error)
        ours.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: theirs.recv(65_536), b"")).decode()
    head, _blank, body = answer.partition("\r\n\r\n")
    assert not body or f"Content-Length: {len(body.encode())}\r\n" in head
    return head, body


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidRequestLine("<b>"), "400 Bad Request"),
        (InvalidHeader("bad header"), "400 Bad Request"),
        (LimitRequestHeaders("too large"), "431 Request Header Fields Too Large"),
        (UnsupportedTransferCoding("odd"), "501 Bad Request"),
    ],
)
def test_an_unknown_sender_gets_a_line_of_text(error: Exception, status: str) -> None:
    """With gunicorn's status, and nothing of what was sent."""
    head, body = refused(error)

    assert head.startswith(f"HTTP/1.1 {status}\r\n")
    assert "Content-Type: text/plain" in head
    assert "The request isn’t HTTP as we read it" in body
    assert "<" not in body


def test_a_person_gets_our_page() -> None:
    """A browser says that it takes pages."""
    head, body = refused(asked("GET /cards/", "text/html,*/*;q=0.8"))

    assert head.startswith("HTTP/1.1 400 Bad Request\r\n")
    assert "Orne" in body
    assert "default-src 'none'" in head


def test_a_failure_says_nothing_of_its_cause() -> None:
    """An error outside Django is 500 in our words."""
    head, body = refused(ValueError("secret"))

    assert head.startswith("HTTP/1.1 500 ")
    assert "secret" not in body


def test_a_program_gets_a_problem() -> None:
    """Where it is known what was asked for, or what it takes."""
    for path, accept in (("/api/v1/cards", "*/*"), ("/cards/", "application/json")):
        head, body = refused(asked(f"GET {path}", accept))

        assert "Content-Type: application/problem+json" in head
        assert json.loads(body)["status"] == 400


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Idempotency-Key: \x01\r\n", 400),
        ("A: b\r\n" * 101, 431),
        ("Expect: x\r\n", 417),
        ("Transfer-Encoding: x\r\n", 501),
    ],
)
def test_a_program_whose_headers_cant_be_read_gets_a_problem(
    header: str, status: int
) -> None:
    """The address comes before them."""
    head = f"GET /api/v1/cards HTTP/1.1\r\n{header}\r\n"
    parser = RequestParser(Config(), [head.encode()], ("192.0.2.7", 5))
    with pytest.raises(ParseException) as caught:
        next(parser)
    answered, body = refused(caught.value)

    assert "Content-Type: application/problem+json" in answered
    assert json.loads(body)["status"] == status
    assert json.loads(body)["instance"] == "/api/v1/cards"


def test_an_answer_to_head_has_no_body() -> None:
    """It would be read as the next answer."""
    head, body = refused(asked("HEAD /cards/"))

    assert head.startswith("HTTP/1.1 400 Bad Request\r\n")
    assert body == ""


def test_a_page_that_fails_is_refused_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With gunicorn's status alone."""

    def breaks(*_args: Any) -> str:
        raise RuntimeError("secret")

    monkeypatch.setattr("django.template.loader.render_to_string", breaks)
    head, body = refused(asked("GET /", "text/html"))

    assert head.startswith("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n")
    assert body == ""


def test_no_header_changes_where_orne_is() -> None:
    """Whatever sends it: an address of ours would lead elsewhere."""
    config = Config()
    config.set("forwarder_headers", CONF["forwarder_headers"])
    head = b"GET / HTTP/1.1\r\nHost: x\r\nSCRIPT_NAME: /evil\r\n\r\n"
    request = Request(config, IterUnreader([head]), ("127.0.0.1", 5))

    assert request.headers == [("HOST", "x")]
