"""Guides that come in over the web: by a zip or an address, so many an hour.

An address leads to a zip on a host that the keeper of the server named.
"""

from __future__ import annotations

import tempfile
from http.client import HTTPResponse
from typing import IO
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from arkham.rules.campaign.reading.bringing import Bringing, bring
from arkham.web.body_limits import AROUND_A_FILE
from arkham.web.rate_limits import UserThrottle
from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    ask,
    place_of,
)
from campaigns.guides.files import (
    MOST_ZIP_BYTES,
    UnusableGuides,
    too_large,
    zipped_guide_files,
)

MOST_SECONDS = 20.0  # for everything, from the look-up of the name to the last byte
MOST_SECONDS_TO_CONNECT = 5.0  # to each of the addresses a host has
CHUNK = 256 * 1024
IN_MEMORY = 4 * 1024 * 1024
LONGEST_ADDRESS = 1_000
_FIT = "/%:@!$&'()*+,;=~-._"


def guide_files_at(address: str) -> dict[str, bytes]:
    """The guide files in a zip at an address; raises Unusable, saying why."""
    place = guide_place(address.strip())
    patience = Timeouts(MOST_SECONDS, MOST_SECONDS_TO_CONNECT)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as body:
        try:
            ask(place, "application/zip", patience, lambda it: _keep(it, place, body))
        except PrivateAddress:
            raise _other_site(place.host) from None
        except HostUnreachable as error:
            raise UnusableGuides(
                _("%(host)s could not be reached or did not answer in time.")
                % {"host": place.host}
            ) from error
        return zipped_guide_files(body)


def guide_place(address: str) -> RemotePlace:
    """Where this address leads, if it may be read; raises Unusable."""
    sites, own = settings.ORNE_GUIDE_SITES, settings.ORNE_OWN_GUIDE_SITES
    try:
        if len(address) > LONGEST_ADDRESS:
            raise ValueError(address)
        parts = urlsplit(address)
        path = quote(parts.path or "/", safe=_FIT)
        query = f"?{quote(parts.query, safe=_FIT + '?')}" if parts.query else ""
        place = place_of(parts, path + query, sites, own)
    except ValueError:
        raise UnusableGuides(
            _("“%(address)s” is not the address of a zip. Expected: https://…")
            % {"address": address[:100]}
        ) from None
    if place is None:
        raise _other_site((parts.hostname or "").rstrip("."))
    return place


def named_sites() -> list[str]:
    """The hosts from which guides are read, as the settings name them."""
    sites = [each.lstrip(".") for each in settings.ORNE_GUIDE_SITES]
    return [*sites, *settings.ORNE_OWN_GUIDE_SITES]


def _other_site(host: str) -> UnusableGuides:
    named = named_sites()
    if not named:
        return UnusableGuides(
            _("This server reads no addresses. Hand in the zip itself.")
        )
    return UnusableGuides(
        _(
            "Guides at %(host)s are not read from here; those at %(sites)s are. "
            "Hand in the zip itself."
        )
        % {"host": host[:100], "sites": ", ".join(named)}
    )


def _keep(response: HTTPResponse, place: RemotePlace, body: IO[bytes]) -> None:
    """Write what a place answers to ``body``, up to the size of a zip of guides."""
    if 300 <= response.status < 400:
        raise UnusableGuides(
            _("%(host)s sends us on to %(there)s, and we do not follow.")
            % {
                "host": place.host,
                "there": response.headers.get("Location", "?")[:200],
            }
        )
    if response.status != 200:
        raise UnusableGuides(
            _("%(host)s has nothing for us at this address (it says %(status)d).")
            % {"host": place.host, "status": response.status}
        )
    size = 0
    while chunk := response.read(CHUNK):
        size += len(chunk)
        if size > MOST_ZIP_BYTES:
            raise UnusableGuides(too_large())
        body.write(chunk)


MOST_FORM_BYTES = MOST_ZIP_BYTES + AROUND_A_FILE


class BringingThrottle(UserThrottle):
    """Counts what an account brings: reading it takes seconds."""

    scope = "guides"


def guides_from(source: IO[bytes] | str) -> Bringing:
    """The guides of a zip, or of one at an address; raises Unusable, saying why."""
    if isinstance(source, str):
        return bring(guide_files_at(source))
    return bring(zipped_guide_files(source))
