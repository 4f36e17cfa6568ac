"""A deck is imported by its address: from configured sites only."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework.throttling import SimpleRateThrottle

from decks.interchange import arkhamdb
from decks.interchange.arkhamdb import Unreachable, find_place, is_address, read_address
from tests.helpers import local_site

DECK = {"id": 7, "name": "From afar", "investigator_code": "01001", "slots": {}}
UUID = "0a1b2c3d-0000-4000-8000-0123456789ab"


class Site(BaseHTTPRequestHandler):
    """A site like ArkhamDB; ``asked`` lists its requests."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Respond in the way that the deck's number stands for."""
        self.asked.append(self.path)
        number = self.path.rpartition("/")[2]
        answer = getattr(self, f"answer_{number}", self.answer_7)
        answer()

    def send(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Respond."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_7(self) -> None:
        """Send a deck."""
        self.send(200, json.dumps(DECK).encode())

    def answer_1(self) -> None:
        """Send an empty response, as ArkhamDB does for unknown lists."""
        self.send(200)

    def answer_2(self) -> None:
        """Send a page."""
        self.send(200, b"<!doctype html><title>Sign in</title>")

    def answer_3(self) -> None:
        """Redirect within this site, to a deck."""
        self.send(302, Location="/api/public/deck/7")

    def answer_4(self) -> None:
        """Redirect to another site."""
        self.send(302, Location="http://169.254.169.254/api/public/deck/7")

    def answer_5(self) -> None:
        """Redirect in circles."""
        self.send(301, Location="/deck/view/5")

    def answer_6(self) -> None:
        """Redirect to a page for signing in."""
        self.send(302, Location="/login")

    def answer_8(self) -> None:
        """Send more than a deck can be."""
        self.send(200, b"{" + b" " * 1_000_000)

    def answer_9(self) -> None:
        """Send a byte now and then, without end."""
        self.send_response(200)
        self.end_headers()
        for _byte in range(100):
            self.wfile.write(b"{")
            self.wfile.flush()
            time.sleep(0.05)

    def answer_10(self) -> None:
        """Send headers now and then, without end."""
        for _line in range(100):
            self.wfile.write(b"HTTP/1.0 200 OK\r\n" if not _line else b"X: y\r\n")
            self.wfile.flush()
            time.sleep(0.05)

    def answer_11(self) -> None:
        """Send something that is no HTTP."""
        self.wfile.write(b"SSH-2.0-what\r\n\r\n")

    def answer_12(self) -> None:
        """Send a server error."""
        self.send(500, b'{"error": 500}')

    def answer_13(self) -> None:
        """Redirect to an invalid address or to none."""
        self.send(302, Location="//[")

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site(settings: Settings) -> Iterator[str]:
    """Run an operator's site; yield its address."""
    Site.asked.clear()
    with local_site(Site) as host:
        settings.ORNE_OWN_DECK_SITES = [host]
        yield f"http://{host}"


# -- which addresses --


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("https://arkhamdb.com/decklist/view/59663", "decklist/59663"),
        ("https://arkhamdb.com/decklist/view/59663/a-name-1.0", "decklist/59663"),
        ("http://arkhamdb.com/deck/view/123/", "deck/123"),
        ("HTTPS://ARKHAMDB.COM./deck/view/123?a=b#c", "deck/123"),
        ("https://es.arkhamdb.com:443/api/public/deck/123", "deck/123"),
        ("https://arkhamdb.com/api/public/decklist/5.json", "decklist/5"),
        (f"https://arkhamdb.com/deck/view/{UUID}", f"deck/{UUID}"),
    ],
)
def test_addresses_of_deck_pages_lead_to_the_api(address: str, path: str) -> None:
    """Always over TLS, whatever else the address says."""
    place = find_place(address)

    assert place.address.endswith(f"arkhamdb.com/api/public/{path}")
    assert (place.scheme, place.port, place.own) == ("https", 443, False)


@pytest.mark.parametrize(
    "address",
    [
        "https://arkhamdb.com.evil.example/deck/view/1",
        "https://evilarkhamdb.com/deck/view/1",
        "https://arkhamdb.com@evil.example/deck/view/1",
        "https://me:secret@arkhamdb.com/deck/view/1",
        "https://evil.example/arkhamdb.com/deck/view/1",
        "https://arkhamdb.com:8443/deck/view/1",
        "https://arkhamdb.com:80/deck/view/1",
        "https://127.0.0.1/deck/view/1",
        "https://[::1]/deck/view/1",
        "https://2130706433/deck/view/1",
        "http://localhost/deck/view/1",
        "ftp://arkhamdb.com/deck/view/1",
        "file:///deck/view/1",
        "https://arkhamdb.com/",
        "https://arkhamdb.com/deck/edit/1",
        "https://arkhamdb.com/deck/view/1/../../admin/2/3",
        "https://arkhamdb.com/api/public/cards/",
        "https://arkhamdb.com/deck/view/1%0d%0aX:y",
        "https://arkhamdb.com:port/deck/view/1",
        "https://[arkhamdb.com/deck/view/1",
        "https:///deck/view/1",
        "arkhamdb.com/deck/view/1",
    ],
)
def test_other_addresses_are_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a name is looked up."""
    monkeypatch.setattr(socket, "getaddrinfo", pytest.fail)

    with pytest.raises(Unreachable):
        read_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://me:s@cret@arkhamdb.com/deck/view/1",
        "HTTPS://secret@evil.example/deck/view/1",
        "me:secret@arkhamdb.com/deck/view/1",
        "https://me:se/secret@arkhamdb.com/deck/view/1",
        "https://me:secret@[arkhamdb.com/deck/view/1",
    ],
)
def test_a_refusal_repeats_no_password(address: str) -> None:
    with pytest.raises(Unreachable, match="deck/view/1") as refused:
        find_place(address)
    assert "cret" not in str(refused.value)


def test_sites_need_not_be_configured(settings: Settings) -> None:
    """Then no address is read, and the page says so."""
    settings.ORNE_DECK_SITES = []

    with pytest.raises(Unreachable, match="can’t import from addresses"):
        find_place("https://arkhamdb.com/deck/view/1")


def test_a_host_without_a_dot_has_no_subdomains(settings: Settings) -> None:
    settings.ORNE_DECK_SITES = ["arkhamdb.com"]

    assert find_place("https://arkhamdb.com/deck/view/1")
    with pytest.raises(Unreachable, match=r"from es\.arkhamdb\.com"):
        find_place("https://es.arkhamdb.com/deck/view/1")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://arkhamdb.com/deck/view/1", True),
        (" HTTP://x.example/y\n", True),
        ("https://arkhamdb.com/deck/view/1\n2x Machete", False),
        ("2x Machete", False),
        ('{"a": "https://arkhamdb.com"}', False),
    ],
)
def test_an_address_must_be_alone(text: str, is_one: bool) -> None:
    """A list that mentions one is a list."""
    assert is_address(text) is is_one


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["192.168.1.1"],
        ["169.254.169.254"],
        ["100.64.0.1"],
        ["0.0.0.0"],  # noqa: S104
        ["224.0.0.1"],
        ["::1"],
        ["fe80::1%eth0"],
        ["fd00::1"],
        ["::ffff:127.0.0.1"],
        ["::127.0.0.1"],
        ["fec0::1"],
        ["64:ff9b::10.0.0.1"],
        ["64:ff9b:1::1"],
        ["2002:a00:1::"],
        ["93.184.216.34", "127.0.0.1"],
    ],
)
def test_a_name_with_a_private_address_is_refused(
    addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One among its addresses is enough; no connection is made."""
    found = [(0, 0, 0, "", (each, 443)) for each in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: found)
    monkeypatch.setattr(socket, "create_connection", pytest.fail)

    with pytest.raises(Unreachable, match="We don’t read from"):
        read_address("https://arkhamdb.com/deck/view/1")


def test_an_unknown_name_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a site that does not respond."""

    def unknown(*_arguments: Any, **_options: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    with pytest.raises(Unreachable, match="We couldn’t reach"):
        read_address("https://arkhamdb.com/deck/view/1")


# -- what is answered --


def test_a_deck_is_read(site: str) -> None:
    """With one request."""
    assert json.loads(read_address(f"{site}/deck/view/7/x")) == DECK
    assert Site.asked == ["/api/public/deck/7"]


def test_redirects_within_a_site_are_followed(site: str) -> None:
    """To a deck."""
    assert json.loads(read_address(f"{site}/deck/view/3")) == DECK
    assert Site.asked == ["/api/public/deck/3", "/api/public/deck/7"]


@pytest.mark.parametrize("number", [1, 2, 4, 5, 6, 12, 13])
def test_a_missing_deck_is_reported(site: str, number: int) -> None:
    """No other site is asked."""
    with pytest.raises(Unreachable, match="doesn’t show a deck at this address"):
        read_address(f"{site}/deck/view/{number}")

    assert len(Site.asked) == (3 if number == 5 else 1)


def test_large_responses_are_refused(site: str) -> None:
    """From the first byte above a megabyte."""
    with pytest.raises(Unreachable, match="too large for a deck list"):
        read_address(f"{site}/deck/view/8")


@pytest.mark.parametrize("number", [9, 10])
def test_the_timeout_covers_the_whole_response(
    site: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A site that sends a byte now and then is cut off."""
    monkeypatch.setattr(arkhamdb, "MOST_SECONDS", 0.4)
    before = time.monotonic()

    with pytest.raises(Unreachable, match="didn’t answer in time"):
        read_address(f"{site}/deck/view/{number}")

    assert time.monotonic() - before < 3


def test_invalid_http_is_reported(site: str) -> None:
    """As a site that does not respond; so is plain HTTP instead of TLS."""
    for address in (
        f"{site}/deck/view/11",
        site.replace("http", "https") + "/deck/view/7",
    ):
        with pytest.raises(Unreachable, match="We couldn’t reach"):
            read_address(address)


def test_a_site_that_is_down_is_reported(settings: Settings) -> None:
    """Its port is closed."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{closed.getsockname()[1]}"
    settings.ORNE_OWN_DECK_SITES = [host]

    with pytest.raises(Unreachable, match="We couldn’t reach"):
        read_address(f"http://{host}/deck/view/7")


def test_requests_per_minute_are_limited(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all users together."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"addresses": "2/min"})

    for _time in range(2):
        read_address(f"{site}/deck/view/7")
    with pytest.raises(Unreachable, match="Try again in a minute"):
        read_address(f"{site}/deck/view/7")
    assert len(Site.asked) == 2


# -- TLS --


@pytest.fixture
def certified(tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """Run a TLS site that claims to be arkhamdb.com; yield its port and certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate of the test and is absent")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    told = ["-subj", "/CN=arkhamdb.com", "-addext", "subjectAltName=DNS:arkhamdb.com"]
    made = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *told, *made],
        check=True,
        capture_output=True,
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server.server_port, certificate
    server.shutdown()
    server.server_close()


def test_a_site_must_have_a_valid_certificate(
    certified: tuple[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trusted, for its own name; the connection goes to the checked address."""
    port, certificate = certified
    reached = []

    def looked_up(*_arguments: Any, **_options: Any) -> Any:
        return [(0, 0, 0, "", ("93.184.216.34", 443))]

    def connected(address: tuple[str, int], timeout: float) -> socket.socket:
        reached.append(address)
        connection = socket.socket()
        connection.settimeout(timeout)
        connection.connect(("127.0.0.1", port))
        return connection

    monkeypatch.setattr(socket, "create_connection", connected)
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)

    with pytest.raises(Unreachable, match="We couldn’t reach"):
        read_address("https://arkhamdb.com/deck/view/7")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert json.loads(read_address("https://arkhamdb.com/deck/view/7")) == DECK
    with pytest.raises(Unreachable, match="We couldn’t reach"):
        read_address("https://es.arkhamdb.com/deck/view/7")
    assert reached == [("93.184.216.34", 443)] * 3


# -- on the pages --


@pytest.mark.usefixtures("rows")
def test_an_address_is_pasted_like_a_list(client: Client, site: str) -> None:
    """The deck is checked and can be opened in the builder."""
    page = client.post("/", {"text": f" {site}/deck/view/7\n"}).content.decode()

    assert "From afar" in page
    assert "The deck has 0 of 30 cards." in page


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("host", ["evil.example", "arkhamdb.com:8443"])
def test_a_bad_address_is_reported_on_the_page(host: str, client: Client) -> None:
    """422, with advice."""
    page = client.post("/", {"text": f"https://{host}/deck/view/7"})

    assert page.status_code == 422
    text = page.content.decode()
    assert f"We don’t read from {host}, only from arkhamdb.com" in text
    assert f"https://{host}/deck/view/7" in text
