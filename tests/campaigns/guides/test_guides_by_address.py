"""Guides are imported from a zip at an address, of configured hosts only."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts.models import User
from campaigns.guides import files
from campaigns.guides.files import UnusableGuides, guide_place
from campaigns.models import Guide
from tests.campaigns.guides.helpers import PAGE, send
from tests.campaigns.helpers.zips import guide_files, zipped
from tests.helpers import local_site, program_of

pytestmark = pytest.mark.django_db


# -- by address --


class Site(BaseHTTPRequestHandler):
    """A site with a zip of guides; ``asked`` lists its requests."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Respond in the way the path says."""
        self.asked.append(self.path)
        getattr(self, f"answer_{self.path.strip('/').partition('?')[0]}")()

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Respond."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_zip(self) -> None:
        """Send guides."""
        self.send(200, zipped(guide_files(), "checkout-main/"))

    def answer_elsewhere(self) -> None:
        """Redirect to another site."""
        self.send(302, Location="http://169.254.169.254/zip")

    def answer_page(self) -> None:
        """Send a page instead of a zip."""
        self.send(200, b"<!doctype html>")

    def answer_missing(self) -> None:
        """Send a 404."""
        self.send(404)

    def answer_endless(self) -> None:
        """Send more than any zip of guides has."""
        self.send(200, b"x" * 300_000)

    def answer_slow(self) -> None:
        """Send a byte now and then, without end."""
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):  # the client has left
            for _byte in range(100):
                self.wfile.write(b"P")
                self.wfile.flush()
                time.sleep(0.05)

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(settings: Settings) -> Iterator[str]:
    """Run an operator's site; yield its address."""
    Site.asked.clear()
    with local_site(Site) as host:
        settings.ORNE_OWN_GUIDE_SITES = [host]
        yield f"http://{host}"


def test_guides_are_imported_from_an_address(alices: APIClient, site: str) -> None:
    """As if the zip had been uploaded."""
    body = json.dumps({"address": f"{site}/zip?ref=main"}).encode()

    answer = send(alices, body, "application/json")

    assert answer.status_code == 201
    assert answer.json()["guides"][0]["guide"] == "own"
    assert Site.asked == ["/zip?ref=main"]


def test_the_page_names_the_configured_hosts(as_alice: Client, site: str) -> None:
    assert re.search(r"From 127\.0\.0\.1:\d+\.", as_alice.get(PAGE).content.decode())

    answer = as_alice.post(PAGE, {"address": f"{site}/zip"})

    assert "1 is new." in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("elsewhere", "redirects to http://169.254.169.254/zip"),
        ("page", "We can’t read this zip"),
        ("missing", "status 404"),
        ("endless", "larger than"),
        ("slow", "didn’t answer in time"),
    ],
)
def test_bad_responses_are_refused(
    as_alice: Client,
    site: str,
    path: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Redirects, endless and slow responses."""
    monkeypatch.setattr(files, "MOST_ZIP_BYTES", 200_000)
    monkeypatch.setattr(files, "MOST_SECONDS", 0.5)

    answer = as_alice.post(PAGE, {"address": f"{site}/{path}"})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert Site.asked == [f"/{path}"]
    assert not Guide.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://guides.example.evil.example/a.zip",
        "https://evilguides.example/a.zip",
        "https://guides.example@evil.example/a.zip",
        "https://guides.example:8443/a.zip",
        "https://127.0.0.1/a.zip",
        "http://localhost/a.zip",
        "ftp://guides.example/a.zip",
        "https://guides.example:x/a.zip",
        "guides.example/a.zip",
        "https://guides.example/" + "a" * 1_000,
    ],
)
def test_other_addresses_are_refused(
    address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a name is looked up."""
    settings.ORNE_GUIDE_SITES = ["guides.example"]
    monkeypatch.setattr(socket, "getaddrinfo", pytest.fail)

    with pytest.raises(UnusableGuides):
        files.guide_files_at(address)


def test_a_refusal_repeats_no_password() -> None:
    with pytest.raises(UnusableGuides, match=r"“https://github\.com/a\.zip”"):
        guide_place("https://me:secret@github.com/a.zip")


def test_a_configured_host_is_asked_over_tls(settings: Settings) -> None:
    """Whatever else the address says."""
    settings.ORNE_GUIDE_SITES = [".guides.example"]

    place = guide_place("http://get.guides.example/a b/\r\nX: y.zip?q=1 2#part")

    assert place.address == "https://get.guides.example/a%20b/X:%20y.zip?q=1%202"
    assert not place.own


def test_a_private_address_behind_a_name_is_refused(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ORNE_GUIDE_SITES = ["guides.example"]
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: found)
    monkeypatch.setattr(socket, "create_connection", pytest.fail)

    with pytest.raises(UnusableGuides, match="We don’t read from"):
        files.guide_files_at("https://guides.example/a.zip")


def test_without_configured_hosts_no_address_is_read() -> None:
    """The response says what to do."""
    with pytest.raises(UnusableGuides, match="Import the zip itself"):
        guide_place("https://guides.example/a.zip")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"address": "ftp://guides.example/a.zip"}, "/address"),
        ({"address": "https://guides.example/a.zip", "name": "Mine"}, "/name"),
    ],
)
def test_a_program_learns_what_is_refused(
    body: dict[str, str], place: str, alice: User
) -> None:
    """By its pointer."""
    answer = program_of(alice).post("/api/v1/guides/", body, format="json")

    assert (answer.status_code, answer.json()["pointer"]) == (422, place)
