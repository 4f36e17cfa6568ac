"""What gunicorn refuses before Orne sees it is refused in our words."""

from __future__ import annotations

import json
import logging
import runpy
import socket
from pathlib import Path
from typing import Any

import pytest
from gunicorn.http.errors import InvalidHeader, InvalidRequestLine, LimitRequestHeaders

PROJECT = Path(__file__).resolve().parents[2]


CONF: dict[str, Any] = runpy.run_path(str(PROJECT / "gunicorn.conf.py"))


def refused(error: Exception) -> tuple[str, str]:
    """The head and the body of the answer to a request that raised this."""
    kind: Any = CONF["worker_class"]
    worker = kind.__new__(kind)
    worker.log = logging.getLogger("tests.gunicorn")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        worker.handle_error(None, ours, ("192.0.2.7", 5), error)
        ours.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: theirs.recv(65_536), b"")).decode()
    head, _blank, body = answer.partition("\r\n\r\n")
    assert f"Content-Length: {len(body.encode())}" in head
    return head, body


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidRequestLine("<b>"), "400 Bad Request"),
        (InvalidHeader("bad header"), "400 Bad Request"),
        (LimitRequestHeaders("too large"), "431 Request Header Fields Too Large"),
    ],
)
def test_a_person_gets_our_page(error: Exception, status: str) -> None:
    """With gunicorn's status, and nothing of what was sent."""
    head, body = refused(error)

    assert head.startswith(f"HTTP/1.1 {status}\r\n")
    assert "Orne" in body
    assert "<b>" not in body
    assert "default-src 'none'" in head


def test_a_failure_says_nothing_of_its_cause() -> None:
    """An error outside Django is 500 in our words."""
    head, body = refused(ValueError("secret"))

    assert head.startswith("HTTP/1.1 500 ")
    assert "secret" not in body


def test_a_program_gets_a_problem() -> None:
    """Where it is known what was asked for."""
    answer: bytes = CONF["refusal"](500, "Internal Server Error", "/api/v1/cards")
    head, _blank, body = answer.decode().partition("\r\n\r\n")

    assert "Content-Type: application/problem+json" in head
    assert json.loads(body)["status"] == 500
