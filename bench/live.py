"""Groups of three phones that follow their campaigns by streams of events.

``python -m bench.live GROUPS SECONDS [WORKERS]`` fills an empty database of PostgreSQL
(``ORNE_POSTGRESQL``, as :mod:`bench.pages`), serves ``arkham.asgi`` on loopback and has
every phone open its stream. Each group changes something once a minute, and phones do
nothing but listen. JSON is printed: how long after the change was committed the phones
had their events, and what the processes of the server took.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from typing import Any, NamedTuple

from bench.pages import _fresh_database
from bench.timing import percentile

PHONES = 3  # of a group: one with an account, the others are guests
EVERY = 60.0  # seconds from one change of a group to the next
AT_ONCE = 40  # streams that are being opened
A_NETWORK = 50  # phones that have one address


class Phone(NamedTuple):
    """A member of a campaign, and the cookie of their browser."""

    campaign: int
    cookie: str


def main(arguments: list[str]) -> None:
    """Fill, serve, listen and change; print what was found."""
    groups, seconds = int(arguments[0]), float(arguments[1])
    workers = int(arguments[2]) if len(arguments) > 2 else 1
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with _fresh_database() as address, tempfile.TemporaryDirectory() as folder:
        if not address:
            return
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "arkham.settings",
            "SECRET_KEY": os.urandom(40).hex(),
            "ORNE_DATA": folder,
            "STATIC_ROOT": f"{folder}/static",
            "LOG_LEVEL": "ERROR",
            "DATABASE_URL": address,
            "SECURE_SSL_REDIRECT": "false",
            "ALLOWED_HOSTS": "127.0.0.1",
        }
        phones = _filled(groups)
        port = _free_port()
        server = subprocess.Popen(  # noqa: S603 (this very program)
            [
                *(sys.executable, "-m", "uvicorn", "arkham.asgi:application"),
                *("--port", str(port), "--workers", str(workers)),
                *("--no-access-log", "--no-proxy-headers", "--log-level", "warning"),
                *("--timeout-graceful-shutdown", "2", "--backlog", "4096"),
            ]
        )
        try:
            print(json.dumps(asyncio.run(_followed(phones, port, seconds, server.pid))))
        finally:
            server.terminate()
            server.wait()


def _filled(groups: int) -> list[Phone]:
    """The phones of so many campaigns."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command
    from django.http import HttpResponse
    from django.test import RequestFactory
    from django.utils import timezone

    from arkham.accounts.models import User
    from campaigns.guides.keeping import provide_guides
    from campaigns.models import Campaign, Guest, Guide, Membership, PlayState, Role
    from campaigns.people.table import COOKIE, digest_of, remember_guest
    from cardpool.services import ensure_embedded_pool

    call_command("migrate", verbosity=0)
    ensure_embedded_pool()
    now = timezone.now()
    provide_guides(now=now)
    guide = Guide.objects.order_by("pk").first()
    assert guide is not None
    users = [User(username=f"p{each}", password="!") for each in range(groups)]  # noqa: S106
    User.objects.bulk_create(users)
    campaigns = Campaign.objects.bulk_create(
        Campaign(name=user.username, guide=guide, made_at=now, changed_at=now)
        for user in users
    )
    PlayState.objects.bulk_create(
        PlayState(campaign=each, scenario="one", changed_at=now) for each in campaigns
    )
    phones, sessions = [], []
    request = RequestFactory().get("/")
    for user, campaign in zip(users, campaigns, strict=True):
        session = {
            SESSION_KEY: str(user.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: user.get_session_auth_hash(),
        }
        sessions.append(SessionStore().create_model_instance(session))
        cookie = f"{settings.SESSION_COOKIE_NAME}={sessions[-1].session_key}"
        phones.append(Phone(campaign.pk, cookie))
        for number in range(1, PHONES):
            key = f"{campaign.pk}-{number}"
            answer = HttpResponse()
            remember_guest(answer, request, key)
            phones.append(
                Phone(campaign.pk, f"{COOKIE}={answer.cookies[COOKIE].value}")
            )
    type(sessions[0]).objects.bulk_create(sessions)
    guests = Guest.objects.bulk_create(
        Guest(name="G", digest=digest_of(f"{campaign.pk}-{number}"), made_at=now)
        for campaign in campaigns
        for number in range(1, PHONES)
    )
    Membership.objects.bulk_create(
        Membership(campaign=each, user=user, role=Role.ORGANISER, joined_at=now)
        for each, user in zip(campaigns, users, strict=True)
    )
    Membership.objects.bulk_create(
        Membership(
            campaign=campaigns[place // (PHONES - 1)],
            guest=guest,
            role=Role.PLAYER,
            joined_at=now,
        )
        for place, guest in enumerate(guests)
    )
    return phones


async def _followed(
    phones: list[Phone], port: int, seconds: float, pid: int
) -> dict[str, Any]:
    """Every phone listens while groups change something now and then."""
    heard: dict[int, list[float]] = defaultdict(list)  # by campaign: when
    room = asyncio.Semaphore(AT_ONCE)
    opened = [asyncio.get_running_loop().create_future() for _phone in phones]
    await _is_up(port)
    begun, took = time.monotonic(), _processor_seconds(pid)
    listeners = [
        asyncio.ensure_future(_listens(phone, place, port, heard, room, opened[place]))
        for place, phone in enumerate(phones)
    ]
    await asyncio.gather(*opened)
    opening, cost = time.monotonic() - begun, _processor_seconds(pid) - took
    await asyncio.sleep(5)  # each has its first event by then
    for times in heard.values():
        times.clear()
    took, begun = _processor_seconds(pid), time.monotonic()
    changed = await _changes(sorted({each.campaign for each in phones}), seconds)
    took = _processor_seconds(pid) - took
    lasted = time.monotonic() - begun
    delays = [
        at - changed[campaign]
        for campaign in changed
        for at in heard[campaign]
        if at >= changed[campaign]
    ]
    for each in listeners:
        each.cancel()
    return {
        "phones": len(phones),
        "open_at_the_end": sum(not each.done() for each in listeners),
        "opening_s": round(opening, 1),
        "opening_cpu_ms_each": round(cost / len(phones) * 1_000, 2),
        "changes": len(changed),
        "events_expected": len(changed) * PHONES,
        "events": len(delays),
        "delay_median_s": round(percentile(delays, 50), 3),
        "delay_p95_s": round(percentile(delays, 95), 3),
        "delay_max_s": round(max(delays), 3),
        "server_cores": round(took / lasted, 2),
        "server_mb": round(_megabytes(pid)),
    }


async def _is_up(port: int) -> None:
    for _second in range(120):
        with suppress(OSError):
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(1)
    raise TimeoutError


async def _listens(
    phone: Phone,
    place: int,
    port: int,
    heard: dict[int, list[float]],
    room: asyncio.Semaphore,
    opened: asyncio.Future[None],
) -> None:
    """Open a stream, from an address it shares with others, and note its events."""
    local = (f"127.0.{1 + place // A_NETWORK // 200}.{1 + place // A_NETWORK % 200}", 0)
    async with room:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=local
        )
        writer.write(
            f"GET /campaigns/{phone.campaign}/changes HTTP/1.1\r\n"
            f"Host: 127.0.0.1\r\nCookie: {phone.cookie}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        opened.set_exception(ConnectionRefusedError(f"{phone}: {head[:80]!r}"))
        return
    opened.set_result(None)
    while line := await reader.readline():
        if line.startswith(b"data:"):
            heard[phone.campaign].append(time.monotonic())


async def _changes(campaigns: list[int], seconds: float) -> dict[int, float]:
    """Change so many campaigns in turn, at random moments; when that was committed."""
    from django.db.models import F

    from campaigns.models import PlayState

    moments = sorted((random.uniform(0, EVERY), campaign) for campaign in campaigns)
    start, changed = time.monotonic(), {}
    for moment, campaign in moments:
        if moment > seconds:
            break
        await asyncio.sleep(max(0.0, start + moment - time.monotonic()))
        row = PlayState.objects.filter(campaign=campaign)
        await row.aupdate(version=F("version") + 1)
        changed[campaign] = time.monotonic()
    await asyncio.sleep(5)  # the last one is on its way
    return changed


def _family(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(each) for each in file.read().split()]
    return [pid, *(each for child in children for each in _family(child))]


def _processor_seconds(pid: int) -> float:
    total = 0
    for each in _family(pid):
        with open(f"/proc/{each}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    """Memory of all its processes that no other process has."""
    total = 0
    for each in _family(pid):
        with open(f"/proc/{each}/smaps_rollup") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line)
        total += int(lines["Pss"].split()[0])
    return total / 1_024


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    main(sys.argv[1:])
