"""Served by `./run`, bodies on their way hold none of the threads of pages."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import h11
import pytest
import uvicorn
from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.http import UnreadablePostError
from django.test import RequestFactory
from uvicorn.server import ServerState

from arkham import asgi
from arkham.management.commands.up import Protocol
from arkham.web.bodies import announced_length
from arkham.wsgi import Utf8Request, application

MEGABYTE = 1024 * 1024
PROJECT = Path(__file__).resolve().parents[2]
Message = dict[str, Any]


class Sender:
    """A program that sends part of a body, then nothing or its end."""

    def __init__(self, length: int, *parts: Message, announced: str = "") -> None:
        self.parts = list(parts)
        self.sent: list[Message] = []
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST" if length else "GET",
            "path": "/pages/",
            "query_string": b"",
            "headers": [(b"content-length", (announced or str(length)).encode())],
        }

    async def receive(self) -> Message:
        if not self.parts:
            await asyncio.sleep(3600)
        return self.parts.pop(0)

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def ask(self) -> None:
        await asgi.answer_page(self.scope, self.receive, self.send)  # type: ignore[arg-type]

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None


class Stuck(Sender):
    """A program that takes the head of an answer and nothing more."""

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        if len(self.sent) > 1:
            await asyncio.sleep(3600)


def part(body: bytes, more: bool = True) -> Message:
    """A part of a body."""
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bodies that pages have read; each page echoes its own in full."""
    found: list[bytes] = []

    def page(environ: Any, start: Callable[..., Any]) -> list[bytes]:
        try:
            found.append(Utf8Request(environ).body)
        except UnreadablePostError:
            start("400 Bad Request", [])
            return [b""]
        start("200 OK", [])
        return [b"read"]

    pages: Any = WSGIMiddleware(page, workers=asgi.PAGES_AT_ONCE)
    monkeypatch.setattr(asgi, "_pages", pages)
    monkeypatch.setattr(asgi, "_large", asyncio.Semaphore(asgi.LARGE_AT_ONCE))
    return found


def run(story: Callable[[], Awaitable[None]]) -> None:
    """Run a test of senders at once."""

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await story()

    asyncio.run(bounded())


@pytest.mark.parametrize("length", [100, 4 * MEGABYTE])
def test_slow_senders_hold_no_page(
    read: list[bytes], length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, and however large what they send."""
    monkeypatch.setattr(asgi, "PATIENCE", 2.0)

    async def story() -> None:
        slow = [Sender(length, part(b"{")) for _each in range(asgi.PAGES_AT_ONCE * 2)]
        waiting = [asyncio.create_task(each.ask()) for each in slow]
        await asyncio.sleep(0.2)
        other = Sender(0)
        async with asyncio.timeout(1):
            await other.ask()
        assert other.status == 200
        for task in waiting:
            task.cancel()

    run(story)
    assert read == [b""]


@pytest.mark.parametrize("length", [100, 4 * MEGABYTE])
def test_a_slow_sender_is_refused(
    read: list[bytes], length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page can't read the body; the wait ends, once."""
    monkeypatch.setattr(asgi, "PATIENCE", 0.1)

    async def story() -> None:
        slow = Sender(length, part(b"{"))
        await slow.ask()
        assert slow.status == 400

    run(story)
    assert read == []


def test_leading_zeros_hide_no_length(read: list[bytes]) -> None:
    """Such a sender holds no page, and is refused by the same limits."""

    async def story() -> None:
        slow = [
            Sender(100, part(b"{"), announced=f"{100:020d}")
            for _each in range(asgi.PAGES_AT_ONCE)
        ]
        waiting = [asyncio.create_task(each.ask()) for each in slow]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(1):
            await Sender(0).ask()
        for task in waiting:
            task.cancel()

    run(story)
    assert read == [b""]
    request = RequestFactory().post("/", CONTENT_LENGTH=f"{30 * MEGABYTE:020d}")
    assert announced_length(request) == 30 * MEGABYTE


def test_the_clock_of_a_large_body_begins_with_its_turn(
    read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who wait for a place aren't late."""
    monkeypatch.setattr(asgi, "PATIENCE", 0.5)
    monkeypatch.setattr(asgi, "SLOWEST", 1024 * MEGABYTE)
    large = b"x" * (2 * MEGABYTE)

    async def story() -> None:
        async with asgi._large, asgi._large, asgi._large:
            late = Sender(len(large), part(large, more=False))
            task = asyncio.create_task(late.ask())
            await asyncio.sleep(1)
        await task
        assert late.status == 200

    run(story)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/oauth/v2/token", "/account/login/"])
def test_a_form_that_breaks_off_is_a_bad_request(address: str) -> None:
    """Neither our fault nor an old form."""
    sent: dict[str, Any] = {}
    environ = RequestFactory().post(address).environ | {
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": "100",
        "HTTP_COOKIE": f"{settings.CSRF_COOKIE_NAME}={'a' * 32}",
        "wsgi.input": BytesIO(b"grant_type=password"),
    }

    def start(status: str, *_more: Any) -> Any:
        sent["status"] = status

    b"".join(application(environ, start))
    assert sent["status"] == "400 Bad Request"


def test_a_reader_who_takes_nothing_holds_no_page(
    read: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of a long answer is dropped."""
    monkeypatch.setattr(asgi, "PATIENCE", 0.1)

    async def story() -> None:
        stuck = Stuck(0)
        await stuck.ask()
        assert (stuck.status, len(stuck.sent)) == (200, 2)

    run(story)


def test_readers_who_stop_hold_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the parts that are held for them."""

    def page(_environ: Any, start: Callable[..., Any]) -> list[bytes]:
        start("200 OK", [])
        return [b"part"] * (asgi.PARTS_HELD - 2)

    pages: Any = WSGIMiddleware(page, asgi.PAGES_AT_ONCE, asgi.PARTS_HELD)
    monkeypatch.setattr(asgi, "_pages", pages)

    async def story() -> None:
        stuck = [Stuck(0) for _each in range(2 * asgi.PAGES_AT_ONCE)]
        waiting = [asyncio.create_task(each.ask()) for each in stuck]
        await asyncio.sleep(0.2)
        async with asyncio.timeout(5):
            await Sender(0).ask()
        for task in waiting:
            task.cancel()

    run(story)


def test_a_head_has_to_arrive_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first and any later one; a page may take longer."""
    monkeypatch.setattr("arkham.management.commands.up.HEAD_PATIENCE", 0.3)

    async def page(_scope: Any, _receive: Any, send: Any) -> None:
        await asyncio.sleep(0.6)
        headers = [(b"content-length", b"4")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"late"})

    async def story() -> None:
        config = uvicorn.Config(page, http=Protocol, lifespan="off", log_config=None)
        config.load()
        server = await asyncio.get_running_loop().create_server(
            lambda: Protocol(config, ServerState(), {}), "127.0.0.1", 0
        )
        address = server.sockets[0].getsockname()
        for whole in (b"", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(whole)
            assert not whole or await reader.readuntil(b"late")
            writer.write(b"GET / HTTP/1.1\r\nHost:")
            assert await reader.read() == b""
            writer.close()
        server.close()

    run(story)


@pytest.mark.parametrize("length", [6, 4 * MEGABYTE])
def test_half_a_body_is_no_body(read: list[bytes], length: int) -> None:
    """What a sender who left has sent isn't taken for all of it."""

    async def story() -> None:
        gone = Sender(length, part(b"{}"), {"type": "http.disconnect"})
        await gone.ask()
        assert gone.status in (None, 400)

    run(story)
    assert read == []


def test_a_body_arrives_in_full(read: list[bytes]) -> None:
    """In however many parts."""

    async def story() -> None:
        await Sender(4, part(b"ab"), part(b"cd", more=False)).ask()
        large = b"x" * (2 * MEGABYTE)
        await Sender(len(large), part(large[:9]), part(large[9:], more=False)).ask()

    run(story)
    assert list(map(len, read)) == [4, 2 * MEGABYTE]


def test_gunicorn_reads_whole_bodies_too() -> None:
    """Its stream just ends where the connection does."""
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": "9",
        "wsgi.input": BytesIO(b"notes=ha"),
    }
    with pytest.raises(UnreadablePostError):
        Utf8Request(environ).body  # noqa: B018 - it is read here
    whole = Utf8Request({**environ, "wsgi.input": BytesIO(b"notes=hat, coat")})
    assert whole.POST["notes"] == "hat"


def test_what_is_not_http_is_refused_in_our_words() -> None:
    """In plain text: nothing is known of the sender."""
    written = bytearray()

    class Connection:
        """One that keeps what is written."""

        write, is_closed = written.extend, False

        def close(self) -> None:
            self.is_closed = True

    protocol: Any = Protocol.__new__(Protocol)
    protocol.conn, protocol.transport = h11.Connection(h11.SERVER), Connection()
    protocol.send_400_response("x")

    assert written.startswith(b"HTTP/1.1 400 ")
    assert b"content-type: text/plain" in written
    assert b"Expected: HTTP/1.1" in written
    assert protocol.transport.is_closed


def test_uvicorn_loads_it_by_its_name() -> None:
    """Nothing needs the settings before they are named."""
    bare = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", "import arkham.asgi"]
    subprocess.run(command, cwd=PROJECT, env=bare | {"ORNE_LOCAL": "true"}, check=True)
