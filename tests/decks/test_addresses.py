"""Every address in a response of the API is absolute."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from decks import services
from decks.api import examples
from tests.decks.world import NOW, World, read_operations
from tests.rules.printed import strings

pytestmark = pytest.mark.usefixtures("rows")

HERE = "http://testserver/"
# Of a problem: a place in the body, and the address that was asked (RFC 9457).
NO_ADDRESSES = {"pointer", "instance"}
ADDRESS = re.compile(r"/[a-z][\w/.-]*")


def _relative(value: Any) -> list[tuple[str, str]]:
    return [
        (key, text)
        for key, text in strings(value)
        if key not in NO_ADDRESSES and ADDRESS.fullmatch(text)
    ]


@pytest.fixture
def world(alice: User, bob: User) -> World:
    """One of everything."""
    return World(alice, bob)


@pytest.fixture
def program(alice: User) -> Client:
    """A program of Alice's."""
    _key, text = accounts.make_key(
        owner=alice, name="sync", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return Client(headers={"Authorization": f"Bearer {text}"})


def test_no_response_has_a_relative_address(world: World, program: Client) -> None:
    """Every read operation of the description, each with data."""
    paths = [path for path, _described in read_operations()]
    found: dict[str, list[tuple[str, str]]] = {}
    absolute = 0
    for path in paths:
        answer = program.get(world.address(path))
        assert answer.status_code == 200, (path, answer.content)
        if not answer["Content-Type"].endswith("json"):
            continue
        value = json.loads(answer.content)
        if relative := _relative(value):
            found[path] = relative
        absolute += sum(text.startswith(HERE) for _key, text in strings(value))

    assert found == {}
    assert absolute > 300
    assert len(paths) > 40


def test_a_deck_says_where_it_is_shown(world: World, program: Client) -> None:
    """Under its numbers too: those of the public API."""
    deck, showing = world.deck, world.showing
    told = program.get(f"/api/v1/decks/{deck.pk}/").json()

    assert told["page"] == f"{HERE}decks/published/{showing.pk}/"
    assert told["link"] == f"{HERE}decks/shared/{showing.key}/"
    assert Client().get(told["page"]).status_code == 200
    assert Client().get(told["link"]).status_code == 200
    for place in (f"decklist/{told['decklist']}", f"deck/{told['link_number']}"):
        assert Client().get(f"/api/public/{place}").json()["id"] in told.values()

    services.renew_link(deck=deck, now=NOW)
    again = program.get(f"/api/v1/decks/{deck.pk}/")
    assert again.json()["link"] != told["link"]
    services.withdraw_deck(deck=deck)
    gone = program.get(f"/api/v1/decks/{deck.pk}/")
    nothing = {"page", "link", "decklist", "link_number", "shown_revision"}
    assert {gone.json()[name] for name in nothing} == {None}
    assert gone["ETag"] != again["ETag"]


def test_a_copy_says_where_its_source_is_shown(world: World, program: Client) -> None:
    """On this server."""
    source = program.get(f"/api/v1/decks/{world.copy.pk}/").json()["source"]

    assert source["page"].startswith(f"{HERE}decks/published/")
    assert Client().get(source["page"]).status_code == 200


def test_refusals_have_absolute_addresses_too(world: World, program: Client) -> None:
    """Where a played deck is changed, and what the deck is now."""
    address = f"/api/v1/decks/{world.deck.pk}/"
    tag = program.get(address)["ETag"]
    change = {"deck": {"slots": {"01017": 2}}}
    answers = [
        program.patch(address, change, "application/json", headers={"If-Match": each})
        for each in (tag, '"another"')
    ]

    assert [each.status_code for each in answers] == [409, 412]
    assert answers[0].json()["upgrade"] == f"{HERE}{address[1:]}upgrade"
    assert answers[1].json()["current"]["page"].startswith(HERE)
    assert [_relative(each.json()) for each in answers] == [[], []]


def test_a_created_thing_has_an_absolute_location(program: Client) -> None:
    """In its Location."""
    made = program.post(
        "/api/v1/decks/", examples.WRITTEN, content_type="application/json"
    )

    assert made.status_code == 201
    assert program.get(made["Location"]).json()["id"] == made.json()["id"]
    assert made["Location"].startswith(HERE)


def test_an_invitation_leads_to_its_page(world: World, program: Client) -> None:
    """By its address as by its token."""
    path = f"/api/v1/campaigns/{world.campaign.pk}/invitations/"
    (invitation,) = program.get(path).json()["results"]

    assert invitation["page"].startswith(HERE)
    assert invitation["token"] in invitation["page"]
    assert Client().get(invitation["page"]).status_code == 200
