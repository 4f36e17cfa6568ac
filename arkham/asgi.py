"""The ASGI entry point: streams of events, and all other pages through WSGI.

Pages run in threads that keep their database connections. Waiting streams take no
thread, and neither do bodies on their way.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import build_environ
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from arkham.rules.vocabulary import is_digits
from arkham.web.bodies import MOST_LENGTH_DIGITS
from arkham.web.errors import refusal
from arkham.wsgi import Utf8Request
from arkham.wsgi import application as pages
from campaigns.views.live import Receive, Scope, Send, Streams

PAGES_AT_ONCE = 8
STREAMS_OPENED_AT_ONCE = 4
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


_pages = WSGIMiddleware(pages, workers=PAGES_AT_ONCE)  # type: ignore[arg-type]
streams = Streams(answer, in_thread)
_large = asyncio.Semaphore(LARGE_AT_ONCE)


async def answer_page(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer by a page, which gets a thread once its body is here.

    Large bodies are read in the thread, but in few at once. A sender who is too slow
    gets 408.
    """
    sent = {name: value.decode("latin-1") for name, value in scope["headers"]}
    announced = sent.get(b"content-length", "0")
    length = int(announced) if is_digits(announced, MOST_LENGTH_DIGITS) else 0
    time = asyncio.get_running_loop().time
    end = time() + PATIENCE + length / SLOWEST

    async def in_time() -> Any:
        nonlocal end
        try:
            async with asyncio.timeout_at(min(end, time() + PATIENCE)):
                return await receive()
        except TimeoutError:
            end = 0.0  # nothing is waited for twice
            raise

    if length > MOST_HELD:
        async with _large:
            return await _pages(scope, in_time, send)  # type: ignore[arg-type]
    body, is_whole = bytearray(), length == 0
    try:
        while not is_whole:
            part = await in_time()
            if part["type"] == "http.disconnect":
                return None
            body += part.get("body", b"")
            is_whole = not part.get("more_body")
    except TimeoutError:
        headers, content = refusal(408, scope["path"], sent.get(b"accept", ""))
        await send({"type": "http.response.start", "status": 408, "headers": headers})
        return await send({"type": "http.response.body", "body": content})

    async def held() -> Any:
        return {"type": "http.request", "body": bytes(body)}

    return await _pages(scope, held if length else receive, send)  # type: ignore[arg-type]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request, or acknowledge events of the server's lifespan."""
    if scope["type"] == "lifespan":
        while (event := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{event['type']}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "http":
        is_stream = scope["method"] == "GET" and _STREAM.fullmatch(scope["path"])
        await (streams if is_stream else answer_page)(scope, receive, send)
