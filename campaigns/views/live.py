"""Lets phones know at once that their campaign has changed, by a stream of events each.

A page opens the stream (server-sent events) and looks for news when an event comes.
Where there is no stream, under WSGI say, it looks for news every few seconds.

All streams of a process share one look at the database. An event says that something
has changed and nothing else: the look for news that follows checks all rights. Those of
a stream are checked when it is opened, before each event, and every ten seconds.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from arkham.web.request_limits import address_of
from campaigns import queries
from campaigns.people.table import visitor_of

logger = logging.getLogger(__name__)

LOOK = 0.5  # seconds from one look at the database to the next
CHECK = 10.0  # seconds from one check of all memberships to the next
KEEP_ALIVE = 15.0  # seconds after which proxies would end a silent connection
# Seconds of one stream; its page opens the next, and is asked for everything again.
LIFETIME = 600.0
MOST = 4_000  # streams of one process
MOST_OF_VISITOR = 8
MOST_OF_ADDRESS = 100  # a club has one address

NO_CONTENT, TOO_MANY = 204, 429
EVENT, COMMENT = b"data: changed\n\n", b":\n\n"
_OWN_HEADERS = frozenset({"content-type", "content-length", "cache-control"})
_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx hands each event on at once
]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Result = TypeVar("Result")


@require_safe
def changes(request: HttpRequest, pk: int) -> HttpResponse:
    """Nothing, for a member: a browser then asks for no stream here any more.

    Under ASGI :class:`Streams` makes a stream of this answer.
    """
    if queries.mark_of(pk, visitor_of(request)) is None:
        raise Http404
    return HttpResponse(status=NO_CONTENT)


class Listener(NamedTuple):
    """A member who follows a campaign, and the address they do so from."""

    campaign: int
    user: int | None
    guest: str
    address: str

    def sits(self, sitters: Collection[queries.MemberKey]) -> bool:
        """Whether they are among those who sit at tables."""
        as_user = queries.MemberKey(self.campaign, self.user, None)
        as_guest = queries.MemberKey(self.campaign, None, self.guest)
        return (self.user is not None and as_user in sitters) or as_guest in sitters


@dataclass(eq=False, slots=True)
class Stream:
    """An open connection; ``woken`` once there is something to send, or it is over."""

    listener: Listener
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    is_new: bool = True
    is_over: bool = False

    def end(self) -> None:
        """Close it as soon as it can be."""
        self.is_over = True
        self.woken.set()


class Streams:
    """An ASGI application: all streams of this process, and what they share.

    ``answer`` makes the request of a scope and lets Django answer it; ``run`` runs what
    uses the database in a thread.
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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A stream for a member of the campaign; for others what Django answers."""
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

    def _asked(self, scope: Scope) -> tuple[Listener | None, HttpResponseBase]:
        request, response = self._answer(scope)
        if response.status_code != NO_CONTENT or request.resolver_match is None:
            return None, response
        visitor = visitor_of(request)
        user = visitor.user.pk if visitor.user is not None else None
        campaign = request.resolver_match.kwargs["pk"]
        return Listener(campaign, user, visitor.guest, address_of(request)), response

    async def _flow(self, stream: Stream, send: Send) -> None:
        """Send events, and comments while there are none, until it is over."""
        clock = asyncio.get_running_loop().time
        # Not all of them at the same moment, which they may have been opened at.
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

    # -- how many there are --

    def _is_full(self, listener: Listener) -> bool:
        visitor, address = _counters(listener)
        return (
            sum(map(len, self._open.values())) >= MOST
            or self._counts[visitor] >= MOST_OF_VISITOR
            or self._counts[address] >= MOST_OF_ADDRESS
        )

    def _opened(self, listener: Listener) -> Stream:
        stream = Stream(listener)
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

    # -- what they share --

    async def _look(self) -> None:
        """Look for changes as long as there are streams."""
        while self._open:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Error:  # away for a moment: the next look may find it again
                logger.exception("Looking for changes failed")

    async def look(self) -> None:
        """Wake the streams of campaigns that have changed; end those without a member.

        A new stream is woken too: what has changed since its page was made is news.
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
        # Last: where the database fails, the next look finds all of this again.
        self._checked = clock if is_due else self._checked
        self._marks.update(marks)
        for each in woken:
            each.is_new = False
            each.woken.set()


def _counters(listener: Listener) -> tuple[tuple[str, object], tuple[str, object]]:
    """What a stream is counted under: its visitor and its address."""
    return ("visitor", listener.user or listener.guest), ("address", listener.address)


async def _disconnected(receive: Receive) -> None:
    """Wait until the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _other_headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    """The headers of Django's answer that hold of a stream too."""
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
    """Send an answer of Django's, which is no stream."""
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
