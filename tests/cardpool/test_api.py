"""The API of the card pool: responses, and refusals without data."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from arkham.rules.pool import CardPool
from arkham.rules.snapshot import embedded_pool
from cardpool import services
from cardpool.api import DETAIL, ENVIRONMENT, PACK, TABOO_DETAIL, TABOO_LIST
from cardpool.models import Cycle, Environment

pytestmark = pytest.mark.usefixtures("rows")


def get(api: APIClient, address: str, **headers: str) -> Any:
    return api.get(f"/api/v1/{address}", headers=headers)


def codes(api: APIClient, search: str) -> list[str]:
    answer = api.get("/api/v1/cards/", {"q": search})
    assert answer.status_code == 200, answer.content
    return [card["code"] for card in answer.json()["results"]]


class TestCards:
    def test_results_are_in_code_order(self, api: APIClient) -> None:
        assert codes(api, "shrivelling") == ["01060", "02154", "02306"]
        assert codes(api, "shrivelling sort:level") == ["01060", "02154", "02306"]

    def test_a_corrected_search_is_reported(self, api: APIClient) -> None:
        page = api.get("/api/v1/cards/", {"q": "machette"}).json()
        assert [each["code"] for each in page["results"]] == ["01020"]
        assert page["guess"] == ["machete"]
        page = api.get("/api/v1/cards/", {"q": "machete"}).json()
        assert page["guess"] == []
        assert page["understood"] == "“machete”"

    def test_ordinary_words_are_read_and_reported(self, api: APIClient) -> None:
        page = api.get("/api/v1/cards/", {"q": "seeker event"}).json()
        same = api.get("/api/v1/cards/", {"q": "class:seeker type:event"}).json()
        assert page["results"] == same["results"]
        assert page["understood"] == same["understood"] == "class seeker, type event"
        assert page["guess"] == []

    def test_encounter_cards_are_shown_on_request(self, api: APIClient) -> None:
        assert codes(api, "m:rats") == []
        assert codes(api, "m:rats show:encounter") == ["01159"]

    def test_a_list_is_paginated(self, api: APIClient) -> None:
        first = get(api, "cards/?q=class:seeker&page_size=2").json()
        assert [card["code"] for card in first["results"]] == ["01002", "01030"]
        second = api.get(first["next"]).json()
        assert [card["code"] for card in second["results"]] == ["01031", "01032"]
        assert api.get(second["previous"]).json()["results"] == first["results"]

    def test_pages_list_every_card_once(self, api: APIClient) -> None:
        found: list[str] = []
        address = "/api/v1/cards/?q=show:all&page_size=1000"
        while address:
            page = api.get(address).json()
            found += [card["code"] for card in page["results"]]
            address = page["next"]
        pool = embedded_pool()
        assert found == [code for code in sorted(pool) if not pool[code].hidden]

    def test_an_invalid_search_is_a_problem_with_its_place(
        self, api: APIClient
    ) -> None:
        answer = get(api, "cards/?q=level:2 clas:seeker")
        assert answer.status_code == 400
        assert answer["Content-Type"] == "application/problem+json"
        problem = answer.json()
        assert problem["type"] == "urn:orne:problem:search"
        assert (problem["parameter"], problem["column"]) == ("q", 9)
        assert (problem["found"], problem["suggestion"]) == ("clas", "class")
        assert problem["expected"].startswith("class, type, level")

    @pytest.mark.parametrize("search", ["%00", "%F0%9F%A6%91", "x" * 1_001, "(((((("])
    def test_no_input_causes_an_error(self, api: APIClient, search: str) -> None:
        assert get(api, f"cards/?q={search}").status_code in (200, 400)

    def test_a_page_takes_three_queries(self, api: APIClient) -> None:
        get(api, "cards/")
        with CaptureQueriesContext(connection) as asked:
            get(api, "cards/?q=class:seeker trait:tome")
        assert len(asked) == 3  # the version of the data; the cards; the ETag


class TestCard:
    def test_a_card_in_full(self, api: APIClient) -> None:
        card = get(api, "cards/01060/").json()
        assert card == DETAIL

    def test_any_printing_redirects_to_the_card(self, api: APIClient) -> None:
        assert get(api, "cards/01560/").json()["code"] == "01060"

    def test_related_cards_are_listed(self, api: APIClient) -> None:
        diary = get(api, "cards/06112/").json()
        assert diary["bonded"] == ["06113"]
        assert diary["versions"] == ["06112", "06236", "06237", "06238"]
        researched = get(api, "cards/06236/").json()
        assert researched["researched_from"] == ["06112"]

    def test_its_taboo_history_newest_first(self, api: APIClient) -> None:
        history = get(api, "cards/02026/").json()["taboo"]
        assert [each["taboo_list"] for each in history] == [10, 9, 8, 7, 6, 5, 4, 3, 2]
        assert history[0]["date"] == "2026-02-19"
        assert history[0]["deck_limit"] == 0

    def test_an_investigator(self, api: APIClient) -> None:
        found = get(api, "cards/02003/").json()["investigator"]
        assert (found["deck_size"], found["basic_weaknesses"]) == (30, 1)
        assert [(each["limit"], each["other"]) for each in found["options"]] == [
            (None, False),
            (5, True),
        ]

    def test_its_text_where_it_was_imported(self, api: APIClient) -> None:
        assert get(api, "cards/01060/").json()["text"] is None
        texts = {"01060": {"text": "Burn."}}
        services.load_pool(services.Contents(embedded_pool(), "test", texts=texts))
        assert get(api, "cards/01060/").json()["text"] == {
            "front": "Burn.",
            "back": "",
            "customization": "",
        }

    @pytest.mark.parametrize("code", ["99999", "abcde", "01060x9"])
    def test_an_unknown_card_is_404(self, api: APIClient, code: str) -> None:
        answer = get(api, f"cards/{code}/")
        assert answer.status_code == 404
        assert answer["Content-Type"] == "application/problem+json"


class TestOthers:
    def test_products(self, api: APIClient) -> None:
        packs = get(api, "packs/").json()
        assert [pack["code"] for pack in packs[:3]] == ["core", "rcore", "dwl"]
        assert PACK in packs

    def test_taboo_lists(self, api: APIClient) -> None:
        lists = get(api, "taboo-lists/").json()
        assert [each["id"] for each in lists] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
        assert lists[-1] == TABOO_LIST
        assert (
            get(api, "taboo-lists/1/").json()["changes"][:2]
            == (TABOO_DETAIL["changes"])
        )
        assert get(api, "taboo-lists/11/").status_code == 404

    def test_environments(self, api: APIClient) -> None:
        current, legacy = get(api, "environments/").json()
        assert current == ENVIRONMENT
        assert (legacy["slug"], legacy["packs"]) == ("legacy", None)

    def test_a_limited_environment(self, api: APIClient) -> None:
        row = Environment.objects.create(slug="ours", name="Ours", kind="limited")
        row.cycles.set(Cycle.objects.filter(code__in=("dwl", "ptc", "tfa")))
        ours = get(api, "environments/").json()[-1]
        assert ours["cycles"] == ["dwl", "ptc", "tfa"]
        assert {"dwl", "rtdwl", "core", "nat"} <= set(ours["packs"])
        assert "tcu" not in ours["packs"]


class TestETags:
    @pytest.mark.parametrize(
        "address",
        ["cards/?q=shrivelling", "cards/01060/", "packs/", "taboo-lists/",
         "taboo-lists/1/", "environments/"],
    )  # fmt: skip
    def test_an_unchanged_list_is_a_304(self, api: APIClient, address: str) -> None:
        first = get(api, address)
        again = get(api, address, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]
        weak = get(api, address, **{"If-None-Match": f"W/{first['ETag']}"})
        assert weak.status_code == 304
        other = get(api, address, **{"If-None-Match": '"another"'})
        assert other.status_code == 200

    def test_another_search_has_another_etag(self, api: APIClient) -> None:
        one, two = get(api, "cards/?q=class:seeker"), get(api, "cards/?q=class:rogue")
        assert one["ETag"] != two["ETag"]

    def test_new_data_has_a_new_etag(self, api: APIClient, rows: CardPool) -> None:
        before = get(api, "cards/01060/")["ETag"]
        texts = {"01060": {"text": "Burn."}}
        services.load_pool(services.Contents(rows, "test", texts=texts))
        assert get(api, "cards/01060/", **{"If-None-Match": before}).status_code == 200

    def test_a_new_environment_has_a_new_etag(self, api: APIClient) -> None:
        before = get(api, "environments/")["ETag"]
        Environment.objects.create(slug="ours", name="Ours", kind="legacy")
        assert get(api, "environments/")["ETag"] != before

    def test_refusals_have_no_etag(self, api: APIClient) -> None:
        assert "ETag" not in get(api, "cards/99999/")
        assert "ETag" not in get(api, "cards/?q=clas:x")
