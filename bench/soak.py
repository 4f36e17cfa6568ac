"""A long time under load: followers of one campaign, writers on one log and one deck.

``python -m bench.soak [SECONDS]`` fills an empty database of PostgreSQL
(``ORNE_POSTGRESQL``, as :mod:`bench.pages`) and serves it by gunicorn as
docs/operating.md says. Followers look for news every three seconds; writers add lines
to the log and change the deck every ten seconds, and write again after what others
wrote when they were late. In the end all that was accepted has to be there, once.
Needs the shared data (``ORNE_SHARED``), for a log. JSON is printed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx

from bench.load import _cookie, _wait, as_in_production
from bench.pages import _fresh_database
from bench.timing import percentile

FOLLOWERS, WRITERS = 200, 50
LOOKS, WRITES = 3.0, 10.0  # seconds from one to the next
SECOND_TRY = 2.0  # seconds at most until who was late tries again
LATE = (httpx.codes.CONFLICT, httpx.codes.PRECONDITION_FAILED)
BASE = "http://127.0.0.1:8399"
CARDS = ("01016", "01017", "01018", "01019", "01020", "01021", "01022", "01023")


class Site(NamedTuple):
    """What is followed and written, and by whom."""

    campaign: int
    deck: int
    key: str  # of the API
    cookie: str
    entry: dict[str, Any]  # one more line of the log


@dataclass
class Found:
    """What came of it."""

    answers: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    last: int = 0  # entry of the log that is known of
    lines: set[str] = field(default_factory=set)  # accepted in the log
    revisions: set[int] = field(default_factory=set)  # accepted for the deck
    faults: dict[str, str] = field(default_factory=dict)  # one answer of each
    megabytes: list[list[int]] = field(default_factory=list)  # of the workers

    def note(self, what: str, answer: httpx.Response, seconds: float) -> None:
        """Count an answer by its kind and status."""
        self.answers[f"{what} {answer.status_code}"] += 1
        self.seconds.append(seconds)
        if not answer.is_success and answer.status_code not in LATE:
            self.faults.setdefault(f"{what} {answer.status_code}", answer.text[:300])


def main(arguments: list[str]) -> None:
    """Fill, serve, follow and write; print what was found."""
    seconds = float(arguments[0]) if arguments else 600.0
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with _fresh_database() as address, tempfile.TemporaryDirectory() as folder:
        if not address:
            return
        os.environ |= as_in_production(address, folder)
        os.environ |= {"THROTTLE_KEY": "1000000/s", "QUOTA_REVISIONS": "1000000"}
        site = _filled()
        server = subprocess.Popen(  # noqa: S603 (this very program)
            [
                *(sys.executable, "-m", "gunicorn", "arkham.wsgi"),
                *("--bind", "127.0.0.1:8399", "--log-level", "error"),
                *("--workers", "2", "--threads", "4", "--keep-alive", "5"),
            ]
        )
        try:
            _wait()
            found = asyncio.run(_soaked(site, seconds, server.pid))
            print(json.dumps(_reported(site, found), indent=1))
        finally:
            server.terminate()
            server.wait()


def _filled() -> Site:
    """A campaign of a recorded run, a deck and a key that may write both."""
    from bench import long_logs
    from bench.guides import _folder
    from bench.site import visitor

    tables = long_logs.laid(visitor, _folder())

    from django.test import Client
    from django.utils import timezone

    from arkham.accounts.models import ApiKey, User
    from arkham.accounts.services import make_key

    keeper = User.objects.get(username="keeper")
    now = timezone.now()
    _row, key = make_key(owner=keeper, name="Soak", scope=ApiKey.Scope.WRITE, now=now)
    client = Client(headers={"authorization": f"Bearer {key}"}, SERVER_NAME="localhost")
    deck = {"name": "Soak", "investigator_code": "01001", "slots": {"01006": 1}}
    made = client.post(
        "/api/v1/decks/", {"deck": deck}, content_type="application/json"
    )
    address = f"/api/v1/campaigns/{tables.long}/entries/"
    written = client.get(f"{address}?since={long_logs.LONG - 1}").json()["entries"][-1]
    entry = {"kind": written["kind"], "payload": written["payload"]}
    cookie = _cookie(tables.client)
    return Site(tables.long, made.json()["id"], key, cookie, entry)


async def _soaked(site: Site, seconds: float, pid: int) -> Found:
    found, until = Found(), time.monotonic() + seconds
    # The server closes what was idle for five seconds.
    limits = httpx.Limits(max_connections=FOLLOWERS + 2 * WRITERS, keepalive_expiry=3)
    async with httpx.AsyncClient(base_url=BASE, timeout=60, limits=limits) as client:
        acts: list[tuple[Callable[[], Awaitable[None]], float]] = [
            *[(lambda: _looks(client, site, found), LOOKS)] * FOLLOWERS,
            *[(lambda: _adds_a_line(client, site, found), WRITES)] * WRITERS,
            *[(lambda: _changes_the_deck(client, site, found), WRITES)] * WRITERS,
        ]
        await asyncio.gather(
            *(_again(act, pause, until) for act, pause in acts),
            _weighs(pid, found, until),
        )
    return found


async def _again(
    act: Callable[[], Awaitable[None]], pause: float, until: float
) -> None:
    """At random moments, as people do; the next one a pause after the last began."""
    await asyncio.sleep(random.uniform(0, pause))
    while (begun := time.monotonic()) < until:
        await act()
        await asyncio.sleep(max(0.0, begun + pause - time.monotonic()))


async def _looks(client: httpx.AsyncClient, site: Site, found: Found) -> None:
    """As a phone that shows the log as it was a moment ago."""
    path = f"/campaigns/{site.campaign}/news?after={found.last}"
    await _timed("look", found, client.get(path, headers={"Cookie": site.cookie}))


async def _adds_a_line(client: httpx.AsyncClient, site: Site, found: Found) -> None:
    """After whatever others wrote meanwhile."""
    path = f"/api/v1/campaigns/{site.campaign}/entries/"
    line = uuid.uuid4().hex
    text = json.dumps(site.entry).replace(json.dumps(_line_of(site.entry)), f'"{line}"')
    headers = {"Authorization": f"Bearer {site.key}", "Idempotency-Key": line}
    while True:
        body = {"after": found.last, "entry": json.loads(text)}
        sent = client.post(path, json=body, headers=headers)
        answer = await _timed("line", found, sent)
        if answer.status_code != httpx.codes.CONFLICT:
            break
        found.last = max(found.last, answer.json()["last"])
        await asyncio.sleep(random.uniform(0, SECOND_TRY))
    if answer.is_success:
        found.lines.add(line)
        found.last = max(found.last, answer.json()["last"])


def _line_of(entry: dict[str, Any]) -> str:
    """The words that an entry writes into the log."""
    words = [each for each in _texts(entry["payload"]) if each.startswith("Line ")]
    return words[0]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    nested = isinstance(value, dict | list)
    return [each for part in inner for each in _texts(part)] if nested else []


async def _changes_the_deck(
    client: httpx.AsyncClient, site: Site, found: Found
) -> None:
    """One card more or less, on top of what others changed."""
    path, mine = f"/api/v1/decks/{site.deck}/", {"Authorization": f"Bearer {site.key}"}
    kind = {"Content-Type": "application/merge-patch+json"}
    while True:
        read = await _timed("read deck", found, client.get(path, headers=mine))
        if not read.is_success:
            return
        slots = read.json()["deck"]["slots"]
        card = random.choice(CARDS)
        body = {"deck": {"slots": {card: None if card in slots else 1}}}
        headers = mine | kind | {"If-Match": read.headers["ETag"]}
        sent = client.patch(path, content=json.dumps(body), headers=headers)
        answer = await _timed("deck", found, sent)
        if answer.status_code != httpx.codes.PRECONDITION_FAILED:
            break
        await asyncio.sleep(random.uniform(0, SECOND_TRY))
    if answer.is_success:
        found.revisions.add(answer.json()["revision"])


async def _timed(
    what: str, found: Found, sent: Awaitable[httpx.Response]
) -> httpx.Response:
    begun = time.monotonic()
    try:
        answer = await sent
    except httpx.HTTPError as error:
        found.answers[f"{what} {type(error).__name__}"] += 1
        raise
    found.note(what, answer, time.monotonic() - begun)
    return answer


async def _weighs(pid: int, found: Found, until: float) -> None:
    """What each worker holds, twenty times."""
    pause = max(1.0, (until - time.monotonic()) / 20)
    while time.monotonic() < until:
        await asyncio.sleep(pause)
        found.megabytes.append(_megabytes(pid))


def _megabytes(pid: int) -> list[int]:
    """Of the children of a process, in the order of their numbers."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = sorted(map(int, file.read().split()))
    held = []
    for child in children:
        with open(f"/proc/{child}/statm") as file:
            pages = int(file.read().split()[1])
        held.append(round(pages * resource.getpagesize() / 1e6))
    return held


def _reported(site: Site, found: Found) -> dict[str, Any]:
    """Counts, times, memory, and what is missing of what was accepted."""
    from campaigns.log import store
    from campaigns.models import Campaign
    from decks.models import Revision

    rows = store.rows(Campaign.objects.get(pk=site.campaign))
    written = "\n".join(json.dumps(row.payload) for row in rows)
    held = Revision.objects.filter(deck=site.deck).values_list("number", flat=True)
    numbers = sorted(held)
    return {
        "answers": dict(sorted(found.answers.items())),
        "faults": found.faults,
        "median_ms": round(percentile(found.seconds, 50) * 1_000),
        "p95_ms": round(percentile(found.seconds, 95) * 1_000),
        "lines_accepted": len(found.lines),
        "lines_not_there_once": sum(written.count(each) != 1 for each in found.lines),
        "log_is_whole": store.head_of(rows)
        == Campaign.objects.get(pk=site.campaign).head,
        "revisions_accepted": len(found.revisions),
        "revisions_missing": len(found.revisions - set(numbers)),
        "revisions_without_gap": numbers == list(range(1, len(numbers) + 1)),
        "worker_mb": found.megabytes,
    }


if __name__ == "__main__":
    main(sys.argv[1:])
