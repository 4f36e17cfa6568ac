"""Decklists on the public API, as ArkhamDB serves them; only published ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from arkham.accounts.models import User
from decks import services
from decks.lists.content import read_content
from decks.models import Deck, Showing
from tests.decks.public_api.helpers import (
    CHANGED,
    LIST,
    POOL,
    PUBLISHED,
    TOLD,
    a_deck,
    fetch,
)

pytestmark = pytest.mark.usefixtures("rows")

# -- decklists --


def test_a_decklist_is_served_byte_for_byte(published: Showing, alice: User) -> None:
    """Every key in its order, choices as JSON in a string."""
    wanted = TOLD.format(id=published.pk, user=alice.pk, version="1.0", problem="")
    for suffix in ("", ".json"):
        answer = fetch(f"decklist/{published.pk}{suffix}")
        assert answer.content.decode() == wanted
        assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "max-age=600, public"
    assert answer["Last-Modified"] == "Mon, 09 Feb 2026 17:44:02 GMT"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Cookie" not in answer["Vary"]
    script = fetch(f"decklist/{published.pk}?jsonp=f").content.decode()
    assert script == f"f({wanted})"


def test_a_decklist_stays_as_it_was_published(published: Showing, deck: Deck) -> None:
    """Whatever its owner has built since."""
    before = fetch(f"decklist/{published.pk}").content
    content = read_content({**LIST, "slots": {"01020": 2}})
    services.revise_deck(
        deck=deck, content=content, expected_revision=1, now=CHANGED + timedelta(1)
    )
    assert fetch(f"decklist/{published.pk}").content == before


def test_an_unchanged_decklist_is_a_304(published: Showing) -> None:
    """By date and by ETag."""
    path = f"decklist/{published.pk}"
    first = fetch(path)
    for again in (
        fetch(path, If_Modified_Since=first["Last-Modified"]),
        fetch(path, If_None_Match=first["ETag"]),
    ):
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("value", ["999", "999.json", "9" * 18, "9" * 40, "x", "-1"])
def test_an_unknown_decklist_is_404(published: Showing, value: str) -> None:
    """Without a body: clients read that as no deck, and any JSON as one."""
    answer = fetch(f"decklist/{value}")
    assert (answer.status_code, answer.content) == (404, b"")
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_an_unpublished_decklist_is_404(published: Showing, deck: Deck) -> None:
    """So are decks shared by a link, and private decks."""
    services.withdraw_deck(deck=deck)
    assert fetch(f"decklist/{published.pk}").status_code == 404
    showing = services.share_deck(deck=deck, now=CHANGED)
    assert fetch(f"decklist/{showing.pk}").status_code == 404
    assert fetch(f"decklist/{deck.pk}").status_code == 404


def test_tags_and_choices_are_formatted_as_on_the_site(alice: User) -> None:
    """Tags of a decklist are separated by commas; no copies are an empty array."""
    told = {
        "investigator_code": "06002",
        "slots": {},
        "ignoreDeckLimitSlots": {"01020": 1},
        "meta": {"deck_size_selected": "40", "cus_09022": "0|1,5|3"},
        "xp": 3,
        "exile_string": "02111,02111",
    }
    deck = a_deck(alice, told, tags="solo theme")
    showing = services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
    body = fetch(f"decklist/{showing.pk}").content.decode()
    found = json.loads(body)
    assert found["tags"] == "solo, theme"
    assert '"slots":[],"sideSlots":[],"ignoreDeckLimitSlots":{"01020":1},' in body
    assert json.loads(found["meta"]) == told["meta"]
    assert (found["xp"], found["exile_string"]) == (3, "02111,02111")
    assert found["taboo_id"] is None


def test_a_deck_without_a_name_is_named_after_its_investigator(alice: User) -> None:
    """On the site every deck has a name."""
    deck = a_deck(alice, name="")
    showing = services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
    for path in (f"decklist/{showing.pk}", f"deck/{deck.pk}"):
        assert json.loads(fetch(path).content)["name"] == "Marie Lambeau"


# -- by date --


def test_the_decklists_of_a_day_are_listed_in_order(
    alice: User, bob: User, published: Showing
) -> None:
    """From midnight to midnight, UTC."""
    moments = [
        datetime(2026, 2, 1, 0, 0, 0, tzinfo=UTC),
        datetime(2026, 2, 2, 0, 0, 0, tzinfo=UTC),
        datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC),
    ]
    others = [
        services.publish_deck(deck=a_deck(bob), number=1, pool=POOL, now=moment)
        for moment in moments
    ]
    services.share_deck(deck=a_deck(alice), now=PUBLISHED)
    for suffix in ("", ".json"):
        answer = fetch(f"decklists/by_date/2026-02-01{suffix}")
        found = json.loads(answer.content)
        assert [each["id"] for each in found] == [others[0].pk, published.pk]
    one = json.loads(fetch(f"decklist/{published.pk}").content)
    assert found[1] == one
    assert answer["Cache-Control"] == "max-age=600, public"


def test_a_day_changes_its_etag_when_a_decklist_is_withdrawn(
    bob: User, published: Showing
) -> None:
    """No modification date could show that one is gone."""
    other = services.publish_deck(deck=a_deck(bob), number=1, pool=POOL, now=PUBLISHED)
    path = "decklists/by_date/2026-02-01"
    first = fetch(path)
    assert fetch(path, If_None_Match=first["ETag"]).status_code == 304
    services.withdraw_deck(deck=published.deck)

    for headers in (
        {"If_Modified_Since": "Mon, 09 Feb 2026 17:44:02 GMT"},
        {"If_None_Match": first["ETag"]},
    ):
        again = fetch(path, **headers)
        assert again.status_code == 200
        assert [each["id"] for each in json.loads(again.content)] == [other.pk]


@pytest.mark.parametrize("day", ["2020-01-01", "0001-01-01"])
def test_a_day_without_decklists_is_an_empty_list(day: str) -> None:
    """Without a modification date."""
    answer = fetch(f"decklists/by_date/{day}")
    assert (answer.status_code, answer.content) == (200, b"[]")
    assert "Last-Modified" not in answer


@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-13-01", "0000-01-01", "9999-12-31", "today", "2026-2-1"]
)
def test_an_invalid_day_is_404(day: str) -> None:
    """So is the last day of the calendar."""
    assert fetch(f"decklists/by_date/{day}").status_code == 404


def test_a_day_takes_few_queries(
    alice: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """As many for twenty lists as for two."""
    for _each in range(20):
        services.publish_deck(deck=a_deck(alice), number=1, pool=POOL, now=PUBLISHED)
    fetch("decklists/by_date/2026-02-01")
    with django_assert_max_num_queries(4):
        found = json.loads(fetch("decklists/by_date/2026-02-01").content)
    assert len(found) == 20


def test_a_day_of_long_decklists_is_paginated(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page links to the next, without gaps or repetitions."""
    numbers = []
    for _each in range(5):
        deck = a_deck(alice, notes="long " * 1_000)
        showing = services.publish_deck(deck=deck, number=1, pool=POOL, now=PUBLISHED)
        numbers.append(showing.pk)
    monkeypatch.setattr("decks.api.sharing.MOST_OF_A_DAY", 15_000)
    monkeypatch.setattr("decks.api.sharing.A_FEW", 2)
    found, place = [], "decklists/by_date/2026-02-01"
    while place:
        answer = fetch(place)
        assert len(answer.content) <= 15_000
        found += [each["id"] for each in json.loads(answer.content)]
        _before, _path, rest = answer.headers.get("Link", "").partition("/api/public/")
        place = rest.partition(">")[0]
    assert found == numbers


@pytest.mark.parametrize("skip", ["-1", "x", "1000000", "9" * 5_000, "²", ""])
def test_an_invalid_offset_is_refused(skip: str) -> None:
    answer = fetch(f"decklists/by_date/2026-02-01?skip={skip}")
    assert (answer.status_code, answer.json()["parameter"]) == (400, "skip")
