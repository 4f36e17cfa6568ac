"""Looks up pinned packages in a database of advisories, or prints their age."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tests.conftest import PROJECT
from tests.house import advisories

FAULT = "GHSA-aaaa-bbbb-cccc"


class Database(BaseHTTPRequestHandler):
    """Answers as OSV does; it knows a fault of Django alone."""

    asked: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        """Answer each question in its place."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.extend(body["queries"])
        results = [
            {"vulns": [{"id": FAULT}]} if each["package"]["name"] == "django" else {}
            for each in body["queries"]
        ]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"results": results}).encode())

    def log_message(self, *_args: object) -> None:
        """Write nothing."""


@pytest.fixture
def database() -> Iterator[str]:
    """Its address."""
    Database.asked.clear()
    server = HTTPServer(("127.0.0.1", 0), Database)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/querybatch"
    server.shutdown()
    server.server_close()


def test_every_pinned_package_is_looked_up(
    database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of the server, of production, of MCP and of the tests."""
    assert advisories.main(database) == 1

    names = {each["package"]["name"] for each in Database.asked}
    assert {"django", "gunicorn", "mcp", "pytest"} <= names
    assert all(each["version"][0].isdigit() for each in Database.asked)
    assert f"django=={dict(advisories.pinned())['django']}: {FAULT}" in (
        capsys.readouterr().out
    )


def test_an_advisory_that_does_not_concern_us_is_passed_over(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisories, "ACCEPTED", {FAULT: "That part isn't used."})

    assert advisories.main(database) == 0


def test_where_it_is_out_of_reach_the_age_of_the_pins_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The check goes on: many work without network."""
    assert advisories.main("http://127.0.0.1:1/v1/querybatch") == 0

    said = capsys.readouterr().out
    assert "is out of reach" in said
    assert f"pinned ({advisories.pinned_on()}): " in said


def test_the_check_is_one_of_all() -> None:
    assert "-m tests.house.advisories" in (PROJECT / "run").read_text()
