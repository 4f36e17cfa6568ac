"""Requests to other servers, restricted to what they are meant for.

Anyone can enter addresses. So a place is only contacted over TLS and at public
addresses (except the operator's own sites), after its name was resolved and the result
checked, and with a time limit. Content is read only from hosts in the settings;
webhooks are sent to any host.
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

from django.utils.translation import gettext as _

PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024  # lower ports belong to other services
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# A gateway to IPv4 (RFC 6052), and former IPv4 addresses (RFC 4291).
ENDING_IN_IPV4 = [
    ipaddress.IPv6Network(each) for each in ("64:ff9b::/96", "::/96", "::ffff:0:0/96")
]
# Other IPv6 addresses for hosts (RFC 4291), and those for documents (RFC 9637).
GIVEN_OUT, IN_DOCUMENTS = map(ipaddress.IPv6Network, ("2000::/3", "3fff::/20"))

_FIT = "/%:@!$&'()*+,;=~-._"  # characters left unquoted in a path
# A user's name and password before the host; a slash in the password is against the
# rules, but occurs.
_USER = re.compile(r"^(\w+://)?+(?:[^/?#]*|[^@/?#:]*:(?!\d{1,5}/)[^@]*)@")
# A host: letters of any script, digits, and separators of addresses and zones.
_NAME = re.compile(r"[\w.:%-]+")
# A public host: its last label isn't a number, because resolvers read 127.1, nor
# reserved for private networks (RFC 6761, 6762, 7686, 8375).
_PUBLIC_NAME = re.compile(
    r"(?:[^.]{1,63}\.)+(?!\d|(?:arpa|internal|invalid|local|localhost|onion)$)[^.]{1,63}"
)

T = TypeVar("T")


class HostUnreachable(Exception):
    """A place could not be reached, or did not answer in time."""


class PrivateAddress(Exception):
    """A host has private addresses."""


class RemotePlace(NamedTuple):
    """A site that may be contacted, and a path.

    ``own`` sites belong to the operator: plain HTTP and private addresses are allowed.
    """

    scheme: str
    host: str
    port: int
    path: str
    own: bool

    @property
    def address(self) -> str:
        """The address as users write it."""
        port = "" if self.port == PORTS[self.scheme] else f":{self.port}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{port}{self.path}"


class Timeouts(NamedTuple):
    """Time limits in seconds: in total, and to connect to each address of a host."""

    seconds: float
    to_connect: float


def shown_address(address: str, most: int = 100) -> str:
    """Return the start of an address, without a user's name and password."""
    return _USER.sub(r"\1", address, count=1)[:most]


def quoted_path(parts: SplitResult) -> str:
    """Return the path and query of an address, quoted for sending."""
    query = f"?{quote(parts.query, safe=_FIT + '?')}" if parts.query else ""
    return quote(parts.path or "/", safe=_FIT) + query


def place_of(
    parts: SplitResult, path: str, sites: Collection[str], own_sites: Collection[str]
) -> RemotePlace | None:
    """Return the place of an address, if it is a site in the settings.

    ``sites`` are hosts, with a leading dot for all subdomains; they are always
    contacted over TLS. ``own_sites`` are ``host:port`` of the operator's. Raises
    ValueError if the address is not that of a site.
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


def named_hosts(sites: Collection[str], own_sites: Collection[str]) -> list[str]:
    """Return the hosts that may be read, by the settings."""
    return [*(each.lstrip(".") for each in sites), *own_sites]


def other_site(host: str, named: Collection[str], instead: str) -> str:
    """Return why an address isn't read, and what to do ``instead``."""
    if not named:
        why = _("This server can’t import from addresses.")
    else:
        values = {"host": host[:100], "sites": ", ".join(named)}
        why = _("We don’t read from %(host)s, only from %(sites)s.") % values
    return f"{why} {instead}"


def any_place(
    parts: SplitResult, path: str, own_sites: Collection[str]
) -> RemotePlace | None:
    """Return the place of an address: any public host over TLS, or an own site.

    Well-known ports of other services are refused, as are private addresses and names.
    Raises ValueError if the address is not that of a site.
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
    """Return scheme, host and port of an address."""
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
    """Return what ``read`` makes of a place's answer; redirects are not followed.

    A body is posted. Raises HostUnreachable and PrivateAddress, and the errors of
    ``read``.
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
    """A connection to a checked address, closed when its time is over."""

    def __init__(self, place: RemotePlace, patience: Timeouts) -> None:
        super().__init__(place.host, place.port, timeout=patience.seconds)
        self.default_port = PORTS[place.scheme]
        self.place = place
        self.patience = patience
        self.reached: socket.socket | None = None
        self.late = False

    def connect(self) -> None:
        """Resolve the name once, check the result, and connect to exactly that."""
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
                do_handshake_on_connect=False,  # so that it can be cut
            )
            self.reached.do_handshake()
        self.sock = self.reached

    def cut(self) -> None:
        """End the time: a blocked read stops."""
        self.late = True
        if self.reached is not None:
            with suppress(OSError):
                self.reached.shutdown(socket.SHUT_RDWR)


def _looked_up(place: RemotePlace) -> Iterator[str]:
    """Return the addresses of the host; raises PrivateAddress for private ones."""
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
    """Yield the address, and the IPv4 address it leads to through a gateway."""
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        if address.sixtofour is not None:
            yield address.sixtofour
        if any(address in network for network in ENDING_IN_IPV4):
            yield ipaddress.IPv4Address(address.packed[-4:])
