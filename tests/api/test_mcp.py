"""Models use Orne by the Model Context Protocol, with the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, cast
from urllib.parse import parse_qs

import httpx2
import pytest
from django.conf import settings
from django.db import connection
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult
from rest_framework.test import APIClient
from starlette.testclient import TestClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from arkham.mcp_server import Api, allowed, make_server
from campaigns import services as campaigns
from campaigns.models import Guide
from decks import services as decks
from decks.api import examples
from decks.lists.content import read_content
from tests.campaigns.helpers.tables import have_our_guides
from tests.conftest import PROJECT
from tests.helpers import NOW

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

OPEN = {
    "judge_deck", "price_upgrade", "search_cards", "read_card", "search_rules",
    "read_rule",
}  # fmt: skip
PRIVATE = {"list_my_decks", "read_my_deck", "list_my_campaigns", "read_my_campaign"}
MOST_SECONDS = 120  # on a busy machine
MACHETES = {"investigator_code": "01001", "slots": {"01020": 2}}
SHOTGUN = {"investigator_code": "01001", "slots": {"01020": 1, "01029": 1}}


def _database() -> str:
    """Return the address of this test's database."""
    held = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{held['NAME']}"
    account = f"{held['USER']}:{held['PASSWORD']}@{held['HOST']}:{held['PORT']}"
    return f"postgres://{account}/{held['NAME']}"


def _environment(key: str = "") -> dict[str, str]:
    """Return the environment of a server that uses this test's data."""
    return {
        "DATABASE_URL": _database(),
        "ORNE_DATA": str(settings.DATA_DIR),
        "ORNE_LOCAL": "true",
        "ORNE_KEY": key,
    }


@pytest.fixture
def key(alice: User) -> str:
    """A key of Alice's that may read."""
    _key, text = accounts.make_key(
        owner=alice, name="model", scope=ApiKey.Scope.READ, now=NOW
    )
    return text


@contextmanager
def _served() -> Iterator[str]:
    """Run a server that speaks HTTP; yield its address."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "mcp", "--http", "--port", str(port)]
    server = subprocess.Popen(
        command, cwd=PROJECT, env={**os.environ, **_environment()}
    )
    try:
        last = time.monotonic() + MOST_SECONDS
        while time.monotonic() < last and server.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.wait(MOST_SECONDS)


async def _with_client(client: Client, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async with client:
        return await work(client)


def _by_stdio(key: str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    server = StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp"],
        env={**os.environ, **_environment(key)},
        cwd=PROJECT,
    )
    return asyncio.run(_with_client(Client(server), work))


def _by_http(key: str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def asked(address: str) -> Any:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        wait = httpx2.Timeout(MOST_SECONDS)
        async with httpx2.AsyncClient(headers=headers, timeout=wait) as http:
            transport = streamable_http_client(address, http_client=http)
            return await _with_client(Client(transport), work)

    with _served() as address:
        return asyncio.run(asked(address))


WAYS = pytest.mark.parametrize("way", [_by_stdio, _by_http], ids=["stdio", "http"])


async def _everything(client: Client, deck: int, campaign: int) -> dict[str, Any]:
    """Return each tool's result by name, and the list of tools."""
    listed = (await client.list_tools()).tools
    asked: dict[str, dict[str, Any]] = {
        "judge_deck": {"deck": MACHETES},
        "price_upgrade": {"before": MACHETES, "after": SHOTGUN},
        "search_cards": {"query": "Shotgun level:4"},
        "read_card": {"code": "01029"},
        "search_rules": {"query": "deck.size"},
        "read_rule": {"slug": "deck-size"},
        "list_my_decks": {},
        "read_my_deck": {"deck_id": deck},
        "list_my_campaigns": {},
        "read_my_campaign": {"campaign_id": campaign},
    }
    answers = {name: await client.call_tool(name, asked[name]) for name in asked}
    refused = await client.call_tool("judge_deck", {"deck": {"slots": {"01020": "x"}}})
    slip = {"deck": MACHETES, "mode": "standalone"}  # belongs to circumstances
    unknown = await client.call_tool("judge_deck", slip)
    absent = await client.call_tool("read_card", {"code": "no such"})
    found = {"tools": listed, "answers": answers, "refused": refused}
    return found | {"unknown": unknown, "absent": absent}


@WAYS
def test_each_tool_returns_what_the_api_does(
    way: Callable[..., Any], alice: User, key: str
) -> None:
    """As structured content and as text; problems if the API refuses."""
    have_our_guides()
    deck = decks.create_deck(
        owner=alice, content=read_content(examples.WRITTEN), name="Badge", now=NOW
    )
    guide = Guide.objects.get(guide_id="core", origin=Guide.Origin.OURS)
    table = campaigns.start_campaign(
        organiser=alice, guide=guide, name="Fridays", now=NOW
    )
    api = APIClient(headers={"Authorization": f"Bearer {key}"})

    found = way(key, lambda client: _everything(client, deck.pk, table.pk))

    tools = {tool.name: tool for tool in found["tools"]}
    assert tools.keys() == OPEN | PRIVATE
    assert all(tool.description for tool in tools.values())
    assert not any("\n  " in tool.description for tool in tools.values())
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert not any(each.input_schema["additionalProperties"] for each in tools.values())
    assert found["unknown"].is_error
    assert "mode" in found["unknown"].content[0].text
    absent = found["absent"].structured_content
    assert absent["instance"] == "/api/v1/cards/no%20such/"
    answers = found["answers"]
    assert not [name for name, each in answers.items() if each.is_error]
    held = {name: each.structured_content for name, each in answers.items()}
    posted = api.post("/api/v1/legality", {"deck": MACHETES}, format="json")
    assert held["judge_deck"] == posted.json()
    assert json.loads(answers["judge_deck"].content[0].text) == posted.json()
    priced = {"prev": MACHETES, "next": SHOTGUN}
    posted = api.post("/api/v1/upgrades/price", priced, format="json")
    assert held["price_upgrade"] == posted.json()
    assert [card["code"] for card in held["search_cards"]["results"]] == ["01029"]
    assert held["read_card"]["name"] == "Shotgun"
    assert held["search_rules"]["results"][0]["slug"] == "deck-size"
    assert held["read_rule"]["slug"] == "deck-size"
    assert [each["id"] for each in held["list_my_decks"]["results"]] == [deck.pk]
    read = api.get(f"/api/v1/decks/{deck.pk}/").json()
    assert held["read_my_deck"]["deck"] == read["deck"]
    assert [each["id"] for each in held["list_my_campaigns"]["results"]] == [table.pk]
    assert held["read_my_campaign"]["pending"]["step"] == "choose_investigators"

    refused = found["refused"]
    assert refused.is_error
    problem = refused.structured_content
    assert problem["type"] == "urn:orne:problem:invalid"
    assert problem["status"] == 422
    assert problem["errors"][0]["pointer"] == "/deck/investigator_code"


def test_a_cursor_is_taken_as_the_address_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its colon is encoded there; a model copies it as it is."""
    queries: list[str] = []

    def note(_api: Api, _context: object, _method: str, _path: str, query: str) -> None:
        queries.append(query)

    monkeypatch.setattr(Api, "_ask", note)
    for cursor in ("WzBd%3Aa-b_c", "WzBd:a-b_c"):
        Api().get(cast(Any, None), "cards/", cursor=cursor, q="50%25")
    sent = {"q": ["50%25"], "cursor": ["WzBd:a-b_c"]}
    assert [parse_qs(each) for each in queries] == [sent, sent]


async def _private(client: Client, deck: int) -> list[CallToolResult]:
    asked: list[tuple[str, dict[str, Any]]] = [
        ("list_my_decks", {}),
        ("read_my_deck", {"deck_id": deck}),
        ("list_my_campaigns", {}),
        ("read_my_campaign", {"campaign_id": 1}),
    ]
    return [await client.call_tool(name, arguments) for name, arguments in asked]


@WAYS
def test_private_data_needs_a_key_of_its_account(
    way: Callable[..., Any], alice: User, bob: User
) -> None:
    """401 without a key; another account's data is not found."""
    deck = decks.create_deck(
        owner=alice, content=read_content(examples.WRITTEN), name="Badge", now=NOW
    )
    _key, bobs = accounts.make_key(
        owner=bob, name="model", scope=ApiKey.Scope.READ, now=NOW
    )

    without = way("", lambda client: _private(client, deck.pk))
    others = way(bobs, lambda client: _private(client, deck.pk))

    assert [each.structured_content["status"] for each in without] == [401] * 4
    assert all(each.is_error for each in without)
    assert others[0].structured_content["results"] == []
    assert others[1].structured_content["status"] == 404
    assert others[2].structured_content["results"] == []
    assert others[3].structured_content["status"] == 404


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({}, 200),
        ({"Host": "elsewhere.example"}, 421),
        ({"Origin": "https://elsewhere.example"}, 403),
    ],
)
def test_other_sites_are_refused(header: dict[str, str], status: int) -> None:
    """A page elsewhere can't use another name for this machine's server."""
    app = make_server().streamable_http_app(
        json_response=True, stateless_http=True, transport_security=allowed("127.0.0.1")
    )
    begun = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begun}
    accepted = {"Accept": "application/json, text/event-stream"}

    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        answer = client.post("/mcp", json=message, headers={**accepted, **header})

    assert answer.status_code == status
    if status == 200:
        assert answer.json()["result"]["serverInfo"]["version"] == "1"
