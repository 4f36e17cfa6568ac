"""Event streams: who is notified that a campaign has changed, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from asgiref import testing
from asgiref.sync import async_to_sync, sync_to_async
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from arkham import asgi
from arkham.accounts.models import User
from campaigns import queries, services
from campaigns.models import Campaign
from campaigns.people.table import Visitor, remember_guest
from campaigns.views import live
from tests.campaigns.helpers.tables import NOW, a_campaign, as_answers, report, who
from tests.campaigns.people.helpers import link_of
from tests.rules.campaign.helpers.small import DAISY, ROLAND

Communicator: Any = testing.ApplicationCommunicator  # published without types
EVENT = b"data: changed\n\n"
Story = Callable[[live.Streams], Awaitable[None]]


@pytest.fixture(autouse=True)
def _nothing_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK", "CHECK", "KEEP_ALIVE"):
        monkeypatch.setattr(live, name, 3600.0)


@pytest.fixture(autouse=True)
def _connection_of_the_test() -> Iterator[None]:
    """It isn't closed between requests, as with Django's own client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


async def _on_the_tests_thread(work: Callable[[], Any]) -> Any:
    return await sync_to_async(work)()


def tell(story: Story) -> None:
    """Run a test of streams that use the test's database."""
    async_to_sync(story)(live.Streams(asgi.answer, _on_the_tests_thread))


class Phone:
    """A browser with a page of a campaign open."""

    def __init__(self, streams: Any, client: Client, campaign: Campaign) -> None:
        cookies = (f"{name}={each.value}" for name, each in client.cookies.items())
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": f"/campaigns/{campaign.pk}/changes",
            "query_string": b"",
            "server": ("testserver", 80),
            "client": ("127.0.0.1", 40_000),
            "headers": [
                (b"host", b"testserver"),
                (b"cookie", "; ".join(cookies).encode()),
            ],
        }
        self.app = Communicator(streams, scope)

    async def opens(self) -> dict[str, Any]:
        """Open the stream; return the beginning of the response."""
        await self.app.send_input({"type": "http.request", "body": b""})
        begun: dict[str, Any] = await self.app.receive_output(30)
        return begun

    async def hears(self) -> bytes:
        """Return the next part of the stream."""
        body: bytes = (await self.app.receive_output(30))["body"]
        return body

    async def hears_nothing(self) -> bool:
        quiet: bool = await self.app.receive_nothing(0.05)
        return quiet

    async def leaves(self) -> None:
        await self.app.send_input({"type": "http.disconnect"})
        await self.app.wait(30)


def write(campaign: Campaign) -> None:
    """Write into the log of a campaign."""
    report(campaign, as_answers(who(ROLAND, DAISY)))


def test_a_phone_is_notified_of_each_change_only(
    as_alice: Client, campaign: Campaign
) -> None:
    """First that it may poll; the event has no data of the campaign."""

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        begun = await phone.opens()
        headers = dict(begun["headers"])
        assert begun["status"] == 200
        assert headers[b"content-type"] == b"text/event-stream"
        assert headers[b"cache-control"] == b"no-store"
        assert headers[b"x-accel-buffering"] == b"no"
        await streams.look()
        assert await phone.hears() == EVENT
        await streams.look()
        assert await phone.hears_nothing()
        await sync_to_async(write)(campaign)
        await streams.look()
        assert await phone.hears() == EVENT
        await phone.leaves()

    tell(story)


def test_an_action_in_a_scenario_is_a_change(
    as_alice: Client, campaign: Campaign
) -> None:
    """Though nothing is written in the log; the mark changes."""
    row = campaign.plays.create(
        scenario="one", version=1, content={}, changed_at=timezone.now()
    )

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        await phone.opens()
        await streams.look()
        await phone.hears()
        await campaign.plays.filter(pk=row.pk).aupdate(version=2)
        await streams.look()
        assert await phone.hears() == EVENT
        await phone.leaves()

    tell(story)


def test_other_campaigns_are_not_notified(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    """Their marks are the same."""
    other = a_campaign(alice, guide=campaign.guide)

    async def story(streams: live.Streams) -> None:
        here, there = (Phone(streams, as_alice, each) for each in (campaign, other))
        for phone in (here, there):
            await phone.opens()
        await streams.look()
        for phone in (here, there):
            await phone.hears()
        await sync_to_async(write)(campaign)
        await streams.look()
        assert await here.hears() == EVENT
        assert await there.hears_nothing()
        for phone in (here, there):
            await phone.leaves()

    tell(story)


def test_only_members_have_a_stream(
    client: Client, as_bob: Client, campaign: Campaign
) -> None:
    """Others get a 404, as for the page."""

    async def story(streams: live.Streams) -> None:
        for stranger in (client, as_bob):
            phone = Phone(streams, stranger, campaign)
            assert (await phone.opens())["status"] == 404
            await phone.app.wait(30)

    tell(story)


def test_a_guest_is_notified_too(campaign: Campaign, client: Client) -> None:
    """By their browser's key."""
    _member, key = services.join_as_guest(
        invitation=link_of(campaign), name="Dora", now=NOW
    )
    answer = HttpResponse()
    remember_guest(answer, RequestFactory().get("/"), key)
    client.cookies.update(answer.cookies)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, client, campaign)
        assert (await phone.opens())["status"] == 200
        await streams.look()
        assert await phone.hears() == EVENT
        await phone.leaves()

    tell(story)


@pytest.mark.parametrize("is_changed", [True, False])
def test_a_former_members_stream_ends(
    as_alice: Client,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    is_changed: bool,
) -> None:
    """Before the next change; without one, at the next check of memberships."""
    monkeypatch.setattr(live, "CHECK", 3600.0 if is_changed else 0.0)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        await phone.opens()
        await streams.look()
        assert await phone.hears() == EVENT
        await campaign.memberships.aupdate(left_at=timezone.now())
        if is_changed:
            await Campaign.objects.aupdate(last=campaign.last + 1)
        await streams.look()
        assert await phone.hears() == b""
        await phone.app.wait(30)

    tell(story)


def test_a_blocked_accounts_stream_ends(
    as_alice: Client, alice: User, campaign: Campaign
) -> None:
    alice.is_active = False
    alice.save()

    assert queries.sitters([campaign.pk]) == frozenset()


def test_streams_per_person_are_limited(
    as_alice: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed ones make room."""
    monkeypatch.setattr(live, "MOST_OF_VISITOR", 1)

    async def story(streams: live.Streams) -> None:
        first, second, third = (Phone(streams, as_alice, campaign) for _ in range(3))
        assert (await first.opens())["status"] == 200
        assert (await second.opens())["status"] == 429
        await first.leaves()
        assert (await third.opens())["status"] == 200
        await third.leaves()

    tell(story)


@pytest.mark.parametrize("limit", ["MOST", "MOST_OF_ADDRESS"])
def test_streams_per_address_and_server_are_limited(
    as_alice: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """The page then polls by the clock."""
    monkeypatch.setattr(live, limit, 0)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        assert (await phone.opens())["status"] == 429
        await phone.app.wait(30)

    tell(story)


def test_a_stream_ends_after_a_while(
    as_alice: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page opens the next, with its current session."""
    monkeypatch.setattr(live, "LIFETIME", 0.0)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        assert (await phone.opens())["status"] == 200
        assert await phone.hears() == b""
        await phone.app.wait(30)

    tell(story)


def test_a_silent_stream_is_kept_open(
    as_alice: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By comments, which browsers ignore."""
    monkeypatch.setattr(live, "KEEP_ALIVE", 0.0)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        await phone.opens()
        assert await phone.hears() == b":\n\n"
        await phone.leaves()

    tell(story)


def test_a_stream_survives_a_short_loss_of_the_database(
    as_alice: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next look finds what has changed."""
    monkeypatch.setattr(live, "LOOK", 0.0)
    sitters, faults = queries.sitters, [OperationalError()]

    def away_once(campaigns: Any) -> Any:
        if faults:
            raise faults.pop()
        return sitters(campaigns)

    monkeypatch.setattr(queries, "sitters", away_once)

    async def story(streams: live.Streams) -> None:
        phone = Phone(streams, as_alice, campaign)
        await phone.opens()
        assert await phone.hears() == EVENT
        assert not faults
        await phone.leaves()

    tell(story)


def test_without_streams_a_browser_stops_asking(
    as_alice: Client, as_bob: Client, campaign: Campaign
) -> None:
    """204 under WSGI: a browser doesn't try again."""
    address = f"/campaigns/{campaign.pk}/changes"

    assert as_alice.get(address).status_code == 204
    assert as_bob.get(address).status_code == 404


def test_all_streams_share_one_query(
    alice: User,
    campaign: Campaign,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """For the marks of all campaigns; each mark equals the one its members see."""
    other = a_campaign(alice, guide=campaign.guide)
    for version in (3, 4):
        other.plays.create(
            scenario=f"s{version}", version=version, changed_at=timezone.now()
        )
    with django_assert_num_queries(1):
        marks = queries.marks_of([campaign.pk, other.pk])

    assert marks[other.pk][:2] == (other.last, 7)
    assert marks[campaign.pk][:2] == (campaign.last, 0)
    assert queries.mark_of(other.pk, Visitor(alice)) == marks[other.pk]
    assert queries.mark_at(campaign) == marks[campaign.pk]


@pytest.mark.parametrize("path", ["/favicon.ico", "/campaigns/1/changes/more"])
def test_other_requests_are_handled_as_under_wsgi(path: str) -> None:
    """By the same application, in threads."""

    async def asked() -> int:
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "headers": [(b"host", b"testserver")],
        }
        page = Communicator(asgi.application, scope)
        await page.send_input({"type": "http.request", "body": b""})
        status: int = (await page.receive_output(30))["status"]
        await page.wait(30)
        return status

    assert (asyncio.run(asked()) == 404) == path.endswith("more")


def test_a_server_may_start_and_stop() -> None:
    """The lifespan protocol needs no preparation."""

    async def answers() -> list[str]:
        app = Communicator(asgi.application, {"type": "lifespan"})
        heard = []
        for event in ("startup", "shutdown"):
            await app.send_input({"type": f"lifespan.{event}"})
            heard.append((await app.receive_output(30))["type"])
        await app.wait(30)
        return heard

    assert asyncio.run(answers()) == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
