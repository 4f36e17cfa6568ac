"""The ASGI entry point: streams of events, and all other pages through WSGI.

Pages run in threads that keep their database connections. Waiting streams take no
thread.
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

from arkham.wsgi import Utf8Request
from arkham.wsgi import application as pages
from campaigns.views.live import Receive, Scope, Send, Streams

PAGES_AT_ONCE = 8
STREAMS_OPENED_AT_ONCE = 4
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


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request, or acknowledge events of the server's lifespan."""
    if scope["type"] == "lifespan":
        while (event := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{event['type']}.complete"})
        await send({"type": "lifespan.shutdown.complete"})
    elif scope["type"] == "http":
        is_stream = scope["method"] == "GET" and _STREAM.fullmatch(scope["path"])
        await (streams if is_stream else _pages)(scope, receive, send)  # type: ignore[arg-type]
