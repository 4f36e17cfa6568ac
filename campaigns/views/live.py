"""Streams of events that notify phones at once when their campaign changes.

A page opens the stream (server-sent events) and loads news when an event comes. Without
a stream, as under WSGI, it looks for news every few seconds.

All streams of a process share one query of the database. An event only says that
something has changed: the request for news that follows checks all rights. Those of a
stream are checked when it is opened, before each event, and every ten seconds.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from arkham.web.request_limits import address_of
from campaigns import queries
from campaigns.people.table import visitor_of

logger = logging.getLogger(__name__)

LOOK = 0.5  # seconds between two queries of the database
CHECK = 10.0  # seconds between two checks of all memberships
KEEP_ALIVE = 15.0  # seconds after which proxies would close a silent connection
# Seconds that a stream lives; its page then opens the next, and is checked again.
LIFETIME = 600.0
MOST = 4_000  # streams per process
MOST_OF_VISITOR = 8
MOST_OF_ADDRESS = 100  # a club has one address

NO_CONTENT, TOO_MANY = 204, 429
EVENT, COMMENT = b"data: changed\n\n", b":\n\n"
_OWN_HEADERS = frozenset({"content-type", "content-length", "cache-control"})
_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # so that nginx forwards each event at once
]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Result = TypeVar("Result")


@require_safe
def changes(request: HttpRequest, pk: int) -> HttpResponse:
    """Return an empty answer to members: their browsers then ask for no stream.

    Under ASGI :class:`Streams` turns it into a stream.
    """
    if queries.mark_of(pk, visitor_of(request)) is None:
        raise Http404
    return HttpResponse(status=NO_CONTENT)


class Listener(NamedTuple):
    """A member who follows a campaign, and their network address."""

    campaign: int
    user: int | None
    guest: str
    address: str

    def sits(self, sitters: Collection[queries.MemberKey]) -> bool:
        """Return whether they are among the members of tables."""
        as_user = queries.MemberKey(self.campaign, self.user, None)
        as_guest = queries.MemberKey(self.campaign, None, self.guest)
        return (self.user is not None and as_user in sitters) or as_guest in sitters


@dataclass(eq=False, slots=True)
class Stream:
    """An open connection; ``woken`` if there is something to send, or it should end."""

    listener: Listener
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    is_new: bool = True
    is_over: bool = False

    def end(self) -> None:
        """Close it as soon as possible."""
        self.is_over = True
        self.woken.set()


class Streams:
    """An ASGI application with all streams of this process.

    ``answer`` makes the request of a scope and lets Django answer it; ``run`` runs code
    that uses the database in a thread.
    """

    def __init__(
        self,
        answer: Callable[[Scope], tuple[HttpRequest, HttpResponseBase]],
        run: Callable[[Callable[[], Any]], Awaitable[Any]],
    ) -> None:
        self._answer = answer
        self._run = run
        self._open: dict[int, set[Stream]] = defaultdict(set)
        self._counts: Counter[tuple[str, object]] = Counter()
        self._marks: dict[int, queries.CampaignMark] = {}
        self._checked = 0.0
        self._looking: asyncio.Task[None] | None = None
        self._is_over = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream to a member of the campaign; send others Django's answer."""
        listener, response = await self._run(lambda: self._asked(scope))
        if listener is None:
            return await _sent(response, send)
        if self._is_full(listener):
            return await _sent(HttpResponse(status=TOO_MANY), send)
        stream = self._opened(listener)
        gone = asyncio.ensure_future(_disconnected(receive))
        gone.add_done_callback(lambda _done: stream.end())
        try:
            await send(_start(200, [*_other_headers(response), *_HEADERS]))
            await self._flow(stream, send)
        except OSError:
            pass  # the browser has gone
        finally:
            gone.cancel()
            self._closed(stream)

    def end(self) -> None:
        """Close all streams, those being opened too: the server stops."""
        self._is_over = True
        for each in chain.from_iterable(self._open.values()):
            each.end()

    def _asked(self, scope: Scope) -> tuple[Listener | None, HttpResponseBase]:
        request, response = self._answer(scope)
        if response.status_code != NO_CONTENT or request.resolver_match is None:
            return None, response
        visitor = visitor_of(request)
        user = visitor.user.pk if visitor.user is not None else None
        campaign = request.resolver_match.kwargs["pk"]
        return Listener(campaign, user, visitor.guest, address_of(request)), response

    async def _flow(self, stream: Stream, send: Send) -> None:
        """Send events, and comments in between, until the stream ends."""
        clock = asyncio.get_running_loop().time
        # Spread the ends: many streams may have been opened at the same moment.
        end = clock() + LIFETIME * random.uniform(0.8, 1)  # noqa: S311
        while not stream.is_over and clock() < end:
            with suppress(TimeoutError):
                await asyncio.wait_for(stream.woken.wait(), KEEP_ALIVE)
            if stream.is_over:
                break
            event = EVENT if stream.woken.is_set() else COMMENT
            stream.woken.clear()
            await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    # -- limits --

    def _is_full(self, listener: Listener) -> bool:
        visitor, address = _counters(listener)
        return (
            sum(map(len, self._open.values())) >= MOST
            or self._counts[visitor] >= MOST_OF_VISITOR
            or self._counts[address] >= MOST_OF_ADDRESS
        )

    def _opened(self, listener: Listener) -> Stream:
        stream = Stream(listener, is_over=self._is_over)
        self._open[listener.campaign].add(stream)
        self._counts.update(_counters(listener))
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look())
        return stream

    def _closed(self, stream: Stream) -> None:
        campaign = stream.listener.campaign
        self._open[campaign].discard(stream)
        if not self._open[campaign]:
            del self._open[campaign]
            self._marks.pop(campaign, None)
        for counter in _counters(stream.listener):
            self._counts[counter] -= 1
            if not self._counts[counter]:
                del self._counts[counter]

    # -- shared by all streams --

    async def _look(self) -> None:
        """Look for changes as long as there are streams."""
        while self._open:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Error:  # perhaps only for a moment: try again
                logger.exception("Looking for changes failed")

    async def look(self) -> None:
        """Wake the streams of campaigns that changed; end those of former members.

        A new stream is woken too: its page may be older than the last change.
        """
        streams = [each for some in self._open.values() for each in some]
        campaigns = {each.listener.campaign for each in streams}
        marks = await self._run(lambda: queries.marks_of(campaigns))
        changed = {
            each for each in campaigns if marks.get(each) != self._marks.get(each)
        }
        woken = [
            each for each in streams if each.is_new or each.listener.campaign in changed
        ]
        clock = asyncio.get_running_loop().time()
        is_due = clock >= self._checked + CHECK
        checked = streams if is_due else woken
        if checked:
            at = {each.listener.campaign for each in checked}
            sitters = await self._run(lambda: queries.sitters(at))
            for each in checked:
                if not each.listener.sits(sitters):
                    each.end()
        # At the end: if the database fails, the next look finds all of this again.
        self._checked = clock if is_due else self._checked
        self._marks.update(marks)
        for each in woken:
            each.is_new = False
            each.woken.set()


def _counters(listener: Listener) -> tuple[tuple[str, object], tuple[str, object]]:
    """Return the keys a stream is counted under: its visitor and its address."""
    return ("visitor", listener.user or listener.guest), ("address", listener.address)


async def _disconnected(receive: Receive) -> None:
    """Wait until the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _other_headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    """Return the headers of Django's answer that apply to a stream too."""
    pairs = [
        (name.lower().encode("ascii"), value.encode("latin-1"))
        for name, value in response.items()
        if name.lower() not in _OWN_HEADERS
    ]
    cookies = response.cookies.values()
    return pairs + [(b"set-cookie", each.OutputString().encode()) for each in cookies]


def _start(status: int, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": headers}


async def _sent(response: HttpResponseBase, send: Send) -> None:
    """Send an ordinary answer of Django's."""
    body = getattr(response, "content", b"")
    content_type = response.get("Content-Type", "text/html").encode("latin-1")
    headers = [
        *_other_headers(response),
        (b"content-type", content_type),
        (b"cache-control", b"no-store"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send(_start(response.status_code, headers))
    await send({"type": "http.response.body", "body": body, "more_body": False})
