"""Asks another server for something, and nothing but what it was sent for.

Addresses come from anybody. So a place is asked over TLS and at public addresses alone
(the keeper's own sites excepted), once its name was looked up and what came of it was
checked, and for so many seconds at most. What is read of a host is read only if the
settings name it; what is sent to people's own programs goes to any.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from typing import NamedTuple, TypeVar
from urllib.parse import SplitResult, quote

PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024  # below are those of other services
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# A gateway to IPv4 (RFC 6052), and addresses that once were IPv4's own (RFC 4291).
ENDING_IN_IPV4 = [
    ipaddress.IPv6Network(each) for each in ("64:ff9b::/96", "::/96", "::ffff:0:0/96")
]
# What else of IPv6 is given out for hosts (RFC 4291); documents name some (RFC 9637).
GIVEN_OUT, IN_DOCUMENTS = map(ipaddress.IPv6Network, ("2000::/3", "3fff::/20"))

_FIT = "/%:@!$&'()*+,;=~-._"  # what stands in a path as it is
# The name and the password of a user, which stand before the host; a slash in the
# password is against the rules, and written all the same.
_USER = re.compile(r"^(\w+://)?+(?:[^/?#]*|[^@/?#:]*:(?!\d{1,5}/)[^@]*)@")
# Of a host: letters of any script, figures, and what parts addresses and their zones.
_NAME = re.compile(r"[\w.:%-]+")
# Of a public host: the last of its labels isn't a number, as resolvers read 127.1,
# and none is kept for one's own network (RFC 6761, 6762, 7686, 8375).
_PUBLIC_NAME = re.compile(
    r"(?:[^.]{1,63}\.)+(?!\d|(?:arpa|internal|invalid|local|localhost|onion)$)[^.]{1,63}"
)

T = TypeVar("T")


class HostUnreachable(Exception):
    """A place could not be reached, or did not answer in time."""


class PrivateAddress(Exception):
    """A host with private addresses."""


class RemotePlace(NamedTuple):
    """Where something is: a site that may be read, and the path there.

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


class Timeouts(NamedTuple):
    """For how many seconds one waits: in all, and for each address of a host."""

    seconds: float
    to_connect: float


def shown_address(address: str, most: int = 100) -> str:
    """The first letters of an address, without a user's name and password."""
    return _USER.sub(r"\1", address, count=1)[:most]


def quoted_path(parts: SplitResult) -> str:
    """The path and the query of an address, fit to be sent."""
    query = f"?{quote(parts.query, safe=_FIT + '?')}" if parts.query else ""
    return quote(parts.path or "/", safe=_FIT) + query


def place_of(
    parts: SplitResult, path: str, sites: Collection[str], own_sites: Collection[str]
) -> RemotePlace | None:
    """Where the parts of an address lead, if a site of the settings is there.

    ``sites`` are hosts, a dot before one for all below it; whatever was pasted, they
    are asked over TLS. ``own_sites`` are ``host:port`` of the keeper's. Raises
    ValueError for what is no address of a site.
    """
    scheme, host, port = _site_of(parts)
    if f"{host}:{port}" in own_sites:
        return RemotePlace(scheme, host, port, path, own=True)
    if port == PORTS[scheme] and any(
        host == site.lstrip(".") or (site.startswith(".") and host.endswith(site))
        for site in sites
    ):
        return RemotePlace("https", host, PORTS["https"], path, own=False)
    return None


def any_place(
    parts: SplitResult, path: str, own_sites: Collection[str]
) -> RemotePlace | None:
    """Where the parts of an address lead: any public host over TLS, or an own site.

    Other services' well-known ports aren't knocked at, nor private addresses in numbers
    and private names. Raises ValueError for what is no address of a site.
    """
    scheme, host, port = _site_of(parts)
    if f"{host}:{port}" in own_sites:
        return RemotePlace(scheme, host, port, path, own=True)
    if scheme != "https" or (port != PORTS["https"] and port < FIRST_FREE_PORT):
        return None
    try:
        fit = all(map(_is_public, _meant_by(ipaddress.ip_address(host))))
    except ValueError:  # of a host that is a name
        fit = _PUBLIC_NAME.fullmatch(host) is not None
    return RemotePlace(scheme, host, port, path, own=False) if fit else None


def _site_of(parts: SplitResult) -> tuple[str, str, int]:
    """Scheme, host and port of an address."""
    scheme, host = parts.scheme.lower(), (parts.hostname or "").rstrip(".")
    if scheme not in PORTS or not _NAME.fullmatch(host) or "@" in parts.netloc:
        raise ValueError("no address of a site")
    return scheme, host, PORTS[scheme] if parts.port is None else parts.port


def ask(
    place: RemotePlace,
    accept: str,
    patience: Timeouts,
    read: Callable[[HTTPResponse], T],
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> T:
    """What ``read`` makes of a place's answer; redirects are not followed.

    A body is posted. Raises HostUnreachable and PrivateAddress, and whatever ``read``
    raises.
    """
    connection = _Connection(place, patience)
    timer = Timer(patience.seconds, connection.cut)
    timer.daemon = True
    timer.start()
    try:
        with closing(connection):
            connection.request(
                "GET" if body is None else "POST",
                place.path,
                body,
                headers={
                    "Accept": accept,
                    "Accept-Encoding": "identity",
                    "Connection": "close",
                    "User-Agent": "Orne",
                    **(headers or {}),
                },
            )
            with closing(connection.getresponse()) as response:
                answer = read(response)
    except (OSError, HTTPException, UnicodeError) as error:
        raise HostUnreachable from error
    finally:
        timer.cancel()
    if connection.late:
        raise HostUnreachable
    return answer


class _Connection(HTTPConnection):
    """A connection to an address that was found fit, cut when its time is over."""

    def __init__(self, place: RemotePlace, patience: Timeouts) -> None:
        super().__init__(place.host, place.port, timeout=patience.seconds)
        self.default_port = PORTS[place.scheme]
        self.place = place
        self.patience = patience
        self.reached: socket.socket | None = None
        self.late = False

    def connect(self) -> None:
        """Look the name up once, check what comes of it, and connect to just that."""
        for found in _looked_up(self.place):
            if self.late or self.reached is not None:
                break
            with suppress(OSError):
                self.reached = socket.create_connection(
                    (found, self.port), timeout=self.patience.to_connect
                )
        if self.late or self.reached is None:
            raise TimeoutError
        self.reached.settimeout(self.patience.seconds)
        if self.place.scheme == "https":
            self.reached = ssl.create_default_context().wrap_socket(
                self.reached,
                server_hostname=self.host,
                do_handshake_on_connect=False,  # it must be possible to cut it
            )
            self.reached.do_handshake()
        self.sock = self.reached

    def cut(self) -> None:
        """End the time: a read that waits for a byte stops."""
        self.late = True
        if self.reached is not None:
            with suppress(OSError):
                self.reached.shutdown(socket.SHUT_RDWR)


def _looked_up(place: RemotePlace) -> Iterator[str]:
    """The addresses of the host; refuses private ones."""
    found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    for each in addresses:
        address = ipaddress.ip_address(each.partition("%")[0])
        if not place.own and not all(map(_is_public, _meant_by(address))):
            raise PrivateAddress
    return iter(addresses)


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and not any(
        address in network for network in ENDING_IN_IPV4
    ):
        is_given_out = address in GIVEN_OUT and address not in IN_DOCUMENTS
    else:
        is_given_out = True
    return is_given_out and address.is_global and not address.is_multicast


def _meant_by(address: Address) -> Iterator[Address]:
    """The address, and the one of IPv4 that it leads to through a gateway."""
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour is not None:
            yield address.sixtofour
        if any(address in network for network in ENDING_IN_IPV4):
            yield ipaddress.IPv4Address(address.packed[-4:])
