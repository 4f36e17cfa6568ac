"""The API of the rules library: lists, searches, entries, versions."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient


def get(api: APIClient, address: str, **headers: str) -> Any:
    return api.get(f"/api/v1/{address}", headers=headers)


def test_every_entry_is_listed_by_title(api: APIClient) -> None:
    listed = get(api, "rules/").json()
    assert len(listed) == 243
    assert listed[0] == {
        "slug": "a-an",
        "title": "A, an",
        "polish": "",
        "also": [],
        "topic": "abilities",
        "url": "http://testserver/api/v1/rules/a-an/",
    }


@pytest.mark.parametrize(
    ("text", "slugs"),
    [("trwala", ["permanent"]), ("deck.size", ["deck-size"]), ("qqqqqq", [])],
)
def test_a_search_finds_what_the_pages_find(
    api: APIClient, text: str, slugs: list[str]
) -> None:
    found = get(api, f"rules/?q={text}").json()
    assert [each["slug"] for each in found] == slugs


def test_an_entry_is_answered_whole(api: APIClient) -> None:
    told = get(api, "rules/permanent/").json()
    assert told["faq"] == "2.5"
    assert told["polish"] == "Trwała"
    assert told["sources"][0] == {"rank": 1, "document": "FAQ 2.5", "section": "1.29"}
    assert {
        "text": "Its text box cannot be made blank.",
        "since": "2.5",
        "until": "",
    } in told["text"]
    assert [each["version"] for each in told["changes"]] == ["1.1", "2.0", "2.5"]
    assert "upgrade.permanent" in told["checks"]
    assert told["related"] == ["deck-size", "buying-cards", "blank", "elimination"]


def test_what_superseded_what_is_listed(api: APIClient) -> None:
    told = get(api, "rules/farthest/").json()["superseded"]
    assert [each["source"] for each in told] == ["Collected glossary of 2024"]
    assert told[0]["instead"]["section"] == "2.16"
    open_questions = get(api, "rules/myriad/").json()["rulings"]
    assert open_questions == ["prices.myriad-upgrade"]


def test_an_entry_is_answered_as_of_a_version(api: APIClient) -> None:
    told = get(api, "rules/permanent/?faq=1.0").json()
    assert told["faq"] == "1.0"
    assert [each["text"] for each in told["text"]][1] == (
        "In play it cannot be discarded."
    )
    assert len(told["text"]) == 3


def test_a_version_nobody_knows_is_refused(api: APIClient) -> None:
    answer = get(api, "rules/permanent/?faq=9.9")
    assert answer.status_code == 400
    problem = answer.json()
    assert problem["parameter"] == "faq"
    assert problem["found"] == "9.9"
    assert problem["expected"].startswith("none, 1.0, ")
    assert problem["expected"].endswith(", 2.5")


def test_an_entry_nobody_knows_is_not_there(api: APIClient) -> None:
    assert get(api, "rules/house-rule/").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["rules/", "rules/?q=weak", "rules/permanent/", "rules/permanent/?faq=1.0"],
)
def test_an_answer_is_sent_once(api: APIClient, address: str) -> None:
    """The second time only that nothing has changed; without a look at the database."""
    answer = get(api, address)
    again = get(api, address, **{"If-None-Match": answer["ETag"]})
    other = get(api, address, **{"If-None-Match": '"another"'})
    assert (again.status_code, again.content) == (304, b"")
    assert other.json() == answer.json()


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(api: APIClient, method: str) -> None:
    assert getattr(api, method)("/api/v1/rules/permanent/").status_code == 405


def test_the_root_leads_here(api: APIClient) -> None:
    assert get(api, "").json()["links"]["rules"].endswith("/api/v1/rules/")
