"""What deck is at this address? Read from sites like ArkhamDB that the keeper named.

Addresses come from anybody, so nothing else can be reached by them: only hosts of the
settings, only the paths of decks, only over TLS and only at public addresses (the
keeper's own sites excepted), for seconds and up to a size, and no redirect leads out.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.throttling import SimpleRateThrottle

MOST_BYTES = 1_000_000
MOST_SECONDS = 6.0  # for everything, from the look-up of the name to the last byte
MOST_SECONDS_TO_CONNECT = 3.0  # to each of the addresses a host has
MOST_REDIRECTS = 2
PORTS = {"http": 80, "https": 443}

_ID = r"\d{1,12}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}"
# As the pages of a deck are addressed, and as its API addresses it.
_DECK = re.compile(
    rf"/(?:api/public/(?P<kind>deck|decklist)/|(?P<page>deck|decklist)/view/"
    rf"|decks/(?P<shown>published|shared)/)(?P<id>{_ID})(?:\.json|/[^/]*)?/?"
)
# What our own pages of decks that are shown are to the API.
_SHOWN = {"published": "decklist", "shared": "deck"}


class Unreachable(Exception):
    """There is no deck to be had at an address: says why, and what can be done."""


class AddressThrottle(SimpleRateThrottle):
    """Counts the addresses this server reads, whoever asks: other sites bear it."""

    scope = "addresses"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """One counter for all."""
        return self.cache_format % {"scope": self.scope, "ident": "all"}


class Place(NamedTuple):
    """Where a deck is: a site that may be read, and the path there.

    ``own`` is a site of the keeper's: plain HTTP and private addresses are fit.
    """

    scheme: str
    host: str
    port: int
    path: str
    own: bool

    @property
    def address(self) -> str:
        """As one writes it."""
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{port}{self.path}"


def is_address(text: str) -> bool:
    """Whether a text is an address and nothing else."""
    return re.fullmatch(r"\s*https?://\S+\s*", text, re.IGNORECASE) is not None


def read_address(address: str) -> str:
    """The deck at an address, as the site's JSON; raises Unreachable."""
    place = find_place(address.strip())
    if not AddressThrottle().allow_request(None, None):  # type: ignore[arg-type]
        raise Unreachable(
            _("Many addresses are being read just now. Try again in a minute.")
        )
    for _turn in range(MOST_REDIRECTS + 1):
        status, location, body = _asked(place)
        if not location:
            return _deck_text(status, body, place)
        place = _sent_on(place, location)
    raise _no_deck(place)


def _sent_on(place: Place, location: str) -> Place:
    """Where a site sends us, if that is another deck's place on the same site."""
    try:
        there = find_place(urljoin(place.address, location))
    except (Unreachable, ValueError):
        raise _no_deck(place) from None
    if there[:3] != place[:3]:
        raise _no_deck(place)
    return there


def find_place(address: str) -> Place:
    """Where this address leads, if it may be read; raises Unreachable."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise _unfit(address) from None
    found = _DECK.fullmatch(parts.path)
    scheme, host = parts.scheme.lower(), (parts.hostname or "").rstrip(".")
    if scheme not in PORTS or not host or "@" in parts.netloc:
        raise _unfit(address)
    own = f"{host}:{port or PORTS[scheme]}" in settings.ORNE_OWN_DECK_SITES
    if not own and not _is_public_site(parts, host, port):
        raise _other_site(host)
    if not found:
        raise _unfit(address)
    kind = found["kind"] or found["page"] or _SHOWN[found["shown"]]
    path = f"/api/public/{kind}/{found['id']}"
    if own:
        return Place(scheme, host, port or PORTS[scheme], path, own)
    # Whatever was pasted: a site that is not one's own is asked over TLS.
    return Place("https", host, PORTS["https"], path, own)


def _is_public_site(parts: SplitResult, host: str, port: int | None) -> bool:
    """Whether the settings name the host, or with a dot before it one above it."""
    usual = port in (None, PORTS[parts.scheme.lower()])
    return usual and any(
        host == site.lstrip(".") or (site.startswith(".") and host.endswith(site))
        for site in settings.ORNE_DECK_SITES
    )


# -- asking --


class _Connection(HTTPConnection):
    """A connection to an address that was found fit, cut when its time is over."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.host, place.port, timeout=MOST_SECONDS)
        self.default_port = PORTS[place.scheme]
        self.place = place
        self.reached: socket.socket | None = None
        self.late = False

    def connect(self) -> None:
        """Look the name up once, check what comes of it, and connect to just that."""
        for found in _looked_up(self.place):
            if self.late or self.reached is not None:
                break
            with suppress(OSError):
                self.reached = socket.create_connection(
                    (found, self.port), timeout=MOST_SECONDS_TO_CONNECT
                )
        if self.late or self.reached is None:
            raise TimeoutError
        self.reached.settimeout(MOST_SECONDS)
        if self.place.scheme == "https":
            self.reached = ssl.create_default_context().wrap_socket(
                self.reached,
                server_hostname=self.host,
                do_handshake_on_connect=False,  # it must be possible to cut it
            )
            self.reached.do_handshake()
        self.sock = self.reached

    def cut(self) -> None:
        """The time is over: whoever waits for a byte waits no more."""
        self.late = True
        if self.reached is not None:
            with suppress(OSError):
                self.reached.shutdown(socket.SHUT_RDWR)


def _looked_up(place: Place) -> Iterator[str]:
    """The addresses of the host; refuses private ones, which are nobody's business."""
    found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    for each in addresses:
        address = ipaddress.ip_address(each.partition("%")[0])
        if not place.own and (not address.is_global or address.is_multicast):
            raise _other_site(place.host)
    return iter(addresses)


def _asked(place: Place) -> tuple[int, str, bytes]:
    """What a site answers: the status, where else it sends us, the body."""
    connection = _Connection(place)
    timer = Timer(MOST_SECONDS, connection.cut)
    timer.daemon = True
    timer.start()
    try:
        with closing(connection):
            connection.request(
                "GET",
                place.path,
                headers={
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "Connection": "close",
                    "User-Agent": "Orne",
                },
            )
            with closing(connection.getresponse()) as response:
                answer = _read(response, place)
    except (OSError, HTTPException, UnicodeError) as error:
        raise _silent(place) from error
    finally:
        timer.cancel()
    if connection.late:
        raise _silent(place)
    return answer


def _read(response: HTTPResponse, place: Place) -> tuple[int, str, bytes]:
    if 300 <= response.status < 400:
        return response.status, response.headers.get("Location", ""), b""
    body = response.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise Unreachable(
            _("What %(host)s answers is larger than a deck list can be (1 MB).")
            % {"host": place.host}
        )
    return response.status, "", body


def _deck_text(status: int, body: bytes, place: Place) -> str:
    """The body, if it can be a deck: some sites say nothing, or show a page instead."""
    text = body.decode("utf-8-sig", "replace")
    if status != 200 or not text.lstrip().startswith("{"):
        raise _no_deck(place)
    return text


# -- refusing --


def _unfit(address: str) -> Unreachable:
    return Unreachable(
        _("“%(address)s” is not the address of a deck. Expected: one like %(example)s.")
        % {
            "address": address[:100],
            "example": "https://arkhamdb.com/decklist/view/59663",
        }
    )


def _other_site(host: str) -> Unreachable:
    named = [each.lstrip(".") for each in settings.ORNE_DECK_SITES]
    named += settings.ORNE_OWN_DECK_SITES
    if not named:
        return Unreachable(
            _("This server reads no addresses. Paste the deck list itself.")
        )
    return Unreachable(
        _(
            "Decks at %(host)s are not read from here; those at %(sites)s are. Paste "
            "the deck list itself."
        )
        % {"host": host[:100], "sites": ", ".join(named)}
    )


def _silent(place: Place) -> Unreachable:
    return Unreachable(
        _(
            "%(host)s could not be reached or did not answer in time. Try again, or "
            "paste the deck list itself."
        )
        % {"host": place.host}
    )


def _no_deck(place: Place) -> Unreachable:
    return Unreachable(
        _(
            "%(host)s shows no deck at this address. Perhaps there is none, or its "
            "owner does not share it."
        )
        % {"host": place.host}
    )
