"""A deck and its first game: built, saved, played, upgraded, compared, moved."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from cardpool.services import ensure_embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger
from tests.browser.conftest import OpensPage
from tests.browser.looks import (
    as_shown_and_loaded,
    scrolls_sideways,
    small_targets,
)
from tests.decks.edits import apply
from tests.decks.helpers import NOW

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SCRIPTLESS = {"java_script_enabled": False}
MACHETE, BEAT_COP_2, RUNIC_AXE, STRONG_ARMED = "01020", "01028", "09022", "10031"
TABOOS = "10"  # the list of 2026: Strong-Armed costs 1 more


@pytest.fixture(autouse=True)
def _cards(live_server: LiveServer) -> None:
    ensure_embedded_pool()
    User.objects.create_user("alice", password="alice-of-arkham")


def _is_phone(page: Page) -> bool:
    return page.viewport_size == PHONE["viewport"]


def _turn_to(page: Page, half: str) -> None:
    """Switch to the other half of the desk; a laptop shows both."""
    link = page.locator(".switch").get_by_role("link", name=half)
    if _is_phone(page):
        link.tap()
    else:
        expect(link).to_be_hidden()


def _touch(page: Page, control: Locator) -> None:
    """Tap on a phone, click elsewhere."""
    if _is_phone(page):
        control.tap()
    else:
        control.click()


def _sign_in(page: Page) -> None:
    page.get_by_label("Username").fill("alice")
    page.get_by_label("Password").fill("alice-of-arkham")
    _touch(page, page.get_by_role("main").get_by_role("button", name="Sign in"))
    page.wait_for_url("**/decks/**")


def _press(page: Page, selector: str) -> None:
    """Press a button of the builder or the desk, and wait for the effect."""
    before = page.locator("#builder").get_attribute("data-revision")
    _touch(page, page.locator(selector).first)
    expect(page.locator("#builder")).not_to_have_attribute(
        "data-revision", before or ""
    )
    shown, loaded = as_shown_and_loaded(page)
    assert shown == loaded


def _search(page: Page, words: str, code: str) -> None:
    page.locator("#q").fill(words)
    page.locator("#q").press("Enter")
    page.wait_for_url(lambda url: f"q={quote_plus(words)}" in url)  # as it is found
    expect(
        page.locator(f"[id^='buy-{code}'], [id='found-1-{code}']").first
    ).to_be_attached()


def _looks_right(page: Page) -> None:
    assert not scrolls_sideways(page)
    assert not _is_phone(page) or small_targets(page) == []


@pytest.mark.parametrize(
    "window",
    [LAPTOP, PHONE, PHONE | SCRIPTLESS],
    ids=["laptop", "phone", "phone without scripts"],
)
def test_a_deck_goes_through_its_first_game(
    open_page: OpensPage, tmp_path: Path, window: dict[str, Any]
) -> None:
    """By mouse, by thumb, and by thumb without scripts; then it moves elsewhere."""
    page = open_page(**window)

    # Build and save.
    page.goto("/decks/new/01001/")
    _touch(page, page.get_by_role("button", name="Begin with a legal deck"))
    page.wait_for_url(re.compile(r"/edit"))
    _press(page, "#fewer-01000")
    for _copy in range(2):
        _press(page, "#fewer-01022")
    for words, code, copies in (("mob enforcer", "01101", 1), ("axe", RUNIC_AXE, 2)):
        page.goto(f"{page.url.partition('?')[0]}?view=add&q={words}")
        _press(page, f"#found-{copies}-{code}")
    _touch(page, page.get_by_role("button", name="Save"))
    page.wait_for_url("**/login/**")
    _sign_in(page)
    expect(page.get_by_text("The deck is saved in your account.")).to_be_visible()
    deck = Deck.objects.get()

    # Follow a taboo list.
    page.goto(f"/decks/{deck.pk}/taboos/?to={TABOOS}")
    _touch(page, page.get_by_role("button", name="Use this list"))
    page.wait_for_url(re.compile(r"/edit"))
    expect(page.locator(".status-bar")).to_contain_text("Legal")

    # Play.
    page.goto(f"/decks/{deck.pk}/")
    _touch(page, page.get_by_role("link", name="Record a scenario"))
    page.get_by_label("Victory display, total").fill("7")
    _touch(page, page.get_by_text("Cards exiled"))
    group = page.get_by_role("group", name="Machete").first
    group.get_by_role("radio", name="1").check()
    _looks_right(page)
    _touch(page, page.get_by_role("button", name="Record the scenario"))
    page.wait_for_url("**/upgrade/**")
    expect(page.locator(".status-bar")).to_contain_text("7 of 7 left")
    _looks_right(page)

    # Upgrade: a higher version, a card with a taboo, a box, a refill for the exiled.
    _turn_to(page, "Buy")
    _search(page, "beat cop", BEAT_COP_2)
    _press(page, f"#buy-{BEAT_COP_2}")
    _search(page, "evidence", "01022")
    expect(page.locator("#buy-01022")).to_have_text(re.compile("free"))
    _press(page, "#buy-01022")
    _search(page, "strong-armed", STRONG_ARMED)
    expect(page.locator(f"#buy-{STRONG_ARMED}")).to_have_text(re.compile("2"))
    _press(page, f"#buy-{STRONG_ARMED}")
    expect(page.locator(".status-bar")).to_contain_text("3 of 7 left")
    _looks_right(page)
    _turn_to(page, "Cart and deck")
    _press(page, "#fewer-01037")
    _touch(page, page.locator(f"#open-{RUNIC_AXE} summary"))
    _press(page, f"#box-{RUNIC_AXE}-0-1")
    expect(page.locator(".status-bar")).to_contain_text("Legal")
    expect(page.locator(".status-bar")).to_contain_text("2 of 7 left")
    _looks_right(page)
    _touch(page, page.get_by_role("button", name="Upgrade for 5 experience"))
    page.wait_for_url(re.compile(rf"/decks/{deck.pk}/$"))
    expect(page.get_by_text("Upgraded for 5 experience.")).to_be_visible()
    expect(page.locator("#ledger .balance")).to_have_text("2 to spend")
    _looks_right(page)

    # Compare.
    latest = Deck.objects.get().revision
    _touch(page, page.get_by_role("link", name=f"Compare with version {latest - 1}"))
    compared = page.locator(".compared")
    expect(compared).to_contain_text("1 × Beat Cop (2)")
    expect(compared).to_contain_text("1 × Strong-Armed (1)")
    expect(compared).to_contain_text("1 × Machete")
    expect(compared).to_contain_text("Upgrade sheet of Runic Axe: – → Heirloom 1")
    expect(page.locator(".invoice li")).to_have_count(4)
    _looks_right(page)
    assert ledger.balance_of(deck) == 2

    # Export it; someone else who has no account imports it.
    page.goto(f"/decks/{deck.pk}/")
    row = page.get_by_role("listitem").filter(has_text="JSON (ArkhamDB")
    expect(row).to_contain_text("Complete")
    with page.expect_download() as waiting:
        _touch(page, row.get_by_role("link"))
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    other = open_page(**window)
    other.goto("/")
    other.get_by_label("or a file").set_input_files(file)
    _touch(other, other.get_by_role("button", name="Judge this deck"))
    expect(other.locator(".verdict")).to_contain_text("Legal")
    _touch(other, other.get_by_role("button", name="Open in the builder"))
    other.wait_for_url("**/edit")
    expect(other.locator(".status-bar")).to_contain_text("Legal")
    _looks_right(other)
    theirs = Deck.objects.exclude(pk=deck.pk).get()
    mine, brought = _told(Deck.objects.get(pk=deck.pk)), _told(theirs)
    assert brought == mine
    assert mine[0][BEAT_COP_2] == mine[0][STRONG_ARMED] == 1
    assert mine[1:] == ({"cus_09022": "0|1"}, 10, 2)


def _told(deck: Deck) -> tuple[Any, ...]:
    """Return the cards, the sheets, the taboo list and the experience to spend."""
    told = deck.revisions.get(number=deck.revision).list
    return told["slots"], told["meta"], told["taboo_id"], ledger.balance_of(deck)


def test_two_windows_at_one_desk(
    live_server: LiveServer, browser: Browser, page: Page
) -> None:
    """The second is refused, sees what the first did, and continues from there."""
    alice = User.objects.get()
    pool = embedded_pool()
    deck = services.create_deck(
        owner=alice,
        content=apply(starter_deck(pool, "01001"), [], pool),
        now=NOW,
    )
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(ledger.Earned("victory", 6),)),
        expected_revision=1,
        now=NOW,
    )
    # Chromium logs a 412 in the console, so this window's console isn't checked.
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    other = context.new_page()
    for each in (page, other):
        each.goto(f"/account/login/?next=/decks/{deck.pk}/upgrade/?view=add")
        _sign_in(each)
    _press(page, f"#buy-{BEAT_COP_2}")
    guard_dog = other.get_by_role("button", name="upgrade to Guard Dog (2)")
    guard_dog.click()
    expect(other.get_by_role("alert")).to_contain_text("desk first")
    expect(other.locator(".status-bar")).to_contain_text("4 of 6 left")
    guard_dog.click()
    expect(other.locator(".status-bar")).to_contain_text("2 of 6 left")
    assert deck.desk.version == 2
    context.close()
