"""Where a request comes from, as far as limits are concerned."""

from __future__ import annotations

import ipaddress
from typing import Any

from rest_framework.throttling import BaseThrottle

IPV6_NETWORK = 64  # bits; one address of a network stands for all of it
NOWHERE = "unknown"  # all who name no address, as behind a socket, are one visitor


def address_of(request: Any) -> str:
    """The address a request comes from; the network of an IPv6 address.

    An IPv4 address that is written as one of IPv6 is that address all the same:
    servers that listen on both write all of them so.
    """
    try:
        address = ipaddress.ip_address(BaseThrottle().get_ident(request) or "")
    except ValueError:
        return NOWHERE
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ipaddress.IPv6Network((int(address), IPV6_NETWORK), strict=False)
    return str(network.network_address)
