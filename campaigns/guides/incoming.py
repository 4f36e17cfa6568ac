"""Guides that come in: those Orne brings, and those sent as a zip or by an address.

Orne's own are kept like all others, so that a campaign goes on with the guide it began
with although a newer Orne brings a newer one. An address leads to a zip on a host that
the keeper of the server named; each account may send so many an hour.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import datetime
from http.client import HTTPResponse
from typing import IO, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from arkham.rules.campaign.by_hand.facts import SIDE, known_campaigns
from arkham.rules.campaign.by_hand.guide import digest_by_hand
from arkham.rules.campaign.by_hand.keeping import kept_facts, open_by_hand
from arkham.rules.campaign.reading.own import open_own_guide, own_guides
from arkham.rules.campaign.reading.prepared import Bringing, bring, bring_own
from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    ask,
    place_of,
    quoted_path,
    shown_address,
)
from arkham.web.request_limits import AROUND_A_FILE, UserThrottle
from campaigns.guides.files import (
    MOST_ZIP_BYTES,
    UnusableGuides,
    too_large,
    zipped_guide_files,
)
from campaigns.guides.opening import packed
from campaigns.models import Guide
from campaigns.models.campaign import stay_with_tables

ORIGINS = (Guide.Origin.OURS, Guide.Origin.FACTS)
Row = dict[str, Any]


@transaction.atomic
def provide_guides(*, now: datetime) -> int:
    """Keep every guide that comes with this Orne; how many were new.

    What an earlier one brought goes, unless a campaign needs it. Those that are
    kept already are not made again: a server does this whenever it starts.
    """
    side = digest_by_hand(SIDE)
    by_hand = {(digest_by_hand(each), ""): each for each in (SIDE, *known_campaigns())}
    ours = {
        (open_own_guide(each).guide.digest, side): each
        for each in (*own_guides(), SIDE)
    }
    kept = {
        (digest, side_digest): pk
        for pk, digest, side_digest in Guide.objects.filter(
            origin__in=ORIGINS, owner=None
        ).values_list("pk", "digest", "side_digest")
    }
    rows = [_by_hand(each) for key, each in by_hand.items() if key not in kept]
    if ours.keys() - kept.keys():
        rows += [row for row in _ours(side) if (row["digest"], side) not in kept]
    Guide.objects.bulk_create(Guide(**row, brought_at=now) for row in rows)
    gone = [pk for key, pk in kept.items() if key not in by_hand and key not in ours]
    older = Guide.objects.filter(pk__in=gone)
    older.exclude(pk__in=stay_with_tables(older)).delete()
    return len(rows)


def _ours(side: str) -> Iterator[Row]:
    """What we wrote; side scenarios are kept by hand beside it."""
    for each in bring_own().guides:
        yield {
            "digest": each.digest,
            "side_digest": side,
            "guide_id": each.guide_id,
            "name": each.name,
            "version": each.version,
            "origin": Guide.Origin.OURS,
            "prepared": packed(each.prepared),
            "words": packed(each.words),
            "scenarios": each.scenarios,
        }


def _by_hand(campaign: str) -> Row:
    content = kept_facts(campaign)
    guide = open_by_hand(content)
    return {
        "digest": guide.digest,
        "guide_id": guide.id,
        "name": guide.name,
        "version": guide.version,
        "origin": Guide.Origin.FACTS,
        "prepared": packed(content),
        "scenarios": len(guide.scenarios),
    }


MOST_SECONDS = 20.0  # for everything, from the look-up of the name to the last byte
MOST_SECONDS_TO_CONNECT = 5.0  # to each of the addresses a host has
CHUNK = 256 * 1024
IN_MEMORY = 4 * 1024 * 1024
LONGEST_ADDRESS = 1_000


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
                _("We couldn’t reach %(host)s, or it didn’t answer in time.")
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
        place = place_of(parts, quoted_path(parts), sites, own)
    except ValueError:
        raise UnusableGuides(
            _("“%(address)s” isn’t the address of a zip. It should begin with https://")
            % {"address": shown_address(address)}
        ) from None
    if place is None:
        raise _other_site(parts.netloc.lower().rstrip("."))
    return place


def named_sites() -> list[str]:
    """The hosts from which guides are read, as the settings name them."""
    sites = [each.lstrip(".") for each in settings.ORNE_GUIDE_SITES]
    return [*sites, *settings.ORNE_OWN_GUIDE_SITES]


def _other_site(host: str) -> UnusableGuides:
    named = named_sites()
    if not named:
        return UnusableGuides(
            _("This server doesn’t read addresses. Import the zip itself.")
        )
    return UnusableGuides(
        _(
            "We don’t read guides from %(host)s, only from %(sites)s. Import the zip "
            "itself."
        )
        % {"host": host[:100], "sites": ", ".join(named)}
    )


def _keep(response: HTTPResponse, place: RemotePlace, body: IO[bytes]) -> None:
    """Write what a place answers to ``body``, up to the size of a zip of guides."""
    if 300 <= response.status < 400:
        raise UnusableGuides(
            _("%(host)s redirects to %(there)s, which we don’t follow.")
            % {
                "host": place.host,
                "there": shown_address(response.headers.get("Location", "?"), 200),
            }
        )
    if response.status != 200:
        raise UnusableGuides(
            _("%(host)s has nothing at this address (status %(status)d).")
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
