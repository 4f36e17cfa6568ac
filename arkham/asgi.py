"""The ASGI entry point: streams of events, and all other pages through WSGI.

Pages run in threads that keep their database connections. Waiting streams take no
thread, and neither do bodies on their way.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from io import BytesIO
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import build_environ
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from arkham.rules.vocabulary import is_digits
from arkham.wsgi import Utf8Request
from arkham.wsgi import application as pages
from campaigns.views.live import Receive, Scope, Send, Streams

PAGES_AT_ONCE = 8
PARTS_HELD = 32  # of an answer, so that slow readers hold no thread
STREAMS_OPENED_AT_ONCE = 4
MOST_LENGTH_DIGITS = 15
LARGE_AT_ONCE = 3  # pages that read a body too large to be held before
MOST_HELD = 1024 * 1024  # bytes
SLOWEST = 16 * 1024  # bytes of a body in a second
PATIENCE = 20.0  # seconds for any body, and for each of its parts
_STREAM = re.compile(r"/campaigns/[0-9]{1,19}/changes")
_threads = ThreadPoolExecutor(STREAMS_OPENED_AT_ONCE, "streams")


def answer(scope: Scope) -> tuple[HttpRequest, HttpResponseBase]:
    """Return a scope's request, without a body, and Django's answer to it."""
    request_started.send(sender=Streams, scope=scope)
    request = Utf8Request(build_environ(scope, BytesIO()))  # type: ignore[arg-type]
    response = pages.get_response(request)
    response.close()  # ends the request
    return request, response


async def in_thread(work: Callable[[], Any]) -> Any:
    """Return the result of work done in a thread with a database connection."""

    def connected() -> Any:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, connected)


_pages = WSGIMiddleware(pages, PAGES_AT_ONCE, PARTS_HELD)  # type: ignore[arg-type]
streams = Streams(answer, in_thread)
_large = asyncio.Semaphore(LARGE_AT_ONCE)


async def answer_page(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer by a page, which gets a thread when its body is here, or too late.

    Large bodies are read in the thread, but few at once. A reader who takes too
    long for a part of an answer loses the rest.
    """
    time, sent = asyncio.get_running_loop().time, dict(scope["headers"])
    announced = sent.get(b"content-length", b"").decode("latin-1")
    digits = announced.lstrip("0")[:MOST_LENGTH_DIGITS] if is_digits(announced) else ""
    length = int(digits or "0")
    end, body = 0.0, bytearray()
    is_taken = True

    async def in_time() -> Any:
        nonlocal end
        try:
            async with asyncio.timeout_at(min(end, time() + PATIENCE)):
                return await receive()
        except TimeoutError:
            end = 0.0  # nothing is waited for twice
            raise

    async def held() -> Any:
        return {"type": "http.request", "body": bytes(body)}

    async def send_in_time(message: Any) -> None:
        nonlocal is_taken
        if is_taken:
            try:
                async with asyncio.timeout(PATIENCE):
                    await send(message)
            except TimeoutError:
                is_taken = False  # the rest is left out

    async with _large if length > MOST_HELD else nullcontext():
        end = time() + PATIENCE + length / SLOWEST  # from its turn on
        with suppress(TimeoutError):
            while len(body) < length <= MOST_HELD:
                part = await in_time()
                if part["type"] == "http.disconnect":
                    return
                body += part.get("body", b"")
                if not part.get("more_body"):
                    break
        read = held if 0 < length == len(body) else in_time
        await _pages(scope, read, send_in_time)  # type: ignore[arg-type]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request, or acknowledge events of the server's lifespan."""
    if scope["type"] == "lifespan":
        while (event := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{event['type']}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "http":
        is_stream = scope["method"] == "GET" and _STREAM.fullmatch(scope["path"])
        await (streams if is_stream else answer_page)(scope, receive, send)
