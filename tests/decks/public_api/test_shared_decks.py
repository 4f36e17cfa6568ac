"""Shared decks on the public API, and reading them from another server."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from arkham.accounts.models import User
from decks import services
from decks.interchange.arkhamdb import find_place
from decks.interchange.importing import read_list
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Showing
from decks.queries import keys_of, number_of
from tests.decks.public_api.helpers import (
    API,
    CHANGED,
    LIST,
    POOL,
    PUBLISHED,
    TOLD,
    a_deck,
    fetch,
)

pytestmark = pytest.mark.usefixtures("rows")

# -- decks --


def test_a_shared_deck_is_served_by_its_key_byte_for_byte(
    shared: Showing, deck: Deck
) -> None:
    """As a deck without an owner, with its problem."""
    wanted = TOLD.format(
        id=number_of(shared.key),
        user="null",
        version="0.1",
        problem=',"problem":"investigator"',
    ).replace("2026-02-09T17:44:02", "2026-02-01T22:38:59")
    key = str(shared.key)
    for place in (key, f"{key}.json", key.replace("-", ""), number_of(shared.key)):
        answer = fetch(f"deck/{place}")
        assert answer.content.decode() == wanted
    assert answer["Cache-Control"] == "no-cache, private"
    assert answer["Last-Modified"] == "Mon, 09 Feb 2026 17:44:02 GMT"
    again = fetch(f"deck/{key}", If_Modified_Since=answer["Last-Modified"])
    assert again.status_code == 304
    for name in ("f", "no name"):  # JSONP is not offered for decks
        asked = fetch(f"deck/{key}?jsonp={name}")
        assert (asked.content, asked["Content-Type"]) == (
            answer.content,
            "application/json",
        )


def test_a_shared_deck_is_served_as_it_is_now(shared: Showing, deck: Deck) -> None:
    """In its latest revision."""
    content = read_content({**LIST, "slots": {"01020": 2}})
    services.revise_deck(deck=deck, content=content, expected_revision=1, now=CHANGED)
    told = json.loads(fetch(f"deck/{shared.key}").content)
    assert (told["slots"], told["version"]) == ({"01020": 2}, "0.2")


def test_a_shared_deck_is_served_by_its_number(
    client: Client, shared: Showing, deck: Deck
) -> None:
    """At every endpoint that takes a number, until the link is withdrawn."""
    number = json.loads(fetch(f"deck/{shared.key}").content)["id"]
    page = f"/decks/shared/{shared.key}/"
    file = json.loads(client.get(f"{page}list.json").content)
    assert file["id"] == number
    assert 2**52 <= number < 2**53
    for ending in ("", "/", ".json"):
        assert json.loads(fetch(f"deck/{number}{ending}").content)["id"] == number
    for address in (f"/deck/view/{number}", f"/deck/view/{number}/"):
        assert client.get(address)["Location"] == page
    assert fetch(f"decklist/{number}").status_code == 404

    services.renew_link(deck=deck, now=CHANGED)
    assert fetch(f"deck/{number}").status_code == 404
    gone = client.get(f"/deck/view/{number}")
    assert gone.status_code == 404
    assert "This link doesn’t open a deck." in gone.content.decode()


def test_a_published_deck_with_a_link_is_served_by_both_numbers(
    deck: Deck, client: Client
) -> None:
    """As published under its own, in its latest revision under the link's."""
    shared = services.share_deck(deck=deck, now=PUBLISHED)
    services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
    content = read_content({**LIST, "slots": {"01020": 2}})
    services.revise_deck(deck=deck, content=content, expected_revision=1, now=CHANGED)
    told = {
        number: json.loads(fetch(f"deck/{number}").content)
        for number in (deck.pk, number_of(shared.key))
    }
    assert {number: each["id"] for number, each in told.items()} == {
        number: number for number in told
    }
    assert [each["version"] for each in told.values()] == ["0.1", "0.2"]
    services.close_link(deck=deck)
    assert fetch(f"deck/{number_of(shared.key)}").status_code == 404
    assert fetch(f"deck/{deck.pk}").status_code == 200


def test_a_number_that_two_links_share_is_404(alice: User) -> None:
    """So that it never shows the wrong deck; the keys still work."""
    keys = [
        uuid.UUID(f"8c2bd4d6-4f2f-4f6e-9d5f-0d3c9f9b7a1{digit}") for digit in range(2)
    ]
    for key in keys:
        services.share_deck(deck=a_deck(alice), now=PUBLISHED)
        Showing.objects.filter(pk=Showing.objects.latest("pk").pk).update(key=key)
    (number,) = {number_of(key) for key in keys}
    assert fetch(f"deck/{number}").status_code == 404
    assert {fetch(f"deck/{key}").status_code for key in keys} == {200}


def test_the_keys_of_a_number_are_a_range() -> None:
    """All keys that have the number, and no others."""
    for _each in range(1_000):
        key = uuid.uuid4()
        number = number_of(key)
        keys = keys_of(number)
        assert keys is not None
        assert keys[0] <= key <= keys[1]
        assert number_of(keys[0]) == number_of(keys[1]) == number
    assert keys_of(2**52 - 1) is keys_of(2**53) is keys_of(7) is None


def test_a_key_of_digits_only_is_no_number(client: Client, shared: Showing) -> None:
    """Written without hyphens it looks like one."""
    key = uuid.UUID("12345678-1234-4123-8123-123456781234")
    Showing.objects.update(key=key)
    assert fetch(f"deck/{key.hex}").status_code == 200
    assert client.get(f"/deck/view/{key.hex}").status_code == 302


def test_a_published_deck_is_served_by_its_own_number(
    published: Showing, deck: Deck
) -> None:
    """As it was published, without an owner, like all decks."""
    told = json.loads(fetch(f"deck/{deck.pk}").content)
    assert (told["id"], told["user_id"], told["problem"]) == (
        deck.pk,
        None,
        "investigator",
    )


def test_an_unshared_deck_is_404_without_a_body(deck: Deck, as_alice: Client) -> None:
    """Private, wrong key, withdrawn, unknown, or no address of a deck."""
    showing = services.share_deck(deck=deck, now=PUBLISHED)
    services.withdraw_deck(deck=deck)
    other = services.share_deck(deck=deck, now=PUBLISHED)
    assert fetch(f"deck/{other.key}").status_code == 200
    none = "00000000-0000-0000-0000-000000000000"
    absent = (deck.pk, showing.key, deck.pk + 1, "9" * 18, other.pk, "x", "None", none)
    for place in absent:
        for client in (Client(), as_alice):
            for accept in ("*/*", "application/json", "text/html"):
                path = f"{API}deck/{place}"
                answer = client.get(path, headers={"Accept": accept})
                assert (answer.status_code, answer.content) == (404, b"")
                assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("ending", ["", "/", ".json"])
def test_a_trailing_slash_or_suffix_is_accepted(
    published: Showing, deck: Deck, ending: str
) -> None:
    """For numbers and keys, which may be in capitals."""
    assert fetch(f"decklist/{published.pk}{ending}").status_code == 200
    assert fetch(f"deck/{deck.pk}{ending}").status_code == 200
    services.withdraw_deck(deck=deck)
    shared = services.share_deck(deck=deck, now=PUBLISHED)
    for key in (str(shared.key), str(shared.key).upper(), shared.key.hex):
        assert fetch(f"deck/{key}{ending}").status_code == 200


def test_the_sites_page_addresses_accept_a_trailing_slash(
    client: Client, published: Showing, deck: Deck
) -> None:
    """They redirect to ours."""
    for path in (
        f"/decklist/view/{published.pk}/",
        f"/decklist/view/{published.pk}/a-name/",
        f"/deck/view/{deck.pk}/",
        "/card/01001/",
        "/set/core/",
    ):
        assert client.get(path).status_code == 302


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({}, None),
        ({"01020": 0}, "too_few_cards"),
        ({"01024": 1}, "too_many_cards"),
        ({"01020": 3}, "too_many_copies"),
        ({"01006": 0}, "investigator"),
        ({"01020": 0, "01060": 2}, "invalid_cards"),
    ],
)
def test_a_decks_problem_has_the_sites_code(
    alice: User, change: dict[str, int], problem: str | None
) -> None:
    """The first in the site's order; null for a legal deck."""
    told = starter_deck(POOL, "01001").deck
    deck = a_deck(alice, {**told, "slots": {**told["slots"], **change}})
    showing = services.share_deck(deck=deck, now=PUBLISHED)
    answer = json.loads(fetch(f"deck/{showing.key}").content)
    assert answer["problem"] == problem
    assert list(answer)[-1] == "problem"


@pytest.mark.parametrize("path", ["/deck/view/7", "/decklist/view/7", "/no/such"])
def test_a_404_page_begins_with_the_expected_text(client: Client, path: str) -> None:
    """Loaders of tabletop programs compare these letters to detect a missing deck."""
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.content.lstrip().startswith(b"<!DOCTYPE html>")


# -- the way from one server to another --


def test_the_sites_page_addresses_redirect_to_our_pages(
    published: Showing, deck: Deck
) -> None:
    """Of shown decklists and decks; 404 for others."""
    place = f"/decks/published/{published.pk}/"
    for address in (
        f"/decklist/view/{published.pk}",
        f"/decklist/view/{published.pk}/blood-of-leo-1.0",
        f"/deck/view/{deck.pk}",
    ):
        assert Client().get(address)["Location"] == place
    showing = services.share_deck(deck=deck, now=CHANGED)
    assert Client().get(f"/deck/view/{showing.key}")["Location"] == (
        f"/decks/shared/{showing.key}/"
    )
    for address in (
        f"/deck/view/{deck.pk}",
        f"/decklist/view/{published.pk}",
        f"/deck/view/{published.key}",
        f"/deck/view/{'9' * 20}",
        f"/decklist/view/{'9' * 20}",
        f"/decks/{'9' * 20}/",
    ):
        assert Client().get(address).status_code == 404


def test_another_server_finds_the_deck_by_its_pages_address(
    settings: Settings,
) -> None:
    """The page links a reading server to the public API."""
    settings.ORNE_DECK_SITES = ["orne.example"]
    key = "8c2bd4d6-4f2f-4f6e-9d5f-0d3c9f9b7a10"
    for address, path in (
        ("https://orne.example/decks/published/7/", "/api/public/decklist/7"),
        (f"https://orne.example/decks/shared/{key}/", f"/api/public/deck/{key}"),
        (f"https://orne.example/decks/shared/{key}", f"/api/public/deck/{key}"),
        (
            f"https://orne.example/deck/view/{2**53 - 1}",
            f"/api/public/deck/{2**53 - 1}",
        ),
    ):
        assert find_place(address).path == path


@pytest.mark.slow
def test_every_published_deck_survives_a_round_trip(
    alice: User, shared_data: Path
) -> None:
    """443 real lists, imported and exported, field by field."""
    lines = (shared_data / "data" / "decks" / "published.jsonl").read_text("utf-8")
    seen = Counter[str]()
    for line in lines.splitlines():
        came = json.loads(line)
        read = read_list(line, POOL)
        assert read.content is not None
        deck = services.create_deck(
            owner=alice, content=read.content, now=PUBLISHED, name=came["name"]
        )
        showing = services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
        told = json.loads(fetch(f"decklist/{showing.pk}").content)
        for key in ("investigator_code", "slots", "sideSlots"):
            if key in came:
                assert told[key] == came[key], came["id"]
                seen[key] += 1
        assert told["name"] == came["name"][:120].strip()
        if "investigator_name" in came:
            assert told["investigator_name"] == came["investigator_name"]
    assert seen == {"investigator_code": 443, "slots": 443, "sideSlots": 9}
