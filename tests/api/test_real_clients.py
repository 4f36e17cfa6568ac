"""Decks are changed by the HTTP clients that programs really use, compression on.

Compression weakens the ETag of a response, and all of these clients ask for it by
themselves. The ETag that they get must work as If-Match.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from typing import NamedTuple

import httpx
import pytest
import requests
from pytest_django.live_server_helper import LiveServer

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from decks import services
from decks.api import examples
from decks.lists.content import read_content
from decks.models import Deck
from tests.helpers import NOW

pytestmark = pytest.mark.django_db(transaction=True)

MOST_SECONDS = 30
FETCH = """
const [method, url, headers, body] = JSON.parse(process.argv[1]);
const answer = await fetch(url, { method, headers, body: body || undefined });
const told = Object.fromEntries(answer.headers);
await answer.text();
console.log(JSON.stringify([answer.status, told]));
"""


class Answer(NamedTuple):
    """A client's response; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]


Ask = Callable[[str, str, dict[str, str], str], Answer]


def _by_requests(
    method: str, url: str, headers: dict[str, str], body: str = ""
) -> Answer:
    told = requests.request(
        method, url, headers=headers, data=body, timeout=MOST_SECONDS
    )
    return Answer(told.status_code, {k.lower(): v for k, v in told.headers.items()})


def _by_httpx(method: str, url: str, headers: dict[str, str], body: str = "") -> Answer:
    told = httpx.request(
        method, url, headers=headers, content=body, timeout=MOST_SECONDS
    )
    return Answer(told.status_code, dict(told.headers))


def _printed(*command: str) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is missing")
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=MOST_SECONDS, check=True
    )
    return done.stdout


def _by_fetch(method: str, url: str, headers: dict[str, str], body: str = "") -> Answer:
    asked = json.dumps([method, url, headers, body])
    told = _printed("node", "--input-type=module", "-e", FETCH, asked)
    return Answer(*json.loads(told))


def _by_curl(method: str, url: str, headers: dict[str, str], body: str = "") -> Answer:
    pairs = (("--header", f"{name}: {value}") for name, value in headers.items())
    named = [part for pair in pairs for part in pair]
    data = ["--data-binary", body] if body else []
    told = _printed(
        *("curl", "--silent", "--compressed", "--dump-header", "-"),
        *("--output", "/dev/null", "--request", method, *named, *data, url),
    )
    status, *lines = told.strip().splitlines()
    told_headers = (line.split(": ", 1) for line in lines)
    return Answer(int(status.split()[1]), {k.lower(): v for k, v in told_headers})


CLIENTS = [
    pytest.param(_by_requests, id="requests"),
    pytest.param(_by_httpx, id="httpx"),
    pytest.param(_by_fetch, id="fetch", marks=pytest.mark.slow),
    pytest.param(_by_curl, id="curl"),
]


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's, long enough to be compressed."""
    return services.create_deck(
        owner=alice, content=read_content(examples.WRITTEN), name="Badge", now=NOW
    )


@pytest.fixture
def key(alice: User) -> str:
    """The headers that a program of Alice's sends with every request."""
    _key, text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return f"Bearer {text}"


@pytest.mark.parametrize("ask", CLIENTS)
def test_a_client_changes_only_a_deck_it_has_seen(
    ask: Ask, live_server: LiveServer, deck: Deck, key: str
) -> None:
    """By PATCH and by PUT; 412 with an old ETag, 428 with none."""
    address = f"{live_server.url}/api/v1/decks/{deck.pk}/"
    headers = {"Authorization": key}

    seen = ask("GET", address, headers, "")
    assert seen.status == 200
    assert seen.headers["content-encoding"] in ("gzip", "br", "zstd")
    assert seen.headers["etag"].startswith('W/"')

    def write(method: str, kind: str, body: object, tag: str | None) -> Answer:
        condition = {} if tag is None else {"If-Match": tag}
        told = {**headers, **condition, "Content-Type": kind}
        return ask(method, address, told, json.dumps(body))

    first = seen.headers["etag"]
    named = {"deck": {"name": "Gun"}}
    whole = {"deck": {**examples.WRITTEN["deck"], "name": "Badge and gun"}}
    patched = write("PATCH", "application/merge-patch+json", named, first)
    assert patched.status == 200
    second = patched.headers["etag"]
    assert write("PUT", "application/json", whole, second).status == 200
    for stale in (first, second):
        assert write("PUT", "application/json", whole, stale).status == 412
        again = write("PATCH", "application/merge-patch+json", named, stale)
        assert again.status == 412
    assert write("PUT", "application/json", whole, None).status == 428
    deck.refresh_from_db()
    assert deck.name == "Badge and gun"

    current = ask("GET", address, headers, "").headers["etag"]
    unchanged = ask("GET", address, {**headers, "If-None-Match": current}, "")
    assert unchanged.status == 304
