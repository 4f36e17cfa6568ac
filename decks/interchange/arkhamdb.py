"""Fetch decks from sites like ArkhamDB, and number the steps of decks as they do.

Anyone may send an address, so requests are limited: only hosts in the settings, only
paths of decks, only over TLS and to public addresses (except the operator's own sites),
with limits on time, size and redirects. On those sites an upgrade creates another deck,
and the one before it is locked. Here it stays one deck, so each of its steps has a
number: the first one is the deck's own, the others combine it with that of the revision
they were upgraded from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http.client import HTTPResponse
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.throttling import SimpleRateThrottle

from arkham.rules.legality import Verdict, check
from arkham.rules.notation.arkhamdb_object import write_object
from arkham.rules.pool import CardPool
from arkham.web.reaching import (
    HostUnreachable,
    PrivateAddress,
    RemotePlace,
    Timeouts,
    ask,
    named_hosts,
    other_site,
    place_of,
    shown_address,
)
from cardpool.catalog import current_judge
from decks.interchange.export import exile_string, own_deck
from decks.lists.content import Content
from decks.models import Revision
from decks.queries import EARLIER, VERSIONS
from decks.services.ledger import balance_of
from decks.services.sharing import versions_until
from decks.services.upgrading import opened
from decks.services.windows import window_after

MILLION = 1_000_000
MOST_BYTES = MILLION
MOST_SECONDS = 6.0  # for everything, from the DNS lookup to the last byte
MOST_SECONDS_TO_CONNECT = 3.0  # to each address of a host
MOST_REDIRECTS = 2

_ID = r"\d{1,18}|[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}"
# Paths of a deck's page and of its API.
_DECK = re.compile(
    rf"/(?:api/public/(?P<kind>deck|decklist)/|(?P<page>deck|decklist)/view/"
    rf"|decks/(?P<shown>published|shared)/)(?P<id>{_ID})(?:\.json|/[^/]*)?/?"
)
# Sites that use ArkhamDB's deck numbers: we ask ArkhamDB itself.
_MIRRORS, _MIRRORED = frozenset(("arkham.build", "www.arkham.build")), "arkhamdb.com"
_NUMBERED = re.compile(r"/view/\d{1,18}(?:/|$)")
# The API's kinds of decks for our own pages of shown decks.
_SHOWN = {"published": "decklist", "shared": "deck"}


class Unreachable(Exception):
    """No deck could be read at an address; the message says why and what to do."""


class AddressThrottle(SimpleRateThrottle):
    """Limits the addresses that this server reads for all visitors together."""

    scope = "addresses"

    def get_cache_key(self, request: Any, view: Any) -> str:
        """Return the same key for everyone."""
        return self.cache_format % {"scope": self.scope, "ident": "all"}


def is_address(text: str) -> bool:
    """Return True if a text is an address and nothing else."""
    return re.fullmatch(r"https?://\S+", text.strip(), re.IGNORECASE) is not None


def read_address(address: str) -> str:
    """Return the deck at an address as the site's JSON; raise Unreachable."""
    place = find_place(address.strip())
    if not AddressThrottle().allow_request(None, None):  # type: ignore[arg-type]
        raise Unreachable(
            _("We’re reading many addresses right now. Try again in a minute.")
        )
    for _turn in range(MOST_REDIRECTS + 1):
        status, location, body = _asked(place)
        if not location:
            return _deck_text(status, body, place)
        place = _sent_on(place, location)
    raise _no_deck(place)


def _sent_on(place: RemotePlace, location: str) -> RemotePlace:
    """Return the place of a redirect, if it is a deck on the same site."""
    try:
        there = find_place(urljoin(place.address, location))
    except (Unreachable, ValueError):
        raise _no_deck(place) from None
    if there[:3] != place[:3]:
        raise _no_deck(place)
    return there


def find_place(address: str) -> RemotePlace:
    """Return the place of a deck at this address; raise Unreachable if not allowed."""
    sites, own = settings.ORNE_DECK_SITES, settings.ORNE_OWN_DECK_SITES
    try:
        parts = urlsplit(address)
        if (parts.hostname or "") in _MIRRORS and _NUMBERED.search(parts.path):
            parts = parts._replace(scheme="https", netloc=_MIRRORED)
        found = _DECK.fullmatch(parts.path)
        place = place_of(parts, _path(found) if found else "", sites, own)
    except ValueError:
        raise _unfit(address) from None
    if place is None:
        raise _other_site(parts.netloc.lower().rstrip("."))
    if not found:
        raise _unfit(address)
    return place


def _path(found: re.Match[str]) -> str:
    """Return the API's path of a deck, for the path of its page or the API itself."""
    kind = found["kind"] or found["page"] or _SHOWN[found["shown"]]
    return f"/api/public/{kind}/{found['id']}"


# -- requests --


def _asked(place: RemotePlace) -> tuple[int, str, bytes]:
    """Request a place; return the status, a redirect and the body."""
    patience = Timeouts(MOST_SECONDS, MOST_SECONDS_TO_CONNECT)
    try:
        return ask(place, "application/json", patience, lambda it: _read(it, place))
    except PrivateAddress:
        raise _other_site(place.host) from None
    except HostUnreachable as error:
        raise _silent(place) from error


def _read(response: HTTPResponse, place: RemotePlace) -> tuple[int, str, bytes]:
    if 300 <= response.status < 400:
        return response.status, response.headers.get("Location", ""), b""
    body = response.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        message = _(
            "The answer of %(host)s is too large for a deck list (%(number)d MB)."
        )
        values = {"host": place.host, "number": MOST_BYTES // MILLION}
        raise Unreachable(message % values)
    return response.status, "", body


def _deck_text(status: int, body: bytes, place: RemotePlace) -> str:
    """Return the body if it looks like a deck: some sites answer with a page."""
    text = body.decode("utf-8-sig", "replace")
    if status != 200 or not text.lstrip().startswith("{"):
        raise _no_deck(place)
    return text


# -- refusals --


def _unfit(address: str) -> Unreachable:
    return Unreachable(
        _("“%(address)s” isn’t the address of a deck. It should look like %(example)s.")
        % {
            "address": shown_address(address),
            "example": "https://arkhamdb.com/decklist/view/59663",
        }
    )


def _other_site(host: str) -> Unreachable:
    named = named_hosts(settings.ORNE_DECK_SITES, settings.ORNE_OWN_DECK_SITES)
    return Unreachable(other_site(host, named, _("Paste the deck list itself.")))


def _silent(place: RemotePlace) -> Unreachable:
    return Unreachable(
        _(
            "We couldn’t reach %(host)s, or it didn’t answer in time. Try again, or "
            "paste the deck list itself."
        )
        % {"host": place.host}
    )


def _no_deck(place: RemotePlace) -> Unreachable:
    return Unreachable(
        _(
            "%(host)s doesn’t show a deck at this address. It may not exist, or its "
            "owner doesn’t share it."
        )
        % {"host": place.host}
    )


class DeckVersion(NamedTuple):
    """A deck between two games.

    ``revision`` is the latest revision of that time; ``content`` the deck then. The
    last step of a played deck is what the game left, before any purchase (``is_bought``
    is False).
    """

    number: int
    revision: Revision
    content: Content
    is_bought: bool = True


def steps_of_deck(latest: Revision) -> list[DeckVersion]:
    """Return the steps of a deck from its latest revision, the first one first."""
    deck, chain = latest.deck, versions_until(latest)
    steps = [DeckVersion(deck.pk, chain[0], chain[0].content)]
    for before, revision in pairwise(chain):
        number = step_number(deck.pk, before.number)
        steps.append(DeckVersion(number, revision, revision.content))
    if latest.played_at is not None:
        number = step_number(deck.pk, latest.number)
        steps.append(DeckVersion(number, latest, opened(latest), is_bought=False))
    return steps


def step_number(deck: int, base: int) -> int:
    """Return the number of the step that was upgraded from the revision ``base``."""
    return EARLIER + deck * VERSIONS + base


def deck_of_step(number: int) -> int:
    """Return the primary key of the deck that has a step of this number."""
    if number < EARLIER:
        return number
    return (number - EARLIER) // VERSIONS


def steps_data(
    latest: Revision, problem: Any, pool: CardPool
) -> Iterable[tuple[DeckVersion, dict[str, Any]]]:
    """Yield each step as ArkhamDB's API has decks of the account.

    ``problem`` names the main problem of a verdict; earlier steps are locked, and have
    none.
    """
    steps = steps_of_deck(latest)
    numbers = [each.number for each in steps]
    for place, step in enumerate(steps):
        is_last = place + 1 == len(steps)
        data = _fields(step, pool) | {
            "id": step.number,
            "user_id": latest.deck.owner_id,
            "previous_deck": numbers[place - 1] if place else None,
            "next_deck": None if is_last else numbers[place + 1],
            "problem": problem(_verdict(step.content)) if is_last else None,
        }
        yield step, data


def _fields(step: DeckVersion, pool: CardPool) -> dict[str, Any]:
    is_locked = step.is_bought and step.revision.played_at is not None
    data = write_object(own_deck(step.revision, pool, is_locked=is_locked))
    if step.is_bought:
        return data
    listed = step.content.deck
    return data | {
        "slots": dict(listed["slots"]) or [],
        "ignoreDeckLimitSlots": dict(listed["ignoreDeckLimitSlots"]) or None,
        "xp": balance_of(step.revision.deck),
        "xp_spent": 0,
        "xp_adjustment": 0,
        "exile_string": exile_string(window_after(step.revision).get("exiled") or {}),
    }


def _verdict(content: Content) -> Verdict:
    asked = content.asked()
    return check(current_judge(), asked.deck, asked.circumstances)
