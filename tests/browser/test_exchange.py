"""Decks are exported to a file and imported elsewhere, on a phone, without scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from cardpool.services import ensure_embedded_pool
from decks.models import Deck
from tests.browser.conftest import OpensPage
from tests.browser.looks import scrolls_sideways, small_targets

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NOTES = "Why these?\n\nBecause they fit."


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()


def _bring(page: Page, name: str) -> None:
    """Import a deck with notes by pasting it on the first page."""
    page.goto("/")
    deck = {
        "name": name,
        "description_md": NOTES,
        "tags": "solo",
        "investigator_code": "01001",
        "slots": {"01020": 2, "01029": 1},
        "meta": {"annotation_01020": "Cut me first."},
    }
    page.get_by_label("Deck list").fill(json.dumps(deck))
    page.get_by_role("button", name="Judge this deck").tap()
    page.get_by_role("button", name="Open in the builder").tap()
    page.wait_for_url("**/edit")
    page.goto(page.url.removesuffix("edit"))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "scriptless"])
def test_a_deck_moves_to_another_phone(
    open_page: OpensPage, tmp_path: Path, scripts: bool
) -> None:
    """The page says what the file leaves out; the rest is imported."""
    page = open_page(**PHONE, java_script_enabled=scripts)
    _bring(page, "Für Leo")
    expect(page.get_by_text("Because they fit.")).to_be_visible()
    row = page.get_by_role("listitem").filter(has_text="Markdown")
    expect(row).to_contain_text("Leaves out: tags, notes on single cards")
    if scripts:
        assert not scrolls_sideways(page)
        assert small_targets(page) == []
    with page.expect_download() as waiting:
        row.get_by_role("link").tap()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    assert file.name == "Für Leo.md"

    other = open_page(**PHONE, java_script_enabled=scripts)
    other.goto("/")
    other.get_by_label("or a file").set_input_files(file)
    other.get_by_role("button", name="Judge this deck").tap()
    other.get_by_role("button", name="Open in the builder").tap()
    other.wait_for_url("**/edit")

    mine, theirs = Deck.objects.order_by("pk")
    assert (theirs.name, theirs.notes) == ("Für Leo", NOTES)
    slots = mine.revisions.get().list["slots"]
    assert theirs.revisions.get().list["slots"] == slots


def test_an_accounts_data_moves_to_another(
    open_page: OpensPage, tmp_path: Path
) -> None:
    """From the account's page into another account."""
    people = get_user_model().objects
    for name in ("alice", "bob"):
        people.create_user(name, password="of-arkham-and-away")
    page = open_page(**PHONE)
    _sign_in(page, "alice")
    _bring(page, "Alice’s")
    page.goto("/account/")
    page.get_by_role("link", name="Export decks and collections").tap()
    page.wait_for_url("**/everything/")
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Export").tap()
    file = tmp_path / "alice.json"
    waiting.value.save_as(file)

    other = open_page(**PHONE)
    _sign_in(other, "bob")
    other.goto("/decks/everything/")
    other.get_by_label("Account file").set_input_files(file)
    other.get_by_role("button", name="Import").tap()
    expect(other.get_by_text("Decks imported: 1. Already here: 0.")).to_be_visible()
    expect(other.get_by_role("link", name="Alice’s").first).to_be_visible()


def _sign_in(page: Page, name: str) -> None:
    page.goto("/account/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("of-arkham-and-away")
    page.get_by_role("button", name="Sign in").tap()
    page.wait_for_url(lambda address: "login" not in address)
