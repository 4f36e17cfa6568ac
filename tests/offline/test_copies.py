"""Which pages may be kept on a device, whose they are, and what the worker keeps."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.library import library
from arkham.rules.snapshot import embedded_pool
from decks.lists.starter import starter_deck
from decks.services import create_deck
from tests.campaigns.helpers.tables import NOW, a_campaign
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db


def _facts(client: Client) -> Any:
    """What stands in front of the worker."""
    text = client.get("/sw.js").content.decode()
    found = re.match(r"const ORNE = (\{.*?\});\n", text)
    assert found is not None
    return json.loads(found[1])


def test_the_worker_keeps_files_that_are_there(client: Client) -> None:
    """Every style and script, the fonts, and the library of scripts."""
    files = _facts(client)["files"]

    assert all(finders.find(each.removeprefix("/static/")) for each in files)
    assert "/static/arkham/page.js" in files
    assert "/static/arkham/fonts/text.woff2" in files
    assert "/static/arkham/worker.js" not in files
    answer = client.get("/sw.js")
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"


def test_another_page_for_want_of_a_network_is_another_version(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser then takes the new worker; else it keeps the one it has."""
    first, again = _facts(client)["version"], _facts(client)["version"]
    monkeypatch.setattr("arkham.offline.OFFLINE_TEMPLATES", ("home.html",))

    assert first == again != _facts(client)["version"]


def test_pages_of_the_table_may_be_kept(client: Client, alice: User) -> None:
    """Forms, accounts, settings, people and searches may not; nor parts of pages."""
    client.force_login(alice)
    campaign = a_campaign(alice, ROLAND, DAISY)
    deck = create_deck(
        owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=NOW
    )
    table, shown = f"/campaigns/{campaign.pk}/", f"/decks/{deck.pk}/"
    kept = [
        "/",
        "/rules/",
        "/rules/peril/",
        "/cards/01020/",
        "/decks/",
        shown,
        table,
        f"{table}scenario/",
        "/table/test/?skill=3&seed=a&n_skull=1",
    ]
    others = [
        "/account/",
        "/rules/?q=peril",
        "/cards/",
        f"{shown}edit",
        f"{table}people/",
        f"{table}settings/",
        "/offline/",
        "/nowhere",
    ]

    assert [each for each in kept if "Orne-Copy" not in client.get(each)] == []
    assert [each for each in others if "Orne-Copy" in client.get(each)] == []
    part = client.get(table, headers={"HX-Request": "true"})
    assert "Orne-Copy" not in part
    assert "Orne-Reader" not in part
    assert "Orne-Reader" not in client.post(table)
    assert "Orne-Reader" not in client.get("/api/v1/cards/01020/")


def test_each_reader_has_a_mark(client: Client, alice: User) -> None:
    """A stranger's is another than Alice's; hers stays, and doesn't name her."""
    stranger = client.get("/rules/")["Orne-Reader"]
    client.force_login(alice)
    hers = client.get("/rules/")["Orne-Reader"]

    assert len({stranger, hers}) == 2
    assert client.get("/decks/")["Orne-Reader"] == hers
    assert re.fullmatch("[0-9a-f]{16}", hers)
    client.logout()
    assert client.get("/rules/")["Orne-Reader"] == stranger


def test_all_rules_are_on_one_page(client: Client) -> None:
    """Each at the place that its own page leads to."""
    page = client.get("/offline/rules/").content.decode()

    assert [slug for slug in library() if f'id="at-{slug}"' not in page] == []


def test_what_each_card_does_is_on_one_page(client: Client) -> None:
    """Each with its level, at the place that its own page leads to."""
    page = client.get("/offline/cards/").content.decode()

    assert 'id="at-01020"' in page
    assert "<b>Machete</b>" in page
    assert "<b>Magnifying Glass</b> (1)" in page
    assert len(page) < 600_000
