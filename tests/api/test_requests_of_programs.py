"""Common needs of HTTP clients: compression, slashes, cursors, conditions."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts.models import User
from decks import services
from decks.api import examples
from decks.lists.content import read_content
from decks.models import Deck
from tests.api.helpers import FORGED
from tests.helpers import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck(alice: User) -> Deck:
    """A deck of Alice's, long enough to be compressed."""
    return services.create_deck(
        owner=alice, content=read_content(examples.WRITTEN), name="Badge", now=NOW
    )


# -- conditions --


def test_the_etag_of_a_compressed_response_works_as_if_match(
    program: APIClient, deck: Deck
) -> None:
    """Compression weakens the ETag; If-Match takes it all the same."""
    address = f"/api/v1/decks/{deck.pk}/"
    read = program.get(address)
    assert read["Content-Encoding"] == "gzip"
    assert read["ETag"].startswith('W/"')

    changed = program.patch(
        address, {"deck": {"name": "New"}}, format="json",
        headers={"If-Match": read["ETag"]},
    )  # fmt: skip
    again = program.patch(
        address, {"deck": {"name": "Newer"}}, format="json",
        headers={"If-Match": read["ETag"]},
    )  # fmt: skip

    assert changed.status_code == 200, changed.content
    assert again.status_code == 412


@pytest.mark.parametrize(
    "path", ["decks/{pk}/", "decks/", "decks/{pk}/revisions/", "notices/", "me/",
             "decks/{pk}/ledger/", "campaigns/", "guides/", "decks/{pk}/legality",
             "packs/", "rules/"],
)  # fmt: skip
def test_an_unchanged_resource_is_a_304(
    program: APIClient, deck: Deck, path: str
) -> None:
    """The account's own decks and lists as well as public ones, by their ETags."""
    address = "/api/v1/" + path.format(pk=deck.pk)
    first = program.get(address)
    second = program.get(address, headers={"If-None-Match": first["ETag"]})

    assert first.status_code == 200
    assert (second.status_code, second.content) == (304, b"")


@pytest.mark.parametrize("path", ["decks/{pk}/", "decks/", "me/", "packs/", "rules/"])
def test_head_responds_as_get_does(program: APIClient, deck: Deck, path: str) -> None:
    """With the same ETag, and 304 if that is current (RFC 9110, 13.1.2)."""
    address = "/api/v1/" + path.format(pk=deck.pk)
    read, looked = program.get(address), program.head(address)
    known = program.head(address, headers={"If-None-Match": read["ETag"]})

    assert (looked.status_code, looked["ETag"]) == (200, read["ETag"])
    assert (known.status_code, known.content) == (304, b"")


READ = ["decks/{pk}/", "decks/", "campaigns/", "me/", "packs/", "rules/"]


@pytest.mark.parametrize(
    "address",
    [*(f"/api/v1/{each}" for each in READ), "/api/public/packs/", "/api/schema"],
)
def test_if_match_with_another_state_is_refused_when_reading(
    program: APIClient, deck: Deck, address: str
) -> None:
    """412, as a problem; the current one is read, weakened or not."""
    address = address.format(pk=deck.pk)
    current = program.get(address)["ETag"]
    headers: dict[str, str]
    for headers in ({"If-Match": '"of-old"'}, {"If-Match": 'W/"1", "2"'}):
        refused = program.get(address, headers=headers)
        assert refused.status_code == 412
        assert refused["Content-Type"] == "application/problem+json"
    for named in (current, current.removeprefix("W/"), "*"):
        assert program.get(address, headers={"If-Match": named}).status_code == 200


def test_a_redirect_ignores_conditions(
    program: APIClient,
) -> None:
    """They apply to existing representations only (RFC 9110, 13.2.1)."""
    answer = program.get("/api/v1/decks", headers={"If-None-Match": "*"})

    assert (answer.status_code, answer["Location"]) == (308, "/api/v1/decks/")
    assert "ETag" not in answer


def test_a_changed_resource_is_sent(program: APIClient, deck: Deck) -> None:
    """A list changes with each of its decks."""
    tag = program.get("/api/v1/decks/")["ETag"]
    services.create_deck(
        owner=deck.owner, content=read_content(examples.WRITTEN), now=NOW
    )
    answer = program.get("/api/v1/decks/", headers={"If-None-Match": tag})

    assert answer.status_code == 200
    assert answer["ETag"] != tag


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip", "gzip"),
        ("br, gzip;q=0.5", "gzip"),
        ("gzip;q=0", None),
        ("identity;q=1, gzip; q=0.000, br", None),
        ("", None),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/rules/", "/api/public/cards/"])
def test_a_client_that_refuses_compression_gets_none(
    client: Client, path: str, accepted: str, encoding: str | None
) -> None:
    """A weight of 0 refuses it; the Vary header is set for caches."""
    answer = client.get(path, headers={"Accept-Encoding": accepted})

    assert (answer.status_code, answer.get("Content-Encoding")) == (200, encoding)
    assert "Accept-Encoding" in answer["Vary"]


# -- addresses --


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
def test_an_unknown_address_is_404_for_every_method(method: str) -> None:
    """Not an error about CSRF, with that check in force."""
    client = Client(enforce_csrf_checks=True)
    answer = client.generic(
        method.upper(), "/api/v1/nothing", "{}", content_type="application/json"
    )

    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/api/v1/", "GET, HEAD, OPTIONS"),
        ("/api/v1/decks/", "GET, POST, HEAD, OPTIONS"),
        ("/api/v1/campaigns/", "GET, POST, HEAD, OPTIONS"),
        ("/api/v1/legality", "POST, OPTIONS"),
        ("/api/v1/cards/", "GET, HEAD, OPTIONS"),
        ("/api/v1/jobs/", "GET, POST, HEAD, OPTIONS"),
        ("/api/public/cards/", "GET, HEAD, OPTIONS"),
    ],
)
def test_options_lists_the_methods_of_every_address(
    program: APIClient, path: str, methods: str
) -> None:
    """It is answered everywhere, with nothing else."""
    answer = program.options(path)

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["Allow"] == methods
    assert "Content-Type" not in answer


@pytest.mark.parametrize("accept", ["", ",", " , "])
def test_an_empty_accept_header_takes_anything(program: APIClient, accept: str) -> None:
    """Some clients send it."""
    for path in ("/api/v1/decks/", "/api/v1/cards/", "/api/schema"):
        answer = program.get(path, headers={"Accept": accept})
        assert answer.status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/docs", 405),
        ("/api/schema", 405),
        ("/api/v1/", 405),
        ("/api/public/cards/", 405),
        ("/api/public/cards", 405),
        ("/api/public/deck/None", 405),
        ("/api/", 404),
        ("/api", 404),
    ],
)
def test_a_read_only_address_refuses_other_methods_with_405(
    method: str, path: str, status: int, settings: Settings
) -> None:
    """Not for a missing CSRF token, and not with 500 with DEBUG on."""
    settings.DEBUG = True
    client = Client(enforce_csrf_checks=True)

    assert getattr(client, method)(path).status_code == status


@pytest.mark.parametrize(
    ("method", "path", "accept", "status"),
    [
        ("post", "/api/schema", "*/*", 405),
        ("get", "/api/schema", "text/html", 406),
        ("get", "/api/schema?format=xml", "*/*", 404),
        ("post", "/api/docs", "*/*", 405),
    ],
)
def test_refusals_outside_the_api_are_problems(
    client: Client, method: str, path: str, accept: str, status: int
) -> None:
    """As JSON, also where the response itself would be YAML or a page."""
    answer = getattr(client, method)(path, headers={"Accept": accept})

    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert json.loads(answer.content)["status"] == status


def test_the_description_has_the_requested_format(client: Client) -> None:
    """By header or by address; tools of any site may read it."""
    yaml, by_header, by_address = (
        client.get("/api/schema", headers={"Origin": "https://tools.example"}),
        client.get("/api/schema", headers={"Accept": "application/json"}),
        client.get("/api/schema?format=json"),
    )

    assert yaml["Access-Control-Allow-Origin"] == "*"
    assert yaml.content.startswith(b"openapi:")
    assert by_header.json() == by_address.json()
    assert by_address.json()["info"]["title"] == "Orne"
    again = client.get("/api/schema", headers={"If-None-Match": yaml["ETag"]})
    assert again.status_code == 304
    assert client.get("/api/schema?format=xml").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize(
    ("path", "meant"),
    [("/api/v1/decks", "/api/v1/decks/"), ("/api/v1/legality/", "/api/v1/legality")],
)
def test_a_missing_or_extra_slash_redirects(method: str, path: str, meant: str) -> None:
    """308, which keeps the method and the body."""
    client = Client(enforce_csrf_checks=True)
    answer = getattr(client, method)(path, data="{}", content_type="application/json")

    assert (answer.status_code, answer["Location"]) == (308, meant)


# -- cursors --

PAGED = ["decks/", "decks/{pk}/revisions/", "decks/{pk}/ledger/", "notices/",
         "decks/{pk}/notices/", "campaigns/", "guides/", "cards/"]  # fmt: skip


@pytest.mark.parametrize("text", FORGED)
@pytest.mark.parametrize("path", PAGED)
def test_a_forged_cursor_is_refused(
    program: APIClient, deck: Deck, path: str, text: str
) -> None:
    """400, which names the parameter."""
    address = "/api/v1/" + path.format(pk=deck.pk)
    cursor = base64.b64encode(text.encode()).decode()
    plain = {"Accept-Encoding": "identity"}
    answer = program.get(address, {"cursor": cursor}, headers=plain)

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert "cursor" in answer.content.decode()


@pytest.mark.parametrize("cursor", ["!!!!", "AAAA", "eD01", "....", ":", "é:\0"])
def test_a_cursor_without_a_position_is_not_the_first_page(
    program: APIClient, deck: Deck, cursor: str
) -> None:
    """400: a program that follows pages would start over; an empty one is ignored."""
    assert program.get("/api/v1/decks/", {"cursor": cursor}).status_code == 400
    assert program.get("/api/v1/decks/", {"cursor": ""}).status_code == 200


def test_a_cursor_of_one_list_is_refused_by_every_other(
    program: APIClient, deck: Deck
) -> None:
    """Of the same kind, too: its position means nothing there."""
    other = services.create_deck(
        owner=deck.owner, content=read_content(examples.WRITTEN), now=NOW
    )
    plain = {"Accept-Encoding": "identity"}
    page = program.get("/api/v1/decks/", {"page_size": 1}, headers=plain).json()
    cursor = {"cursor": parse_qs(urlsplit(page["next"]).query)["cursor"][0]}
    found = {
        path: program.get(f"/api/v1/{path}", cursor).status_code
        for path in (each.format(pk=pk) for each in PAGED for pk in (deck.pk, other.pk))
    }

    assert found.pop("decks/") == 200
    assert set(found.values()) == {400}


def test_a_valid_cursor_is_followed(program: APIClient, deck: Deck) -> None:
    """To the end of the list."""
    for _each in range(2):
        services.create_deck(
            owner=deck.owner, content=read_content(examples.WRITTEN), now=NOW
        )
    seen, address = [], "/api/v1/decks/?page_size=1"
    while address:
        plain = program.get(address, headers={"Accept-Encoding": "identity"})
        page = plain.json()
        seen += [each["id"] for each in page["results"]]
        address = page["next"]

    assert seen == sorted(seen)
    assert len(seen) == 3


# -- limits --


def test_a_key_is_counted_by_itself_on_public_lists_too(
    program: APIClient, settings: Settings, api: APIClient
) -> None:
    """While strangers at the same address have none left."""
    api.get("/api/v1/packs/")
    refused = None
    for _each in range(130):
        answer = api.get("/api/v1/taboo-lists/")
        if answer.status_code == 429:
            refused = answer
            break

    assert refused is not None
    assert program.get("/api/v1/taboo-lists/").status_code == 200
    assert program.get("/api/v1/rules/").status_code == 200
